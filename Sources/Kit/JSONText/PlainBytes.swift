extension Span<UInt8> {
  /// The offset of the first quote, backslash or control character from `start` on, or the
  /// number of bytes when there is none: what a JSON string can hold as it is.
  ///
  /// Eight bytes are looked at together, by the arithmetic of "Bit Twiddling Hacks".
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
      let byte = self[offset]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
      offset &+= 1
    }
    return offset
  }
}

extension UInt64 {
  /// The high bit of the first byte that is a quote, a backslash or a control character.
  ///
  /// No bit is set when there is none; bits of later bytes may be set without reason.
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
