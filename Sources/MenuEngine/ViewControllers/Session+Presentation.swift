/// Presenting view controllers and dismissing them (V4).
extension Session {
  /// Presents a view controller on another one.
  ///
  /// A presentation covers nothing: focus stays where it is (a decision), unless it is in what is
  /// presented and the presenter is in no window (R8).
  mutating func present(
    _ id: ResponderID, from presenter: ResponderID
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkViewController(id)
    try checkViewController(presenter)
    try checkAncestry(of: presenter, below: id, along: .presentingViewController)
    try checkUnbound(id)
    if let parent = graph.link(.parent, of: id) { throw .containment(.isChild(id, of: parent)) }
    if let presented = graph.presentedViewController(of: presenter) {
      throw .containment(.isPresenting(presenter, presented))
    }
    try graph.setLink(.presentingViewController, of: id, to: presenter)
    return [.presented(id, by: presenter)]
  }

  /// Dismisses what a view controller presents, with all that is presented there in turn; when it
  /// presents nothing, the nearest one that is presented, itself or a container it is in. Nothing of
  /// this: nothing changes.
  mutating func dismiss(_ id: ResponderID) throws(MutationFault) -> [Outcome.Change] {
    try checkViewController(id)
    let presented =
      graph.presentedViewController(of: id)
      ?? graph.containers(from: id).first {
        graph[$0]?.links[.presentingViewController] != nil
      }
    guard let presented else { return [] }
    var changes: [Outcome.Change] = []
    for member in graph.presentations(from: presented).reversed() {
      guard let presenter = graph.link(.presentingViewController, of: member) else { continue }
      try graph.setLink(.presentingViewController, of: member, to: nil)
      changes.append(.dismissed(member, by: presenter))
    }
    return changes
  }
}

extension ResponderGraph {
  /// A presented view controller, and all that it and those in it present in turn; each after its
  /// presenter.
  func presentations(from id: ResponderID) -> [ResponderID] {
    var presentations = [id]
    var waiting = [id]
    var met: Set<ResponderID> = [id]
    while let here = waiting.popLast() {
      let presented = presentedViewController(of: here)
      let children = self[here]?.viewControllers ?? []
      for next in children + [presented].compactMap({ $0 }) where met.insert(next).inserted {
        waiting.append(next)
        if next == presented { presentations.append(next) }
      }
    }
    return presentations
  }
}
