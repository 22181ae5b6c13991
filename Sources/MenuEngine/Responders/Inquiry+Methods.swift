import JSONText

/// Searches for methods, and asks whether they can be performed.
extension Inquiry {
  /// R4, of a responder that responds. A rule that fails says no.
  mutating func canPerform(
    _ action: Selector, for id: ResponderID, with handler: Handler, fault: inout RuleFault?
  ) -> Bool {
    canPerform(action, for: id, governedBy: governed(handler, for: action, of: id), fault: &fault)
  }

  mutating func canPerform(
    _ action: Selector, for id: ResponderID, governedBy handler: Handler, fault: inout RuleFault?
  ) -> Bool {
    let receiver = Receiver.responder(id)
    guard handler.canPerform != nil || handler.closures.canPerform != nil else {
      trace.note(.canPerformAction, receiver, about: action, answer: .bool(true))
      return true
    }
    if let rule = handler.canPerform { readings.note(rule) }
    if handler.closures.canPerform != nil { readings.noteEverything() }
    let context = context(for: id)
    let place = "canPerform"
    do throws(RuleFault) {
      let canPerform = try handler.canPerform(action, in: context)
      trace.note(
        .canPerformAction, receiver, about: action, answer: .bool(canPerform),
        rules: context.explained(handler.canPerform, at: place),
        refusing: canPerform ? nil : place)
      return canPerform
    } catch {
      trace.note(
        .canPerformAction, receiver, about: action, answer: .bool(false), fault: error,
        rules: context.explained(handler.canPerform, at: place))
      fault = fault ?? error
      return false
    }
  }

  /// A handler with the rule that decides whether the responder can perform an action (R4): the one
  /// of `canPerform` of the responder, else of its nearest class that has one, unless the handler's own
  /// rule is nearer.
  ///
  /// **Decision:** such a rule implements nothing: who does not respond cannot perform (R4).
  func governed(_ handler: Handler, for action: Selector, of id: ResponderID) -> Handler {
    session.graph.position(of: id).map { governed(handler, for: action, at: $0) } ?? handler
  }

  func governed(_ handler: Handler, for action: Selector, at position: Int) -> Handler {
    if let rule = session.graph.responders[position].canPerform[action] {
      return handler.asking(rule)
    }
    let name = session.graph.responders[position].className
    guard let (rule, definer) = catalog.classes.canPerform(action, in: name) else { return handler }
    guard handler.canPerform != nil || handler.closures.canPerform != nil else {
      return handler.asking(rule)
    }
    switch level(of: action, in: session.graph.responders[position].id) {
    case .instance: return handler
    case .ofClass(let implementer) where definer != implementer:
      let isNearer = catalog.classes.inherits(definer, from: implementer)
      return isNearer ? handler.asking(rule) : handler
    case .ofClass, nil: return handler.asking(rule)
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
      ?? session.graph.responders[position].undoHandlers[selector]
  }

  /// Returns the level that has a responder's method for a selector (A2).
  func level(of selector: Selector, in id: ResponderID) -> MethodLevel? {
    guard let responder = session.graph[id] else { return nil }
    if responder.handlers[selector] != nil { return .instance }
    return catalog.classes.method(for: selector, in: responder.className)
      .map { .ofClass($0.definer) }
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
    case .undoManager: return Target(receiver: receiver, handler: nil)
    }
  }
}
