/// Where a responder is that has focus, or had it (R8).
struct FocusPlace: Equatable {
  /// The window that it is in.
  let window: ResponderID?
  /// The view controllers that it is in, when it is in no window.
  let controllers: [ResponderID]
  /// True if views lead there, where there are views.
  let isAttached: Bool
}

/// Moves focus when its holder leaves the screen (R8).
extension Session {
  /// Where the first responder is; nil when there is none.
  var placeOfFirstResponder: FocusPlace? { firstResponder.map(focusPlace) }

  /// Takes focus from a first responder that is gone, in its former window no more, or in a view that
  /// is in no other one any more.
  mutating func resignIfRemoved(from place: FocusPlace?) -> [Outcome.Change] {
    guard let id = firstResponder, graph[id] == nil || place.map({ hasLeft(id, $0) }) == true else {
      return []
    }
    return loseFocus()
  }

  /// Takes focus from a first responder that was on screen before, or in a window, and is not now.
  mutating func resignIfHidden(
    since before: Session, in catalog: Catalog
  ) -> [Outcome.Change] {
    guard let id = firstResponder, hasLeft(id, since: before, in: catalog) else { return [] }
    return loseFocus()
  }

  /// Gives focus back to whoever lost it in a list of mutations and is after all of them where it was
  /// before the first one, so that the order of links cannot matter.
  mutating func returnFocus(since before: Session, in catalog: Catalog) -> [Outcome.Change] {
    defer { lostFocus = nil }
    guard firstResponder == nil, let id = lostFocus, !hasLeft(id, since: before, in: catalog) else {
      return []
    }
    firstResponder = id
    return [.firstResponder(id)]
  }

  private mutating func loseFocus() -> [Outcome.Change] {
    lostFocus = firstResponder.flatMap { graph[$0]?.id }
    firstResponder = nil
    return [.firstResponder(nil)]
  }

  /// True if a responder is gone, or was somewhere before where it is not now.
  private func hasLeft(
    _ id: ResponderID, since before: Session, in catalog: Catalog
  ) -> Bool {
    guard graph[id] != nil else { return true }
    guard before.graph[id] != nil else { return false }
    return hasLeft(id, before.focusPlace(of: id))
      || before.isOnScreen(id, in: catalog) && !isOnScreen(id, in: catalog)
  }

  private func hasLeft(_ id: ResponderID, _ place: FocusPlace) -> Bool {
    if let window = place.window, graph.window(of: id) != window { return true }
    return place.controllers.contains { graph[$0] == nil }
      || place.isAttached && !graph.isAttached(id)
  }

  private func focusPlace(of id: ResponderID) -> FocusPlace {
    let window = graph.window(of: id)
    return FocusPlace(
      window: window, controllers: window == nil ? graph.controllers(around: id) : [],
      isAttached: graph.isAttached(id))
  }
}
