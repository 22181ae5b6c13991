/// The children of containers: who has a container for its `parent` is in that container's
/// `viewControllers`, and nobody else is.
extension ResponderGraph {
  /// Takes the children that containers list, and brings all lists that this touches up to date;
  /// answers what is wrong with them.
  ///
  /// A list gives the order: who has the container for its `parent` and is not listed comes after, as
  /// before, else in the order of joining. A child that is there already leaves the container it was
  /// in. A list in the place of another one is the whole list: who is not in it any more has no parent.
  ///
  /// - Parameter former: The former values of those of `new` that were there already.
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
        responders[position].listsViewControllers = nil
      }
      if given[container] == nil { dropSelection(of: container) }
    }
    return faults + new.compactMap { faultOfSelection(in: $0.id) }
  }

  /// Clears the parent of the children that a container had, when a list in its place leaves them out and
  /// they do not name it themselves.
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

  /// Returns the faults of the places of responders that join: a view controller is presented or a
  /// child, not both, and the registry of a late responder says what follows it, not its own
  /// `next`.
  func placementFaults(of new: [Responder]) -> [MutationFault] {
    var faults: [MutationFault] = []
    for index in new.indices {
      let id = new[index].id
      if let (container, _) = twofoldPlace(of: id) {
        faults.append(.containment(.isChild(id, of: container)))
      }
      for child in new[index].viewControllers {
        guard let (_, presenter) = twofoldPlace(of: child) else { continue }
        faults.append(.containment(.isPresented(child, by: presenter)))
      }
      guard !registrars.isEmpty else { continue }
      for id in [id] + (new[index].lateResponders?.members ?? []) {
        guard let host = registrars[id], link(.next, of: id) != nil else { continue }
        faults.append(.nextOfLateResponder(id, host: host))
      }
    }
    return faults
  }

  /// The container and the presenter of a view controller that has both.
  private func twofoldPlace(
    of id: ResponderID
  ) -> (container: ResponderID, presenter: ResponderID)? {
    guard let position = positions[id], let container = responders[position].links[.parent],
      let presenter = responders[position].links[.presentingViewController]
    else { return nil }
    return (container, presenter)
  }

  /// Clears the selection of a container when it is no child any more.
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

  /// Notes who has a container for its `parent`, in the order of `list`, else as before; others after
  /// those, in the order of joining.
  private mutating func renewList(
    of container: ResponderID, beginningWith list: [ResponderID]?
  ) {
    guard let position = positions[container] else { return }
    let isListed = list?.isEmpty == false || !responders[position].viewControllers.isEmpty
    guard let holders = holders[container], isListed || !holders.isEmpty else {
      if isListed { responders[position].viewControllers = [] }
      return
    }
    let children = Set(holders.filter { link(.parent, of: $0) == container })
    guard isListed || !children.isEmpty else { return }
    let late = children.compactMap { positions[$0] }.sorted().map { responders[$0].id }
    var met: Set<ResponderID> = []
    responders[position].viewControllers =
      ((list ?? responders[position].viewControllers) + late)
      .filter { children.contains($0) && met.insert($0).inserted }
  }

  /// Takes a child out of a container's list, and its selection with it.
  mutating func disown(_ child: ResponderID, by container: ResponderID) {
    guard let position = positions[container] else { return }
    responders[position].viewControllers.removeAll { $0 == child }
    dropSelection(of: container)
  }

  /// Gives a container these children in this order; those that it had and that are not among them
  /// have no parent any more, new ones leave the containers they were in.
  ///
  /// - Throws: `MutationFault.cycle`; then the graph is of no more use.
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
    responders[position].viewControllers = children
    dropSelection(of: container)
    let derived = deriveNext(of: former + children)
    try refuseCycles(from: derived)
  }

  /// Changes a link of a responder and where chains go on.
  ///
  /// - Throws: `MutationFault.cycle`; then the graph is of no more use.
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
  @inline(__always)
  var isInContainers: Bool {
    kind == .viewController || !viewControllers.isEmpty || listsViewControllers != nil
      || links[.parent] != nil || links[.selectedViewController] != nil
  }
}

extension [Responder] {
  /// The responders that can be in containers, or stand in the place of others.
  fileprivate func concerningContainers(insteadOf former: [ResponderID: Responder]) -> [Responder] {
    var concerning: [Responder] = []
    let all = span
    for index in all.indices where all[index].isInContainers || former[all[index].id] != nil {
      concerning.append(all[index])
    }
    return concerning
  }
}
