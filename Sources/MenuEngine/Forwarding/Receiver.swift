package import JSONText

/// A receiver of messages: a responder; the forwarder of a coordinator (F2), which is not on any chain; or a
/// responder's undo manager that is prepared to record (U3).
public enum Receiver: Hashable, Sendable, Codable {
  /// A responder.
  case responder(ResponderID)
  /// The forwarder of the coordinator that a responder hosts.
  case forwarder(host: ResponderID)
  /// The undo manager of a responder.
  case undoManager(of: ResponderID)

  /// Parses a receiver: `photoGrid`, `host/forwarder`, `photoGrid/undoManager`; nil for any other text.
  package init?(_ text: String) {
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

  /// The responder, the host of the forwarder's coordinator, or the owner of the undo manager.
  package var responder: ResponderID {
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
  /// Returns the text before a suffix; nil without the suffix.
  fileprivate func dropping(_ suffix: StaticString) -> String? {
    let suffix = suffix.description.utf8
    guard count > suffix.count, self.suffix(suffix.count).elementsEqual(suffix) else { return nil }
    return String(Substring(dropLast(suffix.count)))
  }
}

extension Read {
  /// Reads a receiver.
  package static func receiver(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Receiver? {
    if case .string(let text) = json, let receiver = Receiver(text) { return receiver }
    return refuse(.receiver, json, at: pointer, log: log)
  }
}

/// A responder's method for messages that it has no method for (F10), like `handleAction:` of a forwarder (F5).
package struct CatchAll: Equatable, Sendable, Codable {
  /// The selector of the method.
  package let selector: Selector
  /// The accepted messages; nil for all.
  package let accepted: [Selector]?

  package func accepts(_ selector: Selector) -> Bool { accepted?.contains(selector) ?? true }
}

extension CatchAll {
  /// Reads a catch-all: `{"selector": "handle:", "accepts": ["copy:"]}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let selector = reader.required("selector", Read.selector)
    accepted = reader.list("accepts", Read.selector)
    reader.finish()
    guard let selector else { return nil }
    self.selector = selector
  }

  var json: JSON {
    var object = JSONObject()
    object["selector"] = .string(selector.rawValue)
    object["accepts"] = accepted.map { .array($0.map { .string($0.rawValue) }) }
    return .object(object)
  }
}

extension Performer {
  /// Returns the method for a message to a responder (F4, F10): its own, else that of its forwarding target,
  /// else its catch-all. A proxy forwards to the proxied responder (L9).
  mutating func method(
    for selector: Selector, of receiver: ResponderID
  ) throws(MutationFault) -> ResolvedMethod {
    var met: Set<ResponderID> = []
    var (id, target) = (receiver, receiver)
    while met.insert(id).inserted {
      effort.spend(trace.isRecording ? 3 * Effort.traceStep : 1)
      try effort.check()
      if let handler = session.implementation(of: selector, in: id, catalog.classes) {
        return .found(handler, selector, of: id, to: target)
      }
      if session.graph[id]?.proxy != nil {
        guard let next = session.graph.link(.proxied, of: id) else { return .gone(proxy: id) }
        trace.note(
          .proxyForwarding, .responder(id), about: selector, answer: .string(next.rawValue))
        id = next
        continue
      }
      trace.note(.resolveInstanceMethod, .responder(id), about: selector, answer: .bool(false))
      guard let next = session.graph.link(.forwardingTarget, of: id) else {
        trace.note(.forwardingTarget, .responder(id), about: selector, answer: .null)
        return try catchAll(for: selector, of: id, to: target)
      }
      trace.note(.forwardingTarget, .responder(id), about: selector, answer: .string(next.rawValue))
      (id, target) = (next, next)
    }
    trace.note(.cycle, .responder(id), answer: .bool(true))
    throw unrecognized(selector, by: id)
  }

  /// Returns the catch-all of a responder, which changes the message to its own selector. A catch-all whose own
  /// method is missing is tried once only.
  private mutating func catchAll(
    for selector: Selector, of id: ResponderID, to target: ResponderID
  ) throws(MutationFault) -> ResolvedMethod {
    let receiver = Receiver.responder(id)
    guard let catchAll = session.graph[id]?.catchAll, catchAll.accepts(selector) else {
      trace.note(.methodSignature, receiver, about: selector, answer: .null)
      throw unrecognized(selector, by: id)
    }
    let signature = JSON.string(catchAll.selector.rawValue)
    trace.note(.methodSignature, receiver, about: selector, answer: signature)
    trace.note(.forwardInvocation, receiver, about: selector, answer: signature)
    let handler = session.implementation(of: catchAll.selector, in: id, catalog.classes)
    guard let handler else { throw unrecognized(catchAll.selector, by: id) }
    return .found(handler, catchAll.selector, of: id, to: target)
  }

  private mutating func unrecognized(_ selector: Selector, by id: ResponderID) -> MutationFault {
    trace.note(.doesNotRecognizeSelector, .responder(id), about: selector, answer: .null)
    let registrations = session.graph[id]?.coordinator?.registrations ?? []
    return .message(
      .doesNotRecognizeSelector(
        .responder(id), selector,
        isRegistered: registrations.contains { $0.selector == selector }, trace: trace))
  }
}
