import JSONText

/// The methods of a split view controller (A6).
extension Performer {
  /// Shows a view controller in the primary column, unless the delegate does it.
  mutating func splitShow(
    _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let id = try shown(invocation, scope)
    let isHandled = try delegateShows(.splitDelegateShow, in: scope, invocation)
    guard !isHandled else { return }
    let columns = session.graph[scope.responder]?.viewControllers ?? []
    try setColumns([id] + columns.dropFirst().filter { $0 != id }, scope)
  }

  /// Shows a view controller as the detail: nothing for null or the one that is there; then the
  /// delegate may do it; then a secondary that overrides showing, or while collapsed the last view
  /// controller; else it becomes the secondary, or the first column where there is none.
  mutating func splitShowDetail(
    _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    guard let id = try optional(invocation, scope) else { return }
    guard !isThere(id, in: scope.responder) else { return }
    let isHandled = try delegateShows(.splitDelegateShowDetail, in: scope, invocation)
    guard !isHandled, let split = session.graph[scope.responder] else { return }
    // What the delegate did without saying that it showed the detail may have changed the columns.
    let columns = split.viewControllers
    if let last = columns.last,
      split.isCollapsed || columns.count > 1 && showsItself(last, invocation)
    {
      try pass(&invocation, to: last, as: .show)
      return
    }
    try setColumns(columns.prefix(1) + [id], scope)
  }

  /// True if a split view controller has a detail already: as the last column, or on top of a stack
  /// there.
  private func isThere(_ id: ResponderID, in splitViewController: ResponderID) -> Bool {
    guard let split = session.graph[splitViewController], let last = split.viewControllers.last,
      split.isCollapsed || split.viewControllers.count > 1
    else { return false }
    return last == id || session.displayed(by: last, in: catalog).contains(id)
  }

  private mutating func showsItself(_ id: ResponderID, _ invocation: Invocation) -> Bool {
    inquire(invocation.sender) { $0.actsItself(id, for: .show) }
  }

  private mutating func delegateShows(
    _ selector: Selector, in scope: EffectScope, _ invocation: Invocation
  ) throws(MutationFault) -> Bool {
    try askWhether(
      session.graph.link(.delegate, of: scope.responder), selector,
      arguments: [.string(scope.responder.rawValue)] + invocation.arguments,
      sending: Sending(by: scope.sender(of: selector), when: invocation.when)) ?? false
  }

  private mutating func setColumns(
    _ columns: [ResponderID], _ scope: EffectScope
  ) throws(MutationFault) {
    let catalog = catalog
    try changing(scope) { (session) throws(MutationFault) in
      try session.setViewControllers(columns, of: scope.responder, in: catalog)
    }
  }
}
