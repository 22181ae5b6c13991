import Glibc

/// SQLite's log beside a journal, looked at before SQLite reads it.
///
/// SQLite leaves out what was not written to its end, and tells nobody. The format is documented at
/// sqlite.org/fileformat2.html#walformat.
struct WriteAheadLog {
  /// The number of bytes at its end that belong to an unfinished write.
  private(set) var unfinished = 0
  private var sums: (UInt32, UInt32) = (0, 0)
  private var isBigEndian = false

  /// Looks at the bytes of a log; none are those of a log without anything in it.
  init(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    unfinished = bytes.count
    guard bytes.count >= 32, [0x377F_0682, 0x377F_0683].contains(Self.word(bytes[...], 0)) else {
      return
    }
    isBigEndian = bytes[3] & 1 == 1
    add(bytes[..<24])
    let pageSize = Int(Self.word(bytes[...], 8))
    guard sums == (Self.word(bytes[...], 24), Self.word(bytes[...], 28)), 512...65_536 ~= pageSize
    else {
      return
    }
    unfinished = bytes.count - end(bytes, pageSize)
  }

  /// Returns the end of the last whole write; the end of the file if what comes behind it is of an earlier use.
  private mutating func end(_ bytes: [UInt8], _ pageSize: Int) -> Int {
    var (frame, end) = (32, 32)
    while bytes.count - frame >= 24, bytes[frame + 8..<frame + 16] == bytes[16..<24] {
      let next = frame + 24 + pageSize
      guard next <= bytes.count else { return end }
      add(bytes[frame..<frame + 8])
      add(bytes[frame + 24..<next])
      guard sums == (Self.word(bytes[...], frame + 16), Self.word(bytes[...], frame + 20)) else {
        return end
      }
      // The last frame of a write says how large the file is after it.
      if Self.word(bytes[...], frame + 4) > 0 { end = next }
      frame = next
    }
    // Frames behind the last whole write are unfinished; others have the marks of an earlier use.
    return frame > end || 1..<24 ~= bytes.count - frame ? end : bytes.count
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
      sums.0 &+= word(bytes, start) &+ sums.1
      sums.1 &+= word(bytes, start + 4) &+ sums.0
    }
  }

  private func word(_ bytes: ArraySlice<UInt8>, _ start: Int) -> UInt32 {
    isBigEndian ? Self.word(bytes, start) : Self.word(bytes, start).byteSwapped
  }

  /// The word whose highest byte is at `start`.
  private static func word(_ bytes: ArraySlice<UInt8>, _ start: Int) -> UInt32 {
    bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension WriteAheadLog {
  /// Returns the notice for the operator about the log of a journal; nil when it is whole.
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
