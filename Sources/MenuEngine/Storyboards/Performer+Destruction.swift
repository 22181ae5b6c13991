/// Destruction (V9): by nobody who holds it any more, or by a client.
extension Performer {
  /// Removes the instances that nothing holds any more, with their views; their children go after them,
  /// unless a front end put them. Answers whether there were any.
  mutating func removeDropped() throws(MutationFault) -> Bool {
    guard !session.instances.isEmpty else { return false }
    var hasRemoved = false
    session.noteKept()
    while let id = session.dropped() {
      effort.spend(session.graph.count)
      let owner = session.instances[id]?.owner ?? id
      if owner == id {
        session.instances[id]?.wasKept = false
        let isTold =
          try once(.destroying(id)) { (performer) throws(MutationFault) in
            try performer.tell(.dealloc, of: id)
          } != nil
        // A client deletes it: it goes when it was told.
        guard isTold else { continue }
        guard session.graph[id] != nil else {
          session.noteKept()
          hasRemoved = true
          continue
        }
      }
      // All views together, since a removal moves all that joined later.
      changes += try session.remove((owner == id ? [id] : []) + session.views(of: owner))
      session.noteKept()
      hasRemoved = true
    }
    return hasRemoved
  }
}

extension Performer {
  /// Removes a responder that a client deletes. A view controller, however it came, is destroyed
  /// like one that nothing holds any more: it and its observers are told while it is still there,
  /// and if its method fails, it stays. Its view leaves the screen with it (R8).
  mutating func destroy(_ id: ResponderID) throws(MutationFault) {
    guard session.graph.kind(of: id) == .viewController else {
      return record(try session.remove([id]))
    }
    // A method that it is told by removes it again: it goes once.
    _ = try once(.destroying(id)) { (performer) throws(MutationFault) in
      try performer.destroyViewController(id)
    }
  }

  private mutating func destroyViewController(_ id: ResponderID) throws(MutationFault) {
    // What they are asked belongs to no trace.
    let whole = trace
    trace = Trace(isRecording: false)
    defer { trace = whole }
    if session.wasToldVisible(id) {
      session.noteTold(id, isVisible: false)
      try tell(.viewWillDisappear, of: id)
      try tell(.viewDidDisappear, of: id)
    }
    try tell(.dealloc, of: id)
    // It may have gone with what holds it, which a method removed.
    guard session.graph[id] != nil else { return }
    let before = session
    let catalog = catalog
    let links = before.graph[id]?.links ?? [:]
    record(try session.remove([id]))
    record(try session.uncover(links[.view], links[.parent], since: before, in: catalog))
  }
}
