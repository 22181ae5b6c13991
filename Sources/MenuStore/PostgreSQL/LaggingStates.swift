/// The states of sessions as they were some time ago, until they are written.
///
/// A state that is written takes the place of the records before it. Subscribers that come from another replica, or after
/// a start, go on by the records of the last minute, or by the last 1,024 (E5): so a state lags that far behind.
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

  /// The number of the last records of a session that are kept.
  private static let mostRecords: Int64 = 1024

  private let delay: Duration
  /// The marks of each session, the oldest first.
  private var marks: [JournalSubject: [Mark]] = [:]

  /// - Parameter delay: The time after which a state is written.
  init(after delay: Duration) { self.delay = delay }

  mutating func add(_ mark: Mark) { marks[mark.subject, default: []].append(mark) }

  /// Removes the marks of a session.
  mutating func remove(_ subject: JournalSubject) { marks[subject] = nil }

  /// The newest marks that are due of some sessions.
  func due(atMost most: Int) -> [Mark] {
    let moment = ContinuousClock.now - delay
    var due: [Mark] = []
    for known in marks.values where due.count < most {
      let last = known.last?.place.edition ?? 0
      let mark = known.last { mark in
        mark.time <= moment || last - mark.place.edition >= Self.mostRecords
      }
      if let mark { due.append(mark) }
    }
    return due
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

/// A state that takes the place of a subject's records up to a position.
struct SubjectState {
  let subject: JournalSubject
  let place: SubjectPosition
  let revision: Int64
  let payload: [UInt8]

  /// The statement that writes states, of subjects that are open still.
  static func statement(of states: [SubjectState]) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "menud_put_states",
      [
        .texts(states.map(\.subject.text)), .ints(states.map(\.place.incarnation)),
        .ints(states.map(\.place.edition)), .ints(states.map(\.revision)),
        .byteses(states.map(\.payload)), .ints(states.map(\.place.checksum)),
        .ints(states.map(\.checksum)),
      ])
  }

  private var checksum: Int64 {
    StoredState(
      subject: subject, sequence: place.edition, revision: revision, payload: payload
    ).checksum
  }
}

/// The position of a subject's last record.
struct SubjectPosition: Equatable, Sendable {
  /// The number of the subject's opening.
  let incarnation: Int64
  /// The number of earlier records of this incarnation.
  let edition: Int64
  /// The record's checksum, which covers that of the previous one.
  let checksum: Int64
}
