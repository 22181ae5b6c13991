/// One mutation, as far as undoing it is concerned: what it does is one group of each undo manager that
/// it reaches (U2).
struct UndoEvent: Sendable, Codable {
  /// The name of groups that begin by themselves.
  var actionName: String?
  /// The title of the item that is performed; nil for none.
  var title: String?
  /// The key of groups that such a group joins (U6); nil for none.
  var coalescingKey: String?
  /// The owner of the undo manager that registers what view controllers do in lifecycle messages;
  /// nil for the session's.
  ///
  /// **Decision:** it is the manager of the responder that received the command, or of the one
  /// where searches begin when none did. View controllers that come or go are not on a chain, and
  /// their own manager may go with them.
  var owner: ResponderID?
  /// True if somebody received something, whose manager `owner` is.
  var isReceived = false
  /// True if what happens is registered: nothing that a launch does is.
  var isRegistered = true
}

extension Session {
  /// Begins a mutation.
  ///
  /// - Parameter isSent: True if it sends something, so that who receives that is known only then.
  mutating func beginUndoEvent(isSent: Bool) {
    undo.event = UndoEvent()
    undo.isUnderway = true
    let origin = instances.isEmpty ? nil : undoOrigin
    undo.event.owner = origin.flatMap { undoManagerOwner(for: $0) }
    undo.event.isReceived = !isSent
  }
}

extension Performer {
  /// Lets the undo manager of a responder register what the mutation does to view controllers.
  mutating func beginUndo(from origin: ResponderID?) {
    session.undo.event.owner = origin.flatMap { session.undoManagerOwner(for: $0) }
  }
}

extension Performer {
  /// Notes the receiver of the mutation's message, unless there is one already, or the message is
  /// only about a lifecycle.
  mutating func noteReceiver(_ id: ResponderID) {
    guard phase == .acting(depth: 0), !session.undo.event.isReceived else { return }
    session.undo.event.isReceived = true
    session.undo.event.owner = session.undoManagerOwner(for: id)
  }

  /// Returns the owner of the undo manager that registers the changes by a responder's handler.
  func undoManagerOwner(for id: ResponderID) -> ResponderID? {
    phase.isTelling ? session.undo.event.owner : session.undoManagerOwner(for: id)
  }
}
