import JSONText

/// A segue while it is performed (V3); afterwards nothing of it is left.
struct SegueInProgress {
  let identifier: SegueIdentifier?
  let kind: Segue.Kind
  let source: ResponderID
  /// Nil for one that unwinds until its destination is found.
  var destination: ResponderID?

  /// Returns the segue as rules see it, and as it arrives as first argument.
  func json(in responders: ResponderGraph) -> JSON {
    var object = JSONObject()
    object["identifier"] = identifier.map { .string($0.rawValue) } ?? .null
    object["kind"] = .string(kind.rawValue)
    object["source"] = responders.ruleValue(of: source)
    object["destination"] = destination.map { responders.ruleValue(of: $0) } ?? .null
    return .object(object)
  }
}
