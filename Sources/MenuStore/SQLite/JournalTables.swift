/// The rows of a journal in a SQLite file: reads them, writes them, and maintains their checksums.
///
/// It begins no transactions, and changes only the extent that it is given.
final class JournalTables {
  private let insertRecord: SQLiteStatement
  private let putState: SQLiteStatement
  private let removeState: SQLiteStatement
  private let putEntry: SQLiteStatement
  private let removeEntry: SQLiteStatement
  private let removeExpired: SQLiteStatement
  private let removeRecords: SQLiteStatement
  private let putExtent: SQLiteStatement
  private let flipChecksum: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(JournalFault) {
    insertRecord = try connection.prepare("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)")
    putState = try connection.prepare("INSERT INTO state VALUES (?, ?, ?, ?, ?)")
    removeState = try connection.prepare("DELETE FROM state WHERE subject = ? RETURNING checksum")
    putEntry = try connection.prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    removeEntry = try connection.prepare("DELETE FROM entry WHERE key = ? RETURNING checksum")
    removeExpired = try connection.prepare(
      """
      DELETE FROM entry WHERE key IN (SELECT key FROM entry WHERE expiry <= ? LIMIT ?) \
      RETURNING checksum
      """)
    removeRecords = try connection.prepare("DELETE FROM record WHERE sequence <= ?")
    putExtent = try connection.prepare("UPDATE extent SET numbers = ?, checksum = ? WHERE id = 1")
    flipChecksum = try connection.prepare("UPDATE extent SET checksum = ~checksum WHERE id = 1")
  }

  /// Adds a record after the last one.
  func append(_ record: JournalRecord, to extent: inout JournalExtent) throws(JournalFault) {
    extent.last += 1
    extent.lastChecksum = record.checksum(at: extent.last, after: extent.lastChecksum)
    try insertRecord.run(
      .int(extent.last), .int(record.kind.rawValue), .text(record.subject.text),
      .int(record.revision), .blob(record.payload), .int(extent.lastChecksum))
    if record.kind == .closed {
      try remove(.text(record.subject.text), by: removeState, from: .states, of: &extent)
    }
  }

  /// Writes a state in place of an older one of its subject.
  func put(_ state: StoredState, in extent: inout JournalExtent) throws(JournalFault) {
    let subject = SQLiteValue.text(state.subject.text)
    try remove(subject, by: removeState, from: .states, of: &extent)
    extent.states.insert(state.checksum)
    try putState.run(
      subject, .int(state.sequence), .int(state.revision), .blob(state.payload),
      .int(state.checksum))
  }

  /// Writes an entry in place of an older one under its key.
  func put(_ entry: IdempotencyEntry, in extent: inout JournalExtent) throws(JournalFault) {
    try removeEntry(under: entry.key, from: &extent)
    let checksum = entry.checksum(at: extent.last)
    extent.entries.insert(checksum)
    try putEntry.run(
      .blob(entry.key), .int(extent.last), .blob(entry.fingerprint), .int(entry.status),
      .blob(entry.headers), .blob(entry.body), .int(entry.expiry), .int(checksum))
  }

  /// Removes the entry under a key, if there is one.
  func removeEntry(under key: [UInt8], from extent: inout JournalExtent) throws(JournalFault) {
    try remove(.blob(key), by: removeEntry, from: .entries, of: &extent)
  }

  func removeEntries(
    expiredAt now: Int64, limit: Int64, from extent: inout JournalExtent
  ) throws(JournalFault) {
    try removeExpired.start(.int(now), .int(limit))
    while try removeExpired.next() { extent.entries.remove(removeExpired[0].int ?? 0) }
  }

  /// Removes the records up to a number.
  func removeRecords(through sequence: Int64) throws(JournalFault) {
    try removeRecords.run(.int(sequence))
  }

  /// Changes the extent, so that the next `put` writes: SQLite skips a write without a change, and a failing
  /// disk would not be detected.
  func spoilExtent() throws(JournalFault) {
    try flipChecksum.run()
  }

  func put(_ extent: JournalExtent) throws(JournalFault) {
    try putExtent.run(.blob(extent.bytes), .int(extent.checksum))
  }

  static func insert(
    _ extent: JournalExtent, _ connection: SQLiteConnection
  ) throws(JournalFault) {
    let statement = try connection.prepare("INSERT INTO extent VALUES (1, ?, ?)")
    try statement.run(.blob(extent.bytes), .int(extent.checksum))
  }

  private enum Sum { case states, entries }

  private func remove(
    _ key: SQLiteValue, by statement: SQLiteStatement, from sum: Sum,
    of extent: inout JournalExtent
  ) throws(JournalFault) {
    try statement.start(key)
    while try statement.next() {
      let checksum = statement[0].int ?? 0
      switch sum {
      case .states: extent.states.remove(checksum)
      case .entries: extent.entries.remove(checksum)
      }
    }
  }
}

extension JournalSubject {
  /// The text in the table; a session never has an empty name.
  var text: String {
    switch self {
    case .catalog: ""
    case .session(let name): name
    }
  }

  init(text: String) { self = text.isEmpty ? .catalog : .session(text) }
}

extension JournalRecord {
  /// Returns the checksum of the record and of all before it.
  func checksum(at sequence: Int64, after previous: Int64) -> Int64 {
    Checksum.of { checksum in
      checksum.add(previous)
      checksum.add(sequence)
      checksum.add(kind.rawValue)
      checksum.add(counted: Array(subject.text.utf8))
      checksum.add(revision)
      checksum.add(counted: payload)
    }
  }
}

extension StoredState {
  var checksum: Int64 {
    Checksum.of { checksum in
      checksum.add(counted: Array(subject.text.utf8))
      checksum.add(sequence)
      checksum.add(revision)
      checksum.add(counted: payload)
    }
  }
}

extension IdempotencyEntry {
  /// Returns the checksum of an entry that was written with that record, or after it.
  func checksum(at sequence: Int64) -> Int64 {
    Checksum.of { checksum in
      checksum.add(sequence)
      for bytes in [key, fingerprint, headers, body] { checksum.add(counted: bytes) }
      checksum.add(status)
      checksum.add(expiry)
    }
  }
}

extension JournalExtent {
  var checksum: Int64 { Checksum.of { $0.add(bytes) } }
}
