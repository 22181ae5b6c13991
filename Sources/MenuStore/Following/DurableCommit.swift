package import MenuEngine

/// A durable commit as followers of its subject get it.
package struct DurableCommit: Sendable {
  /// The change that a commit made.
  package enum Change: Sendable {
    case opened
    /// The mutations and their actor, and the outcomes in the same order: what each mutation changed.
    case changed(by: SessionRecord, outcomes: [Outcome])
    /// The session was closed; expired if it was closed because it was idle.
    case closed(isExpired: Bool)
    case catalogChanged(by: CatalogMutation)

    /// Returns about the number of bytes that its commit takes: those of its record's payload and of its outcomes.
    func size(payload: Int) -> Int {
      let size = 256 + payload
      guard case .changed(by: _, let outcomes) = self else { return size }
      return outcomes.reduce(size) { $0 + $1.size }
    }
  }

  /// The number of the edition that the commit led to: greater than that of every earlier commit, also of other
  /// subjects, and never used again.
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
  /// The durable commits that come next, in order and without a gap, and the state after the last of them; nil
  /// if more are durable already, which are to be asked for first.
  case commits([DurableCommit], FollowedState?)
  /// The commits from the position on are not known: the durable state to start anew with.
  case anew(FollowedState)
}
