/// Focus when its holder leaves the screen (R8).
///
/// A deleted responder loses it at once; every other one when a list of mutations has been applied as a
/// whole, so that the order of links cannot matter.
extension Session {
  /// Takes focus from first responders that were in a window or on screen before a list of mutations, or
  /// when a mutation of the list gave them focus, and are not any more: from the session's, and from that
  /// of each window which remembers its own (R11).
  mutating func resignIfLeft(
    since before: Session, in catalog: Catalog, _ effort: Effort = Effort()
  ) -> [Outcome.Change] {
    defer { givenFocus = [:] }
    guard !sharedGraph.isIdentical(to: before.sharedGraph) || !givenFocus.isEmpty else { return [] }
    var changes: [Outcome.Change] = []
    if let id = firstResponder, hasLeft(id, sinceListBegan: before, in: catalog) {
      changes += loseFocus()
    }
    for window in graph.windowsWithFocus {
      guard let id = graph.link(.firstResponder, of: window) else { continue }
      effort.spend(4 * Effort.chain * graph.surroundings(of: id).count)
      guard !effort.isExhausted else { return changes }
      if hasLeft(id, sinceListBegan: before, in: catalog) { changes += remember(nil, in: window) }
    }
    return changes
  }

  /// True if a responder is not where it was before a list of mutations, or when it got focus in it.
  private func hasLeft(
    _ id: ResponderID, sinceListBegan before: Session, in catalog: Catalog
  ) -> Bool {
    let given = givenFocus[id]
    // Where it is follows from the responders alone.
    guard !sharedGraph.isIdentical(to: given ?? before.sharedGraph),
      given != nil || !graph.responders.isIdentical(to: before.graph.responders)
    else { return false }
    guard let given else { return hasLeft(id, since: before, in: catalog) }
    var then = before
    then.sharedGraph = given
    return hasLeft(id, since: then, in: catalog)
  }

  /// Takes focus from a first responder that is deleted.
  mutating func resignIfDeleted() -> [Outcome.Change] {
    guard let id = firstResponder, graph[id] == nil else { return [] }
    return loseFocus()
  }

  private mutating func loseFocus() -> [Outcome.Change] {
    firstResponder = nil
    return [.firstResponder(nil)]
  }

  /// True if a responder was somewhere before where it is not now.
  private func hasLeft(
    _ id: ResponderID, since before: Session, in catalog: Catalog
  ) -> Bool {
    guard before.graph[id] != nil else { return false }
    if let window = before.graph.window(of: id) {
      if graph.window(of: id) != window { return true }
    } else if before.graph.controllers(around: id).contains(where: { graph[$0] == nil }) {
      return true
    }
    return before.graph.isAttached(id) && !graph.isAttached(id)
      || before.isOnScreen(id, in: catalog) && !isOnScreen(id, in: catalog)
  }
}
