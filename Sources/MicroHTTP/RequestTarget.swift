/// A request target taken apart: path segments and query, decoded.
struct RequestTarget {
  let segments: [String]
  let query: Query

  /// Decodes an origin-form target (RFC 9112, 3.2.1).
  init(_ target: Span<UInt8>) throws(RequestRefusal) {
    guard !target.isEmpty, target[0] == UInt8(ascii: "/"), target.isPrintableASCII,
      target.firstIndex(of: UInt8(ascii: " "), from: 1) == target.count
    else { throw .malformedTarget }
    let mark = target.firstIndex(of: UInt8(ascii: "?"), from: 1)
    segments = try Self.segments(target.extracting(1..<mark))
    query =
      mark == target.count
      ? .empty : try Query(decoding: target.extracting(mark + 1..<target.count))
  }

  private static func segments(_ path: Span<UInt8>) throws(RequestRefusal) -> [String] {
    var segments: [String] = []
    segments.reserveCapacity(4)
    var start = path.isEmpty ? 1 : 0
    while start <= path.count {
      let end = path.firstIndex(of: UInt8(ascii: "/"), from: start)
      segments.append(try segment(path.extracting(start..<end)))
      start = end + 1
    }
    return segments
  }

  private static func segment(_ piece: Span<UInt8>) throws(RequestRefusal) -> String {
    guard piece.firstIndex(of: UInt8(ascii: "%"), from: 0) < piece.count else {
      return String(copying: piece)
    }
    let segment = try PercentDecoding.text(piece)
    guard !segment.utf8.contains(UInt8(ascii: "/")) else { throw .malformedEscape }
    return segment
  }
}
