/// The tables of a journal in a SQLite file.
///
/// - `record`: the changes, in order. The checksum of each covers that of the previous one, and there is no
///   gap.
/// - `state`: the newest state of each subject that has one.
/// - `entry`: the answers to requests with an idempotency key.
/// - `history`: the histories of sessions, with a checksum for each row.
/// - `extent`: one row with the first and last record, and with the numbers of states and entries and the sums
///   of their checksums, so that missing data is detected.
enum JournalSchema {
  /// Identifies a journal among SQLite files: `mnud` in ASCII.
  static let application: Int64 = 0x6D6E_7564
  /// The mark of journals that unreleased versions wrote: `menu` in ASCII.
  static let unreleased: Int64 = 0x6D65_6E75
  /// The format that is written.
  static let format: Int64 = 2
  /// The first format that is read: one without histories.
  static let earliestFormat: Int64 = 1

  /// The statements that create the tables, as SQLite stores them.
  static let tables = [
    """
    CREATE TABLE record (sequence INTEGER PRIMARY KEY, kind INTEGER NOT NULL, \
    subject TEXT NOT NULL, revision INTEGER NOT NULL, payload BLOB NOT NULL, \
    checksum INTEGER NOT NULL) STRICT
    """,
    """
    CREATE TABLE state (subject TEXT PRIMARY KEY, sequence INTEGER NOT NULL, \
    revision INTEGER NOT NULL, payload BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT
    """,
    """
    CREATE TABLE extent (id INTEGER PRIMARY KEY, numbers BLOB NOT NULL, \
    checksum INTEGER NOT NULL) STRICT
    """,
    """
    CREATE TABLE entry (key BLOB PRIMARY KEY, sequence INTEGER NOT NULL, \
    fingerprint BLOB NOT NULL, status INTEGER NOT NULL, headers BLOB NOT NULL, \
    body BLOB NOT NULL, expiry INTEGER NOT NULL, checksum INTEGER NOT NULL) STRICT
    """,
    "CREATE INDEX entryExpiry ON entry (expiry)",
  ]

  /// Creates an empty journal with a page size in bytes.
  static func make(_ connection: SQLiteConnection, pageSize: Int = 4096) throws(JournalFault) {
    try connection.execute("PRAGMA page_size = \(pageSize); PRAGMA journal_mode = WAL")
    try connection.transaction { () throws(JournalFault) in
      try connection.execute(
        "PRAGMA application_id = \(application); PRAGMA user_version = \(format)")
      try connection.execute((tables + [HistoryTable.table]).joined(separator: ";"))
      try JournalTables.insert(JournalExtent(), connection)
    }
  }

  /// True if there is the table of histories, which format 1 does not have.
  static func hasHistory(_ connection: SQLiteConnection) throws(JournalFault) -> Bool {
    try connection.value(of: "PRAGMA user_version")?.int != earliestFormat
  }

  /// Adds the table of histories to a journal of format 1.
  static func addHistory(_ connection: SQLiteConnection) throws(JournalFault) {
    try connection.transaction { () throws(JournalFault) in
      try connection.execute("PRAGMA user_version = \(format)")
      try connection.execute(HistoryTable.table)
    }
  }

  /// True if the tables are those of a journal.
  static func isMet(by connection: SQLiteConnection) throws(JournalFault) -> Bool {
    let statement = try connection.prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    var found: [String] = []
    while try statement.next() { found.append(statement[0].text ?? "") }
    return found == tables + (try hasHistory(connection) ? [HistoryTable.table] : [])
  }
}

/// The extent of a journal's records, and the checksums of its states and entries.
struct JournalExtent: Equatable {
  /// The last record that is no longer needed.
  var base: Int64 = 0
  var baseChecksum: Int64 = 0
  /// The last record.
  var last: Int64 = 0
  var lastChecksum: Int64 = 0
  /// The number of states, and the sum of their checksums.
  var states = CheckedSum()
  /// The number of entries, and the sum of their checksums.
  var entries = CheckedSum()

  /// A number of items and the sum of their checksums, independent of their order.
  struct CheckedSum: Equatable {
    private(set) var count: Int64 = 0
    private(set) var sum: Int64 = 0

    init() {}

    init(count: Int64, sum: Int64) {
      self.count = count
      self.sum = sum
    }

    mutating func insert(_ checksum: Int64) {
      count &+= 1
      sum &+= checksum
    }

    mutating func remove(_ checksum: Int64) {
      count &-= 1
      sum &-= checksum
    }
  }

  /// The numbers as bytes, big-endian.
  var bytes: [UInt8] {
    let numbers = [
      base, baseChecksum, last, lastChecksum, states.count, states.sum, entries.count, entries.sum,
    ]
    return numbers.flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - $0 * 8)) }
    }
  }

  init() {}

  /// Parses the bytes; nil if they are malformed.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 64 else { return nil }
    let numbers = stride(from: 0, to: 64, by: 8).map { start in
      bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    (base, baseChecksum, last, lastChecksum) = (numbers[0], numbers[1], numbers[2], numbers[3])
    states = CheckedSum(count: numbers[4], sum: numbers[5])
    entries = CheckedSum(count: numbers[6], sum: numbers[7])
  }
}
