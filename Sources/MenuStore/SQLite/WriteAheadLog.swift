import Glibc

/// SQLite's log beside a journal, inspected before SQLite reads it.
///
/// SQLite silently drops an incomplete write. The format is documented at
/// sqlite.org/fileformat2.html#walformat.
struct WriteAheadLog {
  /// True if it has no bytes.
  let isEmpty: Bool
  /// The number of bytes at its end that belong to an incomplete write.
  private(set) var unfinished = 0
  /// True if complete writes follow a damaged one.
  private(set) var hasWritesBehindDamage = false
  private var sums: (UInt32, UInt32) = (0, 0)
  private var isBigEndian = false

  /// Inspects the bytes of a log; an empty log has none.
  init(_ bytes: [UInt8]) {
    isEmpty = bytes.isEmpty
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
    let (end, place) = wholeWrites(bytes, pageSize)
    unfinished = Self.endOfUse(bytes, from: place, pageSize) - end
    hasWritesBehindDamage = hasWrite(in: bytes, behindThatAt: place, pageSize)
  }

  /// Returns the end of the last complete write, and the offset of the first damaged frame.
  private mutating func wholeWrites(_ bytes: [UInt8], _ pageSize: Int) -> (end: Int, frame: Int) {
    var (frame, end) = (32, 32)
    while bytes.count - frame >= 24, Self.hasSalts(bytes, frame) {
      let next = frame + 24 + pageSize
      guard next <= bytes.count, isWritten(bytes, frame, to: next) else { break }
      // The last frame of a write holds the size of the file after the write.
      if Self.word(bytes, frame + 4) > 0 { end = next }
      frame = next
    }
    return (end, frame)
  }

  /// Returns the end of the frames from `place` on that have this use's salts; an earlier use had different ones.
  private static func endOfUse(_ bytes: [UInt8], from place: Int, _ pageSize: Int) -> Int {
    var frame = place
    while frame < bytes.count, bytes.count - frame < 24 || hasSalts(bytes, frame) {
      frame += 24 + pageSize
    }
    return min(frame, bytes.count)
  }

  /// Returns true if a complete write follows the write of a frame. The checksums of each frame continue those of the
  /// previous one.
  private func hasWrite(
    in bytes: [UInt8], behindThatAt place: Int, _ pageSize: Int
  ) -> Bool {
    let size = 24 + pageSize
    var isBehind = false
    for frame in stride(from: place, through: bytes.count - size, by: size)
    where Self.word(bytes, frame + 4) > 0 {
      if isBehind, Self.hasSalts(bytes, frame) {
        var log = self
        log.sums = Self.sums(bytes, frame - size)
        if log.isWritten(bytes, frame, to: frame + size) { return true }
      }
      isBehind = true
    }
    return false
  }

  /// Adds a frame, and returns true if its checksums continue those of the previous frames.
  private mutating func isWritten(_ bytes: [UInt8], _ frame: Int, to end: Int) -> Bool {
    add(bytes, from: frame, to: frame + 8)
    add(bytes, from: frame + 24, to: end)
    return sums == Self.sums(bytes, frame)
  }

  /// The checksums in a frame.
  private static func sums(_ bytes: [UInt8], _ frame: Int) -> (UInt32, UInt32) {
    (word(bytes, frame + 16), word(bytes, frame + 20))
  }

  private static func hasSalts(_ bytes: [UInt8], _ frame: Int) -> Bool {
    bytes[frame + 8..<frame + 16] == bytes[16..<24]
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
  /// Reads the log beside a journal; a missing one is empty.
  init(of journal: String) throws(JournalFault) {
    let path = journal + "-wal"
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw .system(path: path, code: errno) }
      self.init([])
      return
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
    self.init(bytes)
  }
}
