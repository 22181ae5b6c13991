/// The focus of each window (R11).
///
/// The key window's is the session's first responder. Every other window remembers its own in its link
/// `firstResponder`.
extension Session {
  /// Returns the first responder of a window: the session's in the key window, else the one that the
  /// window remembers; nil for none.
  ///
  /// A responder that is not in the window any more is none.
  func firstResponder(in window: ResponderID) -> ResponderID? {
    if window == keyWindow { return firstResponder }
    if let firstResponder, graph.window(of: firstResponder) == window { return firstResponder }
    return graph.rememberedFocus(of: window)
  }

  /// Returns the first responder of a window; for nil that of the key window.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  public func firstResponder(ofWindow window: ResponderID?) throws(MutationFault) -> ResponderID? {
    try checkWindow(window, as: .key)
    return window.map { firstResponder(in: $0) } ?? firstResponder
  }

  /// Returns the session as it would be if a window were key (R11), for questions; the same for nil.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  public func withKeyWindow(_ window: ResponderID?) throws(MutationFault) -> Session {
    guard let window, window != keyWindow else { return self }
    try checkWindow(window, as: .key)
    return seen(from: window)
  }

  /// The session as it would be if a window that is there were key; the responders are the same, so that
  /// plans know them again.
  func seen(from window: ResponderID) -> Session {
    guard window != keyWindow else { return self }
    var session = self
    session.firstResponder = focus(makingKey: window)
    session.focusBehind = firstResponder
    session.windows[.key] = window
    return session
  }

  /// Refuses a name of nobody, and one of a responder that is no window.
  func checkWindow(_ id: ResponderID?, as role: WindowRole) throws(MutationFault) {
    guard let id else { return }
    guard let kind = graph.kind(of: id) else { throw .unknownResponder(id) }
    guard kind == .window else { throw .notAWindow(id, kind, as: role) }
  }

  /// Returns the first responder that the session has when a window becomes key, or none does. One that
  /// is in no window keeps focus, unless the window remembers its own.
  func focus(makingKey window: ResponderID?) -> ResponderID? {
    let free = firstResponder.flatMap { graph.window(of: $0) == nil ? $0 : nil }
    guard let window else { return free }
    return firstResponder(in: window) ?? free
  }

  /// Lets the windows remember their focus before another one becomes key, and brings back that one's.
  mutating func carryFocus(toKey window: ResponderID?) -> [Outcome.Change] {
    let (old, new) = (firstResponder, focus(makingKey: window))
    let home = old.flatMap { graph.window(of: $0) }
    var changes: [Outcome.Change] = []
    if let keyWindow { changes += remember(home == keyWindow ? old : nil, in: keyWindow) }
    if let home, home != keyWindow, home != window { changes += remember(old, in: home) }
    if let window { changes += remember(nil, in: window) }
    guard new != old else { return changes }
    firstResponder = new
    return changes + [.firstResponder(new)]
  }

  /// Notes the focus of a window that is not key.
  mutating func remember(
    _ id: ResponderID?, in window: ResponderID
  ) -> [Outcome.Change] {
    guard graph.link(.firstResponder, of: window) != id else { return [] }
    graph.relink(.firstResponder, of: window, to: id)
    return [.link(window, .firstResponder, id)]
  }

  /// The window whose focus a responder takes; nil for the session's: of the key window, or of a
  /// responder that is in none.
  func windowOfFocus(takenBy id: ResponderID) -> ResponderID? {
    guard let keyWindow, let window = graph.window(of: id), window != keyWindow
    else { return nil }
    return window
  }
}

extension ResponderGraph {
  /// Returns the responder that a window remembers, if it is still in it (R8).
  func rememberedFocus(of window: ResponderID) -> ResponderID? {
    guard let focus = link(.firstResponder, of: window), self.window(of: focus) == window else {
      return nil
    }
    return focus
  }
}
