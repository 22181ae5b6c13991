import JSONText
@_spi(_Unicode) import Swift

/// A word of a query.
struct SearchedWord {
  /// Its normalized characters.
  let scalars: [UInt32]
  /// The set of its scalars (`SearchedCharacter.bit`).
  let bits: UInt64

  init(_ scalars: [UInt32]) {
    self.scalars = scalars
    bits = scalars.reduce(0) { $0 | SearchedCharacter.bit(of: $1) }
  }

  /// Returns the words of a query, longest first, because fewest titles contain these.
  static func words(of query: CommandQuery) -> [SearchedWord] {
    query.words.sorted { $0.count > $1.count }.map { SearchedWord($0) }
  }

  /// True if a text with these scalars may contain all characters of the word.
  func isWithin(_ scalars: UInt64) -> Bool { bits & ~scalars == 0 }

  /// False if neither the titles nor the other words of a command can contain it.
  func mayBeFound(
    in title: SearchedTitle.Letters, orAmong others: CommandWords.Place
  ) -> Bool {
    isWithin(title.scalars)
      || isWithin(others.scalars) && SearchedCharacter.bit(of: scalars[0]) & others.starts != 0
      || mayBeMistyped(in: title)
  }
}

// MARK: - Mistakes (S3)

extension SearchedWord {
  /// Returns the maximum number of typos in a word: none below four characters, one below eight, else two.
  private static func allowance(_ count: Int) -> Int { count < 4 ? 0 : count < 8 ? 1 : 2 }

  /// The minimum length for matching the beginning of a word with a typo.
  private static let leastBeginning = 5

  /// False if no word of a command's titles can match this one with typos.
  func mayBeMistyped(in title: SearchedTitle.Letters) -> Bool {
    let allowed = Self.allowance(scalars.count)
    guard allowed > 0, (bits & ~title.scalars).nonzeroBitCount <= allowed else { return false }
    let first = SearchedCharacter.bit(of: scalars[0]) | SearchedCharacter.bit(of: scalars[1])
    return first & title.starts != 0
  }

  /// Returns the word in a text that matches with the fewest typos; nil for none.
  ///
  /// A typo is a wrong, missing or additional character, or two swapped neighbours. The first character is
  /// correct, or swapped with the second.
  func meant(in text: ArraySlice<SearchedCharacter>) -> (place: Range<Int>, mistakes: Int)? {
    let allowed = Self.allowance(scalars.count)
    guard allowed > 0 else { return nil }
    var best: (place: Range<Int>, mistakes: Int)?
    var start = text.startIndex
    while start < text.endIndex {
      let rest = text[start...].dropFirst()
      let end = rest.firstIndex { $0.bonus >= SearchedCharacter.wordStart } ?? text.endIndex
      if isBegun(text[start..<end]),
        let (count, mistakes) = distance(to: text[start..<end], allowed),
        mistakes < best?.mistakes ?? Int.max
      {
        best = (start..<(start + count), mistakes)
      }
      start = end
    }
    return best
  }

  private func isBegun(_ word: ArraySlice<SearchedCharacter>) -> Bool {
    guard word.count >= 2 else { return false }
    let (first, second) = (word[word.startIndex].scalar, word[word.startIndex + 1].scalar)
    return first == scalars[0] || first == scalars[1] && second == scalars[0]
  }

