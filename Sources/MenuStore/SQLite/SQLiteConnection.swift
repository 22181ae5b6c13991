import CSQLite
import Glibc

/// A connection to a SQLite file; the only user of the library.
///
/// One thread uses it at a time, including its prepared statements.
@safe final class SQLiteConnection {
  let handle: OpaquePointer
  /// The journal's path, for faults.
  private let place: String

  /// Opens a file, which must exist unless `mayCreate` is true.
  ///
  /// Closing the connection leaves SQLite's log as it is, unless ``closesLog()`` is called.
  ///
  /// - Parameter place: The path in faults. The default is nil, for the file's own path.
  init(path: String, mayCreate: Bool, knownAs place: String? = nil) throws(JournalFault) {
    self.place = place ?? path
    var handle: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (mayCreate ? SQLITE_OPEN_CREATE : 0)
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let opened = unsafe handle else {
      let fault = unsafe JournalFault(code, of: handle, at: self.place)
      unsafe sqlite3_close_v2(handle)
      throw fault
    }
    unsafe self.handle = opened
    try check(unsafe csqlite_defend(opened))
    try check(unsafe csqlite_keep_log(opened, 1))
  }

  /// Makes closing the connection checkpoint SQLite's log.
  func closesLog() throws(JournalFault) { try check(unsafe csqlite_keep_log(handle, 0)) }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs statements without rows and values.
  func execute(_ script: String) throws(JournalFault) {
    try check(unsafe sqlite3_exec(handle, script, nil, nil, nil))
  }

  /// Throws the fault of a result code, unless it reports success.
  fileprivate func check(_ code: Int32) throws(JournalFault) {
    if code != SQLITE_OK { throw fault(code) }
  }

  /// Returns the fault of the last call, which returned a code.
  fileprivate func fault(_ code: Int32) -> JournalFault {
    unsafe JournalFault(code, of: handle, at: place)
  }

  /// Prepares a statement for repeated use. Without parameters, it is positioned before its first row.
  func prepare(_ text: String) throws(JournalFault) -> SQLiteStatement {
    try SQLiteStatement(text, self)
  }

  /// Runs a statement once; returns the first value of its first row, nil if there is none.
  func value(of text: String) throws(JournalFault) -> SQLiteValue? {
    let statement = try prepare(text)
    return try statement.next() ? statement[0] : nil
  }

  func transaction(_ body: () throws(JournalFault) -> Void) throws(JournalFault) {
    try execute("BEGIN IMMEDIATE")
    do throws(JournalFault) {
      try body()
      try execute("COMMIT")
    } catch {
      // Some errors have rolled back already. An error of this statement does not matter.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }
}

/// A prepared statement of a connection, with a present row.
@safe final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: SQLiteConnection

  fileprivate init(_ text: String, _ connection: SQLiteConnection) throws(JournalFault) {
    var handle: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      connection.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let prepared = unsafe handle else { throw connection.fault(code) }
    unsafe self.handle = prepared
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Binds the values of its parameters, and moves before the first row.
  func start(_ values: SQLiteValue...) throws(JournalFault) { try start(values) }

  func start(_ values: [SQLiteValue]) throws(JournalFault) {
    unsafe sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      try connection.check(bind(value, to: Int32(index + 1)))
    }
  }

  /// Moves to the next row; returns false at the end, after which the statement can be started again.
  func next() throws(JournalFault) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let fault = code == SQLITE_DONE ? nil : connection.fault(code)
    unsafe sqlite3_reset(handle)
    if let fault { throw fault }
    return false
  }

  /// Binds the values of its parameters, and skips all rows.
  func run(_ values: SQLiteValue...) throws(JournalFault) {
    try start(values)
    while try next() {}
  }

  /// The value in a column of the present row.
  subscript(column: Int) -> SQLiteValue {
    let index = Int32(column)
    switch unsafe sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .int(unsafe sqlite3_column_int64(handle, index))
    case SQLITE_TEXT: return .text(String(decoding: bytes(index), as: UTF8.self))
    case SQLITE_BLOB: return .blob(bytes(index))
    default: return .other
    }
  }

  private func bytes(_ index: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(handle, index) else { return [] }
    let count = unsafe sqlite3_column_bytes(handle, index)
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  private func bind(_ value: SQLiteValue, to index: Int32) -> Int32 {
    switch value {
    case .int(let int): unsafe sqlite3_bind_int64(handle, index, int)
    case .text(var text):
      text.withUTF8 { text in
        unsafe text.withMemoryRebound(to: CChar.self) { text in
          unsafe csqlite_bind_text(handle, index, text.baseAddress, Int32(clamping: text.count))
        }
      }
    case .blob(let bytes):
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe csqlite_bind_blob(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
      }
    case .other: unsafe sqlite3_bind_null(handle, index)
    }
  }
}

