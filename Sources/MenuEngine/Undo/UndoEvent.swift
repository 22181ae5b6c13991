/// One mutation, as far as undoing it is concerned: what it does is one group of each undo manager that
/// it reaches (U2).
struct UndoEvent: Sendable, Codable {
  /// The name of groups that begin by themselves.
  var actionName: String?
  /// The owner of the undo manager that registers what view controllers do when they are told of a
  /// change; nil for the session's.
  ///
  /// **Decision:** it is that of who received the command, or of where searches begin when nobody did.
  /// They have a place on a chain no more, or not yet, and their own manager may go with them.
  var owner: ResponderID?
  /// True if somebody received something, whose manager `owner` is.
  var isReceived = false
  /// True if what happens is registered: nothing that a launch does is.
  var isRegistered = true
}

extension Session {
  /// Begins a mutation.
  ///
  /// **Decision:** a launch is nothing that a user did. So nothing of it can be undone, be it the one
  /// with which the session is opened or a later one, and what was registered before stays.
  mutating func beginUndoEvent(of mutation: Mutation) {
    undo.event = UndoEvent()
    var origin = instances.isEmpty ? nil : undoOrigin
    switch mutation {
    case .storyboard(.launch): undo.event.isRegistered = false
    case .storyboard(.performSegue(let request)): origin = request.source
    case .storyboard(.unwind(let request)): origin = request.source
    case .storyboard(.instantiate): origin = undoOrigin
    default: break
    }
    undo.event.owner = origin.flatMap { undoManagerOwner(for: $0) }
    undo.event.isReceived = !mutation.isSent
  }
}

extension Mutation {
  /// True if it sends something, so that who receives that is known only then.
  fileprivate var isSent: Bool {
    switch self {
    case .perform, .pressKey, .invoke, .storyboard(.message), .messages(.process): true
    default: false
    }
  }
}

extension Performer {
  /// Notes who received what the mutation sends, unless somebody did already or is only told what
  /// becomes of it.
  mutating func noteReceiver(_ id: ResponderID) {
    guard depth == 0, !isTelling, !session.undo.event.isReceived else { return }
    session.undo.event.isReceived = true
    session.undo.event.owner = session.undoManagerOwner(for: id)
  }

  /// Returns the owner of the undo manager that registers the changes by a responder's handler.
  func undoManagerOwner(for id: ResponderID) -> ResponderID? {
    isTelling ? session.undo.event.owner : session.undoManagerOwner(for: id)
  }
}
