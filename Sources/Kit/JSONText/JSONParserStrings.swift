// Strings: a run without escapes is copied at once, others byte by byte.

extension JSONParser {
  /// Reads the string whose opening quote is at the position.
  mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) -> String {
    position += 1
    let start = position
    try skipPlain(bytes)
    if peek(bytes) == UInt8(ascii: "\"") {
      defer { position += 1 }
      return try validated(bytes.extracting(start..<position), at: start, bytes)
    }
    return try escapedString(from: start, bytes)
  }

  /// Moves to the next quote, backslash or control character.
  @inline(__always)
  private mutating func skipPlain(_ bytes: Span<UInt8>) throws(JSONFault) {
    position = bytes.endOfPlainBytes(from: position)
    guard position < bytes.count else { throw fault(.unexpectedEnd, bytes) }
  }

  private mutating func escapedString(
    from start: Int, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> String {
    var text = try validated(bytes.extracting(start..<position), at: start, bytes)
    while let byte = peek(bytes) {
      if byte == UInt8(ascii: "\"") {
        position += 1
        return text
      }
      guard byte >= 0x20 else { throw fault(.controlCharacter(byte), bytes) }
      if byte == UInt8(ascii: "\\") {
        text.unicodeScalars.append(try escape(bytes))
      } else {
        let run = position
        try skipPlain(bytes)
        text += try validated(bytes.extracting(run..<position), at: run, bytes)
      }
    }
    throw fault(.unexpectedEnd, bytes)
  }

  private func validated(
    _ run: Span<UInt8>, at start: Int, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> String {
    do {
      return String(copying: try UTF8Span(validating: run))
    } catch {
      throw JSONFault(.invalidUTF8, at: start + error.byteOffsets.lowerBound, of: bytes)
    }
  }

  /// Reads the escape whose backslash is at the position.
  private mutating func escape(_ bytes: Span<UInt8>) throws(JSONFault) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let byte = peek(bytes) else { throw fault(.unexpectedEnd, bytes) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(from: start, bytes)
    default: throw JSONFault(.invalidEscape, at: start, of: bytes)
    }
  }

  /// Reads the digits after `\u`, and the second escape after a high surrogate.
  private mutating func unicodeEscape(
    from start: Int, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> Unicode.Scalar {
    let first = try hexadecimal(from: start, bytes)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let second = position
    guard first < 0xDC00, skip(UInt8(ascii: "\\"), bytes), skip(UInt8(ascii: "u"), bytes) else {
      guard position < bytes.count else { throw fault(.unexpectedEnd, bytes) }
      throw JSONFault(.loneSurrogate, at: start, of: bytes)
    }
    let low = try hexadecimal(from: second, bytes)
    guard 0xDC00...0xDFFF ~= low,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (low - 0xDC00))
    else { throw JSONFault(.loneSurrogate, at: start, of: bytes) }
    return scalar
  }

  private mutating func hexadecimal(
    from start: Int, _ bytes: Span<UInt8>
  ) throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(bytes) else { throw fault(.unexpectedEnd, bytes) }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw JSONFault(.invalidEscape, at: start, of: bytes)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}

// Strings of clients are compared and hashed as bytes: `==` and `hash(into:)` of `String` normalize, which
// merges different names and takes quadratic time on hostile ones.

extension String {
  /// True if both strings have the same UTF-8 bytes.
  ///
  /// `==` on `String` normalizes its operands, unlike JSON, which takes more than linear time on hostile input.
  public func hasSameBytes(as other: String) -> Bool {
    if isIdentical(to: other) { return true }
    // Most different strings differ in length, which is known without reading them.
    guard utf8.count == other.utf8.count else { return false }
    let left = utf8.span
    let right = other.utf8.span
    for position in left.indices where left[position] != right[position] { return false }
    return true
  }

  /// True if both are known to be the same string without reading their bytes: a small string, or the same
  /// storage. False means unknown.
  @inlinable @inline(__always)
  public func isIdentical(to other: String) -> Bool {
    // A string is two words, which hold small ones whole; equal words are the same string.
    let left = unsafe unsafeBitCast(self, to: (UInt, UInt).self)
    let right = unsafe unsafeBitCast(other, to: (UInt, UInt).self)
    return left.0 == right.0 && left.1 == right.1
  }

