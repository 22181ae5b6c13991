/// The storage of a journal with one order of records, used by one process.
///
/// `RecordLog` decides what is written, removed and read at a start. One thread uses it at a time.
protocol RecordStorage: AnyObject {
  /// Its name, for faults.
  var place: String { get }
  /// The number of the last record that is no longer needed.
  var base: Int64 { get }
  /// The number of the last record; 0 if there never was one.
  var last: Int64 { get }
  /// The number of the last removed record.
  var removed: Int64 { get }

  /// Checks, before anything is read, that all records after the base are present and intact. A damaged end is cut
  /// off.
  ///
  /// - Parameter note: Called with each record, in order.
  /// - Returns: The notices for the operator about the opening.
  func check(
    _ note: (JournalRecord.Kind, JournalSubject, _ sequence: Int64) -> Void
  ) throws(JournalFault) -> [JournalNotice]

  /// Reads all states, the catalogue's first, because sessions depend on it.
  func readStates(_ read: (StoredState) throws(JournalFault) -> Void) throws(JournalFault)

  /// Reads the records after the base, in order.
  func readRecords(
    _ read: (JournalRecord, _ sequence: Int64) throws(JournalFault) -> Void
  ) throws(JournalFault)

  /// The latest time at which an answer expires; nil if there is none.
  var lastExpiry: Int64? { get throws(JournalFault) }

  func readEntries(_ read: (IdempotencyEntry) throws(JournalFault) -> Void) throws(JournalFault)

  /// Makes a batch durable, atomically.
  func commit(_ batch: RecordBatch) throws(JournalFault)
}

/// A batch of a journal whose records are in one order.
struct RecordBatch {
  /// The additions. An empty batch still writes, to detect whether additions could be made durable.
  var writes: [JournalWrite] = []
  /// The states to write before the additions, which may close one of these sessions.
  var states: [StoredState] = []
  /// The number of the last record that is no longer needed once all due states are written; nil if more follow.
  var base: Int64?
  /// The record up to which records are removed.
  var removal: Int64 = 0
  /// The time at which answers have expired.
  var now: Int64
}

/// The state of a subject as it is stored.
struct StoredState {
  let subject: JournalSubject
  /// The last record that it includes.
  let sequence: Int64
  let revision: Int64
  let payload: [UInt8]
}

/// Records in one order, and the states that take their place: the part that journals in memory and in SQLite share.
///
/// States are written, and records removed, a few with each batch, so that requests do not wait long.
final class RecordLog<Storage: RecordStorage> {
  let storage: Storage
  let figures: JournalFigures
  private let clock: RetentionClock
  private var plan: SnapshotPlan

  init(
    in storage: Storage, _ plan: SnapshotPlan, clock: RetentionClock, _ figures: JournalFigures
  ) {
    (self.storage, self.plan, self.clock, self.figures) = (storage, plan, clock, figures)
  }

