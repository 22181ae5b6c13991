package struct QueryParameter: Sendable {
  package let name: String
  /// The key of its description in `parameters.json`; parameters of different routes may share a name.
  let key: String
  /// True if it may occur several times in one query.
  let isRepeatable: Bool

  /// Creates a parameter; the key is its name by default.
  init(_ name: String, describedAs key: String? = nil, isRepeatable: Bool = false) {
    self.name = name
    self.key = key ?? name
    self.isRepeatable = isRepeatable
  }

  static let action = Self("action")
  static let actor = Self("actor")
  static let after = Self("after")
  /// The key of patches that are coalesced into one undo group.
  static let coalesce = Self("coalesce")
  static let commands = Self("commands")
  static let cursor = Self("cursor")
  static let deliveries = Self("deliveries")
  static let deliveryCommand = Self("command", describedAs: "deliveryCommand")
  static let deliveryState = Self("state", describedAs: "deliveryState")
  static let document = Self("document")
  static let dryRun = Self("dryRun")
  /// Requests the trace of each item.
  static let explain = Self("explain")
  /// Requests the trace of a change.
  static let explainChange = Self("explain", describedAs: "explainChange")
  static let from = Self("from")
  static let historyAfter = Self("after", describedAs: "historyAfter")
  static let historyCommand = Self("command", describedAs: "historyCommand")
  static let historyKind = Self("kind", describedAs: "historyKind")
  static let historySize = Self("limit", describedAs: "historySize")
  static let keys = Self("keys")
  static let kind = Self("kind")
  static let menu = Self("menu")
  static let messageLimit = Self("limit", describedAs: "messageLimit")
  static let modifiers = Self("modifiers")
  static let pageSize = Self("limit", describedAs: "pageSize")
  static let platform = Self("platform")
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
  /// Includes the tools in events.
  static let toldTools = Self("tools", describedAs: "toldTools")
  /// Selects the listed tools.
  static let tools = Self("tools")
  static let undo = Self("undo")
  static let undoResponder = Self("responder", describedAs: "undoResponder")
  static let undoWindow = Self("window", describedAs: "undoWindow")
  static let wait = Self("wait")
  static let window = Self("window")
}
