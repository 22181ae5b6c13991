public import JSONText

/// A receiver of messages: a responder, the forwarder of a coordinator (F2), which is outside every
/// chain, or a responder's undo manager that is prepared to record (U3).
public enum Receiver: Hashable, Sendable, Codable {
  case responder(ResponderID)
  case forwarder(host: ResponderID)
  case undoManager(of: ResponderID)

  /// The receiver written as `text`, or nil when `text` is none: `photoGrid`, `host/forwarder`,
  /// `photoGrid/undoManager`.
  public init?(_ text: String) {
    if let host = text.utf8.dropping("/forwarder") {
      guard let host = ResponderID(host) else { return nil }
      self = .forwarder(host: host)
    } else if let holder = text.utf8.dropping("/undoManager") {
      guard let holder = ResponderID(holder) else { return nil }
      self = .undoManager(of: holder)
    } else {
      guard let id = ResponderID(text) else { return nil }
      self = .responder(id)
    }
  }

  /// The responder, the one that hosts the forwarder's coordinator, or the one that has the undo
  /// manager.
  public var responder: ResponderID {
    switch self {
    case .responder(let id), .forwarder(host: let id), .undoManager(of: let id): id
    }
  }
}

extension Receiver: CustomStringConvertible {
  /// The receiver as text; the slash cannot occur in a responder's id.
  public var description: String {
    switch self {
    case .responder(let id): id.rawValue
    case .forwarder(let host): "\(host)/forwarder"
    case .undoManager(of: let id): "\(id)/undoManager"
    }
  }
}

extension String.UTF8View {
  /// The text before a suffix, or nil when it does not end with that.
  fileprivate func dropping(_ suffix: StaticString) -> String? {
    let suffix = suffix.description.utf8
    guard count > suffix.count, self.suffix(suffix.count).elementsEqual(suffix) else { return nil }
    return String(Substring(dropLast(suffix.count)))
  }
}

extension Read {
  /// A receiver.
  public static func receiver(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Receiver? {
    if case .string(let text) = json, let receiver = Receiver(text) { return receiver }
    return refuse(.receiver, json, at: pointer, log: log)
  }
}
