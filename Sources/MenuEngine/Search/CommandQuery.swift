/// A typed query for commands, in normalized form (S1).
package struct CommandQuery: Sendable {
  /// The maximum number of characters considered.
  package static let maximumLength = 64

  /// The maximum number of results.
  package let limit: Int
  /// The number of results to skip.
  package let offset: Int
  /// True if disabled commands are found, too.
  package let includesDisabled: Bool
  /// The responder where the chain begins. The default is the first responder.
  package let from: ResponderID?
  /// The window to treat as key (R11). The default is the key window.
  package let window: ResponderID?
  /// The actor of the search (T4). The default has no token.
  package var actor = Principal.local
  /// The words without case and accents.
  let words: [[UInt32]]
  /// The words, separated by spaces.
  let text: [UInt32]

  package init(
    _ text: String, limit: Int, offset: Int = 0, includesDisabled: Bool = false,
    from: ResponderID? = nil, window: ResponderID? = nil
  ) {
    self.limit = limit
    self.offset = offset
    self.from = from
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

/// The result of a search.
package struct FoundCommands: Sendable {
  /// The number of all matching commands.
  package let total: Int
  /// The requested commands, best first.
  package let commands: [FoundCommand]
}

/// A command that matches a query.
public struct FoundCommand: Sendable {
  /// The validated command.
  public let item: ValidatedItem
  /// The titles of the menus around its first place in the main menu, outermost first.
  public let menus: [String]
  /// The score of the match; higher is better.
  package let score: Int
  /// The number of words that match with a typo only (S3).
  package let typos: Int
  /// The matching parts of the title, in UTF-16 units; none if the match is in other words of the command (S8).
  public let ranges: [Range<Int>]
}
