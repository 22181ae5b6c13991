import JSONText

/// The commands of a catalogue by position, with their actions, the classes that implement these, the rules of
/// the handlers, and the declared part of each item's text.
///
/// It is derived from the catalogue, once.
final class CommandIndex: Sendable {
  /// The number of commands.
  let count: Int
  /// The held modifiers, which select alternates (M11).
  let modifiers: KeyModifiers
  let withoutAction: CommandSet
  /// The declared text of each item.
  let texts: DeclaredTexts
  /// The lists of rules of the classes' handlers.
  let lists: [ItemRules]
  /// The index of each list's first rule in `rules`; the last element is the number of rules.
  let starts: [Int32]
  /// The rules of all lists, in the order of the lists.
  let rules: [ItemRule]
  /// The list of each rule.
  let listOfRule: [Int32]
  /// The places of the state that the rules read; readers are indices into `rules`.
  let readPlaces: ReadPlaces
  /// The texts of free keys in the language of the catalogue (M14); nil if it is as declared. The index must not refer
  /// to the localization, whose wording has the index.
  let translations: JSON?
  private let listNumbers: [ObjectIdentifier: Int32]
  private let senders: [Selector: [Int]]
  private let classes: [ClassName: ClassAnswers]

  /// Creates the index of a catalogue's commands for held modifiers.
  init(_ catalog: Catalog, whileHolding modifiers: KeyModifiers = []) {
    count = catalog.commands.count
    translations = catalog.localization?.translations
    self.modifiers = modifiers
    let commands =
      modifiers.isEmpty
      ? catalog.commands : catalog.commands.map { $0.whileHolding(modifiers) }
    texts = DeclaredTexts(commands, selectable: catalog.selectableCommands)
    var senders: [Selector: [Int]] = [:]
    var withoutAction = CommandSet(count: count)
    for (position, command) in commands.enumerated() {
      if let action = command.action {
        senders[action, default: []].append(position)
      } else {
        withoutAction[position] = true
      }
    }
    self.senders = senders
    self.withoutAction = withoutAction
    var numbering = ListNumbering()
    var classes: [ClassName: ClassAnswers] = [:]
    for name in catalog.classes.names {
      classes[name] = ClassAnswers(
        of: name, in: catalog.classes, count: count, senders: senders, numbering: &numbering)
    }
    self.classes = classes
    lists = numbering.lists
    listNumbers = numbering.numbers
    rules = numbering.lists.flatMap(\.rules)
    (starts, listOfRule, readPlaces) = Self.numbered(numbering.lists)
  }

  /// The approximate size in bytes.
  var size: Int {
    texts.size + (senders.count + lists.count + listOfRule.count) * 64
      + classes.count * (withoutAction.words.count * 32 + 64)
  }

  private static func numbered(_ lists: [ItemRules]) -> ([Int32], [Int32], ReadPlaces) {
    var starts: [Int32] = [0]
    var listOfRule: [Int32] = []
    var places = ReadPlaces()
    for (number, list) in lists.enumerated() {
      for rule in list.rules {
        let reader = ReadPlaces.Reader(listOfRule.count)
        for path in rule.rule.statePaths { places.add(reader, reading: path) }
        listOfRule.append(Int32(number))
      }
      starts.append(Int32(listOfRule.count))
    }
    return (starts, listOfRule, places)
  }

  /// Returns the number of a list of rules of a class's handler.
  func number(of list: ItemRules) -> Int32? { listNumbers[ObjectIdentifier(list)] }

  /// Returns the commands that send an action.
  func senders(of action: Selector) -> [Int] { senders[action] ?? [] }

  /// Returns the commands that instances of a class implement; nil for an unknown class.
  func answers(ofClass name: ClassName) -> ClassAnswers? { classes[name] }
}

/// Numbers lists of rules in the order of first use.
private struct ListNumbering {
  private(set) var lists: [ItemRules] = []
  private(set) var numbers: [ObjectIdentifier: Int32] = [:]

  mutating func number(of list: ItemRules?) -> Int32 {
    guard let list else { return -1 }
    if let known = numbers[ObjectIdentifier(list)] { return known }
    let number = Int32(lists.count)
    lists.append(list)
    numbers[ObjectIdentifier(list)] = number
    return number
  }
}

