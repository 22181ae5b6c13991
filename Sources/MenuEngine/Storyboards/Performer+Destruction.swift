/// Destruction (V9): by nobody who holds it any more, or by a client.
extension Performer {
  /// Removes the instances that nothing holds any more, with their views; their children go after them,
  /// unless a front end put them.
  mutating func removeDropped() throws(MutationFault) {
    guard !session.instances.isEmpty else { return }
    session.noteKept()
    var dropped = session.dropped()
    while !dropped.isEmpty {
      effort.spend(session.graph.count)
      var gone: [ResponderID] = []
      // A method of one of them may have shown another one again.
      for id in dropped where session.isDropped(id) {
        if session.instances[id]?.owner == nil { try tell(.dealloc, of: id) }
        gone.append(id)
      }
      changes += try session.remove(gone)
      session.noteKept()
      dropped = session.dropped()
    }
  }
}

extension Session {
  /// Removes a responder that a client deletes. A view controller, whoever put it, goes as those do that
  /// nothing holds any more: it and those who observe it are told while it is still there, and when it
  /// has a method that fails, it stays.
  mutating func destroy(
    _ id: ResponderID, in catalog: Catalog, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    guard graph[id]?.kind == .viewController else {
      return Outcome(changes: try remove([id]))
    }
    var performer = Performer(after: inquiry(in: catalog, sender: nil, false, effort))
    if performer.session.instances[id]?.isVisible == true {
      performer.session.instances[id]?.isVisible = false
      try performer.tell(.viewWillDisappear, of: id)
      try performer.tell(.viewDidDisappear, of: id)
    }
    try performer.tell(.dealloc, of: id)
    performer.changes += try performer.session.remove([id])
    self = performer.session
    return Outcome(changes: performer.changes, events: performer.events)
  }
}
