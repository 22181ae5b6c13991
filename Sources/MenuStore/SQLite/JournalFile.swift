import Glibc

/// A journal's SQLite file while it is open: one connection, which writes and checkpoints.
///
/// One thread uses it at a time.
final class JournalFile {
  let path: String
  let connection: SQLiteConnection
  let tables: JournalTables
  /// The notices for the operator about the opening.
  private(set) var notices: [JournalNotice]
  /// The committed extent of the file.
  var extent: JournalExtent
  var plan: SnapshotPlan
  var sweep: Sweep?
  /// True once SQLite's log was begun anew since the start.
  private var isLogNew = false
  /// The records up to here are no longer in the file.
  var removed: Int64 = 0
  let clock: RetentionClock
  let figures = JournalFigures()

  /// Opens the file, makes it when there is none, and checks that it is a journal as it was written.
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
      // Before anything builds on what is read.
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

  /// Makes a new file where there is none, under another name until it is complete.
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
    // SQLite would let everybody read it; what it makes beside has the same permissions.
    let descriptor = unsafe open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw .system(path: unfinished, code: errno) }
    close(descriptor)
    try JournalFault.of(path) { () throws(SQLiteFault) in
      let connection = try SQLiteConnection(path: unfinished, mayCreate: true)
      try JournalSchema.make(connection)
      // The end of the connection does it too, and tells nobody when it fails.
      _ = try connection.value(of: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    guard unsafe rename(unfinished, path) == 0 else { throw .system(path: path, code: errno) }
    bringFolderToDisk(of: path)
    return [.created(path: path)]
  }

  /// The permissions of all files of a journal: the states of sessions and answers in it are the user's alone.
  static let permissions: mode_t = 0o600

  /// Takes a file's permissions from all but its user, which a copy may have; where that is not possible, they stay.
  static func hide(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    unsafe chmod(path, permissions)
  }

  private static func isPresent(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Without this the name could be gone after the power failed, and the file with it.
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
  /// Begins SQLite's log anew, unless that was done since the start. It comes before everything that is written.
  ///
  /// Behind the last whole write of a log, frames of a lost one can remain. If what is written in the place of the
  /// missing ones is the same, byte for byte, they count again, and what was lost comes back.
  func beginLogOnce() throws(JournalFault) {
    guard !isLogNew else { return }
    try JournalFault.of(path) { () throws(SQLiteFault) in
      _ = try connection.value(of: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    isLogNew = true
  }
}

extension SQLiteConnection {
  /// Sets how sure a commit is.
  fileprivate func use(_ durability: Durability) throws(SQLiteFault) {
    let level =
      switch durability {
      case .full: "FULL"
      case .normal: "NORMAL"
      case .off: "OFF"
      }
    // The log is cut to this size when a burst has made it longer.
    try execute(
      "PRAGMA synchronous = \(level); PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 8388608"
    )
  }
}

extension JournalFault {
  /// Does what only SQLite can refuse, about that file.
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
