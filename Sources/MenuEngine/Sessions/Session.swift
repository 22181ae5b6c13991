public import JSONText

/// The session of one front end: its state, its responders and its focus.
///
/// A session is a value. It changes only through `apply`, and the same mutations, under the same
/// catalogue, give the same session, names and tokens included.
public struct Session: Sendable {
  /// Its name.
  public internal(set) var id: SessionID
  /// The number of accepted mutations.
  public internal(set) var revision = 0
  /// The state that rules read: a JSON object.
  public internal(set) var state: JSON
  /// The size of the state, in values and bytes of strings and names.
  package internal(set) var stateSize: Int
  /// The responders and their chains.
  package internal(set) var graph: ResponderGraph {
    _read { yield sharedGraph.value }
    _modify { yield &sharedGraph.value }
  }
  var sharedGraph = Shared(ResponderGraph())
  /// The responder that is asked first; nil when nothing has focus.
  public internal(set) var firstResponder: ResponderID?
  /// The responders as they were when each of these got focus in the list of mutations that is being
  /// applied (R8); empty between lists.
  var givenFocus: [ResponderID: Shared<ResponderGraph>] = [:]
  /// The search for targets.
  package let search: ResponderSearch
  /// The presenter of view controllers that no container shows (A4).
  package let presenter: Presenter
  /// The digest of the bearer token of the session; nil if only administrators have access.
  package let token: TokenDigest?
  var parts = SessionParts.none
  // A `get`, not a `_read`: in optimised builds of single files, Swift 6.3 accesses parts of a yielded value, such as
  // `undo.event`, after the end of the access (https://github.com/swiftlang/swift/pull/90550, corrected in 6.4).
  var undo: UndoManagers {
    get { sharedUndo.value }
    _modify { yield &sharedUndo.value }
  }
  private var sharedUndo = Shared(UndoManagers())
  /// The uses of performed commands (S4); nil before the first one.
  var uses: CommandUses?
  private var lastToken = 0
  /// The store's number for this incarnation of the session's name, by which events distinguish incarnations;
  /// nil until a store opens it.
  package var openingNumber: Int?

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - id: Its name.
  ///   - template: Its responders, state and focus as it begins.
  ///   - catalog: The catalogue, whose classes its responders are of.
  ///   - limits: The limits of what it holds. The default are those of ``SessionLimits/init()``.
  /// - Throws: ``MutationFault`` when the links of its responders do not hold together, or when its
  ///   first responder or one of its windows is not among them or refuses.
  package init(
    _ id: SessionID, opening template: SessionTemplate, in catalog: Catalog,
    limits: SessionLimits = SessionLimits()
  ) throws(MutationFault) {
    self.id = id
    guard case .object = template.state else { throw .stateIsNoObject }
    state = template.state
    stateSize = state.writtenSize
    search = template.search
    presenter = template.presenter
    token = template.token
    if let key = template.planKey { parts.value.planKey = key }
    if let keymap = template.keymap { parts.value.keymap = keymap }
    if let locale = template.locale { parts.value.locale = locale }
    undo = UndoManagers(template.undoManager)
    try place(template, in: catalog)
    noteKept()
    try limits.check(holdings, grownFrom: Holdings())
    for role in WindowRole.allCases {
      if let window = template.windows[role] { try make(window, role) }
    }
    if let responder = template.firstResponder {
      var trace = Trace(isRecording: false)
      _ = try becomeFirstResponder(
        responder, asking: Effort(), reading: catalog.translations(for: self), tracing: &trace)
    }
    if let launch = template.launch {
      try self.launch(launch, in: SessionContext(catalog, effort: Effort(limits)))
    }
    let resigned = resignIfLeft(since: self, in: catalog)
    if !resigned.isEmpty { parts.value.opening.value?.changes += resigned }
  }

