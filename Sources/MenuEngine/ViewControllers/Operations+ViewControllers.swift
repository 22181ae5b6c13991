import JSONText

/// Operations on view controllers and containers (V4, A4, A7, A8).
extension Operations {
  static let ofViewControllers: [any AnyOperation] = [
    pushViewController, popViewController, popToViewController, popToRootViewController,
    setViewControllers, selectViewController, present, dismiss, removeFromParent, collapse, expand,
    targetViewController, show, showDetail, pop,
  ]

  static let pushViewController = Operation(
    "pushViewController", needs: .declare,
    about: "Pushes a view controller onto a navigation stack (V4).",
    Member("viewController", .responder, about: "The view controller."),
    Member(receiver: "navigationController", about: "The navigation controller."),
    traits: .changesScreen
  ) { (performer: inout Performer, id, container) throws(MutationFault) in
    let catalog = performer.catalog
    performer.record(try performer.session.push(id, onto: container, in: catalog))
  }

  static let popViewController = Operation(
    "popViewController", needs: .declare,
    about: "Pops the top of a navigation stack; the root stays (V4, C5).",
    Member(receiver: "navigationController", about: "The navigation controller."), trigger,
    Member(
      "isCancelled", .flag("CancelledSwipe"), about: "True for a swipe that was cancelled.",
      default: false
    ),
    traits: .changesScreen,
    check: checkCancelledSwipe
  ) { (performer: inout Performer, container, trigger, isCancelled) throws(MutationFault) in
    if isCancelled { return try performer.cancelSwipe(in: container) }
    try performer.pop(container, to: nil, by: trigger)
  }

  static let popToViewController = Operation(
    "popToViewController", needs: .declare,
    about: "Pops what is above a view controller in its stack (V4, C5).",
    Member(receiver: "viewController", about: "The view controller."), trigger,
    traits: .changesScreen
  ) { (performer: inout Performer, id, trigger) throws(MutationFault) in
    let container = try performer.session.stack(of: id, in: performer.catalog)
    try performer.pop(container, to: id, by: trigger)
  }

  static let popToRootViewController = Operation(
    "popToRootViewController", needs: .declare,
    about: "Pops a navigation stack to its root (V4, C5).",
    Member(receiver: "navigationController", about: "The navigation controller."), trigger,
    traits: .changesScreen
  ) { (performer: inout Performer, container, trigger) throws(MutationFault) in
    try performer.session.check(.navigation, container, in: performer.catalog)
    guard let root = performer.session.graph[container]?.viewControllers.first else { return }
    try performer.pop(container, to: root, by: trigger)
  }

  static let setViewControllers = Operation(
    "setViewControllers", needs: .declare,
    about: "Sets the children of a container, in order (V4).",
    Member(receiver: "container", about: "The container."),
    Member("viewControllers", .responders, about: "The children."), traits: .changesScreen
  ) { (performer: inout Performer, container, children) throws(MutationFault) in
    let catalog = performer.catalog
    performer.record(
      try performer.session.setViewControllers(children, of: container, in: catalog))
  }

  static let selectViewController = Operation(
    "selectViewController", needs: .declare, about: "Selects a child of a tab bar controller (V4).",
    Member(receiver: "viewController", about: "The child."), traits: .changesScreen
  ) { (performer: inout Performer, id) throws(MutationFault) in
    let catalog = performer.catalog
    performer.record(try performer.session.select(id, in: catalog))
  }

  static let present = Operation(
    "present", needs: .declare, about: "Presents a view controller (V4).",
    Member("viewController", .responder, about: "The view controller."),
    Member(receiver: "from", about: "The presenter."), traits: .changesScreen
  ) { (performer: inout Performer, id, presenter) throws(MutationFault) in
    performer.record(try performer.session.present(id, from: presenter))
  }

  static let dismiss = Operation(
    "dismiss", needs: .declare,
    about:
      "Dismisses what a view controller presents, else the nearest presented one: itself or a container of it (V4).",
    Member(receiver: "viewController", about: "The view controller."), traits: .changesScreen
  ) { (performer: inout Performer, id) throws(MutationFault) in
    performer.record(try performer.session.dismiss(id))
  }

  static let removeFromParent = Operation(
    "removeFromParent", needs: .declare,
    about: "Removes a view controller from its container (V4).",
    Member(receiver: "viewController", about: "The view controller."), traits: .changesScreen
  ) { (performer: inout Performer, id) throws(MutationFault) in
    let catalog = performer.catalog
    performer.record(try performer.session.removeFromParent(id, in: catalog))
  }

  static let collapse = Operation(
    "collapse", needs: .declare,
    about:
      "Makes a split view controller show one column (A8).",
    Member(receiver: "splitViewController", about: "The split view controller."),
    traits: .changesScreen
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.collapse(id) }

  static let expand = Operation(
    "expand", needs: .declare,
    about:
      "Makes a split view controller show both columns (A8).",
    Member(receiver: "splitViewController", about: "The split view controller."),
    traits: .changesScreen
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.expand(id) }

  static let pop = Operation(
    "pop", needs: .declare,
    about: "Pops the navigation controller that is or contains a view controller (V4, C5).",
    Member(receiver: "viewController", about: "The view controller. The default is the receiver."),
    Member(
      optional: "to", .responder,
      about: "The view controller to pop to. The default is the one below."),
    trigger, uses: .effect, traits: .changesScreen
  ) { (performer: inout Performer, id, destination, trigger) throws(MutationFault) in
    let container = try performer.session.container(.navigation, of: id, in: performer.catalog)
    try performer.pop(container, to: destination, by: trigger)
  }

  private static let trigger = Member(
    "by", MemberType<SegueRequest.Trigger>.popTrigger,
    about: "The cause of going back; navigation coordinators are told if it is the user.",
    default: .code)
}

extension Operations {
  /// Rejects a cancelled swipe that is triggered by code.
  private static func checkCancelledSwipe(_ reader: ObjectReader) {
    guard reader.value("isCancelled") == true else { return }
    let trigger = reader.value("by")
    guard trigger != "user" else { return }
    reader.log.note(
      trigger == "code" ? .conflictingMembers("by", "isCancelled") : .missingMember("by"),
      at: reader.pointer)
  }
}

/// The methods of a split view controller (A6).
extension Performer {
  /// Shows a view controller in the primary column, unless the delegate does.
  mutating func splitShow(
    _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    let id = try shown(invocation, scope)
    let isHandled = try delegateShows(.splitDelegateShow, in: scope, invocation)
    guard !isHandled else { return }
    let columns = session.graph[scope.responder]?.viewControllers ?? []
    try setColumns([id] + columns.dropFirst().filter { $0 != id }, scope)
  }

  /// Shows a view controller as the detail. Null and the present detail have no effect. The delegate may show
  /// it; else a secondary that overrides showing, or while collapsed the last view controller; else it becomes
  /// the secondary, or the first column if there is none.
  mutating func splitShowDetail(
    _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    guard let id = try optional(invocation, scope) else { return }
    guard !isThere(id, in: scope.responder) else { return }
    let isHandled = try delegateShows(.splitDelegateShowDetail, in: scope, invocation)
    guard !isHandled, let split = session.graph[scope.responder] else { return }
    // The delegate may have changed the columns even if it did not show the detail.
    let columns = split.viewControllers
    if let last = columns.last,
      split.isCollapsed || columns.count > 1 && showsItself(last, invocation)
    {
      try pass(&invocation, to: last, as: .show)
      return
    }
    try setColumns(columns.prefix(1) + [id], scope)
  }

  /// True if a view controller is the present detail: the last column, or the top of a stack there.
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
