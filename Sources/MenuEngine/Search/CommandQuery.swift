import JSONText

/// A text that somebody types to find a command, as it is compared (S1).
public struct CommandQuery: Sendable {
  /// The number of characters that are looked at.
  public static let maximumLength = 64

  /// The most commands that are wanted.
  public let limit: Int
  /// The number of commands that stand before those that are wanted.
  public let offset: Int
  /// True if commands are found that cannot be performed now.
  public let includesDisabled: Bool
  /// The window that is as if it were key (R11); nil for the one that is.
  public let window: ResponderID?
  /// The words without case and accents.
  let words: [[UInt32]]
  /// The words with a space between them.
  let text: [UInt32]

  /// A query.
  public init(
    _ text: String, limit: Int, offset: Int = 0, includesDisabled: Bool = false,
    window: ResponderID? = nil
  ) {
    self.limit = limit
    self.offset = offset
    self.window = window
    self.includesDisabled = includesDisabled
    var scalars: [UInt32] = []
    for scalar in text.unicodeScalars.prefix(Self.maximumLength) {
      SearchedCharacter.fold(scalar, behind: scalars.last) { scalars.append($0) }
    }
    words = scalars.split(separator: SearchedCharacter.space).map(Array.init)
    self.text = Array(words.joined(separator: [SearchedCharacter.space]))
  }
}

/// Commands that were found.
public struct FoundCommands: Sendable {
  /// The number of all commands that the query finds.
  public let total: Int
  /// Those that it wants, the best first.
  public let commands: [FoundCommand]
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
