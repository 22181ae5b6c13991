import JSONText

extension Inquiry {
  /// Returns the answer of a proxy when a target is searched for (L8): it can perform an action
  /// when the filter lets the action through and the proxied responder can perform it itself.
  mutating func proxyTarget(
    of proxy: ResponderID, for action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    let found = proxied(by: proxy, for: action, &fault)
    trace.note(.canPerformAction, .responder(proxy), about: action, answer: .bool(found != nil))
    guard let (id, handler) = found else { return nil }
    return Target(receiver: .responder(proxy), handler: handler, implementer: id)
  }

  /// Returns the answer of a proxy when an implementer of a message is searched for (C2): itself,
  /// when the filter lets the message through and the proxied responder implements it.
  mutating func proxyImplementer(of proxy: ResponderID, for message: Selector) -> Target? {
    var fault: RuleFault?
    guard let (id, handler) = proxied(by: proxy, for: message, isAction: false, &fault) else {
      return nil
    }
    return Target(receiver: .responder(proxy), handler: handler, implementer: id)
  }

  /// The handler with which a proxied responder can perform an action: its own, or that of the one
  /// that it is itself a proxy of. Its redirect is not asked (L12), and for what is no action its rule
  /// neither.
  ///
  /// A proxy that the search has asked already has found nobody, so that no search asks one twice
  /// however many rows of proxies lead to it.
  private mutating func proxied(
    by proxy: ResponderID, for action: Selector, isAction: Bool = true, _ fault: inout RuleFault?
  ) -> (ResponderID, Handler)? {
    var current = proxy
    while askedProxies.insert(current).inserted {
      guard let id = proxied(by: current, for: action) else { return nil }
      let handler = implementation(of: action, in: id)
      guard handler != nil || session.graph[id]?.proxy == nil else {
        current = id
        continue
      }
      trace.note(.respondsToSelector, .responder(id), about: action, answer: .bool(handler != nil))
      guard let handler else {
        noteUnaskedCoordinator(of: id, action)
        return nil
      }
      // AppKit's search asks nobody for more than whether it responds (R10), and so no proxy either.
      let isFound =
        !isAction || session.search == .appkit
        || canPerform(action, for: id, with: handler, fault: &fault)
      return isFound ? (id, handler) : nil
    }
    return nil
  }

  /// The responder that a proxy stands for, unless that is gone (L10) or the filter keeps the action
  /// out (L8).
  private mutating func proxied(
    by proxy: ResponderID, for action: Selector
  ) -> ResponderID? {
    effort.spend(trace.isRecording ? 4 * Effort.traceStep : 1)
    let responder = session.graph[proxy]
    guard let proxied = responder?.links[.proxied] else {
      trace.note(.proxied, .responder(proxy), answer: .null)
      return nil
    }
    trace.note(.proxied, .responder(proxy), answer: .string(proxied.rawValue))
    let isFound = responder?.proxy?.isFound(for: action) == true
    trace.note(.proxiedSelectors, .responder(proxy), about: action, answer: .bool(isFound))
    return isFound ? proxied : nil
  }

  /// Says that there is a handler which a proxy does not find (L12).
  private mutating func noteUnaskedCoordinator(of id: ResponderID, _ action: Selector) {
    guard let coordinator = session.graph[id]?.coordinator, coordinator.forwarding == .catchAll,
      coordinator[action] != nil
    else { return }
    let forwarder = Receiver.forwarder(host: id)
    trace.note(
      .unaskedRedirect, .responder(id), about: action, answer: .string(forwarder.description))
  }

  /// Returns the owner of the method for a message that is sent to a responder directly: itself,
  /// else the one that it is a proxy of, whatever the filter says (L9).
  func delivery(of selector: Selector, to id: ResponderID) -> (ResponderID, Handler)? {
    var current = id
    // Links of proxies close no cycle (R9).
    while true {
      effort.spend(1)
      if let handler = implementation(of: selector, in: current) { return (current, handler) }
      guard let responder = session.graph[current], responder.proxy != nil,
        let proxied = responder.links[.proxied]
      else { return nil }
      current = proxied
    }
  }
}
