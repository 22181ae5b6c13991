/// Finds the best alignment of a word's characters in a text (S2).
///
/// The scores are fzf's: Smith–Waterman alignment with a bonus for positions.
struct TextMatcher: Sendable {
  /// The score of a matching character.
  private static let match: Int32 = 16
  /// The penalty for characters in the titles of menus: the item's own title ranks first (S2).
  private static let outsideTitle: Int32 = 8
  private static let gapStart: Int32 = -3
  private static let gapExtension: Int32 = -1
  /// The minimum bonus of a character that follows the previous one directly.
  private static let succession: Int32 = 4
  /// The minimum bonus of the start of a word.
  private static let wordStart = Int32(SearchedCharacter.wordStart)

  /// The best score ending at or before each place, one row per character of the word.
  private var scores: [Int32] = []
  /// The number of consecutive matching characters up to each place.
  private var runs: [Int32] = []
  /// The first place where each character can match.
  private var starts: [Int] = []

  /// Returns the score of a word in a text; nil if its characters do not occur in order, or are scattered.
  mutating func score(of word: [UInt32], in text: ArraySlice<SearchedCharacter>) -> Int? {
    guard findStarts(of: word, in: text) else { return nil }
    let width = text.count
    let needed = word.count * width
    if scores.count < needed {
      scores = Array(repeating: 0, count: needed)
      runs = scores
    }
    for row in word.indices { fill(row, of: word, in: text) }
    guard !isScattered(word.count, in: text) else { return nil }
    let last = (word.count - 1) * width
    return Int(scores[(last + starts[word.count - 1])..<(last + width)].max() ?? 0)
  }

  /// True if more than three of five characters of the last matched word are loose: neither at the start of a
  /// word or part, nor in the word of the previous character (S2). Words of fewer than three characters are
  /// never scattered.
  private func isScattered(_ count: Int, in text: ArraySlice<SearchedCharacter>) -> Bool {
    guard count >= 3 else { return false }
    var loose = 0
    var last: Int?
    for place in places(of: count, width: text.count) {
      let here = text.startIndex + place
      defer { last = here }
      guard text[here].bonus < SearchedCharacter.partStart else { continue }
      let between = last.map { text[($0 + 1)..<here] }
      let isSameWord = between?.allSatisfy { $0.bonus < SearchedCharacter.partStart } ?? false
      if !isSameWord { loose += 1 }
    }
    return 5 * loose > 3 * count
  }

  /// Finds the first place of each character; returns false if one has none.
  private mutating func findStarts(of word: [UInt32], in text: ArraySlice<SearchedCharacter>)
    -> Bool
  {
    starts.removeAll(keepingCapacity: true)
    var place = text.startIndex
    for scalar in word {
      while place < text.endIndex, text[place].scalar != scalar { place += 1 }
      guard place < text.endIndex else { return false }
      starts.append(place - text.startIndex)
      place += 1
    }
    return !word.isEmpty
  }

  private mutating func fill(
    _ row: Int, of word: [UInt32], in text: ArraySlice<SearchedCharacter>
  ) {
    let (width, wanted) = (text.count, word[row])
    let (here, above) = (row * width, (row - 1) * width)
    var (left, isInGap): (Int32, Bool) = (0, false)
    for column in starts[row]..<width {
      let skipping = left + (isInGap ? Self.gapExtension : Self.gapStart)
      let character = text[text.startIndex + column]
      var (matching, run): (Int32, Int32) = (0, 0)
      if character.scalar == wanted {
        let points = character.isInTitle ? Self.match : Self.match - Self.outsideTitle
        let bonus = Int32(character.bonus)
        if row == 0 {
          (matching, run) = (points + 2 * bonus, 1)
        } else {
          matching = points + (column > starts[row - 1] ? scores[above + column - 1] : 0)
          run = (column > starts[row - 1] ? runs[above + column - 1] : 0) + 1
          var gained = bonus
          if run > 1 {
            let first = Int32(text[text.startIndex + column - Int(run) + 1].bonus)
            if bonus >= Self.wordStart, bonus > first {
              run = 1
            } else {
              gained = max(bonus, Self.succession, first)
            }
          }
          matching += gained
        }
      }
      isInGap = matching < skipping
      if isInGap { run = 0 }
      left = max(matching, skipping, 0)
      scores[here + column] = left
      runs[here + column] = run
    }
  }

  /// Returns the places of the last matched word's characters, in a text of the same length.
  func places(of count: Int, width: Int) -> [Int] {
    guard count > 0, width > 0 else { return [] }
    func score(_ row: Int, _ column: Int) -> Int32 {
      row < 0 || column < starts[row] ? 0 : scores[row * width + column]
    }
    var row = count - 1
    var column = starts[row]
    for other in starts[row]..<width where score(row, other) > score(row, column) { column = other }
    var places: [Int] = []
    var prefersMatch = true
    while column >= 0 {
      let points = score(row, column)
      let (diagonal, left) = (score(row - 1, column - 1), score(row, column - 1))
      let run = runs[row * width + column]
      if points > diagonal, points > left || points == left && prefersMatch {
        places.append(column)
        if row == 0 { break }
        row -= 1
      }
      prefersMatch =
        run > 1
        || row + 1 < count && column + 1 < width
          && column + 1 >= starts[row + 1] && runs[(row + 1) * width + column + 1] > 0
      column -= 1
    }
    return places.reversed()
  }
}
