/// A byte that needs an escape in a JSON string: `\n` and the like take two bytes, `\u001f` six.
struct EscapedByte {
  /// The character after the backslash; nil for the hexadecimal form.
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
  /// The size in a JSON string.
  var escapedSize: Int { escapedSize(after: endOfPlainBytes(from: 0)) }

  /// Returns the size in a JSON string; the first `plain` bytes need no escape.
  func escapedSize(after plain: Int) -> Int {
    (plain..<count).reduce(plain) { size, index in
      size + (self[index].isSpecial ? EscapedByte(self[index]).size : 1)
    }
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes an escape at `place`, which moves past it.
  func write(_ escape: EscapedByte, at place: inout Int) {
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
