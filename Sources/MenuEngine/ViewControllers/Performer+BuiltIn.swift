import JSONText

extension Performer {
  /// Runs what a built-in class does, with the arguments of the message.
  mutating func run(
    _ method: BuiltInMethod, in scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let receiver = scope.responder
    let catalog = catalog
    switch method {
    case .show, .showDetail: try showByTarget(scope, &invocation)
    case .navigationShow, .push:
      let id = try shown(invocation, scope)
      try changing(scope) { (session) throws(MutationFault) in
        try session.push(id, onto: receiver, in: catalog)
      }
    case .splitShow: try splitShow(scope, &invocation)
    case .splitShowDetail: try splitShowDetail(scope, &invocation)
    case .present:
      let id = try shown(invocation, scope)
      try changing(scope) { (session) throws(MutationFault) in
        try session.present(id, from: receiver)
      }
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
    case .popTo:
      let id = try shown(invocation, scope)
      try changing(scope) { (session) throws(MutationFault) in
        try session.pop(receiver, to: id, in: catalog)
      }
    case .popToRoot:
      try changing(scope) { (session) throws(MutationFault) in
        try session.popToRoot(receiver, in: catalog)
      }
    case .setViewControllers:
      let ids = try list(invocation, scope)
      try changing(scope) { (session) throws(MutationFault) in
        try session.setViewControllers(ids, of: receiver, in: catalog)
      }
    case .select:
      let id = try shown(invocation, scope)
      try changing(scope) { (session) throws(MutationFault) in
        guard session.graph.link(.parent, of: id) == receiver else {
          throw .containment(.notAChild(id, of: receiver))
        }
        return try session.select(id, in: catalog)
      }
    case .undo, .redo:
      let manager = try manager(of: nil, by: receiver, isOwn: true)
      try go(method == .undo ? .undo : .redo, with: manager)
    }
  }

  /// Shows another view controller, as every view controller does (A4): the nearest container that
  /// overrides the action shows it; when that is nobody or the receiver itself (A5), the receiver
  /// presents it.
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
      throw scope.attributed(.containment(.nothingToShow))
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
  /// The view controller that the first argument names.
  func shown(
    _ invocation: Invocation, _ scope: EffectScope
  ) throws(MutationFault) -> ResponderID {
    guard let id = try optional(invocation, scope) else {
      throw scope.attributed(.containment(.nothingToShow))
    }
    return id
  }

  /// The view controller that the first argument names, or nil for null.
  func optional(
    _ invocation: Invocation, _ scope: EffectScope
  ) throws(MutationFault) -> ResponderID? {
    switch invocation.arguments.first {
    case .null, nil: return nil
    case .string(let text):
      if let id = ResponderID(text) { return id }
    case .bool, .int, .double, .array, .object: break
    }
    throw scope.attributed(.containment(.nothingToShow))
  }

  private func list(
    _ invocation: Invocation, _ scope: EffectScope
  ) throws(MutationFault) -> [ResponderID] {
    guard case .array(let elements)? = invocation.arguments.first else {
      throw scope.attributed(.containment(.nothingToShow))
    }
    return try elements.map { (element) throws(MutationFault) in
      guard case .string(let text) = element, let id = ResponderID(text) else {
        throw scope.attributed(.containment(.nothingToShow))
      }
      return id
    }
  }
}

extension Session {
  /// Returns the presenter of what `receiver` is to show and no container does (A4): itself, or the
  /// root view controller of its window, or the last one presented from there.
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
