import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The parts of a session that a subscriber receives. Without any part it receives revisions only.
struct EventSubscription: Hashable, Sendable {
  typealias Name = Identifier<EventSubscription>

  let session: SessionID
  /// The name of the selection; nil for the unnamed one, which the query itself describes.
  var name: Name?
  /// True if the document is included, as `GET /sessions/{session}` answers it.
  var hasDocument = false
  /// The menu to include, as `GET /sessions/{session}/menu` answers it; nil for none.
  var menu: MenuQuestion?
  /// The commands whose items are included, as `POST /commands/validate` answers them.
  var commands: [CommandID] = []
  /// The pressed modifiers, for menu and items.
  var modifiers = KeyModifiers()
  /// The responder at which searches begin, for menu and items; nil for the first responder.
  var from: ResponderID?
  /// The window treated as key, for menu and items (R11); nil for the key window.
  var window: ResponderID?
  /// The viewer, which determines the visible commands and the actor for rules.
  var viewer = Viewer.local
  /// True if events tell who made the changes (T4).
  var tellsActors = false
  /// The platform of the keys to include, as `GET /sessions/{session}/keys` answers them; nil for none.
  var keys: KeyPlatform?
  /// True if the tools are included, as the session's agents list them with `?tools=enabled`.
  var hasTools = false
  /// The consent for commands that do not declare one (T7).
  var consent = AgentConsent.call
  /// The states of the deliveries to include, as `GET /sessions/{session}/deliveries` answers them.
  var deliveries: [Delivery.State] = []

  /// A menu and its kind of display.
  struct MenuQuestion: Hashable, Sendable {
    let id: MenuID
    let kind: MenuKind
  }

  /// Creates a subscription to the revisions of a session only.
  init(_ session: SessionID) { self.session = session }

  /// Reads the selected parts from a query, or from a selection in one.
  ///
  /// - Throws: 400 for a malformed name or an unknown word of a parameter.
  init(_ query: QueryReader, of session: SessionID, named name: Name? = nil) throws(Problem) {
    self.session = session
    self.name = name
    hasDocument = try query.flag("document")
    modifiers = KeyModifiers(try query.words("modifiers"))
    from = try query.name("from")
    window = try query.name("window")
    let kind: MenuKind? = try query.word("kind")
    let menu: MenuID? = try query.name("menu")
    if menu != nil || kind != nil {
      self.menu = MenuQuestion(id: menu ?? Menu.rootIdentifier, kind: kind ?? .main)
    }
    commands = try query.names("commands")
    let platform: KeyPlatform? = try query.word("platform")
    if try query.flag("keys") || query["keys"] == nil && platform != nil {
      keys = platform ?? .apple
    }
    hasTools = try query.flag("tools")
    deliveries = try query.words("deliveries")
  }

  /// The parameters that select parts.
  static let parts: [QueryParameter] = [
    .document, .menu, .kind, .commands, .modifiers, .keys, .platform, .toldTools, .from, .window,
    .deliveries,
  ]

  /// The rights that the parts need (T3).
  var rights: [Right] { hasDocument || !deliveries.isEmpty ? [.items, .read] : [.items] }

  /// True if no part is selected, so that every revision is an event.
  var isOfRevisions: Bool {
    !hasDocument && menu == nil && commands.isEmpty && keys == nil && !hasTools
      && deliveries.isEmpty
  }

  /// The validation whose answer has the items; nil if none are selected.
  var itemsQuestion: ValidationRequest? {
    guard !commands.isEmpty else { return nil }
    var request = question
    request.commands = commands
    return request
  }

  /// The validation whose answer has the menu; nil if none is selected.
  var menuQuestion: ValidationRequest? {
    guard let menu else { return nil }
    var request = question
    request.menu = menu.id
    request.kind = menu.kind
    return request
  }

  /// The request for the keys; nil if none are selected.
  var keysQuestion: KeyListRequest? {
    keys.map { KeyListRequest(on: $0, from: from, window: window, by: viewer.actor) }
  }

  private var question: ValidationRequest {
    var request = ValidationRequest()
    request.modifiers = modifiers
    request.from = from
    request.window = window
    request.actor = viewer.actor
    return request
  }
}

/// The selections of a query, for one session or several.
///
/// The parameters of the query itself are an unnamed selection. Each `select` is one more:
/// `select=held;menu=root;modifiers=shift` is named `held`. On a stream of several sessions, `session=demo`
/// restricts a selection to that session.
struct EventSelections: Sendable {
  private let reader: QueryReader
  private let hasParts: Bool
  private let named: [Selection]

  fileprivate struct Selection: Sendable {
    let name: EventSubscription.Name
    let session: SessionID?
    let reader: QueryReader
  }

