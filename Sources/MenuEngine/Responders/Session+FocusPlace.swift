/// Focus when its holder leaves the screen (R8).
///
/// A deleted responder loses it at once; every other one when a list of mutations has been applied as a
/// whole, so that the order of links cannot matter.
extension Session {
  /// Takes focus from a first responder that was in a window or on screen before a list of mutations, or
  /// when a mutation of the list gave it focus, and is not any more.
  mutating func resignIfLeft(since before: Session, in catalog: Catalog) -> [Outcome.Change] {
    defer { givenFocusIn = nil }
    // Where it is follows from the responders alone.
    guard let id = firstResponder,
      !sharedGraph.isIdentical(to: givenFocusIn ?? before.sharedGraph),
      givenFocusIn != nil || !graph.responders.isIdentical(to: before.graph.responders)
    else { return [] }
    var then = before
    if let givenFocusIn { then.sharedGraph = givenFocusIn }
    return hasLeft(id, since: then, in: catalog) ? loseFocus() : []
  }

  /// Takes focus from a first responder that is deleted.
  mutating func resignIfDeleted() -> [Outcome.Change] {
    guard let id = firstResponder, graph[id] == nil else { return [] }
    return loseFocus()
  }

  /// Takes focus at once from a first responder that leaves its window by one step of a mutation, as the
  /// first rules did it.
  ///
  /// - Parameter catalog: Decides whether containers have it on screen, for the steps that covered it.
  mutating func resignByFirstRules(
    since before: ResponderGraph, coveredIn catalog: Catalog? = nil
  ) -> [Outcome.Change] {
    guard isOfFirstRules, let id = firstResponder else { return [] }
    var then = self
    then.graph = before
    let window = before.window(of: id)
    let hasLeft =
      window != nil && graph.window(of: id) != window
      || before.isAttached(id) && !graph.isAttached(id)
      || catalog.map { then.isOnScreen(id, in: $0) && !isOnScreen(id, in: $0) } == true
    return hasLeft ? loseFocus() : []
  }

  private mutating func loseFocus() -> [Outcome.Change] {
    firstResponder = nil
    return [.firstResponder(nil)]
  }

  /// True if a responder was somewhere before where it is not now.
  private func hasLeft(
    _ id: ResponderID, since before: Session, in catalog: Catalog
  ) -> Bool {
    guard !isOfFirstRules, before.graph[id] != nil else { return false }
    if let window = before.graph.window(of: id) {
      if graph.window(of: id) != window { return true }
    } else if before.graph.controllers(around: id).contains(where: { graph[$0] == nil }) {
      return true
    }
    return before.graph.isAttached(id) && !graph.isAttached(id)
      || before.isOnScreen(id, in: catalog) && !isOnScreen(id, in: catalog)
  }
}
