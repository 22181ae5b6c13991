import Glibc

/// The open SQLite file of a journal: one connection, which writes and checkpoints.
///
/// One thread uses it at a time.
final class JournalFile {
  let path: String
  let connection: SQLiteConnection
  let tables: JournalTables
  /// The notices about the opening, for the operator.
  private(set) var notices: [JournalNotice]
  /// The committed extent of the file.
  var extent: JournalExtent
  var plan: SnapshotPlan
  var sweep: Sweep?
  /// True once SQLite's log was restarted since the opening.
  private var isLogNew = false
  /// The last record that is no longer in the file.
  var removed: Int64 = 0
  let clock: RetentionClock
  let figures = JournalFigures()

  /// Opens the file, creates it if there is none, and checks that it is an intact journal.
  init(
    _ configuration: JournalConfiguration, clock: RetentionClock
  ) throws(JournalFault) {
    let path = configuration.path
    notices = try Self.makeFile(path)
    if let notice = try WriteAheadLog.notice(of: path) { notices.append(notice) }
    connection = try JournalFault.of(path) { () throws(SQLiteFault) in
      try SQLiteConnection(path: path, mayCreate: false)
    }
    try Self.check(connection, at: path)
    let connection = connection
    try JournalFault.of(path) { () throws(SQLiteFault) in
      // Before anything builds on the log's contents.
      if configuration.durability != .off { try connection.rewriteLog() }
      try connection.use(configuration.durability)
    }
    extent = try Self.extent(connection, path)
    tables = try JournalFault.of(path) { () throws(SQLiteFault) in try JournalTables(connection) }
    plan = SnapshotPlan(
      every: configuration.snapshotEvery, keepingLast: configuration.keptRecords)
    self.path = path
    self.clock = clock
  }

