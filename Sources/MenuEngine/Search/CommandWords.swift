import JSONText

/// The words of commands besides their titles (S8): from their other texts and their selectors.
struct CommandWords: Sendable {
  /// The number of characters of a text considered.
  static let maximumLength = 200

  /// The bit that marks the first scalar of a word.
  private static let wordStart: UInt32 = 1 << 31

  /// The normalized texts of all commands, concatenated.
  private var scalars: [UInt32] = []

  /// The words of one command.
  struct Place: Sendable {
    fileprivate let range: Range<Int>
    /// The set of their scalars.
    let scalars: UInt64
    /// The set of the first scalars of words.
    let starts: UInt64
  }

  /// A command's declared texts.
  struct Declared {
    let command: Command
    /// The declared titles of the menus around it, outermost first.
    let menus: [String]
  }

  /// Adds the words of a command, and those of its declared texts if they are in another language (M14).
  mutating func add(_ command: Command, _ declared: Declared? = nil) -> Place {
    let start = scalars.count
    add(command.action?.rawValue)
    if let action = command.action?.rawValue, !command.id.rawValue.hasSameBytes(as: action) {
      add(command.id.rawValue)
    }
    addTexts(of: command)
    for alternate in command.alternates { add(alternate.action.rawValue) }
    if let declared {
      add(declared.command.title)
      addTexts(of: declared.command)
      for menu in declared.menus { add(menu) }
    }
    var (bits, starts): (UInt64, UInt64) = (0, 0)
    for scalar in scalars[start...] {
      let bit = SearchedCharacter.bit(of: scalar & ~Self.wordStart)
      bits |= bit
      if scalar & Self.wordStart != 0 { starts |= bit }
    }
    return Place(range: start..<scalars.count, scalars: bits, starts: starts)
  }

  private mutating func addTexts(of command: Command) {
    add(command.discoverabilityTitle)
    add(command.subtitle)
    add(command.description)
    for alternate in command.alternates {
      add(alternate.title)
      add(alternate.discoverabilityTitle)
      add(alternate.subtitle)
    }
  }

  private mutating func add(_ text: String?) {
    guard let text, !text.isEmpty else { return }
    let characters = Array(text.unicodeScalars.prefix(Self.maximumLength))
    let kinds = characters.map { CharacterClass($0) }
    var numbers: [UInt32] = []
    var word: [UInt32] = []
    for (index, character) in characters.enumerated() {
      let isStart = CharacterClass.startsWord(at: index, in: kinds)
      if isStart || !kinds[index].isInWord {
        numbers += Self.digits(of: word)
        word = []
      }
      var mark = isStart ? Self.wordStart : 0
      let last = isStart ? nil : scalars.last.map { $0 & ~Self.wordStart }
      SearchedCharacter.fold(character, behind: last) { folded in
        if kinds[index].isInWord { word.append(folded) }
        scalars.append(folded | mark)
        mark = 0
      }
    }
    numbers += Self.digits(of: word)
    scalars += [0x20] + numbers
  }

  /// Returns the digits of a number word; empty for any other word.
  private static func digits(of word: [UInt32]) -> [UInt32] {
    guard let number = numbers[word] else { return [] }
    let digits = String(number).unicodeScalars.map(\.value)
    return [digits[0] | wordStart] + digits.dropFirst() + [0x20]
  }

  private static let numbers: [[UInt32]: Int] = {
    let words = [
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ]
    return Dictionary(
      uniqueKeysWithValues: words.enumerated().map { ($1.unicodeScalars.map(\.value), $0) })
  }()

  /// True if a word of the command begins with `word`.
  func has(_ word: [UInt32], at place: Place) -> Bool {
    guard let first = word.first else { return false }
    let (marked, rest) = (first | Self.wordStart, word.dropFirst())
    return place.range.contains { start in
      scalars[start] == marked && start + word.count <= place.range.upperBound
        && rest.indices.allSatisfy { scalars[start + $0] & ~Self.wordStart == word[$0] }
    }
  }
}

extension CharacterClass {
  /// True for letters and digits.
  fileprivate var isInWord: Bool {
    switch self {
    case .small, .capital, .digit: true
    case .white, .delimiter, .sign: false
    }
  }

  /// True if a word begins at the index: after a separator, and within a name at a capital or a digit. The last
  /// of several capitals belongs to the following small letters.
  fileprivate static func startsWord(at index: Int, in kinds: [CharacterClass]) -> Bool {
    guard kinds[index].isInWord else { return false }
    guard index > 0 else { return true }
    return switch (kinds[index - 1], kinds[index]) {
    case (.white, _), (.delimiter, _), (.sign, _), (.small, .capital), (.digit, .capital): true
    case (.small, .digit), (.capital, .digit): true
    case (.capital, .capital): index + 1 < kinds.count && kinds[index + 1] == .small
    default: false
    }
  }
}
