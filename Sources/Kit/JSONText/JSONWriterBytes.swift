// How strings and integers become bytes.

extension [UInt8] {
  /// Appends `string` in double quotes, escaping only what JSON requires, and then `suffix`.
  mutating func appendQuoted(_ string: String, then suffix: UInt8? = nil) {
    var string = string
    string.withUTF8 { source in
      // A native string lends its own bytes; the pointer does not leave the closure.
      unsafe appendQuoted(source, then: suffix)
    }
  }

  /// Appends `source` in quotes, what needs no escape in runs as long as they are.
  private mutating func appendQuoted(_ source: UnsafeBufferPointer<UInt8>, then suffix: UInt8?) {
    let bytes = unsafe source.span
    let (end, size) = bytes.plainAndEscapedSize
    append(addingCapacity: size + 3) { output in
      output.append(UInt8(ascii: "\""))
      // There is room for `size` bytes, and every one is written.
      unsafe output.withUnsafeMutableBufferPointer { target, filled in
        var (start, end) = (0, end)
        while true {
          let run = unsafe UnsafeBufferPointer(rebasing: source[start..<end])
          _ = unsafe target[filled...].update(fromContentsOf: run)
          filled += run.count
          if end == source.count { break }
          unsafe target.write(EscapedByte(source[end]), at: &filled)
          start = end + 1
          end = bytes.endOfPlainBytes(from: start)
        }
      }
      output.append(UInt8(ascii: "\""))
      if let suffix { output.append(suffix) }
    }
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
}

/// A byte that a JSON string has only in an escape: `\n` and the like take two bytes, `\u001f` six.
private struct EscapedByte {
  /// The character behind the backslash; nil for the hexadecimal form.
  let short: UInt8?
  let byte: UInt8

  init(_ byte: UInt8) {
    self.byte = byte
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): short = byte
    case 0x0A: short = UInt8(ascii: "n")
    case 0x0D: short = UInt8(ascii: "r")
    case 0x09: short = UInt8(ascii: "t")
    default: short = nil
    }
  }

  var size: Int { short == nil ? 6 : 2 }
}

extension Span<UInt8> {
  /// The bytes that they take in a JSON string.
  var escapedSize: Int { plainAndEscapedSize.escaped }

  /// The number of bytes before the first that needs an escape, and what all take in a JSON string.
  fileprivate var plainAndEscapedSize: (plain: Int, escaped: Int) {
    let end = endOfPlainBytes(from: 0)
    var size = end
    for index in end..<count {
      let byte = self[index]
      let isPlain = byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      size += isPlain ? 1 : EscapedByte(byte).size
    }
    return (end, size)
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes an escape at `place`, which moves behind it.
  fileprivate func write(_ escape: EscapedByte, at place: inout Int) {
    unsafe self[place] = UInt8(ascii: "\\")
    if let short = escape.short {
      unsafe self[place + 1] = short
    } else {
      let digit = escape.byte & 0xF
      unsafe self[place + 1] = UInt8(ascii: "u")
      unsafe self[place + 2] = UInt8(ascii: "0")
      unsafe self[place + 3] = UInt8(ascii: "0")
      unsafe self[place + 4] = UInt8(ascii: "0") + escape.byte >> 4
      let zero = digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10
      unsafe self[place + 5] = zero + digit
    }
    place += escape.size
  }
}
