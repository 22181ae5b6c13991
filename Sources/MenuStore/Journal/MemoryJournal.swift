import Locks
import Synchronization

/// A journal in memory, which is as durable as the storage that it is given.
package final class MemoryJournal: Journal {
  /// The storage that outlives a journal.
  package final class Storage: Sendable {
    fileprivate let contents = Lock(Contents())

    package init() {}
  }

  fileprivate struct Contents: Sendable {
    var records: [(sequence: Int64, record: JournalRecord)] = []
    var states: [JournalSubject: (sequence: Int64, revision: Int64, bytes: [UInt8])] = [:]
    var entries: [[UInt8]: IdempotencyEntry] = [:]
    var last: Int64 = 0
  }

  private let storage: Storage
  package let clock: RetentionClock
  private let plan: Lock<SnapshotPlan>
  private let isClosed = Atomic(false)
  package let figures = JournalFigures()

  /// A journal on what an earlier one left.
  ///
  /// - Parameters:
  ///   - snapshotEvery: The number of records that there may be for each subject before states take their place.
  ///   - keptRecords: The minimum number of the last records that no state takes the place of.
  package init(
    on storage: Storage = Storage(), snapshotEvery: Int = 50, keptRecords: Int = 512,
    clock: RetentionClock
  ) {
    self.storage = storage
    self.clock = clock
    plan = Lock(SnapshotPlan(every: snapshotEvery, keepingLast: keptRecords))
  }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    let contents = storage.contents.withLock(\.self)
    var recovery = JournalRecovery()
    recovery.records = Int64(contents.records.count)
    recovery.last = contents.last
    var beginnings = JournalBeginnings()
    for (sequence, record) in contents.records {
      beginnings.note(record.kind, record.subject, at: sequence)
    }
    // The catalogue first, since sessions are read under it.
    for (subject, state) in contents.states.sorted(by: { $0.key == .catalog && $1.key != .catalog })
    where beginnings.noteState(of: subject, at: state.sequence) {
      try read(.state(subject, revision: state.revision, state.bytes))
      recovery.states += 1
    }
    var replayed: [JournalSubject: (sequence: Int64, revision: Int64)] = [:]
    for (sequence, record) in contents.records {
      guard let isNeeded = beginnings.needs(record.subject, at: sequence) else {
        throw .damaged(path: "memory", .state(record.subject))
      }
      guard isNeeded else { continue }
      try read(.record(record, sequence: sequence))
      recovery.replayed += 1
      replayed[record.subject] = (sequence, record.revision)
    }
    if let last = contents.entries.values.map(\.expiry).max() {
      clock.resume(afterAnswerExpiringAt: last)
    }
    for entry in contents.entries.values where entry.expiry > clock.now {
      try read(.entry(entry))
      recovery.entries += 1
    }
    adopt(contents, replayed: replayed, stateOf: state)
    return recovery
  }

  private func adopt(
    _ contents: Contents, replayed: [JournalSubject: (sequence: Int64, revision: Int64)],
    stateOf state: (JournalSubject) -> JournalState?
  ) {
    plan.withLock { plan in
      plan.last = contents.last
      plan.base = contents.records.first.map { $0.sequence - 1 } ?? contents.last
      for (subject, place) in replayed {
        guard let state = state(subject) else { continue }
        plan.note(
          subject,
          .init(sequence: place.sequence, revision: place.revision, changes: 1, state: state))
      }
    }
  }

  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    guard !isClosed.load(ordering: .acquiring) else { throw .closed }
    let now = clock.now
    plan.withLock { plan in
      storage.contents.withLock { contents in
        for write in writes {
          contents.add(write)
          plan.note(write, at: contents.last)
          plan.noteDue()
          if let due = plan.ripe {
            figures.states.add(contents.replaceRecords(by: due, &plan, now))
          }
        }
      }
    }
    publish()
    return false
  }

  package func close() { isClosed.store(true, ordering: .releasing) }
}

extension MemoryJournal.Contents {
  fileprivate mutating func add(_ write: JournalWrite) {
    if let record = write.record {
      last += 1
      records.append((last, record))
      if record.kind == .closed { states[record.subject] = nil }
    }
    for key in write.forgotten { entries[key] = nil }
    if let entry = write.entry { entries[entry.key] = entry }
  }

  /// Puts the states in the place of the records before them, when all can be made; answers how many.
  fileprivate mutating func replaceRecords(
    by due: SnapshotPlan.Due, _ plan: inout SnapshotPlan, _ now: Int64
  ) -> Int {
    defer { plan.endDue() }
    let states = due.pending.mapValues { $0.state?() }
    for (subject, state) in states {
      guard let state, let pending = due.pending[subject] else { return 0 }
      self.states[subject] = (pending.sequence, pending.revision, state)
    }
    for (subject, pending) in due.pending { plan.noteState(of: subject, at: pending.sequence) }
    records.removeAll { $0.sequence <= due.last }
    plan.base = due.last
    entries = entries.filter { $0.value.expiry > now }
    return states.count
  }
}
