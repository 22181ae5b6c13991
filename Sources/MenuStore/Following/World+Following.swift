import MenuEngine

extension World {
  /// The subject of an action; nil if nobody follows it.
  private func followedSubject(of action: Proposal.Action) -> Follower.Subject? {
    guard !rings.isEmpty else { return nil }
    let subject: Follower.Subject
    switch action {
    case .open(let session, _, atMost: _), .change(_, to: let session, by: _, _):
      subject = .session(session.id)
    case .close(let base, unlessReadSince: _): subject = .session(base.session.id)
    case .changeCatalog: subject = .catalog
    case .keepAnswer: return nil
    }
    return rings[subject] == nil ? nil : subject
  }

  /// Returns the state of a subject as it is now.
  private mutating func followedState(of subject: Follower.Subject) -> FollowedState {
    switch subject {
    case .catalog: return .catalog(catalog)
    case .session(let id):
      if let session = sessions[id] { return .session(session) }
      // A number of its own, so that nobody takes it for an edition that was rolled back.
      lastEdition += 1
      return .noSession(number: lastEdition, membership)
    }
  }

  /// Adds a published action to the commits of its subject, if that is followed.
  mutating func noteFollowed(
    _ action: Proposal.Action, size: Int, within bounds: Follower.Bounds, at time: Int64
  ) -> Waking {
    rememberBase(of: action, within: bounds, at: time)
    guard let subject = followedSubject(of: action) else { return Waking() }
    if rings[subject]?.isForgotten(at: time) == true {
      forget(subject)
      return Waking()
    }
    let state = followedState(of: subject)
    rings[subject]?.append(
      action.commit(number: state.number), state, size: size, retiring: &retired)
    return Waking(subject: subject, ticket: rings[subject]?.ticketToAwait())
  }

  /// Removes the last commit of a subject, which was rolled back, and whose state was replaced already.
  mutating func rollBackFollowed(_ subject: Follower.Subject) {
    if rings[subject]?.removeLast(retiring: &retired) == false { restartFollowed(subject) }
  }

  /// Begins anew with the subjects whose absence was as durable as an opening or closing that was rolled back.
  mutating func restartAbsent() {
    for (subject, ring) in rings where ring.awaitsMembership { restartFollowed(subject) }
  }

  /// Begins anew with a subject, if it is followed.
  mutating func restartFollowed(_ subject: Follower.Subject) {
    guard rings[subject] != nil else { return }
    let state = followedState(of: subject)
    rings[subject]?.restart(with: state, retiring: &retired)
  }

  /// Forgets the commits of the subjects that nobody follows for more than a minute.
  mutating func forgetUnfollowed(at time: Int64) {
    for subject in rings.filter({ $0.value.isForgotten(at: time) }).keys { forget(subject) }
  }

  mutating func forget(_ subject: Follower.Subject) {
    if let ring = rings.removeValue(forKey: subject) { retired.rings.append(ring) }
  }

  /// Adds a follower, and returns its number and how it is woken; nil if that is at once, since what it follows is
  /// durable.
  mutating func addFollower(
    of subject: Follower.Subject, _ wake: @escaping @Sendable () -> Void,
    within bounds: Follower.Bounds, at time: Int64
  ) -> (number: Int, Waking?) {
    if rings[subject]?.isForgotten(at: time) ?? true {
      forget(subject)
      rings[subject] = CommitRing(
        followedState(of: subject), within: bounds, keepsBeginning: isRecent(at: time))
    }
    lastFollower += 1
    rings[subject]?.add(wake, as: lastFollower)
    guard rings[subject]?.isDurable == false else { return (lastFollower, nil) }
    return (lastFollower, Waking(subject: subject, ticket: rings[subject]?.ticketToAwait()))
  }

  /// Removes a follower, and returns its waker, which is not released under a lock.
  mutating func removeFollower(
    _ number: Int, of subject: Follower.Subject, at time: Int64
  ) -> (@Sendable () -> Void)? {
    let waker = rings[subject]?.wakers[number]
    rings[subject]?.remove(number, at: time)
    return waker
  }
}

extension Proposal.Action {
  /// The action as followers of its subject get it.
  fileprivate func commit(number: Int) -> DurableCommit {
    switch self {
    case .open(let session, _, atMost: _):
      DurableCommit(number: number, revision: session.revision, change: .opened)
    case .change(_, to: let session, by: let mutations, let outcomes):
      DurableCommit(
        number: number, revision: session.revision,
        change: .changed(by: mutations, outcomes: outcomes))
    case .close(let base, unlessReadSince: let moment):
      DurableCommit(
        number: number, revision: base.session.revision,
        change: .closed(isExpired: moment != nil))
    case .changeCatalog(by: let mutation, to: let catalog):
      DurableCommit(
        number: number, revision: catalog.revision, change: .catalogChanged(by: mutation))
    case .keepAnswer: preconditionFailure("An answer alone is not followed.")
    }
  }
}