  /// Feeds the string's UTF-8 bytes and their number to `hasher`.
  package func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    // The pointer does not escape the closure, where the span keeps the bytes alive.
    unsafe utf8.span.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
  }
}

extension String? {
  /// True if both are nil, or both strings have the same UTF-8 bytes.
  package func hasSameBytes(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameBytes(as: other)
  }
}

extension Span<UInt8> {
  /// True if both have the same bytes.
  package func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let left = unsafe bytes
    let right = unsafe other.bytes
    var offset = 0
    while offset + 8 <= count {
      // Eight bytes are within both.
      let words = unsafe (
        left.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self),
        right.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      )
      guard words.0 == words.1 else { return false }
      offset += 8
    }
    while offset < count {
      guard self[offset] == other[offset] else { return false }
      offset += 1
    }
    return true
  }
}

extension String {
  /// True if the string's UTF-8 bytes order before those of another.
  func bytesPrecede(_ other: String) -> Bool {
    let left = utf8.span
    let right = other.utf8.span
    for position in 0..<min(left.count, right.count) where left[position] != right[position] {
      return left[position] < right[position]
    }
    return left.count < right.count
  }
}

extension Span<UInt8> {
  /// Returns the offset of the first quote, backslash or control character from `start` on, or the count: the
  /// end of the bytes that need no escape.
  ///
  /// Eight bytes are checked at once, by the arithmetic of "Bit Twiddling Hacks".
  @inline(__always)
  func endOfPlainBytes(from start: Int) -> Int {
    var offset = start
    while offset &+ 8 <= count {
      // Any eight bytes are a UInt64, and the condition above keeps them inside the span.
      let word = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self)
      let special = UInt64(littleEndian: word).specialBytes
      if special != 0 { return offset &+ special.trailingZeroBitCount / 8 }
      offset &+= 8
    }
    while offset < count {
      if self[offset].isSpecial { break }
      offset &+= 1
    }
    return offset
  }

  /// Copies the bytes to as much room, in pieces that may overlap; returns false if one of them needs an escape.
  @inline(__always)
  func copyPlain(to target: UnsafeMutableRawPointer) -> Bool {
    guard count >= 8 else { return unsafe copyFewPlain(to: target) }
    var special: UInt64 = 0
    var offset = 0
    while offset < count {
      let word = unsafe copy(UInt64.self, at: Swift.min(offset, count &- 8), to: target)
      special |= UInt64(littleEndian: word).specialBytes
      offset &+= 8
    }
    return special == 0
  }

  /// The same for fewer than eight bytes: in two pieces of four, which may overlap, or one by one.
  @inline(__always)
  private func copyFewPlain(to target: UnsafeMutableRawPointer) -> Bool {
    guard count < 4 else {
      let first = unsafe copy(UInt32.self, at: 0, to: target)
      let last = unsafe copy(UInt32.self, at: count &- 4, to: target)
      return (UInt64(first) << 32 | UInt64(last)).specialBytes == 0
    }
    var isPlain = true
    for offset in indices {
      if self[offset].isSpecial { isPlain = false }
      unsafe target.storeBytes(of: self[offset], toByteOffset: offset, as: UInt8.self)
    }
    return isPlain
  }

  /// Copies an integer from an offset to the same offset of the target, and returns it.
  ///
  /// All of its bytes must be inside both; any bytes are an integer.
  @inline(__always)
  private func copy<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, at place: Int, to target: UnsafeMutableRawPointer
  ) -> Word {
    let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: type)
    unsafe target.storeBytes(of: word, toByteOffset: place, as: type)
    return word
  }
}

extension UInt8 {
  /// True if a byte of a string needs an escape: a control character, a quote or a backslash.
  var isSpecial: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension UInt64 {
  /// A mask with the high bit of the first byte that is a quote, a backslash or a control character; zero
  /// without one.
  ///
  /// Bits of later bytes may be set without reason.
  fileprivate var specialBytes: UInt64 {
    let quotes = self ^ 0x2222_2222_2222_2222
    let backslashes = self ^ 0x5C5C_5C5C_5C5C_5C5C
    let ones: UInt64 = 0x0101_0101_0101_0101
    let control = (self &- 0x2020_2020_2020_2020) & ~self
    let quote = (quotes &- ones) & ~quotes
    let backslash = (backslashes &- ones) & ~backslashes
    return (control | quote | backslash) & 0x8080_8080_8080_8080
  }
}