  /// Reads the contents in order; see `Journal.recover`.
  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    var (beginnings, found) = (JournalBeginnings(), RecoveredItems())
    found.recovery.notices = try storage.check { kind, subject, sequence in
      beginnings.note(kind, subject, at: sequence)
    }
    (found.recovery.records, found.recovery.last) = (storage.last - storage.base, storage.last)
    try storage.readStates { (stored) throws(JournalFault) in
      guard beginnings.noteState(of: stored.subject, at: stored.sequence) else { return }
      try found.hand(
        .state(stored.subject, revision: stored.revision, stored.payload), to: read)
    }
    try storage.readRecords { (record, sequence) throws(JournalFault) in
      guard let isNeeded = beginnings.needs(record.subject, at: sequence) else {
        throw .damaged(path: storage.place, .state(record.subject))
      }
      guard isNeeded else { return }
      try found.hand(.record(record, sequence: sequence), to: read)
    }
    if let expiry = try storage.lastExpiry { clock.resume(afterAnswerExpiringAt: expiry) }
    let now = clock.now
    try storage.readEntries { (entry) throws(JournalFault) in
      if entry.expiry > now { try found.hand(.entry(entry), to: read) }
    }
    begin(after: found, stateOf: state)
    return found.recovery
  }

  private func begin(
    after found: RecoveredItems, stateOf state: (JournalSubject) -> JournalState?
  ) {
    (plan.base, plan.last) = (storage.base, storage.last)
    for (subject, last) in found.lastRecords {
      guard let state = state(subject) else { continue }
      plan.note(
        subject,
        .init(
          sequence: last.sequence, revision: last.revision, changes: last.changes, state: state))
    }
  }

  /// Replaces everything about subjects by their present states, durably.
  func beginAgain(with beginnings: [JournalRecord]) throws(JournalFault) {
    let states = beginnings.map {
      StoredState(
        subject: $0.subject, sequence: storage.last, revision: $0.revision, payload: $0.payload)
    }
    try storage.commit(RecordBatch(states: states, now: clock.now))
    for state in states { plan.forget(state.subject) }
  }

  /// The maximum number of records removed with one batch.
  private static var removalsAtOnce: Int64 { 4096 }

  /// Makes a batch durable, atomically; returns true if there is more to do.
  func append(_ writes: [JournalWrite]) throws(JournalFault) -> Bool {
    plan.noteDue()
    let next = plan.nextStep()
    let step = next ?? SnapshotPlan.Step()
    var sequence = storage.last
    try storage.commit(
      RecordBatch(
        writes: writes, states: step.states, base: step.base,
        removal: storage.removed + min(storage.base - storage.removed, Self.removalsAtOnce),
        now: clock.now))
    plan.accept(step)
    figures.states.add(step.states.count)
    for write in writes where write.record != nil {
      sequence += 1
      plan.note(write, at: sequence)
    }
    return next?.isLast == false || storage.removed < storage.base
  }

  /// The number of changes from which on a session's state is written at the end of the program.
  ///
  /// Writing a state costs about as much as replaying eight changes (`make restart`). Fewer changes are left to the
  /// next start.
  private static var changesWorthAState: Int { 8 }

  /// Writes the states of sessions with many changes, so that the next start need not replay these. No record
  /// is removed, so a failure loses nothing.
  func writeStatesForNextStart() throws(JournalFault) {
    var waiting = plan.sessionsForNextStart(changedAtLeast: Self.changesWorthAState)[...]
    while !waiting.isEmpty {
      var (batch, bytes) = (RecordBatch(now: clock.now), 0)
      while bytes < SnapshotPlan.bytesAtOnce, let (subject, pending) = waiting.popFirst() {
        guard let state = StoredState(subject, pending) else { continue }
        batch.states.append(state)
        bytes += state.payload.count
      }
      try storage.commit(batch)
      figures.states.add(batch.states.count)
      for state in batch.states { plan.noteState(of: state.subject, at: state.sequence) }
    }
  }
}

/// The items that a start reads, counted.
struct RecoveredItems {
  /// The last record of a subject, with the number of its changes.
  typealias LastRecord = (sequence: Int64, revision: Int64, changes: Int)

  var recovery = JournalRecovery()
  /// The last record that was read of each subject.
  private(set) var lastRecords: [JournalSubject: LastRecord] = [:]

  /// Counts an item, and passes it on.
  mutating func hand(
    _ item: JournalItem, to read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    switch item {
    case .state: recovery.states += 1
    case .entry: recovery.entries += 1
    case .unread: break
    case .record(let record, let sequence):
      recovery.replayed += 1
      let changes =
        record.kind == .changed ? (lastRecords[record.subject]?.changes ?? 0) + 1 : 0
      lastRecords[record.subject] = (sequence, record.revision, changes)
    }
    try read(item)
  }
}

/// The first record of each subject that is needed.
private struct JournalBeginnings {
  private var firsts: [JournalSubject: Int64] = [:]

  /// Registers a record; records come in order.
  mutating func note(_ kind: JournalRecord.Kind, _ subject: JournalSubject, at sequence: Int64) {
    switch kind {
    case .opened: firsts[subject] = sequence
    case .closed: firsts[subject] = .max
    case .changed: break
    }
  }

  /// Registers a state, after all records; returns true if it is needed.
  mutating func noteState(of subject: JournalSubject, at sequence: Int64) -> Bool {
    guard firsts[subject] ?? 0 <= sequence else { return false }
    firsts[subject] = sequence + 1
    return true
  }

  /// Returns true if a record is needed; nil if its subject has neither a beginning nor a state.
  func needs(_ subject: JournalSubject, at sequence: Int64) -> Bool? {
    firsts[subject].map { $0 <= sequence }
  }
}
