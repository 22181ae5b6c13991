/// The subjects with records that no state stands for, and the times at which states are due.
///
/// **Decision:** They are due when there are more than `every` records for each subject that has
/// some: a recovery reads about that many for each, however the changes are spread, and one state is
/// written for that many records.
struct SnapshotPlan {
  /// A subject as it is after its last record.
  struct Pending: Sendable {
    let sequence: Int64
    let revision: Int64
    /// The number of changes since its last state, or since it was opened.
    let changes: Int
    /// Nil if it is made of what the journal has when it is due.
    var state: JournalState?
  }

  /// The maximum number of records of each subject.
  let every: Int64
  /// The last record that nobody needs any more.
  var base: Int64 = 0
  /// The last record.
  var last: Int64 = 0
  /// The subjects with records after their last state.
  private(set) var pending: [JournalSubject: Pending] = [:]

  /// True if the states of sessions are kept until they are due, and with them the sessions.
  private let keepsStates: Bool

  /// - Parameter keepsStates: True, the default, if the states of sessions are kept until they are due. False if
  ///   sessions may leave the memory before.
  init(every: Int, keepingStates keepsStates: Bool = true) {
    self.every = Int64(every)
    self.keepsStates = keepsStates
  }

  /// True if states are due.
  var isDue: Bool {
    let (limit, isTooLarge) = every.multipliedReportingOverflow(by: Int64(pending.count + 1))
    return !isTooLarge && last - base > limit
  }

  /// The sessions with records after their last state, by their last record, so that the same changes make
  /// the same file.
  var sessions: [(subject: JournalSubject, pending: Pending)] {
    pending.filter { $0.key != .catalog }.sorted { $0.value.sequence < $1.value.sequence }
      .map { ($0.key, $0.value) }
  }

  /// Notes a record, which is the last one from now on.
  mutating func note(_ write: JournalWrite, at sequence: Int64) {
    guard let record = write.record else { return }
    last = sequence
    if record.kind == .closed {
      pending[record.subject] = nil
    } else if write.state != nil || !keepsStates {
      let changes = record.kind == .opened ? 0 : (pending[record.subject]?.changes ?? 0) + 1
      let state = keepsStates || record.subject == .catalog ? write.state : nil
      pending[record.subject] = Pending(
        sequence: sequence, revision: record.revision, changes: changes, state: state)
    }
  }

  /// Notes a subject that had records before the start.
  mutating func note(_ subject: JournalSubject, _ subjectPending: Pending) {
    pending[subject] = subjectPending
  }

  /// Notes that records up to one are needed no more, since there are states.
  mutating func noteBase(_ sequence: Int64) {
    guard base < sequence else { return }
    base = sequence
    pending = pending.filter { $0.value.sequence > sequence }
  }

  /// Notes that there is a state of a subject as it was after a record.
  mutating func noteState(of subject: JournalSubject, at sequence: Int64) {
    if pending[subject]?.sequence == sequence { pending[subject] = nil }
  }
}

/// From which record on those of each subject are needed.
struct JournalBeginnings {
  private var firsts: [JournalSubject: Int64] = [:]

  /// Notes a record; they come in order.
  mutating func note(_ kind: JournalRecord.Kind, _ subject: JournalSubject, at sequence: Int64) {
    switch kind {
    case .opened: firsts[subject] = sequence
    case .closed: firsts[subject] = .max
    case .changed: break
    }
  }

  /// Notes a state, after all records; answers whether it is needed.
  mutating func noteState(of subject: JournalSubject, at sequence: Int64) -> Bool {
    guard firsts[subject] ?? 0 <= sequence else { return false }
    firsts[subject] = sequence + 1
    return true
  }

  /// Returns true if a record is needed; nil if the record before it is unknown.
  func needs(_ subject: JournalSubject, at sequence: Int64) -> Bool? {
    firsts[subject].map { $0 <= sequence }
  }
}
