extension JSON {
  /// The treatment of an integer beyond 64 bits.
  public enum LargeIntegers: Sendable {
    /// It becomes the nearest double.
    case rounded
    /// As `rounded` if the integer is the double exactly or its shortest decimal, so that nothing is lost; else
    /// the text is refused with `integerOutOfRange`.
    case exact
  }

  /// Parses a UTF-8 text of exactly one JSON value, strictly by RFC 8259.
  ///
  /// A number without fraction and exponent that fits 64 signed bits is an `int` (`-0` is the int 0), every
  /// other number the nearest `double`. A byte order mark, a number beyond the range of doubles, a lone
  /// surrogate and invalid UTF-8 are refused, and a second member of one name in an object, which RFC 8259 (4)
  /// discourages.
  ///
  /// The parser does not recurse: `maximumDepth` arrays and objects may be open at once, whatever the size of
  /// the stack. The default is 128.
  public init(
    parsing bytes: [UInt8], maximumDepth: Int = 128, integers: LargeIntegers = .rounded
  ) throws(JSONFault) {
    try self.init(parsing: bytes.span, maximumDepth: maximumDepth, integers: integers)
  }

  /// Parses a string.
  public init(
    parsing text: String, maximumDepth: Int = 128, integers: LargeIntegers = .rounded
  ) throws(JSONFault) {
    try self.init(parsing: text.utf8.span, maximumDepth: maximumDepth, integers: integers)
  }

  /// Parses borrowed bytes.
  public init(
    parsing bytes: Span<UInt8>, maximumDepth: Int = 128, integers: LargeIntegers = .rounded
  ) throws(JSONFault) {
    var parser = JSONParser(maximumDepth: maximumDepth, integers: integers)
    self = try parser.document(bytes)
  }
}

/// The state of parsing one text: the position and the open containers.
///
/// The bytes are an argument of every function because a span cannot be stored.
struct JSONParser {
  let maximumDepth: Int
  let integers: JSON.LargeIntegers
  var position = 0
  private var innermost = JSONContainer(kind: .document)
  private var outer: [JSONContainer] = []

  init(maximumDepth: Int, integers: JSON.LargeIntegers = .rounded) {
    self.maximumDepth = maximumDepth
    self.integers = integers
  }