  /// Returns the fewest typos between this word and a text word or, if this word is long enough, a beginning of
  /// it that ends with the last character, with the length matched; nil if there are too many.
  private func distance(
    to word: ArraySlice<SearchedCharacter>, _ allowed: Int
  ) -> (count: Int, mistakes: Int)? {
    let other = word.prefix(scalars.count + allowed + 1).map(\.scalar)
    guard other.count >= scalars.count - allowed else { return nil }
    // The last three rows of distances between prefixes of this word and all prefixes of the other.
    var (before, above): ([Int], [Int]) = ([], Array(0...other.count))
    for row in 1...scalars.count {
      var here = [row]
      for column in 1...other.count {
        let isSame = scalars[row - 1] == other[column - 1]
        var least = min(above[column], here[column - 1]) + 1
        least = min(least, above[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, scalars[row - 1] == other[column - 2],
          scalars[row - 2] == other[column - 1]
        {
          least = min(least, before[column - 2] + 1)
        }
        here.append(least)
      }
      (before, above) = (above, here)
    }
    // The whole word, which is `other` unless the word is much longer.
    var best = (count: other.count, mistakes: above[other.count])
    if scalars.count >= Self.leastBeginning {
      for column in 1..<other.count where scalars.last == other[column - 1] {
        if before[column - 1] < best.mistakes { best = (column, before[column - 1]) }
      }
    }
    return best.mistakes <= allowed ? best : nil
  }
}

/// A normalized character of a searched text (S1, S2).
struct SearchedCharacter: Equatable, Sendable {
  /// The scalar without case and accent.
  let scalar: UInt32
  /// The bonus for its position, highest at the start of a word.
  let bonus: UInt8
  /// True if it is in the title, false if in the titles of the menus around it.
  let isInTitle: Bool

  /// The minimum bonus of the first character of a word.
  static let wordStart: UInt8 = 8
  /// The minimum bonus of the first character of a word or of a part of one: a capital or a digit inside it.
  static let partStart: UInt8 = 7

  /// The scalar for all white space.
  static let space: UInt32 = 0x20

  /// Calls `body` with the normalized characters of a scalar, without case and accents: one for most scalars,
  /// none for a mark, several for some, such as two for "ß".
  ///
  /// A Hangul syllable gives one character per letter: the syllable up to that letter, so that letters of
  /// different syllables do not combine.
  ///
  /// - Parameter last: The previous normalized character.
  static func fold(_ scalar: Unicode.Scalar, behind last: UInt32?, _ body: (UInt32) -> Void) {
    guard !scalar.isASCII else {
      let isCapital = (0x41...0x5A).contains(scalar.value)
      let isWhite = (0x09...0x0D).contains(scalar.value)
      return body(isCapital ? scalar.value + 0x20 : isWhite ? space : scalar.value)
    }
    guard CharacterClass(scalar) != .white else { return body(space) }
    var last = last
    for part in String(scalar)._nfd where part.properties.generalCategory != .nonspacingMark {
      // Letters whose capital is several letters fold to these, as in Unicode's full case folding.
      let capitals = part.properties.lowercaseMapping.uppercased()
      for folded in capitals.lowercased()._nfd
      where folded.properties.generalCategory != .nonspacingMark {
        let character = syllable(endingWith: folded.value, behind: last)
        last = character
        body(character)
      }
    }
  }

  /// Returns the Hangul syllable of a letter and the preceding ones (The Unicode Standard, 3.12); the letter
  /// itself if it forms none.
  private static func syllable(endingWith letter: UInt32, behind last: UInt32?) -> UInt32 {
    guard let last else { return letter }
    switch (last, letter) {
    case (0x1100...0x1112, 0x1161...0x1175):
      return 0xAC00 + ((last - 0x1100) * 21 + (letter - 0x1161)) * 28
    case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (last - 0xAC00).isMultiple(of: 28):
      return last + (letter - 0x11A7)
    default: return letter
    }
  }

  /// The bit of a scalar in a set; several scalars share one.
  static func bit(of scalar: UInt32) -> UInt64 { 1 << UInt64(scalar & 63) }
}

/// The classes of characters that determine word boundaries.
enum CharacterClass: Sendable {
  case white
  case delimiter
  case sign
  case small
  case capital
  case digit

  init(_ scalar: Unicode.Scalar) {
    switch scalar {
    case " ", "\t", "\n", "\r": self = .white
    case "/", ",", ":", ";", "|": self = .delimiter
    case "a"..."z": self = .small
    case "A"..."Z": self = .capital
    case "0"..."9": self = .digit
    default:
      self = scalar.isASCII ? .sign : CharacterClass(category: scalar.properties.generalCategory)
    }
  }

  private init(category: Unicode.GeneralCategory) {
    switch category {
    case .uppercaseLetter, .titlecaseLetter: self = .capital
    case .lowercaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
      .enclosingMark:
      self = .small
    case .decimalNumber, .letterNumber, .otherNumber: self = .digit
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control: self = .white
    default: self = .sign
    }
  }

  /// The bonus of a character of this class after one of another class (S2).
  func bonus(behind last: CharacterClass) -> UInt8 {
    switch (last, self) {
    case (_, .white): 10
    case (.white, _): 10
    case (.delimiter, _): 9
    case (.sign, _), (_, .sign), (_, .delimiter): 8
    case (.small, .capital): 7
    case (.small, .digit), (.capital, .digit): 7
    default: 0
    }
  }
}
