import JSONText
@_spi(_Unicode) import Swift

/// A word of a query, as it is looked for.
struct SearchedWord {
  /// Its characters as they are compared.
  let scalars: [UInt32]
  /// The set of its scalars (`SearchedCharacter.bit`).
  let bits: UInt64

  init(_ scalars: [UInt32]) {
    self.scalars = scalars
    bits = scalars.reduce(0) { $0 | SearchedCharacter.bit(of: $1) }
  }

  /// The words of a query, the longest first, which fewest titles have.
  static func words(of query: CommandQuery) -> [SearchedWord] {
    query.words.sorted { $0.count > $1.count }.map { SearchedWord($0) }
  }

  /// True if a text with these scalars may have all characters of the word.
  func isWithin(_ scalars: UInt64) -> Bool { bits & ~scalars == 0 }

  /// False if a command certainly does not have it, neither in its titles nor in its other words.
  func mayBeFound(in entry: SearchIndex.Entry) -> Bool {
    isWithin(entry.scalars)
      || isWithin(entry.words.scalars)
        && SearchedCharacter.bit(of: scalars[0]) & entry.words.starts != 0
      || mayBeMistyped(in: entry)
  }
}

// MARK: - Mistakes (S3)

extension SearchedWord {
  /// The most mistakes in a word: none in a short one, one from four characters on, two from eight on.
  private static func allowance(_ count: Int) -> Int { count < 4 ? 0 : count < 8 ? 1 : 2 }

  /// The length from which on the beginning of a word may be typed with a mistake.
  private static let leastBeginning = 5

  /// False if no word of the titles of a command can be this one with mistakes.
  func mayBeMistyped(in entry: SearchIndex.Entry) -> Bool {
    let allowed = Self.allowance(scalars.count)
    guard allowed > 0, (bits & ~entry.scalars).nonzeroBitCount <= allowed else { return false }
    let first = SearchedCharacter.bit(of: scalars[0]) | SearchedCharacter.bit(of: scalars[1])
    return first & entry.starts != 0
  }

  /// Returns the word in a text that was meant, with the fewest mistakes; nil if there is none.
  ///
  /// A mistake is a character that is wrong, missing or too many, or two neighbours that are swapped. The first
  /// character is right, or swapped with the second.
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

  /// Returns the fewest mistakes with which this is typed for a word or, if it is long enough, for a beginning of it
  /// that ends with the last character, and the length of that; nil if they are too many.
  private func distance(
    to word: ArraySlice<SearchedCharacter>, _ allowed: Int
  ) -> (count: Int, mistakes: Int)? {
    let other = word.prefix(scalars.count + allowed + 1).map(\.scalar)
    guard other.count >= scalars.count - allowed else { return nil }
    // The distances of the beginnings of this word, the last three, to all beginnings of the other one.
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
    // The word as a whole, which `other` is unless the word is much longer.
    var best = (count: other.count, mistakes: above[other.count])
    if scalars.count >= Self.leastBeginning {
      for column in 1..<other.count where scalars.last == other[column - 1] {
        if before[column - 1] < best.mistakes { best = (column, before[column - 1]) }
      }
    }
    return best.mistakes <= allowed ? best : nil
  }
}

/// A character of a text that is searched, as it is compared (S1, S2).
struct SearchedCharacter: Equatable, Sendable {
  /// The scalar without case and accent.
  let scalar: UInt32
  /// The points that it gives beyond others by where it stands: most at the start of a word.
  let bonus: UInt8
  /// True if it stands in the title, and not in the titles of the menus around it.
  let isInTitle: Bool

  /// The least bonus of a character that begins a word.
  static let wordStart: UInt8 = 8
  /// The least bonus of a character that begins a word, or a part of one: a capital or a digit within it.
  static let partStart: UInt8 = 7

  /// The scalar of all white space.
  static let space: UInt32 = 0x20

  /// Gives the characters as which a scalar is compared, without case and accents: one of most scalars, none of a
  /// mark, and several of those that fold to several, such as two of "ß".
  ///
  /// A syllable of Hangul gives one for each letter: the syllable up to it, so that letters of different
  /// syllables make no other one.
  ///
  /// - Parameter last: The character behind which it stands, as it is compared.
  static func fold(_ scalar: Unicode.Scalar, behind last: UInt32?, _ body: (UInt32) -> Void) {
    guard !scalar.isASCII else {
      let isCapital = (0x41...0x5A).contains(scalar.value)
      let isWhite = (0x09...0x0D).contains(scalar.value)
      return body(isCapital ? scalar.value + 0x20 : isWhite ? space : scalar.value)
    }
    guard CharacterClass(scalar) != .white else { return body(space) }
    var last = last
    for part in String(scalar)._nfd where part.properties.generalCategory != .nonspacingMark {
      // Letters whose capitals are several fold to these: the full case folding of Unicode.
      let capitals = part.properties.lowercaseMapping.uppercased()
      for folded in capitals.lowercased()._nfd
      where folded.properties.generalCategory != .nonspacingMark {
        let character = syllable(endingWith: folded.value, behind: last)
        last = character
        body(character)
      }
    }
  }

  /// Returns the syllable of Hangul that a letter makes with the ones before it (The Unicode Standard, 3.12); the
  /// letter itself if it makes none.
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

  /// The bit of a scalar in a set of those of a text, where several share one.
  static func bit(of scalar: UInt32) -> UInt64 { 1 << UInt64(scalar & 63) }
}

/// The kinds of characters whose succession makes words.
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

  /// The points that a character of this class gives beyond others, behind one of another class (S2).
  func bonus(behind last: CharacterClass) -> UInt8 {
    switch (last, self) {
    case (_, .white): 10
    case (_, .delimiter): 8
    case (.white, _): 10
    case (.delimiter, _): 9
    case (.sign, _), (_, .sign): 8
    case (.small, .capital): 7
    case (.small, .digit), (.capital, .digit): 7
    default: 0
    }
  }
}
