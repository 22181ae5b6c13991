import CSQLite
import Glibc

extension SQLiteConnection {
  /// Writes SQLite's log to the disk again, with the bytes that it is read with.
  ///
  /// When a flush fails, Linux takes the pages for written: they are read as before, no later flush brings them
  /// to the disk, and a process that starts then would build on them. Written again, they are flushed like new
  /// ones. The header comes first, since frames count by what it says.
  ///
  /// The bytes are the same, so nothing that is on the disk can be lost. It takes no room where a file system
  /// writes in place; elsewhere it fails on a full disk, since what is read there may not last.
  func rewriteLog() throws(SQLiteFault) {
    var log: UnsafeMutablePointer<sqlite3_file>?
    try check(unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log))
    guard let log = unsafe log, let methods = unsafe log.pointee.pMethods else { return }
    var size: sqlite3_int64 = 0
    try check(unsafe methods.pointee.xFileSize(log, &size))
    var start: sqlite3_int64 = 0
    while start < size {
      // SQLite's file system writes less than 128 KiB at a time.
      var bytes = [UInt8](repeating: 0, count: Int(min(size - start, start == 0 ? 32 : 1 << 16)))
      try check(unsafe methods.pointee.xRead(log, &bytes, Int32(bytes.count), start))
      try check(unsafe methods.pointee.xWrite(log, bytes, Int32(bytes.count), start))
      if start == 0 { try check(unsafe methods.pointee.xSync(log, SQLITE_SYNC_NORMAL)) }
      start += sqlite3_int64(bytes.count)
    }
    if size > 0 { try check(unsafe methods.pointee.xSync(log, SQLITE_SYNC_NORMAL)) }
  }

  private func check(_ code: Int32) throws(SQLiteFault) {
    if code != SQLITE_OK { throw SQLiteFault(code: code, systemCode: errno) }
  }
}
