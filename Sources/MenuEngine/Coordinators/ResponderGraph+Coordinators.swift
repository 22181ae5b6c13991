/// A coordinator among the children of another one (C4).
public struct ChildCoordinator: Equatable, Sendable {
  /// What its parent finds it by.
  public let identifier: CoordinatorIdentifier
  /// Which responder it is.
  public let id: ResponderID
}

extension ResponderGraph {
  /// The children of a coordinator, in the alphabetical order of their identifiers: the coordinators
  /// that have it for their `parentCoordinator`.
  public func childCoordinators(of id: ResponderID) -> [ChildCoordinator] {
    (holders[id] ?? []).compactMap { holder in
      guard let responder = self[holder], let coordinating = responder.coordinating,
        responder.links[.parentCoordinator] == id
      else { return nil }
      return ChildCoordinator(identifier: coordinating.identifier, id: holder)
    }.sorted { $0.identifier.rawValue.utf8.lexicographicallyPrecedes($1.identifier.rawValue.utf8) }
  }

  /// What is wrong with coordinators among responders that join: with their lists, and with their
  /// identifiers.
  func coordinationFaults(of new: [Responder]) -> [MutationFault] {
    var faults: [CoordinationFault] = []
    for responder in new {
      guard let coordinating = responder.coordinating else { continue }
      faults += listFaults(of: responder.id, coordinating.viewControllers)
      guard let parent = responder.links[.parentCoordinator] else { continue }
      let other = childCoordinators(of: parent)
        .first { $0.identifier == coordinating.identifier && $0.id != responder.id }
      // Of two that join together one is to blame.
      guard let other, !isLater(other.id, than: responder.id, among: new) else { continue }
      faults.append(
        .identifierTaken(responder.id, coordinating.identifier, of: parent, by: other.id))
    }
    return faults.map(MutationFault.coordination)
  }

  private func isLater(
    _ id: ResponderID, than other: ResponderID, among new: [Responder]
  ) -> Bool {
    guard let index = new.firstIndex(where: { $0.id == id }) else { return false }
    return new[..<index].contains { $0.id == other }
  }

  private func listFaults(of id: ResponderID, _ list: [ResponderID]) -> [CoordinationFault] {
    var met: Set<ResponderID> = []
    return list.compactMap { member in
      guard met.insert(member).inserted else { return .repeated(member, of: id) }
      guard let kind = self[member]?.kind else { return .unknownViewController(member, of: id) }
      return kind == .viewController ? nil : .notAViewController(member, kind, of: id)
    }
  }

  /// Refuses a responder in the place of a view controller that coordinators list.
  func checkLists(with id: ResponderID) throws(MutationFault) {
    guard let kind = self[id]?.kind, kind != .viewController else { return }
    for holder in responders where holder.coordinating?.viewControllers.contains(id) == true {
      throw .coordination(.notAViewController(id, kind, of: holder.id))
    }
  }

  /// Takes a view controller that goes out of the lists of coordinators.
  mutating func takeFromLists(_ id: ResponderID) {
    for position in responders.indices
    where responders[position].coordinating?.viewControllers.contains(id) == true {
      responders[position].coordinating?.viewControllers.removeAll { $0 == id }
    }
  }

  /// The view controllers that coordinators keep: their roots, and those in their lists.
  var coordinatedViewControllers: Set<ResponderID> {
    var kept: Set<ResponderID> = []
    for responder in responders {
      guard let coordinating = responder.coordinating else { continue }
      kept.formUnion(coordinating.viewControllers)
      if let root = responder.links[.coordinatedRoot] { kept.insert(root) }
    }
    return kept
  }
}

extension Session {
  /// The lists of coordinators that are others than before.
  func listChanges(since before: ResponderGraph) -> [Outcome.Change] {
    before.responders.compactMap { responder in
      guard let old = responder.coordinating?.viewControllers,
        let new = graph[responder.id]?.coordinating?.viewControllers, new != old
      else { return nil }
      return .viewControllers(responder.id, new)
    }
  }
}
