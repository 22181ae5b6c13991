import JSONText
@_spi(_Unicode) import Swift

/// A text that somebody types to find a command, as it is compared (S1).
public struct CommandQuery: Sendable {
  /// The number of characters that are looked at.
  public static let maximumLength = 64

  /// The most commands that are wanted.
  public let limit: Int
  /// True if commands are found that cannot be performed now.
  public let includesDisabled: Bool
  /// The window that is as if it were key (R11); nil for the one that is.
  public let window: ResponderID?
  /// The words without case and accents.
  let words: [[UInt32]]

  /// A query.
  public init(
    _ text: String, limit: Int, includesDisabled: Bool = false, window: ResponderID? = nil
  ) {
    self.limit = limit
    self.window = window
    self.includesDisabled = includesDisabled
    let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }
    words = scalars.prefix(Self.maximumLength)
      .split { CharacterClass($0) == .white }
      .map { $0.map(SearchedCharacter.folded) }
  }

  /// The word without one character each that may be a mistake, if it is long enough (S3); the first character
  /// is none.
  func readings(of word: [UInt32]) -> [[UInt32]] {
    guard word.count >= 4 else { return [] }
    return word.indices.dropFirst().map { index in
      Array(word[..<index]) + Array(word[(index + 1)...])
    }
  }
}

/// A command that was found.
public struct FoundCommand: Sendable {
  /// The command as it is now.
  public let item: ValidatedItem
  /// The titles of the menus that it stands in, the outermost first; of the first place in the main menu.
  public let menus: [String]
  /// The score of the match; more is better.
  public let score: Int
  /// The number of words that match only with a mistake (S3).
  public let typos: Int
  /// The parts of the title that match, in units of UTF-16; none if other words of the command do (S8).
  public let ranges: [Range<Int>]
}
