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
