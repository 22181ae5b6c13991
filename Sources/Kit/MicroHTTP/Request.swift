/// One message of a client, whole and checked: nothing in it needs to be decoded again.
///
/// Its copies share what its head says, so that handing it on copies no field.
package struct Request: Sendable {
  private let head: Head
  /// The content; empty where there was none.
  package internal(set) var body: [UInt8]

  /// The request line and the header fields.
  private final class Head: Sendable {
    let method: Method
    let target: RequestTarget
    /// The target as it was sent; of an absolute one the path and the query.
    let text: String
    let headers: Headers
    let remoteAddress: String
    let connection: Connection?

    init(
      _ method: Method, _ target: String, headers: Headers, remoteAddress: String,
      over connection: Connection? = nil
    ) throws(RequestRefusal) {
      self.target = try RequestTarget(target.utf8.span, of: method)
      self.method = method
      text = self.target.text ?? target
      self.headers = headers
      self.remoteAddress = remoteAddress
      self.connection = connection
    }
  }

  /// Creates a request as the server would from such a message, for tests of higher layers.
  package init(
    _ method: Method, _ target: String, headers: Headers = Headers(), body: [UInt8] = [],
    remoteAddress: String = ""
  ) throws(RequestRefusal) {
    head = try Head(method, target, headers: headers, remoteAddress: remoteAddress)
    self.body = body
  }

  /// A request that came over a connection, without its content.
  init(
    _ method: Method, _ target: String, headers: Headers, over connection: Connection
  ) throws(RequestRefusal) {
    head = try Head(
      method, target, headers: headers, remoteAddress: connection.remoteAddress, over: connection)
    body = []
  }

  package var method: Method { head.method }

  /// The percent-decoded segments of the path: `/a%3A/b` is `["a:", "b"]`, `/` is none, and a
  /// slash at the end is an empty last segment.
  package var segments: [String] { head.target.segments }

  /// The names and values after `?`, decoded.
  package var query: Query { head.target.query }

  package var headers: Headers { head.headers }

  /// The client's numeric address without its port, for logs; empty when there is no client.
  package var remoteAddress: String { head.remoteAddress }

  /// The host that the target names, in place of `Host`, if it is absolute; nil for most.
  package var authority: String? { head.target.authority }

  /// True if it is about the server as a whole: `OPTIONS *`.
  package var isAboutServer: Bool { head.target.isAsterisk }

  /// The name by which it calls this server, with the port; nil if it does not say.
  package var host: String? { authority ?? headers["host"] }

  /// True if its client has ended its side of the connection, as one that is gone has.
  package var isAbandoned: Bool { head.connection?.hasHungUp ?? false }

  /// True if its head announces content.
  var hasContent: Bool {
    headers.has("transfer-encoding")
      || headers.satisfies("content-length") { length in !length.allSatisfy { $0 == 0x30 } } == true
  }

  /// The path and the query as sent, encoded.
  package var target: String { head.text }

  /// The path as sent, encoded, without the query; for logs and problem documents.
  package var path: String {
    let target = head.text
    return target.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(target[..<$0]) } ?? target
  }
}

/// A request target taken apart: path segments and query, decoded.
struct RequestTarget: Sendable {
  /// The host that an absolute target names; nil for other targets.
  let authority: String?
  /// The path and query as sent; nil if they are the whole target.
  let text: String?
  let segments: [String]
  let query: Query
  /// True for `*`, the server as a whole.
  let isAsterisk: Bool

