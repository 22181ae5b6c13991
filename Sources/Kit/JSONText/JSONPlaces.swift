/// The places of the values in a text: offset, line and column by pointer.
///
/// The text is walked once, for messages about places in it; parsing does not need it.
public struct JSONPlaces: Sendable {
  /// A place in a text.
  public struct Place: Equatable, Sendable {
    /// The offset in bytes.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int
  }

  /// The offset of a value, and of its name if it is a member.
  private struct Entry {
    let value: Int
    let name: Int?
  }

  private var entries: [JSONPointer: Entry] = [:]
  /// The offsets of line starts.
  private var lines: [Int] = [0]
  private let text: [UInt8]

  /// Finds the places in a text.
  ///
  /// - Throws: `JSONFault` if the text is not JSON.
  public init(of text: [UInt8], maximumDepth: Int = 128) throws(JSONFault) {
    _ = try JSON(parsing: text, maximumDepth: maximumDepth)
    self.text = text
    for (offset, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
      lines.append(offset + 1)
    }
    var walk = Walk(maximumDepth: maximumDepth)
    try walk.value(at: [], name: nil, text.span)
    entries = walk.entries
  }

  /// Returns the place of a value; for a missing one, that of the nearest value around it.
  public func value(at pointer: JSONPointer) -> Place {
    var tokens = pointer.tokens[...]
    while true {
      if let entry = entries[JSONPointer(Array(tokens))] { return place(at: entry.value) }
      guard !tokens.isEmpty else { return place(at: 0) }
      tokens.removeLast()
    }
  }

  /// Returns the place of a member's name; for other values, as `value(at:)`.
  public func name(at pointer: JSONPointer) -> Place {
    guard let name = entries[pointer]?.name else { return value(at: pointer) }
    return place(at: name)
  }

  /// True if there is a value at the pointer.
  public func contains(_ pointer: JSONPointer) -> Bool { entries[pointer] != nil }

  private func place(at offset: Int) -> Place {
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle] <= offset { low = middle } else { high = middle }
    }
    let column = text[lines[low]..<offset].count { $0 & 0xC0 != 0x80 } + 1
    return Place(offset: offset, line: low + 1, column: column)
  }
}

extension JSONPlaces {
  /// A walk over a valid JSON text.
  ///
  /// The bytes are an argument of every function because a span cannot be stored.
  private struct Walk {
    var entries: [JSONPointer: Entry] = [:]
    private var parser: JSONParser

    init(maximumDepth: Int) {
      parser = JSONParser(maximumDepth: maximumDepth)
    }

    mutating func value(
      at tokens: [String], name: Int?, _ bytes: Span<UInt8>
    ) throws(JSONFault) {
      parser.skipWhitespace(bytes)
      entries[JSONPointer(tokens)] = Entry(value: parser.position, name: name)
      switch parser.peek(bytes) {
      case UInt8(ascii: "{"): try object(at: tokens, bytes)
      case UInt8(ascii: "["): try array(at: tokens, bytes)
      case UInt8(ascii: "\""): _ = try parser.string(bytes)
      default: skipScalar(bytes)
      }
      parser.skipWhitespace(bytes)
    }

    private mutating func object(
      at tokens: [String], _ bytes: Span<UInt8>
    ) throws(JSONFault) {
      repeat {
        parser.position += 1
        parser.skipWhitespace(bytes)
        guard parser.peek(bytes) == UInt8(ascii: "\"") else { break }
        let start = parser.position
        let name = try parser.string(bytes)
        parser.skipWhitespace(bytes)
        parser.position += 1
        try value(at: tokens + [name], name: start, bytes)
      } while parser.peek(bytes) == UInt8(ascii: ",")
      parser.position += 1
    }

    private mutating func array(at tokens: [String], _ bytes: Span<UInt8>) throws(JSONFault) {
      var index = 0
      repeat {
        parser.position += 1
        parser.skipWhitespace(bytes)
        guard parser.peek(bytes) != UInt8(ascii: "]") else { break }
        try value(at: tokens + [index.description], name: nil, bytes)
        index += 1
      } while parser.peek(bytes) == UInt8(ascii: ",")
      parser.position += 1
    }

    /// Moves past a number, `true`, `false` or `null`.
    private mutating func skipScalar(_ bytes: Span<UInt8>) {
      while let byte = parser.peek(bytes), !",]} \t\r\n".utf8.contains(byte) {
        parser.position += 1
      }
    }
  }
}
