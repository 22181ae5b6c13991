import JSONText

/// A session and its catalogue, asked on behalf of one sender: the one place where it is decided
/// who answers, for those who look and for those who act (R6).
struct Inquiry {
  let session: Session
  let catalog: Catalog
  let sender: Sender?
  var trace: Trace

  /// What a search came to.
  enum Search {
    case found(Target)
    /// Nobody; and the rule that failed on the way, if one did.
    case nobody(RuleFault?)
    /// The chain led back into itself (R9).
    case cycle
  }

  /// Who receives an action, and what it does then.
  struct Target {
    let receiver: Receiver
    /// What the receiver, or the coordinator behind it, does; nil when it does not respond (F4).
    let handler: Handler?
  }

  /// What rules read when `responder` is asked.
  func context(for responder: ResponderID) -> RuleContext {
    RuleContext(
      state: session.state, responder: session.graph[responder], sender: sender,
      command: sender?.command, responders: session.graph)
  }

  /// Where the search for an action begins (R7): at `from`, else the first responder, else the
  /// sender when that is a responder, else the key window, else the application.
  func start(from: ResponderID?) -> ResponderID? {
    from ?? session.firstResponder ?? sender?.description?.responder ?? session.keyWindow
      ?? session.graph.application
  }

  /// The target of an action (R5), or the explicit one without a search (R7).
  mutating func search(
    for action: Selector, from: ResponderID? = nil, to explicit: Receiver? = nil
  ) -> Search {
    if let explicit {
      return .found(Target(receiver: explicit, handler: handler(for: action, of: explicit)))
    }
    var fault: RuleFault?
    var current = start(from: from)
    var remaining = session.graph.count
    while let id = current, let responder = session.graph[id] {
      guard remaining > 0 else {
        trace.note(.cycle, .responder(id), .bool(true))
        return .cycle
      }
      remaining -= 1
      if let target = answer(of: responder, to: action, &fault) { return .found(target) }
      current = session.graph.next(of: id)
      trace.note(.next, .responder(id), current.map { .string($0.rawValue) } ?? .null)
    }
    return .nobody(fault)
  }

  /// What a responder answers itself: its redirect (F2), else itself if it can perform the action
  /// (R4).
  private mutating func answer(
    of responder: Responder, to action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    if let coordinator = responder.coordinator, coordinator.forwarding == .catchAll {
      let forwarder = Receiver.forwarder(host: responder.id)
      let registration = coordinator[action]
      trace.note(
        .redirect, .responder(responder.id), about: action,
        registration == nil ? .null : .string(forwarder.description))
      if let registration {
        trace.note(.canPerformAction, forwarder, about: action, .bool(true))
        return Target(receiver: forwarder, handler: registration.handler)
      }
    }
    guard let handler = implementation(of: action, in: responder) else {
      trace.note(.respondsToSelector, .responder(responder.id), about: action, .bool(false))
      return nil
    }
    trace.note(.respondsToSelector, .responder(responder.id), about: action, .bool(true))
    guard canPerform(action, responder, handler, &fault) else { return nil }
    return Target(receiver: .responder(responder.id), handler: handler)
  }

  /// R4, of a responder that responds. A rule that fails says no.
  private mutating func canPerform(
    _ action: Selector, _ responder: Responder, _ handler: Handler, _ fault: inout RuleFault?
  ) -> Bool {
    let receiver = Receiver.responder(responder.id)
    guard let rule = handler.canPerform else {
      trace.note(.canPerformAction, receiver, about: action, .bool(true))
      return true
    }
    do throws(RuleFault) {
      let canPerform = try context(for: responder.id).bool(rule, at: "canPerform")
      trace.note(.canPerformAction, receiver, about: action, .bool(canPerform))
      return canPerform
    } catch {
      trace.note(.canPerformAction, receiver, about: action, .bool(false), fault: error)
      fault = fault ?? error
      return false
    }
  }

  /// The handler of a responder or its classes (R3).
  func implementation(of selector: Selector, in responder: Responder) -> Handler? {
    responder.handlers[selector]
      ?? catalog.classes.handler(for: selector, in: responder.className)
  }

  /// The handler that a message to a receiver would run, if any.
  private func handler(for selector: Selector, of receiver: Receiver) -> Handler? {
    guard let responder = session.graph[receiver.responder] else { return nil }
    switch receiver {
    case .responder: return implementation(of: selector, in: responder)
    case .forwarder: return responder.coordinator?[selector]?.handler
    }
  }
}