  /// Places the responders of a template, which must hold together.
  private mutating func place(
    _ template: SessionTemplate, in catalog: Catalog
  ) throws(MutationFault) {
    let new = template.responders
    for index in new.indices {
      try checkClass(new[index].className, of: new[index].id, in: catalog)
    }
    if let opening = catalog.openingGraph, opening.isOf(template) {
      (graph, lastToken) = (opening.graph, opening.lastToken)
    } else {
      var numbered = new
      for index in new.indices where new[index].coordinator != nil {
        numbered[index] = self.numbered(new[index])
      }
      try graph.put(numbered)
    }
    try noteInstances(among: new, since: ResponderGraph())
    if let fault = graph.placementFaults(of: new).first { throw fault }
    for index in new.indices {
      let id = new[index].id
      if new[index].links[.delegate] != nil { try checkDelegate(of: id, in: catalog) }
      if new[index].isInContainers { try checkColumns(around: id, in: catalog) }
    }
  }

  private mutating func launch(
    _ launch: Launch, in context: SessionContext
  ) throws(MutationFault) {
    do throws(MutationFault) {
      var performer = Performer(self, in: context)
      let outcome = try performer.change(by: .launch(launch))
      self = performer.session
      try context.effort.check()
      concludeUndo(outcome.changes)
      parts.value.opening.value = outcome
    } catch {
      throw .launching(error)
    }
  }

  /// Returns the next token for a registration; tokens are never reused.
  mutating func nextToken() -> Int {
    lastToken += 1
    return lastToken
  }

  /// Returns the responder with session tokens for its coordinator's registrations. A registration that the
  /// present responder also has keeps its token (F1).
  mutating func numbered(_ responder: Responder) -> Responder {
    let present = graph[responder.id]?.coordinator
    var numbered = responder
    numbered.coordinator = responder.coordinator?.renumbered { registration in
      present?.token(of: registration) ?? nextToken()
    }
    return numbered
  }

  func checkClass(
    _ className: ClassName, of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) {
    guard catalog.classes.contains(className) else { throw .link(.unknownClass(id, className)) }
  }
}

/// The stored form has the members of ``SessionParts`` beside those of the session.
extension Session: Codable {
  private enum CodingKeys: String, CodingKey {
    case id
    case revision
    case state
    case stateSize
    case graph
    case firstResponder
    case search
    case presenter
    case token
    case undo
    case uses
    case lastToken
    case openingNumber
  }

  /// Encodes everything but values that are only valid temporarily.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(revision, forKey: .revision)
    try container.encode(state, forKey: .state)
    try container.encode(stateSize, forKey: .stateSize)
    try container.encode(sharedGraph, forKey: .graph)
    try container.encodeIfPresent(firstResponder, forKey: .firstResponder)
    try container.encode(search, forKey: .search)
    try container.encode(presenter, forKey: .presenter)
    try container.encodeIfPresent(token, forKey: .token)
    try container.encode(sharedUndo, forKey: .undo)
    try container.encodeIfPresent(uses, forKey: .uses)
    try container.encode(lastToken, forKey: .lastToken)
    try container.encodeIfPresent(openingNumber, forKey: .openingNumber)
    try parts.encode(to: encoder)
  }

  /// Decodes a session.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(SessionID.self, forKey: .id)
    revision = try container.decode(Int.self, forKey: .revision)
    state = try container.decode(JSON.self, forKey: .state)
    stateSize = try container.decode(Int.self, forKey: .stateSize)
    sharedGraph = try container.decode(Shared<ResponderGraph>.self, forKey: .graph)
    firstResponder = try container.decodeIfPresent(ResponderID.self, forKey: .firstResponder)
    search = try container.decode(ResponderSearch.self, forKey: .search)
    presenter = try container.decode(Presenter.self, forKey: .presenter)
    token = try container.decodeIfPresent(TokenDigest.self, forKey: .token)
    sharedUndo = try container.decode(Shared<UndoManagers>.self, forKey: .undo)
    uses = try container.decodeIfPresent(CommandUses.self, forKey: .uses)
    lastToken = try container.decode(Int.self, forKey: .lastToken)
    openingNumber = try container.decodeIfPresent(Int.self, forKey: .openingNumber)
    parts = try Shared(from: decoder)
  }
}
