extension ResponderGraph {
  /// A chain that is a cycle, with the first responder repeated at the end (R9).
  var chainCycle: [ResponderID]? {
    var search = cycleSearch(from: ids)
    return search.cycle { nextPositions[$0] }.map(names)
  }

  /// A coordinating chain that is a cycle, with the first responder repeated at the end (R9).
  var coordinatingCycle: [ResponderID]? {
    var search = cycleSearch(from: ids)
    return search.cycle { coordinatingNext(of: $0) }.map(names)
  }

  /// Refuses cycles of links through one of `starts`, first those of one kind of link (R9).
  func refuseCycles(from starts: [ResponderID]) throws(MutationFault) {
    guard !starts.isEmpty else { return }
    var search = cycleSearch(from: starts)
    // From a start without the link, the path ends where it begins.
    let origins = search.starts
    func has(_ link: ResponderLink) -> Bool {
      origins.contains { responders[$0].links[link] != nil }
    }
    for link in Self.linksWithoutCycles where has(link) {
      let cycle = search.cycle { position in
        responders[position].links[link].flatMap { positions[$0] }
      }
      if let cycle { throw .link(.cycle(names(cycle), along: link)) }
    }
    if has(.proxied) || has(.forwardingTarget) {
      let forwarding = search.cycle { position in
        let isProxy = responders[position].proxy != nil
        return responders[position].links[isProxy ? .proxied : .forwardingTarget]
          .flatMap { positions[$0] }
      }
      if let forwarding { throw .link(.cycle(names(forwarding), along: .forwardingTarget)) }
    }
    if let chain = search.cycle(following: { nextPositions[$0] }) {
      throw .link(.cycle(names(chain), along: .next))
    }
    let coordinating = search.cycle(
      following: { coordinatingNext(of: $0) }, where: isClosedByCoordinators)
    if let coordinating { throw .link(.coordinatingCycle(names(coordinating))) }
  }

  private static let linksWithoutCycles: [ResponderLink] = [
    .superview, .parent, .presentingViewController, .forwardingTarget, .proxied, .parentCoordinator,
  ]

  private func cycleSearch(from starts: [ResponderID]) -> CycleSearch {
    CycleSearch(from: starts.compactMap { positions[$0] }, of: count)
  }

  private func names(_ cycle: [Int]) -> [ResponderID] { cycle.map { responders[$0].id } }

  private func coordinatingNext(of position: Int) -> Int? {
    switch coordinatingStep(from: position) {
    case .to(_, by: .next): nextPositions[position]
    case .to(let id, by: _): positions[id]
    case .cut, .end: nil
    }
  }

  /// True if coordinators close the cycle. A cycle of containers and explicit links alone is allowed: it
  /// affects only messages, and the trace of a message shows it.
  private func isClosedByCoordinators(_ cycle: [Int]) -> Bool {
    cycle.contains { position in
      switch coordinatingStep(from: position) {
      case .to(_, by: .parentCoordinator), .to(_, by: .continuation): true
      case .to, .cut, .end: false
      }
    }
  }
}

/// Finds cycles of relations in which each responder has at most one successor, in time proportional to the
/// responders visited.
struct CycleSearch {
  /// The positions of the responders where paths begin.
  let starts: [Int]
  /// The number of the last path that visited each position; 0 for none.
  private var ways: [UInt32]
  private var lastWay: UInt32 = 0

  /// Creates a search from positions in a graph of `count` responders.
  init(from starts: [Int], of count: Int) {
    self.starts = starts
    ways = Array(repeating: 0, count: count)
  }

  /// Returns the first cycle of a relation for which `counts` is true, with the first position repeated at the
  /// end. By default every cycle counts.
  mutating func cycle(
    following successor: (Int) -> Int?, where counts: ([Int]) -> Bool = { _ in true }
  ) -> [Int]? {
    let waysBefore = lastWay
    for start in starts {
      lastWay += 1
      var current: Int? = start
      while let here = current, ways[here] <= waysBefore {
        ways[here] = lastWay
        current = successor(here)
      }
      guard let first = current, ways[first] == lastWay else { continue }
      var cycle = [first]
      while let next = successor(cycle[cycle.count - 1]), next != first { cycle.append(next) }
      cycle.append(first)
      if counts(cycle) { return cycle }
    }
    return nil
  }
}
