// Strings: a run without escapes is copied whole, any other byte by byte.

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

  /// Reads what follows `\u`, and the second escape when the first is a high surrogate.
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
