/// A command id, or a pattern with `*` for any number of characters, which limits a token to commands (T1).
package struct CommandPattern: Hashable, Sendable {
  /// The text: `photo.*`.
  package let text: String

  /// Parses a pattern; nil if the text is not a command id in which `*` replaces some characters.
  package init?(_ text: String) {
    let isKnown =
      CommandID(String(decoding: text.utf8.filter { $0 != Self.any }, as: UTF8.self)) != nil
    let isAny = !text.utf8.isEmpty && text.utf8.allSatisfy { $0 == Self.any }
    guard isKnown || isAny, text.utf8.count <= 128 else { return nil }
    self.text = text
  }

  private static let any = UInt8(ascii: "*")

  /// True if it matches a command.
  package func matches(_ id: CommandID) -> Bool { matches(id.rawValue) }

  /// Returns true if it matches every command that the other pattern matches.
  ///
  /// The `*` of the other pattern is treated as a character that only a `*` matches. This is exact, because ids may
  /// have any other character there.
  func covers(_ other: CommandPattern) -> Bool { matches(other.text) }

  private func matches(_ text: String) -> Bool {
    let (pattern, text) = (Array(self.text.utf8), Array(text.utf8))
    var (place, index) = (0, 0)
    // The last `*`, and the place in the text up to which it reaches.
    var star: (place: Int, index: Int)?
    while index < text.count {
      if place < pattern.count, pattern[place] == Self.any {
        star = (place, index)
        place += 1
      } else if place < pattern.count, pattern[place] == text[index] {
        (place, index) = (place + 1, index + 1)
      } else if let last = star {
        (place, index) = (last.place + 1, last.index + 1)
        star = (last.place, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == Self.any }
  }
}

extension CommandPattern: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let pattern = CommandPattern(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no pattern of commands"))
    }
    self = pattern
  }

  package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