  mutating func document(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw JSONFault(.byteOrderMark, at: 0, of: bytes)
    }
    while true {
      guard var value = try valueOrOpening(bytes) else { continue }
      while let container = try close(with: value, bytes) { value = container }
      if innermost.kind == .document {
        skipWhitespace(bytes)
        guard position == bytes.count else { throw fault(.trailingText, bytes) }
        return value
      }
    }
  }

  /// Reads a scalar or an empty container, or opens a container and returns nil.
  private mutating func valueOrOpening(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON? {
    skipWhitespace(bytes)
    guard let byte = peek(bytes) else { throw fault(.unexpectedEnd, bytes) }
    switch byte {
    case UInt8(ascii: "\""): return .string(try string(bytes))
    case UInt8(ascii: "["): return try openArray(bytes)
    case UInt8(ascii: "{"): return try openObject(bytes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
    case UInt8(ascii: "t"): return try literal("true", for: .bool(true), bytes)
    case UInt8(ascii: "f"): return try literal("false", for: .bool(false), bytes)
    case UInt8(ascii: "n"): return try literal("null", for: .null, bytes)
    default: throw fault(.expectedValue, bytes)
    }
  }

  private mutating func openArray(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON? {
    try checkDepth(bytes)
    position += 1
    skipWhitespace(bytes)
    if skip(UInt8(ascii: "]"), bytes) { return .array([]) }
    outer.append(exchange(&innermost, with: JSONContainer(kind: .array)))
    return nil
  }

  private mutating func openObject(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON? {
    try checkDepth(bytes)
    position += 1
    skipWhitespace(bytes)
    if skip(UInt8(ascii: "}"), bytes) { return .object(JSONObject()) }
    outer.append(exchange(&innermost, with: JSONContainer(kind: .object)))
    try name(bytes)
    return nil
  }

  private func checkDepth(_ bytes: Span<UInt8>) throws(JSONFault) {
    guard outer.count < maximumDepth else { throw fault(.tooDeep(maximumDepth), bytes) }
  }

  /// Adds `value` to the innermost open container, and returns the container if it ends here.
  private mutating func close(
    with value: consuming JSON, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> JSON? {
    switch innermost.kind {
    case .document: nil
    case .array: try closeArray(value, bytes)
    case .object: try closeObject(value, bytes)
    }
  }

  private mutating func closeArray(
    _ value: consuming JSON, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> JSON? {
    innermost.elements.append(value)
    skipWhitespace(bytes)
    if skip(UInt8(ascii: ","), bytes) { return nil }
    guard skip(UInt8(ascii: "]"), bytes) else { throw fault(.expectedCommaOrBracket, bytes) }
    return .array(exchange(&innermost, with: outer.removeLast()).elements)
  }

  private mutating func closeObject(
    _ value: consuming JSON, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> JSON? {
    let offset = innermost.nameOffset
    if let name = innermost.addMember(value) {
      throw JSONFault(.duplicateName(name), at: offset, of: bytes)
    }
    skipWhitespace(bytes)
    if skip(UInt8(ascii: ","), bytes) {
      try name(bytes)
      return nil
    }
    guard skip(UInt8(ascii: "}"), bytes) else { throw fault(.expectedCommaOrBrace, bytes) }
    return .object(exchange(&innermost, with: outer.removeLast()).object)
  }

  /// Reads a member's name and its colon into the innermost container, an object.
  private mutating func name(_ bytes: Span<UInt8>) throws(JSONFault) {
    skipWhitespace(bytes)
    innermost.nameOffset = position
    guard peek(bytes) == UInt8(ascii: "\"") else { throw fault(.expectedName, bytes) }
    innermost.name = try string(bytes)
    skipWhitespace(bytes)
    guard skip(UInt8(ascii: ":"), bytes) else { throw fault(.expectedColon, bytes) }
  }

  private mutating func literal(
    _ text: StaticString, for value: JSON, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> JSON {
    for byte in "\(text)".utf8 {
      guard peek(bytes) == byte else { throw fault(.expectedValue, bytes) }
      position += 1
    }
    return value
  }
}

// Single bytes.

extension JSONParser {
  /// Returns the byte at the position; nil at the end.
  @inline(__always)
  func peek(_ bytes: Span<UInt8>) -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  /// Consumes `byte` if it is next.
  @inline(__always)
  mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  mutating func skipWhitespace(_ bytes: Span<UInt8>) {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else {
        return
      }
      position += 1
    }
  }

  /// Returns a fault at the position; `unexpectedEnd` at the end.
  func fault(_ reason: JSONFault.Reason, _ bytes: Span<UInt8>) -> JSONFault {
    JSONFault(position < bytes.count ? reason : .unexpectedEnd, at: position, of: bytes)
  }
}

// Numbers: integers exactly, others as the nearest double.

extension JSONParser {
  /// Reads the number whose sign or first digit is at the position.
  mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) -> JSON {
    let start = position
    let isNegative = skip(UInt8(ascii: "-"), bytes)
    var decimal = Decimal()
    try integerPart(&decimal, bytes)
    let digits = position
    try fraction(&decimal, bytes)
    try exponent(&decimal, bytes)
    if position == digits, let int = decimal.int(isNegative: isNegative) { return .int(int) }
    let isInteger = position == digits
    if let double = decimal.exactDouble(isNegative: isNegative) { return .double(double) }
    let double = try nearestDouble(from: start, bytes)
    if isInteger, integers == .exact, !isWritten(double, from: start, bytes) {
      throw JSONFault(.integerOutOfRange, at: start, of: bytes)
    }
    return .double(double)
  }

  /// True if the integer that begins at `start` is the double, exactly or as its shortest decimal.
  private func isWritten(_ double: Double, from start: Int, _ bytes: Span<UInt8>) -> Bool {
    guard let text = try? UTF8Span(validating: bytes.extracting(start..<position)) else {
      return false
    }
    let digits = String(copying: text).drop { $0 == "-" }
    if let integer = UInt128(digits), Double(exactly: integer) != nil { return true }
    // The digits of the shortest decimal, then zeros.
    let shortest = double.magnitude.description.prefix { $0 != "e" }.filter { $0 != "." }
    let kept = shortest.reversed().drop { $0 == "0" }.count
    return digits.utf8.starts(with: shortest.utf8.prefix(kept))
      && digits.utf8.dropFirst(kept).allSatisfy { $0 == UInt8(ascii: "0") }
  }

  private mutating func integerPart(
    _ decimal: inout Decimal, _ bytes: Span<UInt8>
  ) throws(JSONFault) {
    let first = position
    try digits(bytes) { decimal.append($0) }
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
      throw JSONFault(.leadingZero, at: first, of: bytes)
    }
  }

  private mutating func fraction(
    _ decimal: inout Decimal, _ bytes: Span<UInt8>
  ) throws(JSONFault) {
    guard skip(UInt8(ascii: "."), bytes) else { return }
    let first = position
    try digits(bytes) { decimal.append($0) }
    decimal.exponent -= position - first
  }

  private mutating func exponent(
    _ decimal: inout Decimal, _ bytes: Span<UInt8>
  ) throws(JSONFault) {
    guard skip(UInt8(ascii: "e"), bytes) || skip(UInt8(ascii: "E"), bytes) else { return }
    let isNegative = skip(UInt8(ascii: "-"), bytes)
    if !isNegative { _ = skip(UInt8(ascii: "+"), bytes) }
    var exponent = 0
    // Saturates: such a large exponent is never exact, and the slow path reads the text itself.
    try digits(bytes) { exponent = min(exponent * 10 + Int($0), 100_000) }
    decimal.exponent += isNegative ? -exponent : exponent
  }

  /// Reads one or more digits.
  @inline(__always)
  private mutating func digits(
    _ bytes: Span<UInt8>, _ take: (UInt64) -> Void
  ) throws(JSONFault) {
    let first = position
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      take(UInt64(digit))
      position += 1
    }
    guard position > first else { throw fault(.expectedDigit, bytes) }
  }

  private func nearestDouble(from start: Int, _ bytes: Span<UInt8>) throws(JSONFault) -> Double {
    // A number's bytes are ASCII; otherwise the fault would still be correct.
    guard let text = try? UTF8Span(validating: bytes.extracting(start..<position)),
      let double = Double(String(copying: text)), double.isFinite
    else { throw JSONFault(.numberOutOfRange, at: start, of: bytes) }
    return double
  }
}

/// A number's digits as an integer, as far as they fit, and its power of ten.
private struct Decimal {
  private var magnitude: UInt64 = 0
  private var overflows = false
  var exponent = 0

  @inline(__always)
  mutating func append(_ digit: UInt64) {
    let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
    let (sum, isTooLargeToo) = product.addingReportingOverflow(digit)
    magnitude = sum
    overflows = overflows || isTooLarge || isTooLargeToo
  }

  func int(isNegative: Bool) -> Int64? {
    guard !overflows else { return nil }
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude == 1 << 63 ? .min : Int64(exactly: magnitude).map { -$0 }
  }

  /// Returns the double if magnitude and power of ten are exact, so that there is only one rounding (Clinger's
  /// fast path).
  func exactDouble(isNegative: Bool) -> Double? {
    guard !overflows, magnitude <= 1 << 53, -22...22 ~= exponent else { return nil }
    let power = powersOfTen[abs(exponent)]
    let double = exponent < 0 ? Double(magnitude) / power : Double(magnitude) * power
    return isNegative ? -double : double
  }
}

/// The powers of ten that a double holds exactly.
private let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
  1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]
