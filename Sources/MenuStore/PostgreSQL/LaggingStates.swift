/// The past states of sessions that wait to be written.
///
/// A written state replaces earlier records. Subscribers that come from another replica, or reconnect after a start,
/// resume from the records of the last minute, or from the last 1,024 (E5): a state lags that far behind.
struct LaggingStates {
  /// A session at a position.
  struct Mark: Sendable {
    let subject: JournalSubject
    let place: SubjectPosition
    let revision: Int64
    fileprivate let made: JournalState
    fileprivate let time: ContinuousClock.Instant

    init(
      _ subject: JournalSubject, at place: SubjectPosition, revision: Int64,
      state: @escaping JournalState
    ) {
      (self.subject, self.place, self.revision) = (subject, place, revision)
      (made, time) = (state, .now)
    }

    /// The state there; nil if it cannot be made.
    var state: SubjectState? {
      made().map {
        SubjectState(subject: subject, place: place, revision: revision, payload: $0)
      }
    }
  }

  /// The number of records of a session after which a state is written, regardless of the time.
  private static let mostRecords: Int64 = 1024

  private let delay: Duration
  /// The marks of each session, the oldest first.
  private var marks: [JournalSubject: [Mark]] = [:]

  /// - Parameter delay: The time after which a state is written.
  init(after delay: Duration) { self.delay = delay }

  /// Adds a mark, and removes earlier marks that a due one supersedes.
  mutating func add(_ mark: Mark) {
    var known = marks[mark.subject, default: []]
    known.append(mark)
    if let due = dueIndex(of: known, at: mark.time) { known.removeFirst(due) }
    marks[mark.subject] = known
  }

  /// The index of the newest mark of a session that is due.
  private func dueIndex(of known: [Mark], at now: ContinuousClock.Instant) -> Int? {
    let last = known.last?.place.edition ?? 0
    return known.lastIndex { mark in
      mark.time + delay <= now || last - mark.place.edition >= Self.mostRecords
    }
  }

  /// Removes the marks of a session.
  mutating func remove(_ subject: JournalSubject) { marks[subject] = nil }

  /// The newest due mark of each session that has one.
  var due: [Mark] {
    let now = ContinuousClock.now
    return marks.values.compactMap { known in dueIndex(of: known, at: now).map { known[$0] } }
  }

  /// Removes marks, and the earlier ones of their sessions.
  mutating func remove(_ done: [Mark]) {
    for mark in done {
      guard let known = marks[mark.subject] else { continue }
      let rest = known.filter {
        $0.place.incarnation != mark.place.incarnation || $0.place.edition > mark.place.edition
      }
      marks[mark.subject] = rest.isEmpty ? nil : rest
    }
  }
}
