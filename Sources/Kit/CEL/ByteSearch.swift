/// Finds a sequence of bytes in others in time proportional to their lengths, by the failure
/// function of Knuth, Morris and Pratt.
///
/// In UTF-8 what begins with a whole code point is found at whole code points only.
struct ByteSearch {
  private let part: [UInt8]
  /// For each prefix of the part, the length of its longest proper prefix that is also its suffix.
  private let borders: [Int]

  init(_ part: Span<UInt8>) { self.init((0..<part.count).map { part[$0] }) }

  init(_ part: [UInt8]) {
    self.part = part
    var borders = Array(repeating: 0, count: part.count)
    var length = 0
    for position in part.indices.dropFirst() {
      while length > 0, part[position] != part[length] { length = borders[length - 1] }
      if part[position] == part[length] { length += 1 }
      borders[position] = length
    }
    self.borders = borders
  }

  /// The number of bytes that are searched for.
  var count: Int { part.count }

  /// The offset of the first occurrence at `start` or after it; nothing occurs everywhere.
  func first(in text: Span<UInt8>, from start: Int = 0) -> Int? {
    guard !part.isEmpty else { return start <= text.count ? start : nil }
    var matched = 0
    for position in start..<max(start, text.count) {
      while matched > 0, text[position] != part[matched] { matched = borders[matched - 1] }
      if text[position] == part[matched] { matched += 1 }
      if matched == part.count { return position + 1 - matched }
    }
    return nil
  }

  /// The offsets of all occurrences that do not overlap, at most `limit` of them.
  func all(in text: Span<UInt8>, limit: Int) -> [Int] {
    var found: [Int] = []
    var start = 0
    while found.count < limit, let next = first(in: text, from: start) {
      found.append(next)
      start = next + max(1, part.count)
    }
    return found
  }
}
