import JSONText
import Testing

@testable import MenuEngine

/// Invariants of every session.
extension Session {
  func expectSound(
    in catalog: Catalog, after mutation: Mutation? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let faults =
      faultsOfAppearances(in: catalog) + graph.faultsOfLinks + graph.faultsOfContainers
      + graph.faultsOfRegistries + faultsOfFocus(in: catalog)
      + faultsOfInstances + faultsOfUndo
      + (holdings == recountedHoldings ? [] : ["what it holds is miscounted"])
    let cause = mutation.map { "after \($0.json.text())" } ?? ""
    #expect(faults == [], "\(cause)", sourceLocation: location)
  }

  /// Responders with focus, or with a part as a window, that are not there or cannot have it (R8).
  private func faultsOfFocus(in catalog: Catalog) -> [String] {
    var faults: [String] = []
    if let id = firstResponder {
      var copy = self
      copy.firstResponder = nil
      var trace = Trace(isRecording: false)
      let changes = try? copy.becomeFirstResponder(
        id, asking: Effort(), reading: catalog.translations(for: self), tracing: &trace)
      if changes == nil || id.isRegistryEnd {
        faults.append("\(id) cannot have focus")
      }
    }
    for role in WindowRole.allCases {
      guard let id = window(role), graph[id]?.kind != .window else { continue }
      faults.append("\(id) is no \(role) window")
    }
    return faults
  }

  /// Instances that should not be there, or that are on screen without a view (V9).
  private var faultsOfInstances: [String] {
    instances.flatMap { id, instance -> [String] in
      guard graph[id] != nil else { return ["the instance \(id) is not there"] }
      if let owner = instance.owner {
        return graph[owner] == nil ? ["the view \(id) outlived \(owner)"] : []
      }
      var faults: [String] = []
      let isLoaded = appearances?.loaded.contains(id) ?? (graph[id]?.links[.view] != nil)
      if isLoaded != (graph[id]?.links[.view] != nil) {
        faults.append("\(id) does not know whether it has a view")
      }
      if instance.wasKept, !isKept(id, graph.coordinatedViewControllers) {
        faults.append("nothing holds \(id)")
      }
      return faults
    }
  }

  /// Expects a responder that kept its focus to be on screen, or in a window, if it was before
  /// (R8).
  func expectFocusOnScreen(
    since before: Session, in catalog: Catalog, after mutation: Mutation,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(givenFocus.isEmpty && focusBehind == nil)
    guard let id = firstResponder, id == before.firstResponder else { return }
    let cause = "after \(mutation.json.text())"
    if let window = before.graph.window(of: id) {
      #expect(graph.window(of: id) == window, "\(cause)", sourceLocation: location)
    }
    if before.isOnScreen(id, in: catalog) {
      #expect(isOnScreen(id, in: catalog), "\(cause)", sourceLocation: location)
    }
  }

  /// View controllers were told that they are on screen when they are, and then only (V9).
  private func faultsOfAppearances(in catalog: Catalog) -> [String] {
    guard let appearances else { return [] }
    let visible = Set(visibleViewControllers(in: SessionContext(catalog), besides: nil))
    let told = Set(appearances.visible)
    return told.symmetricDifference(visible).map {
      "\($0) was \(told.contains($0) ? "" : "not ")told that it is on screen"
    }
  }

  /// Stacks name only what is there, and nothing is going on.
  private var faultsOfUndo: [String] {
    var faults: [String] = []
    for owner in undoManagerOwners {
      guard let manager = undo[owner] else { continue }
      let groups = manager.undoGroups + Array(manager.redoGroups) + manager.openGroups
      for target in groups.flatMap(\.actions).compactMap(\.target) + [manager.preparedTarget] {
        if let target, graph[target] == nil { faults.append("undo is recorded against \(target)") }
      }
      if manager.isBusy { faults.append("undo goes on") }
      if manager.endsByItself { faults.append("a group did not end by itself") }
      if manager.undoGroups.contains(where: \.isEmpty)
        || manager.redoGroups.contains(where: \.isEmpty)
      {
        faults.append("an empty group was pushed")
      }
    }
    return faults
  }
}

