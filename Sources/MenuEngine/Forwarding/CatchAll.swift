import JSONText

/// The method of a responder for messages that it has no other method for: it gets them all (F10),
/// as `handleAction:` of a forwarder does (F5).
public struct CatchAll: Equatable, Sendable, Codable {
  /// The method that gets them.
  public let selector: Selector
  /// The messages it takes; nil for all.
  public let accepted: [Selector]?

  /// A catch-all for these messages. The default is all.
  public init(_ selector: Selector, accepts accepted: [Selector]? = nil) {
    self.selector = selector
    self.accepted = accepted
  }

  /// True if it takes a message.
  public func accepts(_ selector: Selector) -> Bool { accepted?.contains(selector) ?? true }
}

extension CatchAll {
  /// The catch-all that a document describes: `{"selector": "handle:", "accepts": ["copy:"]}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let selector = reader.required("selector", Read.selector)
    accepted = reader.list("accepts", Read.selector)
    reader.finish()
    guard let selector else { return nil }
    self.selector = selector
  }

  /// The catch-all as a document.
  var json: JSON {
    var object = JSONObject()
    object["selector"] = .string(selector.rawValue)
    object["accepts"] = accepted.map { .array($0.map { .string($0.rawValue) }) }
    return .object(object)
  }
}
