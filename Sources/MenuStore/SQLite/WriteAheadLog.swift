import Glibc

/// SQLite's log beside a journal, inspected before SQLite reads it.
///
/// SQLite silently drops an incomplete write. The format is documented at
/// sqlite.org/fileformat2.html#walformat.
struct WriteAheadLog {
  /// The number of bytes at its end that belong to an incomplete write.
  private(set) var unfinished = 0
  private var sums: (UInt32, UInt32) = (0, 0)
  private var isBigEndian = false

  /// Inspects the bytes of a log; an empty log has none.
  init(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    unfinished = bytes.count
    guard bytes.count >= 32, [0x377F_0682, 0x377F_0683].contains(Self.word(bytes, 0)) else {
      return
    }
    isBigEndian = bytes[3] & 1 == 1
    add(bytes, from: 0, to: 24)
    let pageSize = Int(Self.word(bytes, 8))
    guard sums == (Self.word(bytes, 24), Self.word(bytes, 28)), 512...65_536 ~= pageSize
    else {
      return
    }
    unfinished = bytes.count - end(bytes, pageSize)
  }

  /// Returns the end of the last complete write; the end of the file if the rest is of an earlier use.
  private mutating func end(_ bytes: [UInt8], _ pageSize: Int) -> Int {
    var (frame, end) = (32, 32)
    while bytes.count - frame >= 24, bytes[frame + 8..<frame + 16] == bytes[16..<24] {
      let next = frame + 24 + pageSize
      guard next <= bytes.count else { return end }
      add(bytes, from: frame, to: frame + 8)
      add(bytes, from: frame + 24, to: next)
      guard sums == (Self.word(bytes, frame + 16), Self.word(bytes, frame + 20)) else {
        return end
      }
      // The last frame of a write holds the size of the file after it.
      if Self.word(bytes, frame + 4) > 0 { end = next }
      frame = next
    }
    // Frames after the last complete write are incomplete; others have the salts of an earlier use.
    return frame > end || 1..<24 ~= bytes.count - frame ? end : bytes.count
  }

  private mutating func add(_ bytes: [UInt8], from start: Int, to end: Int) {
    var place = start
    while place < end {
      sums.0 &+= word(bytes, place) &+ sums.1
      sums.1 &+= word(bytes, place + 4) &+ sums.0
      place += 8
    }
  }

  private func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    isBigEndian ? Self.word(bytes, start) : Self.word(bytes, start).byteSwapped
  }

  /// Returns the big-endian word at `start`. A log is many of them.
  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    let upper = UInt32(bytes[start]) << 8 | UInt32(bytes[start + 1])
    let lower = UInt32(bytes[start + 2]) << 8 | UInt32(bytes[start + 3])
    return upper << 16 | lower
  }
}

extension WriteAheadLog {
  /// Returns the notice about a journal's log for the operator; nil if it is complete.
  static func notice(of journal: String) throws(JournalFault) -> JournalNotice? {
    let path = journal + "-wal"
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system(path: path, code: errno)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw .system(path: path, code: errno) }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    let unfinished = WriteAheadLog(bytes).unfinished
    return unfinished > 0 ? .unfinishedWrite(path: path, bytes: Int64(unfinished)) : nil
  }
}
