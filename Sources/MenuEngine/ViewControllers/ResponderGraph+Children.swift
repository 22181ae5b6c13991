/// The children of containers. A responder is in a container's `viewControllers` exactly if the container is
/// its `parent`.
extension ResponderGraph {
  /// Adopts the children that new containers list, and updates all affected lists. Returns the faults.
  ///
  /// A list sets the order; children whose `parent` is the container but that are not listed follow, in their
  /// previous order or joining order. Adopting a child removes it from its former container. A list that
  /// replaces another is complete: children left out lose their parent.
  ///
  /// - Parameter former: The previous values of those of `new` that existed.
  mutating func adopt(
    childrenOf new: [Responder], _ former: [ResponderID: Responder],
    _ touched: inout [ResponderID]
  ) -> [MutationFault] {
    let new = new.concerningContainers(insteadOf: former)
    guard !new.isEmpty else { return [] }
    var containers: Set<ResponderID> = []
    var lists: [ResponderID: [ResponderID]] = [:]
    var faults: [MutationFault] = []
    let given = Dictionary(
      new.map { ($0.id, $0.links[.parent]) }, uniquingKeysWith: { first, _ in first })
    for responder in new {
      let before = former[responder.id]
      lists[responder.id] = responder.viewControllers + (before?.viewControllers ?? [])
      containers.insert(responder.id)
      if let parent = before?.links[.parent] { containers.insert(parent) }
      if let parent = responder.links[.parent] { containers.insert(parent) }
      clearParents(ofChildrenOf: before, leftOutBy: responder, given, &touched)
      var met: Set<ResponderID> = []
      for child in responder.viewControllers {
        if let fault = faultOfChild(child, in: responder.id, parent: given[child] ?? nil, met: &met)
        {
          faults.append(fault)
          continue
        }
        if let parent = link(.parent, of: child) { containers.insert(parent) }
        relink(.parent, of: child, to: responder.id)
        touched.append(child)
      }
    }
    for container in containers {
      renewList(of: container, beginningWith: lists[container])
      if let position = positions[container], responders[position].listsViewControllers != nil {
        responders[position].content.listsViewControllers = nil
      }
      if given[container] == nil { dropSelection(of: container) }
    }
    return faults + new.compactMap { faultOfSelection(in: $0.id) }
  }

  /// Clears the parent of children that a new list leaves out and that do not name the container themselves.
  private mutating func clearParents(
    ofChildrenOf former: Responder?, leftOutBy responder: Responder,
    _ given: [ResponderID: ResponderID?], _ touched: inout [ResponderID]
  ) {
    guard let former, responder.listsViewControllers == true else { return }
    let listed = Set(responder.viewControllers)
    for child in former.viewControllers
    where !listed.contains(child) && given[child] == nil
      && link(.parent, of: child) == responder.id
    {
      relink(.parent, of: child, to: nil)
      touched.append(child)
    }
  }

  /// Returns the faults of new responders' places: a view controller is presented or a child, not both, and the
  /// registry of a late responder sets its successor, not its own `next`.
  func placementFaults(of new: [Responder]) -> [MutationFault] {
    var faults: [MutationFault] = []
    for index in new.indices {
      let id = new[index].id
      if let (container, _) = twofoldPlace(of: id) {
        faults.append(.presentation(.isChild(id, of: container)))
      }
      for child in new[index].viewControllers {
        guard let (_, presenter) = twofoldPlace(of: child) else { continue }
        faults.append(.presentation(.isPresented(child, by: presenter)))
      }
      guard !registrars.isEmpty else { continue }
      for id in [id] + (new[index].lateResponders?.members ?? []) {
        guard let host = registrars[id], link(.next, of: id) != nil else { continue }
        faults.append(.lateResponder(.nextOfLateResponder(id, host: host)))
      }
    }
    return faults
  }

  /// Returns the container and the presenter of a view controller that has both.
  private func twofoldPlace(
    of id: ResponderID
  ) -> (container: ResponderID, presenter: ResponderID)? {
    guard let position = positions[id], let container = responders[position].links[.parent],
      let presenter = responders[position].links[.presentingViewController]
    else { return nil }
    return (container, presenter)
  }

