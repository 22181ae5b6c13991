package import MenuEngine

/// A durable commit in the form for followers of its subject.
package struct DurableCommit: Sendable {
  /// The change that a commit made.
  package enum Change: Sendable {
    case opened
    /// The mutations with their actor, and the outcome of each mutation in the same order.
    case changed(by: SessionRecord, outcomes: [Outcome])
    /// The session was closed; `isExpired` is true if it was idle.
    case closed(isExpired: Bool)
    case catalogChanged(by: CatalogMutation)

    /// Returns the approximate size of the commit in bytes: its record's payload and its outcomes.
    func size(payload: Int) -> Int {
      let size = 256 + payload
      guard case .changed(by: _, let outcomes) = self else { return size }
      return outcomes.reduce(size) { $0 + $1.size }
    }
  }

  /// The number of the edition after the commit. It is greater than that of every earlier commit of any subject, and
  /// never reused.
  package let number: Int
  /// The revision of the subject after the commit.
  package let revision: Int
  package let change: Change
}

/// A session or the catalogue after a commit.
package enum FollowedState: Sendable {
  case catalog(CatalogEdition)
  case session(SessionEdition)
  /// No session of the name is open.
  case noSession(number: Int)

  /// The revision of the catalogue or the session; 0 without a session.
  var revision: Int {
    switch self {
    case .catalog(let edition): edition.catalog.revision
    case .session(let edition): edition.session.revision
    case .noSession: 0
    }
  }

  /// The number of the edition: the position of a follower that knows the state.
  package var number: Int {
    switch self {
    case .catalog(let edition): edition.number
    case .session(let edition): edition.number
    case .noSession(let number): number
    }
  }
}

/// The news for a follower at a position.
package enum FollowedNews: Sendable {
  /// Nothing has become durable since.
  case none
  /// The next durable commits, in order and without a gap, and the state after the last one. The state is nil if more
  /// commits are durable, which must be requested first.
  case commits([DurableCommit], FollowedState?)
  /// Some commits after the position are evicted: the follower restarts with this durable state.
  case anew(FollowedState)
}
