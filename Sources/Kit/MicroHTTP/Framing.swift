/// Checks the framing of a message by its head, before anything else of it is used.
///
/// libmicrohttpd takes many messages that another server in the path would read differently, which is how
/// requests are smuggled. Each of them is refused here, and its connection closed, before its content is looked
/// at.
///
/// `RequestHead` finds what the library hides, but for three things with version 0.9.75, which leave no trace
/// in its memory: a zero in the place of the CR that ends a line, a colon in the place of the CR that ends the
/// head, and a line that begins with a zero before a request. Chunks may have a bare line feed, or a CR in an
/// extension; a chunked request is the last one on its connection. A server that strangers can reach belongs
/// behind a proxy that refuses these. A head that the library cannot read it refuses itself, in HTML, and
/// closes.
struct Framing {
  let method: Method
  let length: Length

  /// The way in which the end of the content is determined.
  enum Length: Equatable {
    /// Without content.
    case absent
    case counted(Int)
    case chunked
  }

  /// Checks a head; the target is checked where it is decoded.
  init(method: Span<UInt8>, version: Span<UInt8>, headers: Headers) throws(RequestRefusal) {
    let isOneDotZero = version.isEqual(to: "HTTP/1.0")
    guard isOneDotZero || version.isEqual(to: "HTTP/1.1") else { throw .unsupportedVersion }
    guard let method = Method(name: method) else { throw .unsupportedMethod }
    var fields = FramingFields()
    try headers.visit { (name, value) throws(RequestRefusal) in
      try fields.note(name, value)
      return true
    }
    length = try fields.length(isOneDotZero: isOneDotZero)
    try Self.check(method.content, length)
    self.method = method
  }

  private static func check(_ content: Method.Content, _ length: Length) throws(RequestRefusal) {
    switch (content, length) {
    case (.required, .absent): throw .lengthRequired
    case (.required, .counted), (.required, .chunked): break
    case (.refused, .absent), (.refused, .counted(0)), (.allowed, _): break
    case (.refused, .counted), (.refused, .chunked): throw .malformed(.unexpectedContent)
    }
  }
}

/// The fields of a head that determine framing and origin, collected one by one.
private struct FramingFields {
  private var hosts = 0
  private var origins = 0
  private var lengths = 0
  private var encodings = 0
  private var count = 0

  /// Checks the syntax of a field and records it if it matters.
  mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(RequestRefusal) {
    guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else {
      throw .malformed(.malformedHeaderName)
    }
    guard value.isPrintableASCII || value.allSatisfy(\.isFieldCharacter) else {
      throw .malformed(.malformedHeaderValue)
    }
    switch name[0].lowercasedASCII {
    case UInt8(ascii: "h") where name.isEqualIgnoringCase(to: "host".utf8.span): hosts += 1
    case UInt8(ascii: "o") where name.isEqualIgnoringCase(to: "origin".utf8.span): origins += 1
    case UInt8(ascii: "c") where name.hasPrefixIgnoringCase("content-length".utf8.span):
      try noteLength(name, value)
    case UInt8(ascii: "t") where name.hasPrefixIgnoringCase("transfer-encoding".utf8.span):
      try noteEncoding(name, value)
    case UInt8(ascii: "e") where name.isEqualIgnoringCase(to: "expect".utf8.span):
      // The library sends no 100 if blanks follow; clients wait for it only briefly.
      let expectation = value.extracting(value.contentRange)
      guard expectation.isEqualIgnoringCase(to: "100-continue".utf8.span) else {
        throw .unsupportedExpectation
      }
    default: break
    }
  }

  private mutating func noteLength(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(RequestRefusal)
  {
    guard name.count == 14 else { throw .malformed(.malformedHeaderName) }
    lengths += 1
    count = 0
    for index in value.indices {
      let digit = Int(value[index]) - 0x30
      guard (0...9).contains(digit), value.count < 19 else { throw .malformed(.malformedLength) }
      count = count * 10 + digit
    }
    guard !value.isEmpty else { throw .malformed(.malformedLength) }
  }

  private mutating func noteEncoding(_ name: Span<UInt8>, _ value: Span<UInt8>)
    throws(RequestRefusal)
  {
    guard name.count == 17 else { throw .malformed(.malformedHeaderName) }
    encodings += 1
    guard value.isEqualIgnoringCase(to: "chunked".utf8.span) else {
      throw .unsupportedTransferEncoding
    }
  }

  /// Returns the length that the fields agree on.
  func length(isOneDotZero: Bool) throws(RequestRefusal) -> Framing.Length {
    guard hosts < 2 else { throw .malformed(.repeatedHost) }
    guard origins < 2 else { throw .malformed(.repeatedOrigin) }
    guard hosts == 1 || isOneDotZero else { throw .malformed(.missingHost) }
    guard lengths + encodings < 2 else { throw .malformed(.ambiguousLength) }
    guard encodings == 0 || !isOneDotZero else { throw .malformed(.unexpectedTransferEncoding) }
    return encodings == 1 ? .chunked : lengths == 1 ? .counted(count) : .absent
  }
}

extension UInt8 {
  /// True for a character of an RFC 9110 token: letters, digits and fifteen marks.
  fileprivate var isTokenCharacter: Bool {
    self < 128 && (self < 64 ? Self.lowTokens >> self : Self.highTokens >> (self - 64)) & 1 == 1
  }

  /// Bits 0x21, 0x23–0x27, 0x2A, 0x2B, 0x2D, 0x2E and the digits.
  private static var lowTokens: UInt64 { 0x03FF_6CFA_0000_0000 }
  /// Bits of the letters, `^`, `_`, `` ` ``, `|` and `~`.
  private static var highTokens: UInt64 { 0x57FF_FFFF_C7FF_FFFE }

  /// True for a character of a field value: anything but control characters other than tab.
  fileprivate var isFieldCharacter: Bool {
    self >= 0x20 && self != 0x7F || self == 0x09
  }
}
