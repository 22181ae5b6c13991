import MenuEngine

extension World {
  /// Returns the state of a subject as it is now.
  private func followedState(
    of subject: Follower.Subject, numbering numbers: EditionNumbers
  ) -> FollowedState {
    switch subject {
    case .catalog: .catalog(catalog)
    case .session(let id):
      sessions[id].map(FollowedState.session) ?? .noSession(number: numbers.next())
    }
  }

  /// Adds a change and the state after it to the ring of its subject, if that is followed. Returns the closures that
  /// wake the followers.
  mutating func noteFollowed(
    _ action: Proposal.Action, _ state: FollowedState, size: Int,
    within bounds: Follower.Bounds, at time: Int64
  ) -> [@Sendable () -> Void] {
    rememberBase(of: action, within: bounds, at: time)
    // A copy of the ring would make each change copy all commits.
    guard !rings.isEmpty, let subject = action.subject,
      let isForgotten = rings[subject]?.isForgotten(at: time)
    else { return [] }
    if isForgotten {
      forget(subject)
      return []
    }
    if case .begin = action {
      rings[subject]?.restart(with: state, at: time, retiring: &retired)
    } else {
      rings[subject]?.append(
        action.commit(number: state.number), state, size: size, retiring: &retired)
    }
    return rings[subject].map { Array($0.wakers.values) } ?? []
  }

  /// Drops the commits of subjects without followers for more than a minute.
  mutating func forgetUnfollowed(at time: Int64) {
    for subject in rings.filter({ $0.value.isForgotten(at: time) }).keys { forget(subject) }
  }

  mutating func forget(_ subject: Follower.Subject) {
    if let ring = rings.removeValue(forKey: subject) { retired.rings.append(ring) }
  }

  /// Adds a follower, and returns its number.
  mutating func addFollower(
    of subject: Follower.Subject, _ wake: @escaping @Sendable () -> Void,
    within bounds: Follower.Bounds, at time: Int64, numbering numbers: EditionNumbers
  ) -> Int {
    if rings[subject]?.isForgotten(at: time) ?? true {
      forget(subject)
      rings[subject] = CommitRing(
        followedState(of: subject, numbering: numbers), within: bounds,
        keepsBeginning: isRecent(at: time))
    }
    lastFollower += 1
    rings[subject]?.add(wake, as: lastFollower)
    return lastFollower
  }
}

extension Proposal.Action {
  /// The subject; nil if the action only keeps an answer.
  fileprivate var subject: Follower.Subject? {
    switch self {
    case .open(let session, _, atMost: _), .change(_, to: let session, by: _, _):
      .session(session.id)
    case .close(let base, unlessReadSince: _): .session(base.session.id)
    case .begin, .changeCatalog: .catalog
    case .keepAnswer, .keepRefusal: nil
    }
  }

  /// The action in the form for followers of its subject.
  fileprivate func commit(number: Int) -> DurableCommit {
    switch self {
    case .open(let session, _, atMost: _):
      DurableCommit(number: number, revision: session.revision, change: .opened)
    case .change(_, to: let session, by: let record, let outcomes):
      DurableCommit(
        number: number, revision: session.revision,
        change: .changed(by: record, outcomes: outcomes))
    case .close(let base, unlessReadSince: let moment):
      DurableCommit(
        number: number, revision: base.session.revision,
        change: .closed(isExpired: moment != nil))
    case .changeCatalog(by: let mutation, to: let catalog):
      DurableCommit(
        number: number, revision: catalog.revision, change: .catalogChanged(by: mutation))
    case .begin, .keepAnswer, .keepRefusal: preconditionFailure("It is not followed.")
    }
  }
}