extension ClassAnswers {
  fileprivate convenience init(
    of name: ClassName, in classes: ResponderClasses, count: Int, senders: [Selector: [Int]],
    numbering: inout ListNumbering
  ) {
    var (implemented, governed) = (CommandSet(count: count), CommandSet(count: count))
    var special = CommandSet(count: count)
    var lists: [(position: Int, list: Int32)] = []
    for (selector, method) in classes.methods(of: name) {
      for position in senders[selector] ?? [] {
        implemented[position] = true
        if method.handler.isGoverned { governed[position] = true }
        if method.handler.makesSpecialItems { special[position] = true }
        lists.append((position, numbering.number(of: method.handler.validate.list)))
      }
    }
    for selector in classes.governedActions(of: name) {
      for position in senders[selector] ?? [] { governed[position] = true }
    }
    lists.sort { $0.position < $1.position }
    self.init(
      implemented: implemented, governed: governed, special: special, lists: lists.map(\.list))
  }
}

extension Handler {
  /// True if a rule or closure of its own decides if the action can be performed (R4).
  var isGoverned: Bool { canPerform != nil || closures.canPerform != nil }

  /// True if its items do not depend on rules alone: a closure or an undo manager contributes.
  var makesSpecialItems: Bool { closures.validate != nil || undoDirection != nil }
}

/// A set of commands of a catalogue: one bit per position.
struct CommandSet: Sendable, Equatable {
  private(set) var words: [UInt64]

  /// Creates an empty set for a number of commands.
  init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  /// Creates the set of the first `count` commands.
  init(all count: Int) {
    self.init(count: count)
    insertAll(count)
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// True if the set contains the command.
  subscript(position: Int) -> Bool {
    get { words[position >> 6] & 1 << UInt64(position & 63) != 0 }
    set {
      let bit: UInt64 = 1 << UInt64(position & 63)
      if newValue { words[position >> 6] |= bit } else { words[position >> 6] &= ~bit }
    }
  }

  /// Adds the first `count` commands.
  mutating func insertAll(_ count: Int) {
    for index in words.indices { words[index] = .max }
    if count & 63 != 0 { words[words.count - 1] = 1 << UInt64(count & 63) - 1 }
  }

  mutating func formUnion(_ other: CommandSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  mutating func formIntersection(_ other: CommandSet) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  mutating func subtract(_ other: CommandSet) {
    for index in words.indices { words[index] &= ~other.words[index] }
  }

  func intersection(_ other: CommandSet) -> CommandSet {
    var copy = self
    copy.formIntersection(other)
    return copy
  }
}

extension CommandSet: Sequence {
  /// An iterator over the positions, ascending.
  struct Iterator: IteratorProtocol {
    private let words: [UInt64]
    private var index = -1
    private var word: UInt64 = 0

    fileprivate init(_ words: [UInt64]) { self.words = words }

    mutating func next() -> Int? {
      while word == 0 {
        index += 1
        guard index < words.count else { return nil }
        word = words[index]
      }
      defer { word &= word - 1 }
      return index << 6 + word.trailingZeroBitCount
    }
  }

  func makeIterator() -> Iterator { Iterator(words) }
}

/// The commands that instances of a class implement, inherited ones included.
final class ClassAnswers: Sendable {
  /// The commands whose actions instances implement.
  let implemented: CommandSet
  /// The commands whose actions are governed by a rule or closure (R4), whichever class implements them.
  let governed: CommandSet
  /// The implemented commands whose items depend on closures or undo managers, not on rules alone.
  let special: CommandSet
  /// The rule lists of the implemented commands, ascending by command.
  private let lists: [Int32]
  /// The number of implemented commands before each word of the set.
  private let ranks: [Int32]

  init(
    implemented: CommandSet, governed: CommandSet, special: CommandSet, lists: [Int32]
  ) {
    self.implemented = implemented
    self.governed = governed
    self.special = special
    self.lists = lists
    var rank: Int32 = 0
    ranks = implemented.words.map { word in
      defer { rank += Int32(word.nonzeroBitCount) }
      return rank
    }
  }

  /// Returns the number of the rule list of an implemented command's handler; -1 for none.
  func list(at position: Int) -> Int32 {
    let before = implemented.words[position >> 6] & (1 << UInt64(position & 63) - 1)
    return lists[Int(ranks[position >> 6]) + before.nonzeroBitCount]
  }
}
