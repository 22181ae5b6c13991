import Locks
import MenuEngine
import Synchronization

// MARK: Committing

extension SessionStore {
  /// Returns a new incarnation for a proposal.
  package func newOpening() -> Incarnation {
    Incarnation(number: openings.add(1, ordering: .relaxed).newValue, at: now())
  }

  /// Commits a change immediately if there is no journal, and nothing else has changed since it was made; otherwise
  /// returns false.
  package func commitAtOnce(_ proposal: Proposal) -> Bool {
    guard writer == nil, let commit = try? Commit(proposal, for: self),
      let wakers = writing.withLock({ _ in publish(commit) })
    else { return false }
    for wake in wakers { wake() }
    return true
  }

  /// Commits a change. If something else has changed since it was made, the writer makes it again.
  ///
  /// - Parameters:
  ///   - make: Makes the change on the writer's draft; nil to drop an outdated change.
  ///   - finish: Called on the writer's thread if the change is committed later: once it is durable and published, or
  ///     with the fault, in which case nothing is changed.
  /// - Returns: The result if the change is already committed; nil if it is pending.
  /// - Throws: `JournalFault` if the journal accepts no changes at the moment. Nothing is changed then.
  package func commit(
    _ proposal: Proposal, remaking make: (@Sendable (Draft) -> Proposal?)?,
    finish: @escaping @Sendable (Result<CommitResult, JournalFault>) -> Void
  ) throws(JournalFault) -> CommitResult? {
    let commit = try Commit(proposal, for: self)
    guard let writer else { return try commitHere(Job(commit: commit, make: make, finish: finish)) }
    if let refusal = journal?.refusal { throw refusal }
    try writer.add(Job(commit: commit, make: make, finish: finish))
    return nil
  }

  /// Commits a change, and returns its result once it is durable and published.
  ///
  /// - Parameter make: Makes the change on the writer's draft if something else has changed since it was made. The
  ///   default is nil, to drop an outdated change.
  @discardableResult
  package func commit(
    _ proposal: Proposal, remaking make: (@Sendable (Draft) -> Proposal?)? = nil
  ) throws(JournalFault) -> CommitResult {
    let result = Monitor<Result<CommitResult, JournalFault>?>(nil)
    let early = try commit(proposal, remaking: make) { outcome in
      result.withLock { $0 = outcome }
      result.signal()
    }
    if let early { return early }
    return try (result.wait { $0 } ?? .failure(.closed)).get()
  }

  /// Commits a job on this thread.
  private func commitHere(_ job: Job) throws(JournalFault) -> CommitResult {
    let (result, wakers) = try writing.withLock { (_) throws(JournalFault) in
      let draft = try Draft(of: self)
      return (try job.run(on: draft).get(), publish(draft.commits))
    }
    for wake in wakers { wake() }
    return result
  }

  /// Publishes a change if it is based on the present world; otherwise returns nil.
  private func publish(_ commit: Commit) -> [@Sendable () -> Void]? {
    let now = retentionClock.now
    let wakers = withWorld { world -> [@Sendable () -> Void]? in
      if let key = commit.answer?.key, world.answers.answer(under: key, at: now) != nil {
        return nil
      }
      guard world.admits(commit) else { return nil }
      return publish(commit, commit.state(numbering: numbers), in: &world, at: now)
    }
    if wakers != nil { note(commit) }
    return wakers
  }

  /// Publishes changes in order, and returns the closures that wake their followers.
  private func publish(
    _ commits: [(commit: Commit, state: FollowedState?)]
  ) -> [@Sendable () -> Void] {
    guard !commits.isEmpty else { return [] }
    let now = retentionClock.now
    let wakers = withWorld { world in
      commits.flatMap { publish($0.commit, $0.state, in: &world, at: now) }
    }
    for (commit, _) in commits { note(commit) }
    return wakers
  }

  func publish(
    _ commit: Commit, _ state: FollowedState?, in world: inout World, at now: Int64
  ) -> [@Sendable () -> Void] {
    if let answer = commit.answer {
      world.answers.put(answer, within: bounds, at: now, isJournaled: isKept && shared == nil)
    }
    guard let state else { return [] }
    return world.publish(commit.action, state, size: commit.size, within: followerBounds, at: now)
  }