extension ResponderGraph {
  /// Every link leads to one who is there and of the right kind, and nothing leads back into itself
  /// (R9).
  fileprivate var faultsOfLinks: [String] {
    var faults: [String] = []
    var owners: [ResponderLink: Set<ResponderID>] = [:]
    for responder in responders {
      for (link, id) in responder.links {
        guard let destination = self[id] else {
          faults.append("\(responder.id) \(link) \(id) dangles")
          continue
        }
        if !link.destinations.contains(destination.kind) {
          faults.append("\(responder.id) \(link) \(id) is of the wrong kind")
        }
        if link.isExclusive, !owners[link, default: []].insert(id).inserted {
          faults.append("two have \(id) as their \(link)")
        }
      }
    }
    do throws(MutationFault) {
      try refuseCycles(from: responders.map(\.id))
    } catch {
      faults.append("\(error)")
    }
    return faults
  }

  /// Every controller is in exactly the list of its parent, and there once; who presents and who is
  /// presented say the same.
  fileprivate var faultsOfContainers: [String] {
    var faults: [String] = []
    for responder in responders {
      let id = responder.id
      if Set(responder.viewControllers).count < responder.viewControllers.count {
        faults.append("\(id) lists a child twice")
      }
      for child in responder.viewControllers where self[child]?.links[.parent] != id {
        faults.append("\(id) lists \(child), whose parent it is not")
      }
      if let parent = responder.links[.parent],
        self[parent]?.viewControllers.contains(id) != true
      {
        faults.append("\(id) is not in the list of its parent \(parent)")
      }
      if let selected = responder.links[.selectedViewController],
        !responder.viewControllers.contains(selected)
      {
        faults.append("\(id) has \(selected) selected, which is no child")
      }
      if let presenter = responder.links[.presentingViewController],
        presentedViewController(of: presenter) != id
      {
        faults.append("\(presenter) does not know that it presents \(id)")
      }
      if let presented = presentedViewController(of: id),
        self[presented]?.links[.presentingViewController] != id
      {
        faults.append("\(presented) does not know that \(id) presents it")
      }
    }
    return faults
  }

  /// Registries have both ends and their members in order, who know them (L1, L3).
  fileprivate var faultsOfRegistries: [String] {
    var faults: [String] = []
    var members: Set<ResponderID> = []
    for host in responders {
      guard let registry = host.lateResponders else { continue }
      let weights = registry.members.map { self[$0]?.weight ?? 0 }
      if weights != weights.sorted() { faults.append("\(host.id) has its members in disorder") }
      for end in [ResponderID.lateInitial(of: host.id), .lateLast(of: host.id)]
      where self[end] == nil {
        faults.append("\(end) is missing")
      }
      for member in registry.members
      where self.host(ofLate: member) != host.id || !members.insert(member).inserted {
        faults.append("\(member) does not know its host \(host.id)")
      }
    }
    if members.count != registrars.count { faults.append("somebody is in a registry that is gone") }
    let ends = responders.filter { $0.id.isRegistryEnd }.count
    if ends != 2 * responders.count(where: { $0.lateResponders != nil }) {
      faults.append("an end outlived its registry")
    }
    return faults
  }

  /// A graph that is made of the documents at once is the same, the order of children included.
  func expectSameAsFresh(_ location: SourceLocation = #_sourceLocation) throws {
    let documents = try ids.map { try responder($0, self[$0]?.json ?? nil) }
    var fresh = ResponderGraph()
    try fresh.put(documents)
    for id in ids {
      #expect(fresh.next(of: id) == next(of: id), "\(id)", sourceLocation: location)
      #expect(fresh[id]?.json == self[id]?.json, sourceLocation: location)
      #expect(fresh.host(ofLate: id) == host(ofLate: id), sourceLocation: location)
    }
    #expect(
      fresh.holders.plain.filter { !$0.value.isEmpty }
        == holders.plain.filter { !$0.value.isEmpty },
      sourceLocation: location)
    #expect(fresh.owners.plain == owners.plain, sourceLocation: location)
  }
}

extension LinkOwners {
  /// The same as dictionaries.
  var plain: [ResponderLink: [ResponderID: ResponderID]] {
    Dictionary(uniqueKeysWithValues: ResponderLink.allCases.map { ($0, self[$0].plain) })
  }
}