  /// Reads the selections.
  ///
  /// - Parameter sessions: The sessions that a selection may name; nil on a stream of one session.
  /// - Throws: 400 for a malformed selection.
  init(_ call: Call, sessions: [SessionID]? = nil) throws(Problem) {
    reader = call.query
    hasParts = EventSubscription.parts.contains { call.query[$0.name] != nil }
    let texts = call.request.query.values(of: QueryParameter.select.name)
    let most = call.service.limits.events.selections
    guard texts.count <= most else {
      throw Problem(
        .invalidQuery,
        "The query has \(texts.count) times 'select', but a stream has \(most) named selections "
          + "at most (events.selections).")
    }
    named = try texts.map { (text) throws(Problem) in try Selection(text, sessions: sessions) }
    for (index, selection) in named.enumerated() {
      let isTaken = named[..<index].contains { $0.overlaps(selection) }
      guard isTaken else { continue }
      throw Problem(
        .invalidQuery,
        "'select' in the query names the selection '\(selection.name)' twice; each has a name of its own."
      )
    }
  }

  func subscriptions(of session: SessionID) throws(Problem) -> [EventSubscription] {
    let own = named.filter { $0.session == nil || $0.session == session }
    var all: [EventSubscription] = []
    if hasParts || own.isEmpty { all.append(try EventSubscription(reader, of: session)) }
    for selection in own {
      all.append(try EventSubscription(selection.reader, of: session, named: selection.name))
    }
    return all
  }
}

extension EventSelections.Selection {
  /// Reads a selection: its name, and its parts after semicolons.
  fileprivate init(_ text: String, sessions: [SessionID]?) throws(Problem) {
    let pieces = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let first = pieces.first, let name = EventSubscription.Name(first) else {
      throw Problem(
        .invalidQuery,
        "\(quoted(text)) as 'select' in the query does not begin with a name; selections are like "
          + "'held;menu=root;modifiers=shift'.")
    }
    let place = "the selection '\(name)'"
    var known = EventSubscription.parts.map(\.name)
    if sessions != nil { known.append(Self.session) }
    var values: [String: String] = [:]
    for piece in pieces.dropFirst() {
      let sides = piece.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1)
        .map { String(Substring($0)) }
      let part = sides.first ?? ""
      guard let name = known.first(where: { $0.hasSameBytes(as: part) }) else {
        throw Problem(
          .invalidQuery,
          "\(quoted(part)) is no part of \(place); its parts are \(list(known, "and")).")
      }
      guard values.updateValue(sides.count > 1 ? sides[1] : "", forKey: name) == nil else {
        throw Problem(.invalidQuery, "There is \(quoted(part)) twice in \(place).")
      }
    }
    let reader = QueryReader(values: { [values] in values[$0] }, place: place)
    let session: SessionID? = try reader.name(Self.session)
    if let session, sessions?.contains(session) != true {
      throw Problem(
        .invalidQuery,
        "\(quoted(session.rawValue)) as 'session' in \(place) is none of 'sessions' in the query.")
    }
    self.init(name: name, session: session, reader: reader)
  }

  private static let session = "session"

  /// True if both selections have one name in one session.
  fileprivate func overlaps(_ other: Self) -> Bool {
    name == other.name && (session == nil || other.session == nil || session == other.session)
  }
}

/// The id of an event (E3): the incarnation of the session, the revisions of the catalogue and of the session,
/// and the name of a named selection.
struct EventID: Equatable, Sendable {
  /// The revisions of the catalogue and of a session, at one moment.
  struct Revisions: Hashable, Sendable {
    let catalog: Int
    let session: Int
  }

  let opening: Int
  let revisions: Revisions
  /// The name of the selection; nil for the unnamed one.
  let selection: EventSubscription.Name?

  /// Creates the id of a snapshot.
  init(_ snapshot: Snapshot, of selection: EventSubscription.Name? = nil) {
    self.selection = selection
    opening = snapshot.sessionEdition.opening.number
    revisions = snapshot.revisions
  }

  /// Reads the id that a client sends back; nil if it is malformed.
  init?(_ text: Substring) {
    let sides = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = sides[0].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let opening = Int(parts[0], radix: 36), let catalog = Int(parts[1]),
      let revision = Int(parts[2])
    else { return nil }
    selection = sides.count > 1 ? EventSubscription.Name(String(sides[1])) : nil
    guard sides.count == 1 || selection != nil else { return nil }
    self.opening = opening
    revisions = Revisions(catalog: catalog, session: revision)
  }

  /// Reads ids separated by commas, as on a stream of several sessions; malformed ones are skipped.
  static func list(_ text: String) -> [EventID] {
    text.split(separator: ",").compactMap(EventID.init(_:))
  }

  var text: String {
    let moment = "\(String(opening, radix: 36)).\(revisions.catalog).\(revisions.session)"
    return selection.map { "\(moment)~\($0)" } ?? moment
  }

  /// True if both ids are of one incarnation and one selection.
  func isOfChannel(of other: EventID) -> Bool {
    opening == other.opening && selection == other.selection
  }

  /// True if neither revision of this id is later than that of the other.
  func isNotAfter(_ other: EventID) -> Bool {
    opening == other.opening && revisions.isNotAfter(other.revisions)
  }
}

extension EventID.Revisions {
  /// True if neither revision is later than that of the other moment.
  func isNotAfter(_ other: Self) -> Bool {
    catalog <= other.catalog && session <= other.session
  }

  /// Returns the number of changes since an earlier moment.
  func count(since other: Self) -> Int { catalog - other.catalog + session - other.session }
}

extension Snapshot {
  var revisions: EventID.Revisions {
    EventID.Revisions(catalog: catalog.revision, session: session.revision)
  }
}
