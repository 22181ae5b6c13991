import Measuring

/// The sessions that are opened with a state and responders of their own: five of these handle twenty of the
/// commands each, one within the other, and focus is in the innermost, beside others of its class.
enum OwnSession {
  /// The places that focus moves among.
  static let places = (1...8).map { "place\($0)" }

  /// A place for each number that a turn can have (`Request.turnPlaceholder`).
  static let spots = (0..<Request.turns).map { spot(Request.digits(ofTurn: $0)) }

  /// The place for this number.
  static func spot(_ digits: String) -> String { "spot" + digits }

  /// Opens one; few operations can be undone in it, so that it does not grow.
  ///
  /// Its state has a member that no other session has.
  static func open(_ id: String, with places: [String]) -> Request {
    let state = (0..<10).map { #""group\#($0)":{"count":\#($0 % 3),"choice":0}"# }
    let inner = places.map { #""\#($0)":{"kind":"view","class":"Place","superview":"list"}"# }
    return .post(
      "/sessions",
      """
      {"id":"\(id)","state":{"document":"\(id)",\(state.joined(separator: ","))},\
      "undoManager":{"levelsOfUndo":10},"firstResponder":"list","keyWindow":"window",\
      "responders":{"application":{"kind":"application"},\
      "window":{"kind":"window","class":"Window","rootViewController":"browser"},\
      "browser":{"kind":"viewController","class":"Browser","view":"content"},\
      "content":{"kind":"view","class":"Content"},\
      "list":{"kind":"view","class":"List","superview":"content"},\
      \(inner.joined(separator: ","))}}
      """)
  }

  static func focus(_ place: String, in session: String) -> Request {
    Request("PUT", "/sessions/\(session)/first-responder", #"{"responder":"\#(place)"}"#)
  }
}
