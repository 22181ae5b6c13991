import MenuEngine
import Synchronization

/// A commit that is published and not known to be durable, in a world that is not alone on its journal.
struct UnsettledCommit: Sendable {
  /// Tells a commit from others.
  final class Mark: Sendable {}

  let mark: Mark
  /// Nil if it is the beginning of a journal.
  let action: Proposal.Action?
  let former: World.Former
  let added: KeptAnswers.Added?
  let ticket: Ticket

  /// The session that it is of; nil if it is of none.
  fileprivate var session: SessionID? {
    if case .session(let id, _, membership: _) = former { id } else { nil }
  }

  /// True if it changed the catalogue.
  fileprivate var isOfCatalog: Bool { if case .catalog = former { true } else { false } }

  /// True if it opened or closed a session.
  fileprivate var changesMembership: Bool {
    if case .session(_, _, membership: .some) = former { true } else { false }
  }
}

extension World {
  /// Takes back the commits that do not stand on what others committed, the last first.
  ///
  /// - Returns: Their tickets.
  mutating func withdraw(besides changes: [ReplayedStep]) -> [Ticket] {
    guard !unsettled.isEmpty else { return [] }
    var (sessions, keys, isAll) = (Set<SessionID>(), Set<AnswerKey>(), false)
    for change in changes {
      switch change {
      case .began, .changedCatalog: isAll = true
      case .opened(let session): sessions.insert(session.id)
      case .changed(let session, by: _, outcomes: _): sessions.insert(session.id)
      case .unread(let id), .closed(let id): sessions.insert(id)
      case .kept(let answer): keys.insert(answer.key)
      }
    }
    // What the same request did goes with its answer, and so does what stands on that.
    for commit in unsettled where commit.added.map({ keys.contains($0.key) }) == true {
      if let session = commit.session { sessions.insert(session) }
      if commit.isOfCatalog { isAll = true }
    }
    let isWithdrawn = { (commit: UnsettledCommit) in
      isAll || commit.session.map(sessions.contains) == true
        || commit.added.map { keys.contains($0.key) } == true
    }
    var tickets: [Ticket] = []
    for commit in unsettled.reversed() where isWithdrawn(commit) {
      commit.ticket.withdraw()
      restore(commit.former)
      if let added = commit.added { answers.undo(added) }
      tickets.append(commit.ticket)
    }
    guard !tickets.isEmpty else { return [] }
    unsettled.removeAll(where: isWithdrawn)
    settleMembership()
    return tickets
  }

  /// Lets the absence of sessions be as durable as the last opening or closing that is left.
  mutating func settleMembership() {
    membership = unsettled.last { $0.changesMembership }?.ticket ?? .durable
    restartAbsent()
  }

  /// Forgets a commit that is rolled back; false if it is withdrawn already.
  mutating func forget(_ mark: UnsettledCommit.Mark) -> Bool {
    guard let index = unsettled.lastIndex(where: { $0.mark === mark }) else { return false }
    unsettled.remove(at: index)
    return true
  }

  /// Notes that commits are durable, and returns them in order.
  mutating func keep(_ tickets: Set<ObjectIdentifier>) -> [UnsettledCommit] {
    let kept = unsettled.filter { tickets.contains(ObjectIdentifier($0.ticket)) }
    unsettled.removeAll { tickets.contains(ObjectIdentifier($0.ticket)) }
    return kept
  }

  /// Publishes what another process committed.
  ///
  /// - Parameter idleTime: The time by which sessions are idle; a change counts as a reading.
  mutating func publish(
    _ change: ReplayedStep, as opening: (Session) -> Incarnation,
    within bounds: (followed: Follower.Bounds, answers: KeptAnswers.Bounds),
    at time: Int64, idleTime: Int64
  ) -> Waking {
    let action: Proposal.Action
    switch change {
    case .began(let begun): return begin(with: begun, .durable)
    case .changedCatalog(let changed, by: let mutation):
      action = .changeCatalog(by: mutation, to: changed)
    case .opened(let session): action = .open(session, opening(session), atMost: .max)
    case .changed(let session, by: let mutations, let outcomes):
      guard let base = sessions[session.id] else {
        noteChange(of: session.id, at: idleTime)
        return Waking()
      }
      base.opening.lastReadElsewhere.store(idleTime, ordering: .relaxed)
      action = .change(base, to: session, by: mutations, outcomes)
    case .unread(let id):
      noteChange(of: id, at: idleTime)
      return Waking()
    case .closed(let id):
      guard let base = sessions[id] else {
        forgetUnloaded(id)
        return Waking()
      }
      action = .close(base, unlessReadSince: nil)
    case .kept(let answer):
      answers.follow(answer, within: bounds.answers, at: time)
      return Waking()
    }
    let ticket = Ticket.durable
    let membership = membership
    publish(action, ticket)
    // Another commit's, if there is one: what this one did is durable.
    self.membership = membership
    return noteFollowed(action, size: 256, within: bounds.followed, at: time)
  }

  /// Notes that another process changed a session that is not in memory.
  private func noteChange(of id: SessionID, at time: Int64) {
    unloaded[id]?.opening.lastReadElsewhere.store(time, ordering: .relaxed)
  }
}
