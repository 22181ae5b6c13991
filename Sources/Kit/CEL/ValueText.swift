extension Value: CustomStringConvertible {
  /// The literal whose value this is, for messages and explanations; shortened when it is long.
  public var description: String { text(upTo: Self.shownLength) }

  /// The literal, shortened to not much more than so many bytes.
  func text(upTo length: Int) -> String {
    var writer = LiteralWriter(room: length)
    writer.write(self)
    return writer.text
  }

  /// The greatest length of a literal in a message.
  static let shownLength = 240
}

/// Writes values as literals, until the text is long enough for people.
private struct LiteralWriter {
  private(set) var text = ""
  private var room: Int
  private var depth = 0

  init(room: Int) { self.room = room }

  mutating func write(_ value: Value) {
    switch value {
    case .null: append("null")
    case .bool(let bool): append(bool ? "true" : "false")
    case .int(let int): append(String(int))
    case .uint(let uint): append("\(uint)u")
    case .double(let double): append(double.description)
    case .string(let string): writeQuoted(string.unicodeScalars)
    case .bytes(let bytes):
      append("b")
      writeQuoted(bytes.lazy.map { Unicode.Scalar($0) })
    case .list(let list): writeList(list)
    case .map(let map): writeMap(map)
    case .timestamp(let time): append("timestamp(\"\(time.text)\")")
    case .duration(let span): append("duration(\"\(span.text)\")")
    case .ip(let address): append("ip(\"\(address.text)\")")
    case .cidr(let network): append("cidr(\"\(network.text)\")")
    case .type(let type): append(type.rawValue)
    case .optional(nil): append("optional.none()")
    case .optional(let value?):
      writeParts(1, between: "optional.of(", and: ")") { writer, _ in writer.write(value) }
    }
  }

  private mutating func append(_ part: String) {
    text += part
    room -= part.utf8.count
  }

  private mutating func writeList(_ list: ListValue) {
    writeParts(list.count, between: "[", and: "]") { writer, position in
      if let element = list[position] { writer.write(element) }
    }
  }

  private mutating func writeMap(_ map: MapValue) {
    writeParts(map.count, between: "{", and: "}") { writer, position in
      let (key, value) = map.entry(at: position)
      writer.write(key)
      writer.append(": ")
      writer.write(value)
    }
  }

  private mutating func writeParts(
    _ count: Int, between open: String, and close: String,
    _ part: (inout LiteralWriter, Int) -> Void
  ) {
    append(open)
    depth += 1
    for position in 0..<count {
      if position > 0 { append(", ") }
      guard room > 0, depth < 16 else {
        append("…")
        break
      }
      part(&self, position)
    }
    depth -= 1
    append(close)
  }

  private mutating func writeQuoted(_ scalars: some Sequence<Unicode.Scalar>) {
    append("\"")
    for scalar in scalars {
      guard room > 0 else {
        append("…")
        break
      }
      if let escape = escape(scalar) {
        append(escape)
      } else {
        text.unicodeScalars.append(scalar)
        room -= UTF8.width(scalar)
      }
    }
    append("\"")
  }
}

/// The escape of the scalar within quotes, unless it stands for itself.
private func escape(_ scalar: Unicode.Scalar) -> String? {
  switch scalar {
  case "\"": "\\\""
  case "\\": "\\\\"
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
    "\\x" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
  default: nil
  }
}
