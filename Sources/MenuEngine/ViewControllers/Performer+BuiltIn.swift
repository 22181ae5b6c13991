import JSONText

extension Performer {
  /// Runs a built-in method with the arguments of the message.
  mutating func run(
    _ method: BuiltInMethod, in scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let receiver = scope.responder
    let catalog = catalog
    switch method {
    case .show, .showDetail: try showByTarget(scope, &invocation)
    case .navigationShow, .push: try push(scope, invocation)
    case .splitShow: try splitShow(scope, &invocation)
    case .splitShowDetail: try splitShowDetail(scope, &invocation)
    case .present: try present(scope, invocation)
    case .dismiss:
      try changing(scope) { (session) throws(MutationFault) in
        try session.dismiss(receiver)
      }
    case .removeFromParent:
      try changing(scope) { (session) throws(MutationFault) in
        try session.removeFromParent(receiver, in: catalog)
      }
    case .pop:
      try changing(scope) { (session) throws(MutationFault) in
        try session.pop(receiver, in: catalog)
      }
    case .popTo: try popTo(scope, invocation)
    case .popToRoot:
      try changing(scope) { (session) throws(MutationFault) in
        try session.popToRoot(receiver, in: catalog)
      }
    case .setViewControllers: try setViewControllers(scope, invocation)
    case .select: try select(scope, invocation)
    case .undo, .redo:
      let manager = try manager(of: nil, by: receiver, isOwn: true)
      try go(method == .undo ? .undo : .redo, with: manager)
    }
  }

  private mutating func present(
    _ scope: EffectScope, _ invocation: Invocation
  ) throws(MutationFault) {
    let id = try shown(invocation, scope)
    try changing(scope) { (session) throws(MutationFault) in
      try session.present(id, from: scope.responder)
    }
  }

  private mutating func push(
    _ scope: EffectScope, _ invocation: Invocation
  ) throws(MutationFault) {
    let (id, catalog) = (try shown(invocation, scope), catalog)
    try changing(scope) { (session) throws(MutationFault) in
      try session.push(id, onto: scope.responder, in: catalog)
    }
  }

  private mutating func popTo(
    _ scope: EffectScope, _ invocation: Invocation
  ) throws(MutationFault) {
    let (id, catalog) = (try shown(invocation, scope), catalog)
    try changing(scope) { (session) throws(MutationFault) in
      try session.pop(scope.responder, to: id, in: catalog)
    }
  }

  private mutating func setViewControllers(
    _ scope: EffectScope, _ invocation: Invocation
  ) throws(MutationFault) {
    let (ids, catalog) = (try list(invocation, scope), catalog)
    try changing(scope) { (session) throws(MutationFault) in
      try session.setViewControllers(ids, of: scope.responder, in: catalog)
    }
  }

  private mutating func select(
    _ scope: EffectScope, _ invocation: Invocation
  ) throws(MutationFault) {
    let (id, catalog) = (try shown(invocation, scope), catalog)
    try changing(scope) { (session) throws(MutationFault) in
      guard session.graph.link(.parent, of: id) == scope.responder else {
        throw .containment(.notAChild(id, of: scope.responder))
      }
      return try session.select(id, in: catalog)
    }
  }

  /// Shows another view controller, as every view controller does (A4): the nearest container that overrides the
  /// action shows it. If there is none, or if it is the receiver itself (A5), the receiver presents it.
  private mutating func showByTarget(
    _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let target = actorTarget(
      for: scope.selector, from: scope.responder, sender: invocation.sender)
    if let target, target != scope.responder {
      try pass(&invocation, to: target)
      return
    }
    guard let id = try optional(invocation, scope) else {
      guard scope.selector != .showDetail else { return }
      throw scope.attributed(.presentation(.nothingToShow))
    }
    let presenter = session.presenter(for: scope.responder)
    trace.note(
      .presenter, .responder(scope.responder), about: scope.selector,
      answer: .string(presenter.rawValue))
    try changing(scope) { (session) throws(MutationFault) in
      try session.present(id, from: presenter)
    }
  }
}

extension Performer {
  /// Returns the view controller named by the first argument.
  func shown(
    _ invocation: Invocation, _ scope: EffectScope
  ) throws(MutationFault) -> ResponderID {
    guard let id = try optional(invocation, scope) else {
      throw scope.attributed(.presentation(.nothingToShow))
    }
    return id
  }

  /// Returns the view controller named by the first argument; nil for null.
  func optional(
    _ invocation: Invocation, _ scope: EffectScope
  ) throws(MutationFault) -> ResponderID? {
    switch invocation.arguments.first {
    case .null, nil: return nil
    case .string(let text):
      if let id = ResponderID(text) { return id }
    case .bool, .int, .double, .array, .object: break
    }
    throw scope.attributed(.presentation(.nothingToShow))
  }

  private func list(
    _ invocation: Invocation, _ scope: EffectScope
  ) throws(MutationFault) -> [ResponderID] {
    guard case .array(let elements)? = invocation.arguments.first else {
      throw scope.attributed(.presentation(.nothingToShow))
    }
    return try elements.map { (element) throws(MutationFault) in
      guard case .string(let text) = element, let id = ResponderID(text) else {
        throw scope.attributed(.presentation(.nothingToShow))
      }
      return id
    }
  }
}

extension Session {
  /// Returns the presenter of a view controller that no container shows (A4): the receiver, or the root view
  /// controller of its window, or the last one presented from there.
  func presenter(for receiver: ResponderID) -> ResponderID {
    switch presenter {
    case .receiver: return receiver
    case .root:
      let window = graph.window(of: receiver)
      guard let root = window.flatMap({ graph[$0]?.links[.rootViewController] }) else {
        return receiver
      }
      var last = root
      for _ in 0..<graph.count {
        guard let next = graph.presentedViewController(of: last) else { break }
        last = next
      }
      return last
    }
  }
}

