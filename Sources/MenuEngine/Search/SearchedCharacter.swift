import JSONText
@_spi(_Unicode) import Swift

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
