public import JSONText

/// Whoever can receive a message: a responder, or the forwarder of a coordinator (F2), which is
/// outside every chain.
public enum Receiver: Hashable, Sendable {
  case responder(ResponderID)
  case forwarder(host: ResponderID)

  /// The receiver written as `text`, or nil when `text` is none: `photoGrid`, `host/forwarder`.
  public init?(_ text: String) {
    let suffix = "/forwarder"
    if text.utf8.count > suffix.utf8.count, text.hasSuffix(suffix) {
      guard let host = ResponderID(String(text.dropLast(suffix.count))) else { return nil }
      self = .forwarder(host: host)
    } else {
      guard let id = ResponderID(text) else { return nil }
      self = .responder(id)
    }
  }

  /// The responder, or the one that hosts the forwarder's coordinator.
  public var responder: ResponderID {
    switch self {
    case .responder(let id), .forwarder(host: let id): id
    }
  }
}

extension Receiver: CustomStringConvertible {
  /// The receiver as text; the slash cannot occur in a responder's id.
  public var description: String {
    switch self {
    case .responder(let id): id.rawValue
    case .forwarder(let host): "\(host)/forwarder"
    }
  }
}

extension Read {
  /// A receiver.
  public static func receiver(_ json: JSON, _ pointer: JSONPointer, _ log: FaultLog) -> Receiver? {
    if case .string(let text) = json, let receiver = Receiver(text) { return receiver }
    return refuse(.receiver, json, pointer, log)
  }
}