  /// Clears the selection of a container if it is no longer a child.
  private mutating func dropSelection(of container: ResponderID) {
    guard faultOfSelection(in: container) != nil else { return }
    relink(.selectedViewController, of: container, to: nil)
  }

  private func faultOfChild(
    _ child: ResponderID, in container: ResponderID, parent: ResponderID?,
    met: inout Set<ResponderID>
  ) -> MutationFault? {
    guard met.insert(child).inserted else { return .containment(.repeated(child, in: container)) }
    guard let kind = kind(of: child) else {
      return .containment(.unknownChild(child, of: container))
    }
    guard kind == .viewController else {
      return .containment(.notAViewController(child, kind))
    }
    guard let parent, parent != container else { return nil }
    return .containment(.hasParent(child, parent, not: container))
  }

  private func faultOfSelection(in container: ResponderID) -> MutationFault? {
    guard let selected = link(.selectedViewController, of: container),
      let position = positions[container],
      !responders[position].viewControllers.contains(selected)
    else { return nil }
    return .containment(.notAChild(selected, of: container))
  }

  /// Lists the children of a container in the order of `list`, else as before; others follow in joining order.
  private mutating func renewList(
    of container: ResponderID, beginningWith list: [ResponderID]?
  ) {
    guard let position = positions[container] else { return }
    let isListed = list?.isEmpty == false || !responders[position].viewControllers.isEmpty
    guard let holders = holders[container], isListed || !holders.isEmpty else {
      if isListed { responders[position].content.viewControllers = [] }
      return
    }
    let children = Set(holders.filter { link(.parent, of: $0) == container })
    guard isListed || !children.isEmpty else { return }
    let late = children.compactMap { positions[$0] }.sorted().map { responders[$0].id }
    var met: Set<ResponderID> = []
    responders[position].content.viewControllers =
      ((list ?? responders[position].viewControllers) + late)
      .filter { children.contains($0) && met.insert($0).inserted }
  }

  /// Removes a child from a container's list, and from its selection.
  mutating func disown(_ child: ResponderID, by container: ResponderID) {
    guard let position = positions[container] else { return }
    responders[position].content.viewControllers.removeAll { $0 == child }
    dropSelection(of: container)
  }

  /// Sets the children of a container. Removed children lose their parent; new ones leave their former
  /// containers.
  ///
  /// - Throws: `MutationFault.cycle`; the graph is unusable then.
  mutating func setViewControllers(
    _ children: [ResponderID], of container: ResponderID
  ) throws(MutationFault) {
    guard let position = positions[container] else { throw .unknownResponder(container) }
    let former = responders[position].viewControllers
    let (before, after) = (Set(former), Set(children))
    for child in former where !after.contains(child) {
      relink(.parent, of: child, to: nil)
    }
    for child in children where !before.contains(child) {
      if let parent = link(.parent, of: child) { disown(child, by: parent) }
      relink(.parent, of: child, to: container)
    }
    responders[position].content.viewControllers = children
    dropSelection(of: container)
    let derived = deriveNext(of: former + children)
    try refuseCycles(from: derived)
  }

  /// Changes a link of a responder and updates chains.
  ///
  /// - Throws: `MutationFault.cycle`; the graph is unusable then.
  mutating func setLink(
    _ link: ResponderLink, of id: ResponderID, to destination: ResponderID?
  ) throws(MutationFault) {
    guard let responder = self[id] else { throw .unknownResponder(id) }
    var touched = dependents(on: responder)
    relink(link, of: id, to: destination)
    if let responder = self[id] { touched += dependents(on: responder) }
    let derived = deriveNext(of: touched)
    try refuseCycles(from: derived)
  }
}

extension Responder {
  /// True if the responder can be a container or the child of one.
  var isInContainers: Bool { kind == .viewController || namesContainers }

  /// True if the responder names a child or its container.
  fileprivate var namesContainers: Bool {
    !viewControllers.isEmpty || listsViewControllers != nil || links[.parent] != nil
      || links[.selectedViewController] != nil
  }
}

extension [Responder] {
  /// Returns the responders that name children or their containers, or that replace others.
  fileprivate func concerningContainers(insteadOf former: [ResponderID: Responder]) -> [Responder] {
    filter { $0.namesContainers || former[$0.id] != nil }
  }
}
