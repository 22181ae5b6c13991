/// Decides when states of subjects are written in place of their records.
///
/// **Decision:** States are due when there are more than `every` records per changed subject: a recovery then reads
/// about that many for each, however the changes are spread, and one state is written for that many records. A state
/// is that of the moment in which it became due. It is written once enough records follow, from which followers of a
/// session resume after a start (E5).
struct SnapshotPlan {
  /// A subject as it is after its last record.
  struct Pending: Sendable {
    let sequence: Int64
    let revision: Int64
    /// The number of changes since its last state, or since it was opened.
    fileprivate(set) var changes: Int
    let state: JournalState?
  }

  /// The last records, which states do not replace.
  struct Tail: Sendable {
    /// Their minimum number; 0 for none.
    var records: Int64
    /// The number of bytes that is enough, however few records there are.
    var bytes = 1 << 20
  }

  /// The subjects as they were when their states became due.
  struct Due: Sendable {
    /// The last record at that time.
    let last: Int64
    /// The subjects that have not been closed since.
    fileprivate(set) var pending: [JournalSubject: Pending]
    /// The number of bytes of later records.
    fileprivate var bytes = 0
    /// The sessions whose states are still to be written, the next one at the end.
    fileprivate var waiting: [JournalSubject]
    /// The catalogue, if it changed. Its state is written at the end: the records after `last` are replayed under it.
    fileprivate let catalog: Pending?
  }

  /// The part of the due states that belongs to one batch.
  struct Step {
    fileprivate(set) var states: [StoredState] = []
    /// The last record that is no longer needed after it. Nil if more states follow, or if a state cannot be made;
    /// then all records stay.
    fileprivate(set) var base: Int64?
    /// The number of sessions that it completes.
    fileprivate var count = 0
    /// True if no states are due after it.
    fileprivate(set) var isLast = false
  }

  /// The maximum number and bytes of the states in a batch.
  private static let statesAtOnce = 16
  static let bytesAtOnce = 1 << 20

  /// The maximum number of records of each subject.
  let every: Int64
  private let tail: Tail
  /// The last record that is no longer needed.
  var base: Int64 = 0
  /// The last record.
  var last: Int64 = 0
  /// The subjects with records after their last state.
  private(set) var pending: [JournalSubject: Pending] = [:]
  /// The subjects whose states are written next; nil if none are due.
  private(set) var due: Due?

  /// - Parameter records: The minimum number of last records that states do not replace. The default is 0.
  init(every: Int, keepingLast records: Int = 0) {
    self.every = Int64(every)
    tail = Tail(records: Int64(records))
  }

  /// The number of records from which on states are due.
  private var limit: Int64 {
    let (limit, isTooLarge) = every.multipliedReportingOverflow(by: Int64(pending.count + 1))
    return isTooLarge ? .max : limit
  }

  /// True if states are due.
  var isDue: Bool { last - base > limit }

  /// The subjects whose states are written now: enough records followed since they became due, or repeatedly killed
  /// processes left too many records to wait longer.
  var ripe: Due? {
    guard let due else { return nil }
    let count = last - due.last
    let isEnough = count >= tail.records || due.bytes >= tail.bytes
    return isEnough || last - base - 4 * tail.records > limit ? due : nil
  }

  /// Captures the subjects if their states become due.
  mutating func noteDue() {
    guard due == nil, isDue else { return }
    due = Due(
      last: last, pending: pending, waiting: pending.sessions.map(\.subject),
      catalog: pending[.catalog])
  }

  /// Makes the states that the next batch writes; nil if none are to be written now.
  func nextStep() -> Step? {
    guard let due = ripe else { return nil }
    var (step, bytes) = (Step(), 0)
    for subject in due.waiting.reversed() {
      guard step.count < Self.statesAtOnce, bytes < Self.bytesAtOnce else { return step }
      step.count += 1
      guard let pending = due.pending[subject] else { continue }
      guard let state = StoredState(subject, pending) else {
        step.isLast = true
        return step
      }
      bytes += state.payload.count
      step.states.append(state)
    }
    step.isLast = true
    if let catalog = due.catalog {
      guard let state = StoredState(.catalog, catalog) else { return step }
      step.states.append(state)
    }
    step.base = due.last
    return step
  }

  /// Notes that a step is durable.
  mutating func accept(_ step: Step) {
    for state in step.states { noteState(of: state.subject, at: state.sequence) }
    due?.waiting.removeLast(step.count)
    if step.isLast { due = nil }
    if let base = step.base { self.base = base }
  }

  /// The sessions whose states are written when the program stops, so that the next start need not replay their
  /// changes.
  ///
  /// The sessions that changed last are omitted while they have few changes in all: their followers resume from these
  /// changes (E5).
  ///
  /// - Parameter count: The minimum number of changes that makes a state worthwhile.
  func sessionsForNextStart(changedAtLeast count: Int) -> [(
    subject: JournalSubject, pending: Pending
  )] {
    let often = pending.sessions.filter { $0.pending.changes >= count }
    var left = 5 * tail.records
    let last = often.reversed().prefix { session in
      left -= Int64(session.pending.changes)
      return left >= 0
    }
    return often.dropLast(last.count)
  }

  /// Registers a record, which becomes the last one.
  mutating func note(_ write: JournalWrite, at sequence: Int64) {
    guard let record = write.record else { return }
    last = sequence
    due?.bytes += record.payload.count
    if record.kind == .closed {
      // Otherwise the session would come back with its state.
      forget(record.subject)
    } else if let state = write.state {
      let changes = record.kind == .opened ? 0 : (pending[record.subject]?.changes ?? 0) + 1
      pending[record.subject] = Pending(
        sequence: sequence, revision: record.revision, changes: changes, state: state)
    }
  }

  /// Removes the states of a subject.
  mutating func forget(_ subject: JournalSubject) {
    pending[subject] = nil
    due?.pending[subject] = nil
  }

  /// Registers a subject that had records before the start.
  mutating func note(_ subject: JournalSubject, _ subjectPending: Pending) {
    pending[subject] = subjectPending
  }

  /// Registers the state of a subject after a record.
  mutating func noteState(of subject: JournalSubject, at sequence: Int64) {
    if pending[subject]?.sequence == sequence {
      pending[subject] = nil
    } else if let past = due?.pending[subject], past.sequence == sequence {
      pending[subject]?.changes -= past.changes
    }
  }
}

extension [JournalSubject: SnapshotPlan.Pending] {
  /// The sessions, by their last record, so that the same changes make the same file.
  fileprivate var sessions: [(subject: JournalSubject, pending: SnapshotPlan.Pending)] {
    filter { $0.key != .catalog }.sorted { $0.value.sequence < $1.value.sequence }
      .map { ($0.key, $0.value) }
  }
}

extension StoredState {
  /// Creates the state of a subject after its last record; nil if it cannot be made.
  init?(_ subject: JournalSubject, _ pending: SnapshotPlan.Pending) {
    guard let payload = pending.state?() else { return nil }
    self.init(
      subject: subject, sequence: pending.sequence, revision: pending.revision, payload: payload)
  }
}
