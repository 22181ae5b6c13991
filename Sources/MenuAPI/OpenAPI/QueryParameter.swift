/// A name in the query of a request.
package struct QueryParameter: Sendable {
  /// The name in the query.
  package let name: String
  /// The name of its description in `parameters.json`; several may have the same name in the query.
  let key: String
  /// True if it may come several times in one query.
  let isRepeatable: Bool

  /// A parameter whose description is called as it is, or otherwise.
  init(_ name: String, describedAs key: String? = nil, isRepeatable: Bool = false) {
    self.name = name
    self.key = key ?? name
    self.isRepeatable = isRepeatable
  }

  static let action = Self("action")
  static let after = Self("after")
  /// The key of patches that are one undo group.
  static let coalesce = Self("coalesce")
  static let commands = Self("commands")
  static let deliveries = Self("deliveries")
  static let deliveryCommand = Self("command", describedAs: "deliveryCommand")
  static let deliveryState = Self("state", describedAs: "deliveryState")
  static let document = Self("document")
  static let dryRun = Self("dryRun")
  /// The trace of each item.
  static let explain = Self("explain")
  /// The trace of a change.
  static let explainChange = Self("explain", describedAs: "explainChange")
  static let from = Self("from")
  static let kind = Self("kind")
  static let menu = Self("menu")
  static let messageLimit = Self("limit", describedAs: "messageLimit")
  static let modifiers = Self("modifiers")
  static let pageSize = Self("limit", describedAs: "pageSize")
  static let select = Self("select", isRepeatable: true)
  /// The selections of a stream of several sessions.
  static let selectOfSessions = Self(
    "select", describedAs: "selectOfSessions", isRepeatable: true)
  static let session = Self("session")
  static let sessions = Self("sessions")
  /// The tickets of several sessions.
  static let sessionTickets = Self("ticket", describedAs: "sessionTickets")
  static let since = Self("since")
  static let ticket = Self("ticket")
  /// The tools that are listed.
  static let tools = Self("tools")
  /// The name of an undo group.
  static let undo = Self("undo")
  static let undoResponder = Self("responder", describedAs: "undoResponder")
  static let wait = Self("wait")
  static let window = Self("window")
}