  /// Creates a new file if there is none, under another name until it is complete.
  private static func makeFile(_ path: String) throws(JournalFault) -> [JournalNotice] {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      if status.st_size == 0 { throw .damaged(path: path, .empty) }
      for end in ["", "-wal", "-shm"] { hide(path + end) }
      return []
    }
    guard errno == ENOENT else { throw .system(path: path, code: errno) }
    for log in ["-wal", "-journal"] where isPresent(path + log) {
      throw .damaged(path: path, .onlyLog(path: path + log))
    }
    let unfinished = path + ".new"
    for end in ["", "-wal", "-journal"] { unsafe unlink(unfinished + end) }
    // SQLite would make it readable for everyone; the files that it creates beside it have the same
    // permissions.
    let descriptor = unsafe open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw .system(path: unfinished, code: errno) }
    close(descriptor)
    try JournalFault.of(path) { () throws(SQLiteFault) in
      let connection = try SQLiteConnection(path: unfinished, mayCreate: true)
      try JournalSchema.make(connection)
      // Closing the connection does it too, but reports no failure.
      _ = try connection.value(of: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    guard unsafe rename(unfinished, path) == 0 else { throw .system(path: path, code: errno) }
    bringFolderToDisk(of: path)
    return [.created(path: path)]
  }

  /// The permissions of all files of a journal: sessions' states and answers are readable by the owner only.
  static let permissions: mode_t = 0o600

  /// Restricts a file's permissions to its owner, since a copy may have others; if that fails, they stay.
  static func hide(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    unsafe chmod(path, permissions)
  }

  private static func isPresent(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Flushes the folder: otherwise the name, and the file with it, could be lost in a power failure.
  private static func bringFolderToDisk(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 {
      fsync(descriptor)
      close(descriptor)
    }
  }
}

extension JournalFile {
  /// Restarts SQLite's log, once after the opening, before anything is written.
  ///
  /// After the last complete write of a log, frames of a lost one can remain. If the new frames in place of the
  /// missing ones are identical, the remaining ones count again, and the lost write comes back.
  func beginLogOnce() throws(JournalFault) {
    guard !isLogNew else { return }
    try JournalFault.of(path) { () throws(SQLiteFault) in
      _ = try connection.value(of: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    isLogNew = true
  }
}

extension SQLiteConnection {
  fileprivate func use(_ durability: Durability) throws(SQLiteFault) {
    let level =
      switch durability {
      case .full: "FULL"
      case .normal: "NORMAL"
      case .off: "OFF"
      }
    // The log is truncated to this size after a burst.
    try execute(
      "PRAGMA synchronous = \(level); PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 8388608"
    )
  }
}

extension JournalFault {
  /// Runs a closure that only SQLite can make fail, and adds the file to its fault.
  static func of<Result>(
    _ path: String, _ body: () throws(SQLiteFault) -> Result
  ) throws(JournalFault) -> Result {
    do throws(SQLiteFault) {
      return try body()
    } catch {
      throw JournalFault(error, path)
    }
  }

  init(_ fault: SQLiteFault, _ path: String) {
    switch fault.kind {
    case .noRoom: self = .noRoom(path: path)
    case .busy: self = .busy(path: path)
    case .damage: self = .damaged(path: path, .file(fault.message))
    case .system:
      switch fault.systemCode {
      case let code where fault.isOfFlush: self = .unflushed(path: path, code: code)
      case ENOSPC, EDQUOT: self = .noRoom(path: path)
      case 0: self = .refused(path: path, message: fault.message)
      default: self = .system(path: path, code: fault.systemCode)
      }
    }
  }
}

extension JournalFile {
  /// Checks that the file is an intact journal of the present format. Nothing is changed.
  static func check(
    _ connection: SQLiteConnection, at path: String
  ) throws(JournalFault) {
    let application = try JournalFault.of(path) { () throws(SQLiteFault) in
      // Other programs are excluded, and SQLite needs no shared memory.
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON")
      return try connection.value(of: "PRAGMA application_id")?.int
    }
    if application == JournalSchema.unreleased { throw .unreleased(place: path) }
    guard application == JournalSchema.application else { throw .foreign(path: path) }
    let format = try JournalFault.of(path) { () throws(SQLiteFault) in
      try connection.value(of: "PRAGMA user_version")?.int ?? 0
    }
    guard format <= JournalSchema.format else {
      throw .newer(path: path, version: format, known: JournalSchema.format)
    }
    let (isMet, answer) = try JournalFault.of(path) { () throws(SQLiteFault) in
      let isMet = try JournalSchema.isMet(by: connection)
      return (
        isMet && format == JournalSchema.format,
        try connection.value(of: "PRAGMA integrity_check(1)")?.text
      )
    }
    guard answer == "ok" else { throw .damaged(path: path, .file(answer ?? "no answer")) }
    guard isMet else { throw .damaged(path: path, .tables) }
  }

  /// Returns the extent stored in the file.
  static func extent(
    _ connection: SQLiteConnection, _ path: String
  ) throws(JournalFault) -> JournalExtent {
    let rows = try JournalFault.of(path) { () throws(SQLiteFault) in
      var rows: [(Int64?, [UInt8]?, Int64?)] = []
      let statement = try connection.prepare("SELECT id, numbers, checksum FROM extent")
      try statement.start()
      while try statement.next() {
        rows.append((statement[0].int, statement[1].blob, statement[2].int))
      }
      return rows
    }
    guard rows.count == 1, rows[0].0 == 1, let extent = rows[0].1.flatMap(JournalExtent.init(_:)),
      extent.checksum == rows[0].2, 0...extent.last ~= extent.base, extent.last < .max
    else { throw .damaged(path: path, .extent) }
    return extent
  }
}

extension JournalFile {
  /// The number of changes from which a session's state is written at the end of the program.
  ///
  /// Writing a state costs about as much as replaying eight changes (`make restart`). Fewer changes are
  /// replayed by the next start.
  private static let changesWorthAState = 8
  /// The minimum bytes of states in a transaction, except the last one.
  private static let bytesInTransaction = 1 << 20

  /// Writes the states of sessions with many changes, so that the next start need not replay these. No record
  /// is removed, so a failure loses nothing.
  func writeStatesForNextStart() throws(JournalFault) {
    var waiting = plan.sessionsForNextStart(changedAtLeast: Self.changesWorthAState)[...]
    if !waiting.isEmpty { try beginLogOnce() }
    while !waiting.isEmpty {
      var (next, bytes) = (extent, 0)
      var written: [(subject: JournalSubject, sequence: Int64)] = []
      try JournalFault.of(path) { () throws(SQLiteFault) in
        try connection.transaction { () throws(SQLiteFault) in
          while bytes < Self.bytesInTransaction, let (subject, pending) = waiting.popFirst() {
            guard let state = StoredState(subject, pending) else { continue }
            try tables.put(state, in: &next)
            bytes += state.payload.count
            written.append((subject, pending.sequence))
          }
          try tables.put(next)
        }
      }
      extent = next
      figures.states.add(written.count)
      for (subject, sequence) in written { plan.noteState(of: subject, at: sequence) }
    }
  }
}

extension JournalFile {
  /// Checks that all records are present and unchanged, each after the previous one.
  ///
  /// If only the end is damaged, it is cut off, with a notice; damage before the end is a fault, and nothing is
  /// changed.
  func checkChain(_ notices: inout [JournalNotice]) throws(JournalFault) -> JournalBeginnings {
    var beginnings = JournalBeginnings()
    var (last, checksum, damaged) = (extent.base, extent.baseChecksum, Int64?.none)
    let rows = try self.rows()
    while try rows.goOn(path) {
      if let damaged { throw .damaged(path: path, .record(sequence: damaged)) }
      let next = last + 1
      guard rows[0].int == next else {
        throw .damaged(path: path, .missingRecord(sequence: next))
      }
      guard let row = rows.record, row.checksum == row.1.checksum(at: next, after: checksum)
      else {
        damaged = next
        continue
      }
      (last, checksum) = (next, row.checksum)
      beginnings.note(row.1.kind, row.1.subject, at: next)
    }
    try settleEnd(after: last, checksum, damaged: damaged, &notices)
    removed = try firstRow() - 1
    return beginnings
  }

  private func settleEnd(
    after last: Int64, _ checksum: Int64, damaged: Int64?, _ notices: inout [JournalNotice]
  ) throws(JournalFault) {
    if damaged == nil, last == extent.last {
      if checksum != extent.lastChecksum { throw .damaged(path: path, .extent) }
      return
    }
    guard last < extent.last else { throw .damaged(path: path, .extent) }
    try checkNothingStandsFor(recordsAfter: last)
    if let damaged { notices.append(.lastRecordDamaged(sequence: damaged)) }
    let missing = (damaged ?? last) + 1
    if missing <= extent.last {
      notices.append(.recordsMissing(first: missing, last: extent.last))
    }
    try cut(after: last, checksum)
  }

  /// Throws if a state includes missing records, which would leave a gap.
  private func checkNothingStandsFor(recordsAfter last: Int64) throws(JournalFault) {
    let states = try prepare("SELECT 1 FROM state WHERE sequence > \(last) LIMIT 1")
    if try states.goOn(path) { throw .damaged(path: path, .missingRecord(sequence: last + 1)) }
  }

  /// Cuts off everything after a record, and the answers to the requests that wrote it.
  private func cut(after last: Int64, _ checksum: Int64) throws(JournalFault) {
    var shorter = extent
    (shorter.last, shorter.lastChecksum) = (last, checksum)
    try beginLogOnce()
    try JournalFault.of(path) { () throws(SQLiteFault) in
      try connection.transaction { () throws(SQLiteFault) in
        try connection.execute("DELETE FROM record WHERE sequence > \(last)")
        let entries = try connection.prepare(
          "DELETE FROM entry WHERE sequence > \(last) RETURNING checksum")
        try entries.start()
        while try entries.next() { shorter.entries.remove(entries[0].int ?? 0) }
        try tables.put(shorter)
      }
    }
    extent = shorter
  }

  private func firstRow() throws(JournalFault) -> Int64 {
    let rows = try prepare("SELECT min(sequence) FROM record")
    return try rows.goOn(path) ? rows[0].int ?? extent.base + 1 : extent.base + 1
  }
}