enum SQLiteValue: Equatable, Sendable {
  case int(Int64)
  case text(String)
  case blob([UInt8])
  /// Null or a floating-point number, which the journal's columns never contain.
  case other
}

extension SQLiteValue {
  var int: Int64? { if case .int(let int) = self { int } else { nil } }
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

extension JournalFault {
  /// Creates the fault of a call on a connection.
  fileprivate init(_ code: Int32, of connection: OpaquePointer?, at place: String) {
    let text = unsafe connection.flatMap { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let known = unsafe connection.map { unsafe sqlite3_system_errno($0) } ?? 0
    // SQLite loses the `errno` of a failed flush in a commit, or keeps an earlier one; its file has it.
    let ofFlush =
      code == csqlite_ioerr_fsync ? unsafe connection.map { unsafe Self.lastErrno(of: $0) } : nil
    unsafe self.init(
      code, systemCode: ofFlush.flatMap { $0 == 0 ? nil : $0 } ?? known, text: text, at: place)
  }

  /// Creates the fault of a result code of SQLite, an extended one if there is one.
  ///
  /// - Parameter systemCode: The system's `errno`; 0 without a system error.
  fileprivate init(
    _ code: Int32, systemCode: Int32, text: UnsafePointer<CChar>?, at place: String
  ) {
    let message = unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"
    switch code & 0xFF {
    case SQLITE_FULL: self = .noRoom(path: place)
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy(path: place)
    case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT:
      self = .damaged(path: place, .file(message))
    default:
      switch systemCode {
      // Everything was written, but flushing failed.
      case _ where code == csqlite_ioerr_fsync: self = .unflushed(path: place, code: systemCode)
      case ENOSPC, EDQUOT: self = .noRoom(path: place)
      case 0: self = .refused(path: place, message: message)
      default: self = .system(path: place, code: systemCode)
      }
    }
  }

  /// Returns the last `errno` of a connection's log, otherwise of its file.
  private static func lastErrno(of connection: OpaquePointer) -> Int32 {
    var code: Int32 = 0
    var log: UnsafeMutablePointer<sqlite3_file>?
    let pointer = unsafe sqlite3_file_control(
      connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
    if pointer == SQLITE_OK, let log = unsafe log, let methods = unsafe log.pointee.pMethods {
      _ = unsafe methods.pointee.xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code)
      if code != 0 { return code }
    }
    _ = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &code)
    return code
  }
}

extension SQLiteConnection {
  /// Rewrites SQLite's log with the bytes that are read from it.
  ///
  /// After a failed flush, Linux marks the pages as written: they are read as before, no later flush writes them to
  /// the disk, and a process that starts then would depend on them. Rewritten pages are flushed like new ones. The
  /// header comes first, since the frames depend on it.
  ///
  /// The bytes are the same, so durable data cannot be lost. It takes no space where a file system writes in place;
  /// elsewhere it fails on a full disk, since the data that is read there may not last.
  func rewriteLog() throws(JournalFault) {
    var log: UnsafeMutablePointer<sqlite3_file>?
    try checkFile(unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log))
    guard let log = unsafe log, let methods = unsafe log.pointee.pMethods else { return }
    var size: sqlite3_int64 = 0
    try checkFile(unsafe methods.pointee.xFileSize(log, &size))
    var start: sqlite3_int64 = 0
    while start < size {
      // SQLite's file system writes less than 128 KiB at a time.
      var bytes = [UInt8](repeating: 0, count: Int(min(size - start, start == 0 ? 32 : 1 << 16)))
      try checkFile(unsafe methods.pointee.xRead(log, &bytes, Int32(bytes.count), start))
      try checkFile(unsafe methods.pointee.xWrite(log, bytes, Int32(bytes.count), start))
      if start == 0 { try checkFile(unsafe methods.pointee.xSync(log, SQLITE_SYNC_NORMAL)) }
      start += sqlite3_int64(bytes.count)
    }
    if size > 0 { try checkFile(unsafe methods.pointee.xSync(log, SQLITE_SYNC_NORMAL)) }
  }

  private func checkFile(_ code: Int32) throws(JournalFault) {
    guard code != SQLITE_OK else { return }
    throw unsafe JournalFault(code, systemCode: errno, text: sqlite3_errstr(code), at: place)
  }
}
