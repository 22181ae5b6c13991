import Glibc

extension Span<UInt8> {
  /// Returns the four bytes from an index as a little-endian length.
  func length(at index: Int) -> Int {
    Int(self[index]) | Int(self[index + 1]) << 8 | Int(self[index + 2]) << 16
      | Int(self[index + 3]) << 24
  }

  /// Returns the first index of the byte from `start` on; `count` for none.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int {
    var index = start
    while index < count, self[index] != byte { index += 1 }
    return index
  }

  /// Returns true if the bytes equal the text.
  func isEqual(to text: StaticString) -> Bool {
    let text = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard count == text.count else { return false }
    for index in indices {
      guard unsafe self[index] == text[index] else { return false }
    }
    return true
  }

  /// One of 64 bits, equal for names that differ only in case.
  var nameBit: UInt64 {
    guard count > 0 else { return 1 }
    return 1 << ((UInt64(self[0] | 0x20) &* 5 &+ UInt64(count)) & 63)
  }

  /// Returns true if the bytes equal the ASCII text, ignoring case.
  package func isEqualIgnoringCase(to text: Span<UInt8>) -> Bool {
    count == text.count && hasPrefixIgnoringCase(text)
  }

  /// Returns true if the bytes begin with the ASCII text, ignoring case.
  func hasPrefixIgnoringCase(_ text: Span<UInt8>) -> Bool {
    guard count >= text.count else { return false }
    for index in text.indices {
      guard self[index].lowercasedASCII == text[index].lowercasedASCII else { return false }
    }
    return true
  }

  /// True if every byte is printable ASCII, space included.
  ///
  /// It checks eight bytes at once, since it runs for every header of every request.
  var isPrintableASCII: Bool {
    var index = 0
    while index + 8 <= count {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard word.hasPrintableBytes else { return false }
      index += 8
    }
    while index < count {
      guard self[index] >= 0x20, self[index] < 0x7F else { return false }
      index += 1
    }
    return true
  }

  /// The range without surrounding spaces and tabs.
  package var contentRange: Range<Int> {
    var (start, end) = (0, count)
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return start..<end
  }

  package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
    for index in indices where !predicate(self[index]) { return false }
    return true
  }
}

extension UInt64 {
  /// True if each of the eight bytes is in 0x20...0x7E.
  ///
  /// With no byte above 0x7F, adding 1 sets the top bit for 0x7F only, and adding 0x60 sets it for all from
  /// 0x20 on; neither carries into the next byte.
  fileprivate var hasPrintableBytes: Bool {
    let top: UInt64 = 0x8080_8080_8080_8080
    guard self & top == 0 else { return false }
    let deletes = (self + 0x0101_0101_0101_0101) & top
    let graphic = (self + 0x6060_6060_6060_6060) & top
    return deletes == 0 && graphic == top
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// The byte, with an ASCII letter in lower case.
  var lowercasedASCII: UInt8 {
    (0x41...0x5A).contains(self) ? self | 0x20 : self
  }
}

extension String {
  /// Decodes UTF-8; invalid bytes become U+FFFD.
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

extension String {
  /// Formats a numeric address without port; empty for none.
  init(address: UnsafePointer<sockaddr>?) {
    guard let address = unsafe address else {
      self = ""
      return
    }
    let family = unsafe UnsafeRawPointer(address).load(as: sa_family_t.self)
    let isIPv4 = family == AF_INET
    let length = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    self = unsafe String(unsafeUninitializedCapacity: Int(NI_MAXHOST)) { text in
      unsafe text.withMemoryRebound(to: CChar.self) { text in
        let failure = unsafe getnameinfo(
          address, socklen_t(length), text.baseAddress, socklen_t(text.count), nil, 0,
          NI_NUMERICHOST)
        return failure == 0 ? unsafe text.firstIndex(of: 0) ?? 0 : 0
      }
    }
  }
}
