/// The writing of all states that are due, a few with each batch, so that the records up to `last` are no
/// longer needed.
struct StateSweep {
  /// The maximum number and bytes of the states in a batch.
  private static let statesAtOnce = 16
  static let bytesAtOnce = 1 << 20

  let last: Int64
  /// The sessions whose states are still to be written, the next one at the end.
  private var waiting: [JournalSubject]
  /// The catalogue after `last`, if it changed.
  ///
  /// It is written at the end, and must not be a newer one: the records after `last` are replayed under it.
  private let catalog: SnapshotPlan.Pending?

  init(of due: SnapshotPlan.Due) {
    last = due.last
    waiting = due.sessions
    catalog = due.pending[.catalog]
  }

  /// The part of a sweep that belongs to one batch.
  struct Step {
    fileprivate(set) var states: [StoredState] = []
    /// The number of sessions that it is done with.
    fileprivate var count = 0
    /// True if the sweep ends with it.
    fileprivate(set) var isLast = false
    /// True if it ends with all states written; a state that cannot be made leaves all records where they are.
    fileprivate(set) var isWhole = false
  }

  /// Makes the next states.
  ///
  /// - Parameter due: The subjects as they were when states were due, without those that were closed since.
  func nextStep(of due: SnapshotPlan.Due) -> Step {
    var (step, bytes) = (Step(), 0)
    for subject in waiting.reversed() {
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
    guard let catalog else {
      step.isWhole = true
      return step
    }
    guard let state = StoredState(.catalog, catalog) else { return step }
    step.states.append(state)
    step.isWhole = true
    return step
  }

  /// Removes the sessions of a step that is durable.
  mutating func remove(_ step: Step) { waiting.removeLast(step.count) }
}

extension StoredState {
  /// Creates the state of a subject after its last record; nil if it cannot be made.
  init?(_ subject: JournalSubject, _ pending: SnapshotPlan.Pending) {
    guard let payload = pending.state?() else { return nil }
    self.init(
      subject: subject, sequence: pending.sequence, revision: pending.revision, payload: payload)
  }
}
