// How strings and integers become bytes.

extension [UInt8] {
  /// Appends `string` in double quotes, escaping only what JSON requires, and then `suffix`.
  mutating func appendQuoted(_ string: String, then suffix: UInt8? = nil) {
    // A native string lends its own bytes; the pointer does not leave the closure.
    let isDone =
      unsafe string.utf8.withContiguousStorageIfAvailable { source in
        unsafe appendPlain(source, suffix)
      } ?? false
    if isDone { return }
    append(UInt8(ascii: "\""))
    for byte in string.utf8 { appendEscaped(byte) }
    append(UInt8(ascii: "\""))
    if let suffix { append(suffix) }
  }

  /// Appends `source` in quotes when nothing in it needs an escape, and answers whether it did.
  private mutating func appendPlain(
    _ source: UnsafeBufferPointer<UInt8>, _ suffix: UInt8?
  ) -> Bool {
    let count = source.count
    guard unsafe source.span.endOfPlainBytes(from: 0) == count else { return false }
    append(addingCapacity: count + 3) { output in
      output.append(UInt8(ascii: "\""))
      // There is room for `count` bytes, of which every one is written.
      unsafe output.withUnsafeMutableBufferPointer { target, filled in
        _ = unsafe target[filled...].update(fromContentsOf: source)
        filled += count
      }
      output.append(UInt8(ascii: "\""))
      if let suffix { output.append(suffix) }
    }
    return true
  }

  /// Appends `int` in decimal.
  mutating func appendDecimal(_ int: Int64) {
    append(addingCapacity: 20) { output in
      if int < 0 { output.append(UInt8(ascii: "-")) }
      var rest = int.magnitude
      var power: UInt64 = 1
      while rest / power >= 10 { power *= 10 }
      while power > 0 {
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / power))
        rest %= power
        power /= 10
      }
    }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(contentsOf: [UInt8(ascii: "\\"), byte])
    case 0x0A: append(contentsOf: "\\n".utf8)
    case 0x0D: append(contentsOf: "\\r".utf8)
    case 0x09: append(contentsOf: "\\t".utf8)
    case 0x00..<0x10: append(contentsOf: "\\u000\(String(byte, radix: 16))".utf8)
    case 0x10..<0x20: append(contentsOf: "\\u00\(String(byte, radix: 16))".utf8)
    default: append(byte)
    }
  }
}
