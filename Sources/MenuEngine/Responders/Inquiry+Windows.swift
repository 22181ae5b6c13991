import CEL
import JSONText

extension Inquiry {
  /// Returns the responders that a search asks as long as nobody answers: the chain, or in AppKit's
  /// search those on the way from window to window (R10).
  func order(from: ResponderID?) -> [ResponderID] {
    let start = start(from: from)
    return switch session.search {
    case .uikit: start.map { session.graph.chain(from: $0) } ?? []
    case .appkit: WindowOrder(of: session, from: start).stops.map(\.responder)
    }
  }

  /// An explicit target (R7); in AppKit's search, one that does not respond is asked for another.
  mutating func explicit(_ receiver: Receiver, for action: Selector) -> Target {
    let target = explicitTarget(receiver, for: action)
    guard target.handler == nil, session.search == .appkit, case .responder(let id) = receiver
    else {
      return target
    }
    var fault: RuleFault?
    return supplement(of: id, for: action, &fault) ?? target
  }

  /// Returns the answer of a responder in AppKit's search (R10): itself if it responds, else the
  /// one it names in its place.
  ///
  /// It is asked nothing but `respondsToSelector`, as AppKit does (a decision): neither a `canPerform`
  /// rule nor a coordinator's forwarder, which does not respond (F3), has a part in it.
  mutating func windowAnswer(
    at position: Int, to action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    let id = session.graph.responders[position].id
    if trace.isRecording, let coordinator = session.graph.responders[position].coordinator,
      coordinator.forwarding == .catchAll, coordinator[action] != nil
    {
      trace.note(.respondsToSelector, .forwarder(host: id), about: action, answer: .bool(false))
    }
    let handler = implementation(of: action, at: position)
    if handler == nil, session.graph.responders[position].proxy != nil {
      return proxyTarget(of: id, for: action, &fault) ?? supplement(of: id, for: action, &fault)
    }
    noteResponds(id, to: action, with: handler)
    if let handler { return Target(receiver: .responder(id), handler: handler) }
    return supplement(of: id, for: action, &fault)
  }

  /// Returns the responder that another one names for what it does not respond to itself, if that
  /// one does; it is not asked for another one in turn.
  private mutating func supplement(
    of id: ResponderID, for action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    guard let supplement = supplementalTarget(of: id, for: action, &fault) else { return nil }
    let handler = implementation(of: action, in: supplement)
    if handler == nil, session.graph[supplement]?.proxy != nil {
      return proxyTarget(of: supplement, for: action, &fault)
    }
    noteResponds(supplement, to: action, with: handler)
    return handler.map { Target(receiver: .responder(supplement), handler: $0) }
  }

  private mutating func supplementalTarget(
    of id: ResponderID, for action: Selector, _ fault: inout RuleFault?
  ) -> ResponderID? {
    guard let responder = session.graph[id] else { return nil }
    guard let rule = responder.supplementalTargetRule else {
      guard let link = responder.links[.supplementalTarget] else { return nil }
      trace.note(.supplementalTarget, .responder(id), about: action, answer: .string(link.rawValue))
      return link
    }
    readings.note(rule)
    let context = supplementalContext(of: id, for: action)
    let place = Self.supplementalPlace
    do throws(RuleFault) {
      let named = try supplementalTarget(rule, of: id, for: action)
      trace.note(
        .supplementalTarget, .responder(id), about: action,
        answer: named.map { .string($0.rawValue) } ?? .null,
        rules: context.explained(rule, at: place))
      return named
    } catch {
      trace.note(
        .supplementalTarget, .responder(id), about: action, answer: .null, fault: error,
        rules: context.explained(rule, at: place))
      fault = fault ?? error
      return nil
    }
  }

  /// Returns the responder that the rule names, if it is there. The rule reads the action as its
  /// only argument.
  func supplementalTarget(
    _ rule: Rule, of id: ResponderID, for action: Selector
  ) throws(RuleFault) -> ResponderID? {
    let context = supplementalContext(of: id, for: action)
    let place = Self.supplementalPlace
    let value = try context.value(of: rule, at: place)
    if case .null = value { return nil }
    guard case .string(let text) = value, let named = ResponderID(text) else {
      throw context.fault(rule, at: place, answering: value, expecting: .identifier)
    }
    return session.graph[named]?.id
  }

  private static let supplementalPlace = "supplementalTargetRule"

  private func supplementalContext(of id: ResponderID, for action: Selector) -> RuleContext {
    var context = context(for: id)
    context.arguments = [.string(action.rawValue)]
    return context
  }
}
