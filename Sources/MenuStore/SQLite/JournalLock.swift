import Glibc

/// The file beside a journal that excludes other processes, and that holds the last acknowledged record.
///
/// It is written after each commit but not flushed: after a system crash it can be slightly behind, but a
/// journal that ends before it has lost records.
final class JournalLock: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Takes the lock, which ends with the process at the latest.
  init(beside journal: String) throws(JournalFault) {
    path = journal + ".lock"
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, JournalFile.permissions)
    let code = errno
    guard descriptor >= 0 else {
      throw .system(path: code == ENOENT ? JournalFile.folder(of: path) : path, code: code)
    }
    JournalFile.hide(path)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let holder = Content(Self.text(of: descriptor))?.process
      // All members are set, so deinit closes the file.
      throw code == EWOULDBLOCK
        ? .locked(path: journal, holder: holder) : .system(path: path, code: code)
    }
    // The previous holder of the lock may have removed the file.
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      throw .locked(path: journal, holder: nil)
    }
    // From now on, other processes find the id of this one in the file.
    if case .last(let sequence) = mark { note(sequence) }
  }

  /// Releases the lock before it closes the file.
  ///
  /// A process being started by another thread has copies of all descriptors until it runs its program; closing the
  /// file alone would leave it the lock.
  deinit {
    flock(descriptor, LOCK_UN)
    Glibc.close(descriptor)
  }

  /// Removes the file if it holds nothing yet.
  func removeIfNew() { if mark == nil { unsafe unlink(path) } }

  /// The last record that the previous process acknowledged; nil if the file is new.
  var mark: Mark? {
    let text = Self.text(of: descriptor)
    if text.isEmpty { return nil }
    return Content(text).map { .last($0.sequence) } ?? .unreadable(path: path)
  }

  enum Mark: Equatable {
    case last(Int64)
    case unreadable(path: String)
  }

  /// Records that everything up to a record is acknowledged.
  ///
  /// A failure is ignored: the journal does not depend on it.
  func note(_ sequence: Int64) {
    let bytes = Content(process: getpid(), sequence: sequence).bytes
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// True if the file system has room for a number of bytes.
  func hasRoom(for bytes: Int) -> Bool {
    var status = statvfs()
    guard bytes > 0, unsafe fstatvfs(descriptor, &status) == 0 else { return true }
    return UInt64(status.f_bavail) >= UInt64(bytes) / max(1, UInt64(status.f_frsize))
  }

  /// The content of the file: one readable line.
  private struct Content {
    let process: Int32
    let sequence: Int64

    init(process: Int32, sequence: Int64) {
      self.process = process
      self.sequence = sequence
    }

    /// Parses the content; nil if it is malformed.
    init?(_ bytes: [UInt8]) {
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
      guard words.count > 3, let process = Int32(words[1]), let sequence = Int64(words[3])
      else { return nil }
      self.init(process: process, sequence: sequence)
      guard self.bytes == bytes else { return nil }
    }

    /// The line, always of the same length, so that a shorter number overwrites a longer one.
    var bytes: [UInt8] {
      let text = "process \(process) record \(sequence) "
      var checksum = Checksum()
      checksum.add(Array(text.utf8))
      let line = text + "checksum " + String(checksum.value, radix: 16)
      return Array((line + String(repeating: " ", count: 95 - line.utf8.count) + "\n").utf8)
    }
  }

  private static func text(of descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = unsafe pread(descriptor, &buffer, buffer.count, 0)
    return Array(buffer.prefix(max(0, count)))
  }
}
