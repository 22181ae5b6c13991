import JSONText
import MenuEngine
import MicroHTTP

/// The selections that a query asks for, of one session or of several.
///
/// The parameters of the query itself are a selection without a name. Each `select` is one more:
/// `select=held;menu=root;modifiers=shift` is called `held`. On a stream of several sessions,
/// `session=demo` is among its parts if it is of that session alone.
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
  /// - Parameter sessions: Those that a selection may name; nil on a stream of one session.
  /// - Throws: 400 for what is no selection.
  init(_ call: Call, sessions: [SessionID]? = nil) throws(Problem) {
    reader = call.queryReader
    hasParts = EventSubscription.parts.contains { call.query($0.name) != nil }
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

  /// The subscriptions to a session.
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
  /// Reads a selection: its name, and its parts behind semicolons.
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

  /// True if both would have one name in one session.
  fileprivate func overlaps(_ other: Self) -> Bool {
    name == other.name && (session == nil || other.session == nil || session == other.session)
  }
}