  private func note(_ commit: Commit) {
    if journal == nil, let history {
      remember(commit.action, size: commit.requestSize, within: history)
    }
    figures.note(commit.action)
  }
}

// MARK: Writing

extension SessionStore {
  /// Commits a batch of jobs; see ``Writer/CarryOut``.
  func carryOut(_ jobs: [Job]) throws(JournalFault) -> Writer.Batch {
    guard let journal else { throw .closed }
    let proposed = shared == nil ? [] : jobs.compactMap(\.commit)
    var (scope, attempts) = (shared == nil ? nil : scope(of: proposed), 0)
    var draft: Draft?
    while true {
      do throws(JournalFault) {
        if let scope { try shared?.lock(scope) }
        let new = try Draft(of: self)
        draft = new
        return try attempt(jobs, on: journal, new)
      } catch {
        // The batch was rolled back, so it can be repeated.
        guard error == .conflict, attempts < 40 else { throw error }
        attempts += 1
        // When it is made again, a claim may change a different session.
        let made = draft?.commits.map(\.commit) ?? []
        scope = self.scope(of: proposed + made, besides: scope ?? BatchScope())
      }
    }
  }

  /// Returns the scope to lock for commits: if they open or close sessions or change the catalogue, if another process
  /// is likely to interfere, or if one has.
  ///
  /// - Parameter earlier: The scope of the previous attempt, if another process interfered with it; it is locked too.
  private func scope(of commits: [Commit], besides earlier: BatchScope? = nil) -> BatchScope? {
    var (scope, isLocking) = (earlier ?? BatchScope(), earlier != nil)
    for commit in commits {
      scope.add(commit)
      isLocking = isLocking || commit.action.isContended
    }
    if !withWorld(\.isBegun) { (scope.changesDirectory, scope.changesCatalog) = (true, true) }
    return isLocking || scope.changesDirectory ? scope : nil
  }

  private func attempt(
    _ jobs: [Job], on journal: any Journal, _ draft: Draft
  ) throws(JournalFault) -> Writer.Batch {
    var batch = Writer.Batch(results: jobs.map { $0.run(on: draft) })
    var writes = draft.commits.map(\.commit.write)
    if writes.isEmpty, !jobs.isEmpty, shared == nil { return batch }
    let forgotten = withWorld(\.answers.forgotten)
    if !forgotten.isEmpty, !writes.isEmpty {
      // Sorted, so that the same changes produce the same file.
      writes[0].forgotten = forgotten.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
    }
    let start = ContinuousClock.now
    var (end, wakers) = (start, [@Sendable () -> Void]())
    let publishing = {
      end = .now
      if !writes.isEmpty { self.withWorld { $0.answers.endForgetting(forgotten) } }
      wakers = self.publish(draft.commits)
    }
    batch.hasMore =
      if let shared {
        try shared.append(writes, ifStill: { draft.isCurrent }, whenDurable: publishing)
      } else {
        try journal.append(writes, whenDurable: publishing)
      }
    journal.figures.noteDurable(writes, in: start.duration(to: end))
    for wake in wakers { wake() }
    return batch
  }
}

extension BatchScope {
  /// Adds the subjects and keys that a commit changes.
  fileprivate mutating func add(_ commit: Commit) {
    if let key = commit.answer?.entry.key, !keys.contains(key) { keys.append(key) }
    switch commit.action {
    case .change(let base, to: _, by: _, _): sessions.insert(base.session.subject)
    case .open(let session, _, atMost: _): add(session)
    case .close(let base, unlessReadSince: _): add(base.session)
    case .begin, .changeCatalog: (changesDirectory, changesCatalog) = (true, true)
    case .keepAnswer: break
    case .keepRefusal(let base, _, _): sessions.insert(base.session.subject)
    }
  }

  private mutating func add(_ session: Session) {
    sessions.insert(session.subject)
    changesDirectory = true
  }
}

extension Proposal.Action {
  /// True if it changes a session that other processes change too.
  fileprivate var isContended: Bool {
    if case .change(let base, to: _, by: _, _) = self { base.opening.isContended } else { false }
  }
}