  /// Decodes a target in origin form, absolute form, or with OPTIONS asterisk form (RFC 9112, 3.2).
  init(_ target: Span<UInt8>, of method: Method) throws(RequestRefusal) {
    guard !target.isEmpty, target.isPrintableASCII,
      target.firstIndex(of: UInt8(ascii: " "), from: 0) == target.count
    else { throw .malformed(.malformedTarget) }
    guard target[0] != UInt8(ascii: "/") else {
      try self.init(path: target, authority: nil)
      return
    }
    guard let start = target.endOfScheme else {
      guard method == .options, target.isEqual(to: "*") else { throw .malformed(.malformedTarget) }
      self.init(asteriskAt: nil)
      return
    }
    let end = min(
      target.firstIndex(of: UInt8(ascii: "/"), from: start),
      target.firstIndex(of: UInt8(ascii: "?"), from: start))
    let authority = target.extracting(start..<end)
    guard !authority.isEmpty, authority.allSatisfy(\.isInAuthority) else {
      throw .malformed(.malformedTarget)
    }
    // The last proxy before the server sends this form for OPTIONS of the whole server (RFC 9112, 3.2.4).
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
    // An absolute target may omit the slash of the root.
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
    guard !segment.utf8.contains(UInt8(ascii: "/")) else { throw .malformed(.malformedEscape) }
    return segment
  }
}

extension Span<UInt8> {
  /// The index after `http://` or `https://`; nil for neither.
  fileprivate var endOfScheme: Int? {
    if hasPrefixIgnoringCase("http://".utf8.span) { return 7 }
    return hasPrefixIgnoringCase("https://".utf8.span) ? 8 : nil
  }
}

extension UInt8 {
  /// True for a character of a host with port (RFC 3986, 3.2). User names are not accepted (RFC 9110, 4.2.4).
  fileprivate var isInAuthority: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~:[]%!$&'()*+,;=".utf8.contains(self)
    }
  }
}

/// The items of a query, in order.
///
/// A `+` is a space, as in forms; a literal `+` is `%2B`. A name without `=` has an empty value, and empty
/// pieces (`a&&b`) are ignored.
package struct Query: Sendable {
  package let items: [(name: String, value: String)]

  /// The value of the first item with the name; nil for none.
  package subscript(name: String) -> String? {
    items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// Returns the values of all items with the name, in order.
  package func values(of name: String) -> [String] {
    items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
  }
}

extension Query {
  static let empty = Query(items: [])

  init(decoding text: Span<UInt8>) throws(RequestRefusal) {
    var items: [(name: String, value: String)] = []
    var start = 0
    while start < text.count {
      let end = text.firstIndex(of: UInt8(ascii: "&"), from: start)
      if end > start { items.append(try Self.item(text.extracting(start..<end))) }
      start = end + 1
    }
    self.items = items
  }

  private static func item(
    _ piece: Span<UInt8>
  ) throws(RequestRefusal) -> (name: String, value: String) {
    let equals = piece.firstIndex(of: UInt8(ascii: "="), from: 0)
    let value = piece.extracting(min(equals + 1, piece.count)..<piece.count)
    return (
      try PercentDecoding.text(piece.extracting(0..<equals), spaces: true),
      try PercentDecoding.text(value, spaces: true)
    )
  }
}

/// Percent decoding.
enum PercentDecoding {
  /// Decodes the escapes and, with `spaces`, every `+` as a space.
  ///
  /// - Throws: `malformedEscape` for a `%` without two hexadecimal digits, for `%00`, and for invalid UTF-8.
  static func text(_ text: Span<UInt8>, spaces: Bool = false) throws(RequestRefusal) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "%"):
        bytes.append(try escaped(text, at: index + 1))
        index += 3
      case let byte:
        bytes.append(spaces && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw .malformed(.malformedEscape)
    }
    return decoded
  }

  private static func escaped(_ text: Span<UInt8>, at index: Int) throws(RequestRefusal) -> UInt8 {
    guard index + 1 < text.count, let high = text[index].hexadecimalValue,
      let low = text[index + 1].hexadecimalValue, high | low != 0
    else { throw .malformed(.malformedEscape) }
    return high << 4 | low
  }
}

extension String {
  /// The text with its percent escapes decoded (RFC 3986); nil if one is malformed.
  package var percentDecoded: String? { try? PercentDecoding.text(utf8.span) }
}

extension UInt8 {
  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension String {
  /// The text as a segment of a path or a value in a query (RFC 3986).
  package var percentEncoded: String {
    var text: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        text.append(byte)
      default:
        if "-._~:".utf8.contains(byte) { text.append(byte) } else { text += byte.percentEncoded }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var percentEncoded: [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(self >> 4)], digits[Int(self & 15)]]
  }
}
