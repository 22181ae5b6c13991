/// The states of sessions as they were some time ago, until they are written.
///
/// A state that is written takes the place of the records before it. Subscribers that come from another replica go on by
/// the records of the last minute, or by the last 1,024 (E5): so a state lags that far behind.
struct LaggingStates {
  private struct Mark {
    let place: SubjectPosition
    let revision: Int64
    let state: JournalState
    let time: ContinuousClock.Instant
  }

  /// The number of the last records of a session that are kept.
  private static let mostRecords: Int64 = 1024

  private let delay: Duration
  /// The marks of each session, the oldest first.
  private var marks: [JournalSubject: [Mark]] = [:]

  /// - Parameter delay: The time after which a state is written.
  init(after delay: Duration) { self.delay = delay }

  /// Notes the marks of a committed batch, and the sessions that it closed.
  mutating func note(_ batch: SharedBatch, at now: ContinuousClock.Instant) {
    for (write, place) in batch.marks {
      guard let record = write.record, let state = write.state else { continue }
      let mark = Mark(place: place, revision: record.revision, state: state, time: now)
      marks[record.subject, default: []].append(mark)
    }
    guard batch.changesDirectory else { return }
    for (subject, place) in batch.positions where place == nil { marks[subject] = nil }
  }

  /// Removes and returns some states that are due. One that cannot be made is left out: its records stay.
  mutating func removeDue(atMost most: Int, at now: ContinuousClock.Instant) -> [SharedState] {
    var states: [SharedState] = []
    for (subject, known) in marks {
      guard states.count < most else { break }
      let last = known.last?.place.edition ?? 0
      let due = known.lastIndex { mark in
        mark.time + delay <= now || last - mark.place.edition >= Self.mostRecords
      }
      guard let due else { continue }
      let mark = known[due]
      let rest = Array(known[(due + 1)...])
      marks[subject] = rest.isEmpty ? nil : rest
      guard let payload = mark.state() else { continue }
      states.append(
        SharedState(subject: subject, place: mark.place, revision: mark.revision, payload: payload))
    }
    return states
  }
}

/// A state that takes the place of a subject's records up to a position.
struct SharedState {
  let subject: JournalSubject
  let place: SubjectPosition
  let revision: Int64
  let payload: [UInt8]

  /// The statement that writes states, of subjects that are open still.
  static func statement(of states: [SharedState]) -> PostgreSQLStatement {
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