/// Collapsing and expanding a split view controller (A8).
extension Performer {
  /// Collapses a split view controller to its primary column.
  ///
  /// If its delegate answers true, it handled the secondary, which leaves the screen. Else a primary that is a
  /// navigation controller pushes the secondary; with any other primary, the secondary leaves the screen
  /// (**Decision**). During the question the split view controller is still expanded.
  mutating func collapse(_ split: ResponderID) throws(MutationFault) {
    try session.check(.split, split, in: catalog)
    guard session.graph[split]?.isCollapsed == false else { return }
    let columns = session.graph[split]?.viewControllers ?? []
    var isHandled = true
    if let primary = columns.first, let secondary = columns.dropFirst().first {
      isHandled = try askToCollapse(split, secondary, onto: primary)
      // The delegate may have collapsed it.
      guard session.graph[split]?.isCollapsed == false else { return }
    }
    try setCollapsed(true, of: split) { (session, catalog) throws(MutationFault) in
      let columns = session.graph[split]?.viewControllers ?? []
      guard let primary = columns.first, columns.count > 1 else { return }
      try session.graph.setViewControllers([primary], of: split)
      guard !isHandled, session.containerKind(of: primary, in: catalog) == .navigation else {
        return
      }
      let stack = session.graph[primary]?.viewControllers ?? []
      try session.graph.setViewControllers(stack + columns.dropFirst(), of: primary)
    }
  }

  /// Expands a split view controller to both columns.
  ///
  /// The secondary is the view controller that its delegate names. If that is null, or without a delegate's
  /// answer, it is the top of the primary's stack, if the stack has more than one; if it is false, there is
  /// none and the stack stays (**Decision**).
  mutating func expand(_ split: ResponderID) throws(MutationFault) {
    try session.check(.split, split, in: catalog)
    guard session.graph[split]?.isCollapsed == true else { return }
    guard let primary = session.graph[split]?.viewControllers.first else {
      return try setCollapsed(false, of: split) { (_, _) throws(MutationFault) in }
    }
    let answer = try askForSecondary(of: split, primary)
    // The delegate may have expanded it.
    guard session.graph[split]?.isCollapsed == true else { return }
    let named = try secondary(answer, of: primary, in: split)
    let container = named.flatMap { session.graph[$0]?.links[.parent] }
    try setCollapsed(false, of: split, renewing: container) { (session, _) throws(MutationFault) in
      guard let named, let primary = session.graph[split]?.viewControllers.first,
        named != primary
      else { return }
      try session.graph.setViewControllers([primary, named], of: split)
    }
  }

  /// Returns the view controller that becomes the secondary, from the delegate's answer or the primary.
  ///
  /// - Throws: `MutationFault.wrongAnswer` for an answer that cannot become the secondary.
  private func secondary(
    _ answer: JSON?, of primary: ResponderID, in split: ResponderID
  ) throws(MutationFault) -> ResponderID? {
    do throws(MutationFault) {
      return try self.secondary(answer, of: primary)
    } catch {
      guard let answer, let delegate = session.graph.link(.delegate, of: split) else { throw error }
      let isName = if case .string = answer { true } else { false }
      throw .effect(
        .wrongAnswer(
          answer, of: delegate, .splitDelegateSeparate,
          expected: .secondary(refused: isName ? error : nil)))
    }
  }

  private func secondary(
    _ answer: JSON?, of primary: ResponderID
  ) throws(MutationFault) -> ResponderID? {
    switch answer {
    case .bool(false): return nil
    case .null, nil:
      let stack = session.graph[primary]?.viewControllers ?? []
      let isStack = session.containerKind(of: primary, in: catalog) == .navigation
      return isStack && stack.count > 1 ? stack.last : nil
    case .string(let text):
      guard let id = ResponderID(text) else { throw .presentation(.nothingToShow) }
      try session.checkViewController(id)
      try session.checkUnbound(id)
      try session.checkAncestry(of: primary, below: id, along: .parent)
      return id
    case .bool, .int, .double, .array, .object: throw .presentation(.nothingToShow)
    }
  }

  private mutating func askToCollapse(
    _ split: ResponderID, _ secondary: ResponderID, onto primary: ResponderID
  ) throws(MutationFault) -> Bool {
    let arguments = [split, secondary, primary].map { JSON.string($0.rawValue) }
    return try askWhether(
      session.graph.link(.delegate, of: split), .splitDelegateCollapse,
      arguments: arguments,
      sending: Sending(by: Sender(of: .splitDelegateCollapse, from: split))) ?? false
  }

  private mutating func askForSecondary(
    of split: ResponderID, _ primary: ResponderID
  ) throws(MutationFault) -> JSON? {
    let arguments = [split, primary].map { JSON.string($0.rawValue) }
    return try ask(
      session.graph.link(.delegate, of: split), .splitDelegateSeparate,
      arguments: arguments,
      sending: Sending(by: Sender(of: .splitDelegateSeparate, from: split)))
  }

  private mutating func setCollapsed(
    _ isCollapsed: Bool, of split: ResponderID, renewing container: ResponderID? = nil,
    _ change: (inout Session, Catalog) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    let catalog = catalog
    let children = session.graph[split]?.viewControllers ?? []
    let containers = [split] + children + [container].compactMap { $0 }
    changes += try session.rearranging(containers, in: catalog) {
      (session) throws(MutationFault) in
      try change(&session, catalog)
      try session.graph.update(split) { (responder) throws(MutationFault) in
        responder.content.isCollapsed = isCollapsed
      }
    }
    events.append(.showDetailTargetDidChange(split))
  }
}
