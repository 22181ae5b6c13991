/// A request target taken apart: path segments and query, decoded.
struct RequestTarget {
  /// The host that an absolute target names; nil for other targets.
  let authority: String?
  /// The path and the query as they came; nil if these are the whole target.
  let text: String?
  let segments: [String]
  let query: Query
  /// True if it is `*`, the server as a whole.
  let isAsterisk: Bool

  /// Decodes a target in origin form, absolute form, or with OPTIONS asterisk form (RFC 9112, 3.2).
  init(_ target: Span<UInt8>, of method: Method) throws(RequestRefusal) {
    guard !target.isEmpty, target.isPrintableASCII,
      target.firstIndex(of: UInt8(ascii: " "), from: 0) == target.count
    else { throw .malformedTarget }
    guard target[0] != UInt8(ascii: "/") else {
      try self.init(path: target, authority: nil)
      return
    }
    guard let start = target.endOfScheme else {
      guard method == .options, target.isEqual(to: "*") else { throw .malformedTarget }
      self.init(asteriskAt: nil)
      return
    }
    let end = min(
      target.firstIndex(of: UInt8(ascii: "/"), from: start),
      target.firstIndex(of: UInt8(ascii: "?"), from: start))
    let authority = target.extracting(start..<end)
    guard !authority.isEmpty, authority.allSatisfy(\.isInAuthority) else { throw .malformedTarget }
    // That is how the last proxy before the server is asked about the server (RFC 9112, 3.2.4).
    if end == target.count, method == .options {
      self.init(asteriskAt: String(copying: authority))
    } else {
      try self.init(
        path: target.extracting(end..<target.count), authority: String(copying: authority))
    }
  }

  private init(asteriskAt authority: String?) {
    self.authority = authority
    (text, segments, query, isAsterisk) = ("*", [], .empty, true)
  }

  private init(path: Span<UInt8>, authority: String?) throws(RequestRefusal) {
    let mark = path.firstIndex(of: UInt8(ascii: "?"), from: 0)
    segments = try Self.segments(path.extracting(min(1, mark)..<mark))
    query =
      mark == path.count ? .empty : try Query(decoding: path.extracting(mark + 1..<path.count))
    // An absolute target may leave out the slash of the root.
    text = authority == nil ? nil : (mark == 0 ? "/" : "") + String(copying: path)
    isAsterisk = false
    self.authority = authority
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

extension Span<UInt8> {
  /// The place behind `http://` or `https://`; nil if it begins with neither.
  fileprivate var endOfScheme: Int? {
    if hasPrefixIgnoringCase("http://".utf8.span) { return 7 }
    return hasPrefixIgnoringCase("https://".utf8.span) ? 8 : nil
  }
}

extension UInt8 {
  /// A character of a host with its port (RFC 3986, 3.2). User names are not accepted (RFC 9110, 4.2.4).
  fileprivate var isInAuthority: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~:[]%!$&'()*+,;=".utf8.contains(self)
    }
  }
}
