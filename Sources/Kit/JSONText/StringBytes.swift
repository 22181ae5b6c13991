// A client's strings are compared and hashed as bytes: `==` and `hash(into:)` of `String`
// normalise, which merges names that differ and takes quadratic time on hostile ones.

extension String {
  /// True if both strings have the same UTF-8 bytes.
  ///
  /// `==` on `String` normalises its operands. JSON does not, and on hostile input normalising
  /// takes more than linear time.
  public func hasSameBytes(as other: String) -> Bool {
    if isIdentical(to: other) { return true }
    // Most strings that differ do so in length, which is known without looking at them.
    guard utf8.count == other.utf8.count else { return false }
    let left = utf8.span
    let right = other.utf8.span
    for position in left.indices where left[position] != right[position] { return false }
    return true
  }

  /// True if both are known to be the same string without looking at their bytes: the same short one, or
  /// one that is stored at the same place. A no says nothing.
  @inlinable @inline(__always)
  public func isIdentical(to other: String) -> Bool {
    // A string is two words, which hold short ones whole; equal words are the same string.
    let left = unsafe unsafeBitCast(self, to: (UInt, UInt).self)
    let right = unsafe unsafeBitCast(other, to: (UInt, UInt).self)
    return left.0 == right.0 && left.1 == right.1
  }

  /// Feeds the string's UTF-8 bytes and their number to `hasher`.
  package func hashBytes(into hasher: inout Hasher) {
    hasher.combine(utf8.count)
    // The pointer stays inside the closure, where the span keeps the bytes alive.
    unsafe utf8.span.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
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
  /// True if the string's UTF-8 bytes come before those of another.
  func bytesPrecede(_ other: String) -> Bool {
    let left = utf8.span
    let right = other.utf8.span
    for position in 0..<min(left.count, right.count) where left[position] != right[position] {
      return left[position] < right[position]
    }
    return left.count < right.count
  }
}
