import MenuEngine

@testable import MenuStore

/// The starts on what is on the disk, and the ends.
extension Simulation {
  /// Starts on what is on the disk, as often as faults of the disk prevent it.
  func open() {
    (isDown, operations, started) = (false, 0, now)
    while !isDown, failure == nil {
      let before = figures.faults
      do throws(JournalFault) {
        try openOnce()
        return
      } catch {
        trace("it does not start: \(error)")
        if isDown { return }
        if hasLostPower, conditions.durability == .off, figures.faults == before {
          // All that it promises is to notice that.
          figures.losses += 1
          (isOver, isDown) = (true, true)
          return
        }
        if figures.faults == before { expect("it does not start: \(error)") }
        if chance(50) { spell = nil }
      }
    }
  }

  private func openOnce() throws(JournalFault) {
    let clock = RetentionClock(retention: conditions.bounds.retention) { [unowned self] in
      now - started
    }
    let worker = SimulatedWorker(in: self)
    let journal = SimulatedJournal(try openJournal(clock), in: self)
    let store: SessionStore
    do throws(JournalFault) {
      store = try SessionStore(
        recovering: journal, catalog: application.catalog, keeping: conditions.bounds,
        following: conditions.followerBounds,
        remembering: HistorySettings(now: { [unowned self] in now }, writer: Revisions()),
        now: { [unowned self] in now - started }, by: worker)
    } catch {
      journal.close()
      throw error
    }
    (self.worker, self.journal, self.store) = (worker, journal, store)
    compare(store, journal)
    for name in Self.names { check(store.read(name), at: name) }
  }

  private func openJournal(_ clock: RetentionClock) throws(JournalFault) -> any Journal {
    guard let disk else {
      return MemoryJournal(
        on: memory, snapshotEvery: conditions.snapshotEvery, keptRecords: conditions.keptRecords,
        clock: clock)
    }
    var configuration = JournalConfiguration(path: disk.path)
    configuration.durability = conditions.durability
    configuration.snapshotEvery = conditions.snapshotEvery
    configuration.keptRecords = conditions.keptRecords
    return try SQLiteJournal(configuration, clock: clock)
  }

  private func compare(_ store: SessionStore, _ journal: SimulatedJournal) {
    let recovery = journal.recovery
    trace("it starts with \(recovery.last) records, \(recovery.notices)")
    let sessions = store.sessions.map { ($0.session.id.rawValue, (try? $0.session.stored()) ?? []) }
    let found = Found(
      recovery: recovery, entries: journal.entries,
      catalog: recovery.last == 0 ? nil : (try? store.catalogEdition.catalog.stored()) ?? [],
      sessions: Dictionary(uniqueKeysWithValues: sessions))
    let mayLose = hasLostPower && conditions.durability != .full
    let result = history.recover(found, mayLose: mayLose)
    expect(result.fault)
    if result.isLosing { figures.losses += 1 }
    for notice in recovery.notices {
      switch notice {
      case .created, .unfinishedWrite, .markUnreadable: continue
      case .acknowledgedMissing: if mayLose { continue }
      case .lastRecordDamaged, .recordsMissing:
        if hasLostPower, conditions.durability == .off { continue }
      }
      expect("it starts with a notice of loss: \(notice)")
    }
    history.keep(store.answers.map(\.key))
    hasLostPower = false
    // After a loss, sessions have other openings, and so no history.
    if figures.losses == 0 { for edition in store.sessions { compareHistory(of: edition, store) } }
  }

  /// The history of a session ends with the session, without a gap.
  private func compareHistory(of edition: SessionEdition, _ store: SessionStore) {
    guard let entries = try? store.history(of: edition, limit: 100) else {
      return expect("the history of \(edition.session.id) cannot be read")
    }
    let revision = edition.session.revision
    if revision > 0, entries.first?.revision != revision {
      expect("the history of \(edition.session.id) does not end with revision \(revision)")
    }
    for (later, earlier) in zip(entries, entries.dropFirst()) where later.base != earlier.revision {
      expect("the history of \(edition.session.id) has a gap before \(later.revision)")
    }
  }

  /// Writes nothing of outcomes.
  private struct Revisions: HistoryWriter {
    func members(of outcomes: [Outcome]) -> [UInt8] { Array("{}".utf8) }
    func members(of fault: MutationFault) -> [UInt8]? { nil }
  }

  func tearDown() {
    isDown = true
    worker?.abandon()
    // What they asked for may have happened or not.
    for index in clients.indices { clients[index].end(isRepeated: true, in: self) }
    if let store { history.note(store.retentionClock.now) }
    store?.close()
    followers = []
    (store, journal, worker) = (nil, nil, nil)
    spell = nil
  }

  /// Ends the process or the power, and makes the disk what the next start finds.
  func restart() {
    tearDown()
    now += Int64.random(in: 0...5000, using: &random)
    guard let disk else { return trace("it was killed") }
    let loss: Disk.Loss =
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: .none
      case 4: .everything
      case 5..<7: .end
      default: .some(percent: Int.random(in: 5...95, using: &random))
      }
    trace(loss == .none ? "it was killed" : "the power failed, leaving \(loss)")
    if loss != .none { hasLostPower = true }
    disk.restart(loss, seed: random.next())
    if loss != .none, chance(50) { disk.forgetMark() }
  }
}
