import JSONText
import Synchronization

/// The commands of a catalogue by their positions, with their actions, the classes that answer
/// these, the rules of the handlers, and the declared part of each item's text.
///
/// It follows from the catalogue, and is made once for it.
final class CommandIndex: Sendable {
  /// The number of commands.
  let count: Int
  /// The modifiers that are held, with which commands are their alternates (M11).
  let modifiers: KeyModifiers
  let withoutAction: CommandSet
  /// The text that each item has as it is declared.
  let texts: DeclaredTexts
  /// The lists of rules of the classes' handlers.
  let lists: [ItemRules]
  /// The position of the first rule of each list among all rules, and at the end the number of all rules.
  let starts: [Int32]
  /// The rules of all lists, one list behind the other.
  let rules: [ItemRule]
  /// The list of each rule.
  let listOfRule: [Int32]
  /// The places of the state that the rules read; a reader is the number of a rule.
  let readPlaces: ReadPlaces
  private let listNumbers: [ObjectIdentifier: Int32]
  private let senders: [Selector: [Int]]
  private let classes: [ClassName: ClassAnswers]

  /// The index of a catalogue's commands while modifiers are held.
  init(_ catalog: Catalog, whileHolding modifiers: KeyModifiers = []) {
    count = catalog.commands.count
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

  /// About the number of bytes that it takes.
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

  /// The number of a list of rules of the classes' handlers.
  func number(of list: ItemRules) -> Int32? { listNumbers[ObjectIdentifier(list)] }

  /// The commands that send an action.
  func senders(of action: Selector) -> [Int] { senders[action] ?? [] }

  /// The commands that instances of a class answer to; nil if there is no such class.
  func answers(ofClass name: ClassName) -> ClassAnswers? { classes[name] }
}

/// Numbers lists of rules in the order in which they are met.
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
  /// True if a rule or a closure of its own decides if the action can be performed (R4).
  var isGoverned: Bool { canPerform != nil || closures.canPerform != nil }

  /// True if its items are not made by rules alone: a closure makes them, or what can be undone.
  var makesSpecialItems: Bool { closures.validate != nil || undoDirection != nil }
}

/// The indexes of a catalogue's commands by the modifiers that are held, each made when it is asked for first.
///
/// A list whose links are set once, so that nobody waits for anybody.
final class LazyCommandIndexes: Sendable {
  private let made = AtomicLazyReference<Node>()

  private final class Node: Sendable {
    let index: CommandIndex
    let next = AtomicLazyReference<Node>()

    init(_ index: CommandIndex) { self.index = index }
  }

  /// Returns the index of a catalogue's commands while modifiers are held.
  func index(of catalog: Catalog, whileHolding modifiers: KeyModifiers) -> CommandIndex {
    guard var node = made.load() else {
      let first = made.storeIfNil(Node(CommandIndex(catalog)))
      return modifiers.isEmpty ? first.index : index(of: catalog, whileHolding: modifiers)
    }
    guard !modifiers.isEmpty else { return node.index }
    // Those that no command has an alternate for change nothing.
    let modifiers =
      catalog.commands.contains { $0.changes(whileHolding: modifiers) } ? modifiers : []
    while node.index.modifiers != modifiers {
      node =
        node.next.load()
        ?? node.next.storeIfNil(
          Node(CommandIndex(catalog, whileHolding: modifiers)))
    }
    return node.index
  }
}

/// A set of the commands of a catalogue: a bit for each position.
struct CommandSet: Sendable, Equatable {
  private(set) var words: [UInt64]

  /// The empty set, for that many commands.
  init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  /// The set of the first commands, that many.
  init(all count: Int) {
    self.init(count: count)
    insertAll(count)
  }

  /// True if no command is in it.
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// True if a command is in it.
  subscript(position: Int) -> Bool {
    get { words[position >> 6] & 1 << UInt64(position & 63) != 0 }
    set {
      let bit: UInt64 = 1 << UInt64(position & 63)
      if newValue { words[position >> 6] |= bit } else { words[position >> 6] &= ~bit }
    }
  }

  /// Adds the first commands, that many.
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
  /// Goes through the positions in ascending order.
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

/// The commands of a catalogue that instances of a class answer to, with all that is inherited.
final class ClassAnswers: Sendable {
  /// The commands whose actions instances implement.
  let implemented: CommandSet
  /// The commands whose action a rule or a closure governs (R4), whichever class implements it.
  let governed: CommandSet
  /// The implemented ones whose items are not made by rules alone: by closures, or by undo managers.
  let special: CommandSet
  /// The numbers of the lists of rules of the implemented ones, in ascending order of these.
  private let lists: [Int32]
  /// The number of implemented ones before each word.
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

  /// The number of the list of rules of the handler for an implemented command; none is -1.
  func list(at position: Int) -> Int32 {
    let before = implemented.words[position >> 6] & (1 << UInt64(position & 63) - 1)
    return lists[Int(ranks[position >> 6]) + before.nonzeroBitCount]
  }
}
