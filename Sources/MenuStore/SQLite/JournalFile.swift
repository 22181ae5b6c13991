import Glibc

/// The open SQLite file of a journal: one connection, which writes and checkpoints.
final class JournalFile: RecordStorage {
  let place: String
  let connection: SQLiteConnection
  let tables: JournalTables
  /// The table of histories; nil until the first batch in a journal of a version without it.
  var histories: HistoryTable?
  /// The notices about the opening, for the operator.
  let notices: [JournalNotice]
  /// The committed extent of the file.
  var extent: JournalExtent
  /// True if the file is read-only.
  let isOnlyRead: Bool
  /// True once SQLite's log was restarted since the opening.
  private var isLogNew = false
  /// The last record that is no longer in the file.
  var removed: Int64 = 0

  var base: Int64 { extent.base }
  var last: Int64 { extent.last }

  /// Opens the file, creates it if there is none, and checks that it is an intact journal.
  ///
  /// - Parameter acknowledged: The last record known to be acknowledged; nil if unknown.
  init(
    _ configuration: JournalConfiguration, acknowledged: Int64?
  ) throws(JournalFault) {
    let path = configuration.path
    var notices = try Self.makeFile(path, mayCreate: !configuration.isOnlyRead)
    let log = try WriteAheadLog(of: path)
    if log.unfinished > 0 {
      notices.append(.unfinishedWrite(path: path + "-wal", bytes: Int64(log.unfinished)))
    }
    connection = try SQLiteConnection(path: path, mayCreate: false)
    if log.isEmpty { try connection.closesLog() }
    try Self.check(connection, at: path)
    // Only a journal's permissions are restricted: the path may name another file.
    if !configuration.isOnlyRead { for end in ["", "-wal", "-shm"] { Self.hide(path + end) } }
    extent = try Self.extent(connection, path)
    // With lower durability, a power failure can leave a gap in the middle of the log.
    if configuration.durability == .full, log.hasWritesBehindDamage, let acknowledged,
      acknowledged > extent.last
    {
      throw .damaged(
        path: path, .log(path: path + "-wal", first: extent.last + 1, last: acknowledged))
    }
    isOnlyRead = configuration.isOnlyRead
    if !isOnlyRead {
      // Rewrite the log before anything depends on its contents.
      if configuration.durability != .off { try connection.rewriteLog() }
      try connection.use(configuration.durability)
    }
    histories = try JournalSchema.hasHistory(connection) ? try HistoryTable(connection) : nil
    tables = try JournalTables(connection)
    place = path
    self.notices = notices
  }

  /// Returns the path from which SQLite derives the names of the files beside a journal: a symbolic link is resolved,
  /// and a name with a special meaning in SQLite, such as `:memory:`, gets a folder.
  ///
  /// - Throws: `JournalFault.danglingLink`, or what the system says about the link.
  static func path(of path: String) throws(JournalFault) -> String {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
      return path.hasPrefix(":") || path.hasPrefix("file:") ? "./" + path : path
    }
    guard let target = unsafe realpath(path, nil) else {
      throw errno == ENOENT ? .danglingLink(path: path) : .system(path: path, code: errno)
    }
    defer { unsafe free(target) }
    return unsafe String(cString: target)
  }

  /// Creates a new file if there is none, under a temporary name until it is complete.
  private static func makeFile(
    _ path: String, mayCreate: Bool
  ) throws(JournalFault) -> [JournalNotice] {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw .system(path: path, code: EISDIR) }
      if status.st_size == 0 { throw .damaged(path: path, .empty) }
      return []
    }
    guard errno == ENOENT else { throw .system(path: path, code: errno) }
    for log in ["-wal", "-journal"] where isPresent(path + log) {
      throw .damaged(path: path, .onlyLog(path: path + log))
    }
    guard mayCreate else { throw .system(path: path, code: ENOENT) }
    let unfinished = path + ".new"
    for end in ["", "-wal", "-journal"] { unsafe unlink(unfinished + end) }
    // SQLite would make it readable for everyone; the files that it creates beside it have the same
    // permissions.
    let descriptor = unsafe open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw .system(path: unfinished, code: errno) }
    close(descriptor)
    try makeTables(in: unfinished, knownAs: path)
    guard unsafe rename(unfinished, path) == 0 else { throw .system(path: path, code: errno) }
    bringFolderToDisk(of: path)
    return [.created(path: path)]
  }

  private static func makeTables(in file: String, knownAs path: String) throws(JournalFault) {
    let connection = try SQLiteConnection(path: file, mayCreate: true, knownAs: path)
    try connection.closesLog()
    try JournalSchema.make(connection)
    // Closing the connection checkpoints too, but reports no failure.
    _ = try connection.value(of: "PRAGMA wal_checkpoint(TRUNCATE)")
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

  /// The folder of a file.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// Flushes the folder: otherwise a power failure could lose the name, and with it the file.
  private static func bringFolderToDisk(of path: String) {
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 {
      fsync(descriptor)
      close(descriptor)
    }
  }
}

extension JournalFile {
  /// Restarts SQLite's log, once after the opening, before the first write.
  ///
  /// Frames of a lost write can remain after the last complete one. If later frames are identical to the missing ones,
  /// SQLite would accept the remaining frames again, and the lost write would reappear.
  func beginLogOnce() throws(JournalFault) {
    guard !isLogNew else { return }
    try connection.closesLog()
    _ = try connection.value(of: "PRAGMA wal_checkpoint(TRUNCATE)")
    isLogNew = true
  }
}

extension SQLiteConnection {
  fileprivate func use(_ durability: Durability) throws(JournalFault) {
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

extension JournalFile {
  /// Checks that the file is an intact journal of the present format. Nothing is changed.
  static func check(
    _ connection: SQLiteConnection, at path: String
  ) throws(JournalFault) {
    // This excludes other programs, and SQLite needs no shared memory.
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON")
    let application = try connection.value(of: "PRAGMA application_id")?.int
    if application == JournalSchema.unreleased { throw .unreleased(place: path) }
    guard application == JournalSchema.application else { throw .foreign(path: path) }
    let format = try connection.value(of: "PRAGMA user_version")?.int ?? 0
    guard format <= JournalSchema.format else {
      throw .newer(path: path, version: format, known: JournalSchema.format)
    }
    let isMet = try JournalSchema.isMet(by: connection)
    let answer = try connection.value(of: "PRAGMA integrity_check(1)")?.text
    guard answer == "ok" else { throw .damaged(path: path, .file(answer ?? "no answer")) }
    guard isMet, JournalSchema.earliestFormat <= format else {
      throw .damaged(path: path, .tables)
    }
  }

  /// Returns the extent stored in the file.
  static func extent(
    _ connection: SQLiteConnection, _ path: String
  ) throws(JournalFault) -> JournalExtent {
    var rows: [(Int64?, [UInt8]?, Int64?)] = []
    let statement = try connection.prepare("SELECT id, numbers, checksum FROM extent")
    while try statement.next() {
      rows.append((statement[0].int, statement[1].blob, statement[2].int))
    }
    guard rows.count == 1, rows[0].0 == 1, let extent = rows[0].1.flatMap(JournalExtent.init(_:)),
      extent.checksum == rows[0].2, 0...extent.last ~= extent.base, extent.last < .max
    else { throw .damaged(path: path, .extent) }
    return extent
  }
}
