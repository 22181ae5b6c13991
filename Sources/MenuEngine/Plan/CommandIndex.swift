import JSONText
import Synchronization

/// The commands of a catalogue by their positions: who sends which action, what classes answer to it, the
/// rules of their handlers, and the declared part of each item's text.
///
/// It follows from the catalogue, and is made once for it.
final class CommandIndex: Sendable {
  /// The number of commands.
  let count: Int
  /// The modifiers that are held, with which commands are their alternates (M11).
  let modifiers: KeyModifiers
  /// The commands without an action.
  let withoutAction: CommandSet
  /// The text that each item has as it is declared.
  let texts: DeclaredTexts
  /// The lists of rules of the classes' handlers.
  let lists: [ItemRules]
  /// Where the rules of each list begin among all rules, and where those of one more would.
  let starts: [Int32]
  /// The list of each rule.
  let listOfRule: [Int32]
  /// The places of the state that the rules read; a reader is the number of a rule.
  let readPlaces: ReadPlaces
  private let listNumbers: [ObjectIdentifier: Int32]
  private let senders: [Selector: [Int]]
  private let rows: [ClassName: ClassRow]

  /// The index of a catalogue's commands while modifiers are held.
  init(_ catalog: Catalog, whileHolding modifiers: KeyModifiers = []) {
    count = catalog.commands.count
    self.modifiers = modifiers
    let commands =
      modifiers.isEmpty
      ? catalog.commands : catalog.commands.map { $0.whileHolding(modifiers) }
    texts = DeclaredTexts(commands)
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
    var rows: [ClassName: ClassRow] = [:]
    for name in catalog.classes.names {
      rows[name] = ClassRow(of: name, catalog.classes, count, senders, &numbering)
    }
    self.rows = rows
    lists = numbering.lists
    listNumbers = numbering.numbers
    (starts, listOfRule, readPlaces) = Self.numbered(numbering.lists)
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

  /// Returns the answers of a class's instances; nil if there is no such class.
  func row(of name: ClassName) -> ClassRow? { rows[name] }
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

extension ClassRow {
  fileprivate convenience init(
    of name: ClassName, _ classes: ResponderClasses, _ count: Int, _ senders: [Selector: [Int]],
    _ numbering: inout ListNumbering
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

/// The index of a catalogue, made when it is asked for first.
final class LazyCommandIndex: Sendable {
  private let made = AtomicLazyReference<CommandIndex>()

  func index(of catalog: Catalog) -> CommandIndex {
    made.load() ?? made.storeIfNil(CommandIndex(catalog))
  }
}
