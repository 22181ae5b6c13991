import JSONText

/// A command's title, with the titles of the menus around it, prepared for searching (S1).
struct SearchedTitle: Sendable {
  /// The maximum number of characters considered in a title. In the title of each menu it is a quarter.
  static let maximumLength = 200

  let title: String
  /// The normalized characters of the menus' titles, each followed by a space, and of the title.
  let characters: [SearchedCharacter]
  let letters: Letters

  /// The part of a title that a search reads first.
  struct Letters: Sendable {
    /// The number of normalized characters of the title.
    fileprivate(set) var length = 0
    /// The set of the characters' scalars.
    fileprivate(set) var scalars: UInt64 = 0
    /// The set of the first scalars of their words.
    fileprivate(set) var starts: UInt64 = 0
  }

  init(_ title: String, in menus: [String]) {
    self.title = title
    var writer = Writer()
    for menu in menus {
      writer.add(menu, upTo: Self.maximumLength / 4, isInTitle: false)
      writer.add(" ", isInTitle: false)
    }
    let start = writer.characters.count
    writer.add(title, upTo: Self.maximumLength, isInTitle: true)
    characters = writer.characters
    writer.letters.length = characters.count - start
    letters = writer.letters
  }

  /// The normalized characters of the title alone.
  var own: ArraySlice<SearchedCharacter> { characters.suffix(letters.length) }

  /// Normalizes texts.
  private struct Writer {
    var characters: [SearchedCharacter] = []
    var letters = Letters()
    private var last = CharacterClass.white

    mutating func add(_ text: String, upTo maximum: Int, isInTitle: Bool) {
      var count = 0
      for scalar in text.unicodeScalars {
        guard count < maximum else { return }
        add(scalar, isInTitle: isInTitle)
        count += 1
      }
    }

    mutating func add(_ scalar: Unicode.Scalar, isInTitle: Bool) {
      let kind = CharacterClass(scalar)
      var bonus = kind.bonus(behind: last)
      SearchedCharacter.fold(scalar, behind: characters.last?.scalar) { folded in
        characters.append(SearchedCharacter(scalar: folded, bonus: bonus, isInTitle: isInTitle))
        let bit = SearchedCharacter.bit(of: folded)
        letters.scalars |= bit
        if bonus >= SearchedCharacter.wordStart { letters.starts |= bit }
        (bonus, last) = (kind.bonus(behind: kind), kind)
      }
    }
  }

  /// Returns places in `own` as UTF-16 ranges of the title, adjacent ones merged. A scalar of the title can have
  /// several normalized characters, or none.
  func ranges(of places: Set<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var (offset, place) = (0, 0)
    for scalar in title.unicodeScalars.prefix(Self.maximumLength) {
      let end = offset + (scalar.value > 0xFFFF ? 2 : 1)
      var isFound = false
      var isMark = true
      SearchedCharacter.fold(scalar, behind: nil) { _ in
        isFound = isFound || places.contains(place)
        isMark = false
        place += 1
      }
      if isMark { isFound = ranges.last?.upperBound == offset }
      if isFound {
        if let last = ranges.last, last.upperBound == offset {
          ranges[ranges.count - 1] = last.lowerBound..<end
        } else {
          ranges.append(offset..<end)
        }
      }
      offset = end
    }
    return ranges
  }
}
