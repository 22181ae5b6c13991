/// Reads the items of subjects: each record must follow the previous one of its subject.
///
/// Its rows begin with nine columns: subject, incarnation, edition, sequence, kind, revision, payload, checksum
/// of the record, and checksum of the state. A state has the kind 0 and the checksum of the last record that it
/// includes; a record has no checksum of a state.
struct SubjectChain {
  /// An item of a subject, and its position in the journal.
  struct Item {
    let item: JournalItem
    let subject: JournalSubject
    /// The kind of the record; nil for a state.
    let kind: JournalRecord.Kind?
    let sequence: Int64
    let revision: Int64
  }

  /// The positions of the subjects after the rows read so far.
  private(set) var positions: [JournalSubject: SubjectPosition] = [:]
  private let database: String

  /// Creates an empty chain for the database of this name.
  init(in database: String) { self.database = database }

  /// Reads the present row.
  mutating func read(_ row: PostgreSQLRow) throws(JournalFault) -> Item {
    let subject = row.subject
    guard let incarnation = row.int(1), let edition = row.int(2), let sequence = row.int(3),
      let revision = row.int(5), let payload = row.bytes(6), let checksum = row.int(7)
    else { throw .damagedDatabase(database, .tables) }
    let place = SubjectPosition(incarnation: incarnation, edition: edition, checksum: checksum)
    if let stateChecksum = row.int(8) {
      let state = StoredState(
        subject: subject, sequence: edition, revision: revision, payload: payload)
      guard state.checksum == stateChecksum else {
        throw .damagedDatabase(database, .state(subject))
      }
      positions[subject] = place
      return Item(
        item: .state(subject, revision: revision, payload), subject: subject, kind: nil,
        sequence: sequence, revision: revision)
    }
    guard let kind = row.int(4).flatMap(JournalRecord.Kind.init) else {
      throw .damagedDatabase(database, .tables)
    }
    let record = JournalRecord(kind, subject, revision: revision, payload: payload)
    let former = positions[subject]
    guard edition == (former?.edition ?? -1) + 1, (kind == .opened) == (former == nil),
      checksum == record.checksum(at: edition, after: former?.checksum ?? 0)
    else { throw .damagedDatabase(database, .record(sequence: sequence)) }
    positions[subject] = place
    return Item(
      item: .record(record, sequence: sequence), subject: subject, kind: kind, sequence: sequence,
      revision: revision)
  }

  /// Throws if the rows of a subject do not lead to its end.
  func checkEnds(_ ends: [JournalSubject: SubjectPosition]) throws(JournalFault) {
    let damaged = ends.filter { positions[$0.key] != $0.value }.keys
    guard let first = damaged.min(by: { $0.text < $1.text }) else { return }
    throw .damagedDatabase(database, .recordsOf(first))
  }
}

/// The state of an open session in a database, if it has one, and the records after it; optionally also those
/// of the catalogue.
struct SubjectContents {
  let subject: JournalSubject
  /// The items in order.
  let items: [JournalItem]
  /// The revision after the last item.
  let revision: Int64
  /// The first change to replay; `Int64.max` if there is none.
  let firstChange: Int64
  /// True if the catalogue is included.
  let hasCatalog: Bool
  /// The position after the last item.
  let place: SubjectPosition

  /// Returns the statement that reads a session, optionally with the catalogue. Two more columns have the last
  /// edition and checksum of the subject.
  static func statement(
    of subject: JournalSubject, withCatalog: Bool
  ) -> PostgreSQLStatement {
    let other: JournalSubject = withCatalog ? .catalog : subject
    return PostgreSQLStatement("menud_read_subject", [.text(subject.text), .text(other.text)])
  }

  /// Creates the contents from the rows of that statement; nil if the session is not open.
  ///
  /// - Parameter last: The last edition of the session to read; nil, the default, for all.
  init?(
    of subject: JournalSubject, _ rows: PostgreSQLRow, in database: String,
    through last: Int64? = nil
  ) throws(JournalFault) {
    var chain = SubjectChain(in: database)
    var items: [SubjectChain.Item] = []
    var ends: [JournalSubject: SubjectPosition] = [:]
    for index in 0..<rows.count {
      rows.seek(index)
      if let last, rows.subject == subject, rows.int(2) ?? 0 > last { continue }
      items.append(try chain.read(rows))
      ends[rows.subject] = SubjectPosition(
        incarnation: rows.int(1) ?? -1, edition: rows.int(9) ?? -1, checksum: rows.int(10) ?? 0)
    }
    if last != nil { ends[subject] = nil }
    try chain.checkEnds(ends)
    guard let place = chain.positions[subject],
      let last = items.last(where: { $0.subject == subject })
    else { return nil }
    self.subject = subject
    revision = last.revision
    let change = items.first { $0.subject == subject && $0.kind == .changed }
    firstChange = change?.sequence ?? .max
    hasCatalog = items.contains { $0.subject == .catalog }
    self.items = items.sorted { ($0.rank, $0.sequence) < ($1.rank, $1.sequence) }.map(\.item)
    self.place = place
  }
}

extension SubjectChain.Item {
  /// Sorts the catalogue's first item before all others.
  fileprivate var rank: Int { subject == .catalog && kind != .changed ? 0 : 1 }
}
