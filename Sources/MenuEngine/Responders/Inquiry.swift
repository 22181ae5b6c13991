import JSONText

/// A session and its catalogue, asked on behalf of one sender: the one place where it is decided
/// who answers, for those who look and for those who act (R6).
struct Inquiry {
  let session: Session
  let catalog: Catalog
  var sender: Sender?
  var trace: Trace
  var effort = Effort()
  /// What the answers depend on, as long as nothing but the state changes.
  var readings = Readings()

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
    /// Whose the handler is, which for a proxy is the responder that it stands for (L8), also when
    /// that one has none and forwards the message in its turn (L9).
    let implementer: ResponderID

    init(receiver: Receiver, handler: Handler?, implementer: ResponderID? = nil) {
      self.receiver = receiver
      self.handler = handler
      self.implementer = implementer ?? receiver.responder
    }

    /// The responder that a proxy stands for, when the receiver is one.
    var proxied: ResponderID? { implementer == receiver.responder ? nil : implementer }
  }

  /// What rules read when `responder` is asked.
  func context(for responder: ResponderID) -> RuleContext {
    RuleContext(
      state: session.state, responder: responder, sender: sender, responders: session.graph,
      effort: effort)
  }

  /// Where the search for an action begins (R7): at `from`, else the first responder, else the
  /// sender when that is a responder (and there still), else the key window, else the application.
  func start(from: ResponderID?) -> ResponderID? {
    let sender = sender?.description?.responder.flatMap { session.graph[$0]?.id }
    return from ?? session.firstResponder ?? sender ?? session.focusOfKeyWindow
      ?? session.graph.application
  }

  /// The target of an action (R5), or the explicit one without a search (R7).
  mutating func search(
    for action: Selector, from: ResponderID? = nil, to explicit: Receiver? = nil
  ) -> Search {
    if let explicit {
      return .found(self.explicit(explicit, for: action))
    }
    switch session.search {
    case .uikit: return chainSearch(for: action, from: from)
    case .appkit: return windowSearch(for: action, from: from)
    }
  }

  private mutating func chainSearch(for action: Selector, from: ResponderID?) -> Search {
    var fault: RuleFault?
    var current = start(from: from).flatMap { session.graph.position(of: $0) }
    var remaining = session.graph.count
    while let position = current {
      guard remaining > 0 else {
        trace.note(.cycle, .responder(session.graph.responders[position].id), .bool(true))
        return .cycle
      }
      remaining -= 1
      if let target = answer(at: position, to: action, &fault) { return .found(target) }
      current = session.graph.next(of: position)
      noteNext(position, current)
    }
    return .nobody(fault)
  }

  /// What a responder answers itself: its redirect (F2), else itself if it can perform the action
  /// (R4).
  private mutating func answer(
    at position: Int, to action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    let id = session.graph.responders[position].id
    effort.spend(trace.isRecording ? 3 * Effort.traceStep : 1)
    if let target = redirect(at: position, id, action) { return target }
    let handler = implementation(of: action, at: position)
    if handler == nil, session.graph.responders[position].proxy != nil {
      return proxyTarget(of: id, for: action, &fault)
    }
    noteResponds(id, action, handler)
    guard let handler, canPerform(action, id, handler, &fault) else { return nil }
    return Target(receiver: .responder(id), handler: handler)
  }

  private mutating func redirect(
    at position: Int, _ id: ResponderID, _ action: Selector
  ) -> Target? {
    guard let coordinator = session.graph.responders[position].coordinator,
      coordinator.forwarding == .catchAll
    else { return nil }
    let forwarder = Receiver.forwarder(host: id)
    guard let registration = coordinator[action] else {
      trace.note(.redirect, .responder(id), about: action, .null)
      return nil
    }
    trace.note(.redirect, .responder(id), about: action, .string(forwarder.description))
    trace.note(.canPerformAction, forwarder, about: action, .bool(true))
    return Target(receiver: forwarder, handler: registration.handler)
  }

  mutating func noteResponds(_ id: ResponderID, _ action: Selector, _ handler: Handler?) {
    trace.note(.respondsToSelector, .responder(id), about: action, .bool(handler != nil))
  }

  private mutating func noteNext(_ position: Int, _ next: Int?) {
    let responders = session.graph.responders
    trace.note(
      .next, .responder(responders[position].id),
      next.map { .string(responders[$0].id.rawValue) } ?? .null)
  }

  /// R4, of a responder that responds. A rule that fails says no.
  mutating func canPerform(
    _ action: Selector, _ id: ResponderID, _ handler: Handler, _ fault: inout RuleFault?
  ) -> Bool {
    let receiver = Receiver.responder(id)
    guard handler.canPerform != nil || handler.closures.canPerform != nil else {
      trace.note(.canPerformAction, receiver, about: action, .bool(true))
      return true
    }
    if let rule = handler.canPerform { readings.note(rule) }
    if handler.closures.canPerform != nil { readings.noteEverything() }
    let context = context(for: id)
    do throws(RuleFault) {
      let canPerform = try handler.canPerform(action, in: context)
      let refusing = canPerform ? nil : handler.canPerform
      trace.note(
        .canPerformAction, receiver, about: action, .bool(canPerform),
        explanation: refusing.map(context.reasons) ?? [])
      return canPerform
    } catch {
      trace.note(.canPerformAction, receiver, about: action, .bool(false), fault: error)
      fault = fault ?? error
      return false
    }
  }

  /// The handler of a responder or its classes (R3).
  func implementation(of selector: Selector, in id: ResponderID) -> Handler? {
    session.graph.position(of: id).flatMap { implementation(of: selector, at: $0) }
  }

  func implementation(of selector: Selector, at position: Int) -> Handler? {
    session.graph.responders[position].handlers[selector]
      ?? catalog.classes.handler(
        for: selector, in: session.graph.responders[position].className)
  }

  /// A receiver with the handler that a message to it would run, if any.
  func explicitTarget(_ receiver: Receiver, for selector: Selector) -> Target {
    switch receiver {
    case .responder(let id):
      let delivery = delivery(of: selector, to: id)
      let implementer = delivery?.0 ?? session.graph.proxied(by: id)
      return Target(receiver: receiver, handler: delivery?.1, implementer: implementer)
    case .forwarder(let host):
      return Target(
        receiver: receiver, handler: session.graph[host]?.coordinator?[selector]?.handler)
    }
  }
}
