import JSONText

/// The declared titles and the other words of a catalogue's commands, prepared for searching (S).
///
/// It is derived from the catalogue, once.
final class SearchIndex: Sendable {
  /// A command.
  struct Entry: Sendable {
    let command: CommandID
    /// The index of the command in the catalogue.
    let position: Int
    /// The titles of the menus around its first place in the main menu, outermost first.
    let menus: [String]
    /// The other words (S8).
    let words: CommandWords.Place
  }

  /// The commands, those of the main menu first in its order.
  let entries: [Entry]
  /// The declared title of each entry.
  let titles: [SearchedTitle]
  /// The letters of these titles, which are read one after the other.
  let letters: [SearchedTitle.Letters]
  let words: CommandWords
  /// The items from data of the main menu, in its order (M12).
  let lists: [List]
  /// The commands that menus contain only as items from data, by position.
  private let fromData: Set<Int>
  private let positions: [CommandID: Int]
  /// The index of the entry of each command, by position.
  private let numbers: [Int]

  /// Items from data.
  struct List: Sendable {
    let declaration: ItemsFromData
    /// The titles of the menus around them, outermost first.
    let menus: [String]
    /// The number of entries before them in the order of the menus.
    let place: Int
    /// The other words, with the declared titles of these menus (S8, M14); nil to use those of the command.
    var words: CommandWords.Place?
  }

  /// Creates the index of a catalogue's commands.
  init(_ catalog: Catalog) {
    let commands = catalog.commands
    var order = MenuOrder(catalog)
    order.add(catalog.menus, in: [])
    fromData = Set(catalog.menus.commandsFromDataOnly.compactMap { catalog.positions[$0] })
    for position in commands.indices { order.add(position, in: []) }
    let declared = Self.declaredTexts(of: catalog)
    var (entries, titles, words) = ([Entry](), [SearchedTitle](), CommandWords())
    for (position, menus) in order.found {
      entries.append(
        Entry(
          command: commands[position].id, position: position, menus: menus,
          words: words.add(commands[position], declared?.commands[position])))
      titles.append(SearchedTitle(commands[position].title, in: menus))
    }
    lists = zip(order.lists, declared?.lists ?? order.lists).map { list, declaredList in
      var list = list
      if let declared, let position = catalog.positions[list.declaration.command] {
        let texts = CommandWords.Declared(
          command: declared.commands[position].command, menus: declaredList.menus)
        list.words = words.add(commands[position], texts)
      }
      return list
    }
    (self.entries, self.titles, self.words) = (entries, titles, words)
    letters = titles.map(\.letters)
    (positions, numbers) = (catalog.positions, order.numbers)
  }

  /// Returns the declared texts of the commands by position, with the titles of the menus around each, and the items
  /// from data with theirs; nil for a catalogue as declared (M14).
  private static func declaredTexts(
    of catalog: Catalog
  ) -> (commands: [CommandWords.Declared], lists: [List])? {
    guard let wording = catalog.declaredWording else { return nil }
    var order = MenuOrder(catalog)
    order.add(wording.menus, in: [])
    let commands = wording.commands.indices.map { position in
      let number = order.numbers[position]
      return CommandWords.Declared(
        command: wording.commands[position], menus: number < 0 ? [] : order.found[number].menus)
    }
    return (commands, order.lists)
  }

  /// Returns the index of a command's entry; nil for an unknown command.
  func entry(of command: CommandID) -> Int? { positions[command].map { numbers[$0] } }

  /// Returns the index of the entry of the command at a position.
  func entry(at position: Int) -> Int { numbers[position] }

  /// Returns true if the command of an entry can be found itself, not only by its items from data.
  func isOfCommand(_ entry: Int) -> Bool {
    fromData.isEmpty || !fromData.contains(entries[entry].position)
  }
}

/// The commands in the order of the main menu.
private struct MenuOrder {
  private let positions: [CommandID: Int]
  /// The position of each command with the titles of the menus around it.
  private(set) var found: [(position: Int, menus: [String])] = []
  private(set) var lists: [SearchIndex.List] = []
  /// The index in `found` of each command, by position; -1 for one that is not in it.
  private(set) var numbers: [Int]

  init(_ catalog: Catalog) {
    positions = catalog.positions
    numbers = Array(repeating: -1, count: catalog.commands.count)
    found.reserveCapacity(numbers.count)
  }

  /// Adds the commands of a menu.
  mutating func add(_ menu: Menu, in titles: [String]) {
    for child in menu.children(in: MenuSystems(.main)) {
      switch child {
      case .command(let place):
        if let position = positions[place.command] { add(position, in: titles) }
      case .itemsFromData(let declaration):
        lists.append(
          SearchIndex.List(declaration: declaration, menus: titles, place: found.count))
      case .menu(let menu): add(menu, in: menu.title.isEmpty ? titles : titles + [menu.title])
      }
    }
  }

  /// Adds a command that is not in the order yet.
  mutating func add(_ position: Int, in titles: [String]) {
    guard numbers[position] < 0 else { return }
    numbers[position] = found.count
    found.append((position, titles))
  }
}

/// The present titles and appearances of a session's commands (S7): the declared ones, unless rules decide otherwise.
struct PresentTitles {
  let index: SearchIndex
  private let appearances: PlannedAppearances
  /// The titles that differ from the declared ones, by entry.
  private var own: [Int: SearchedTitle] = [:]
  /// The items from data, whose entries follow those of the index (M12).
  private let items: [Item]

  /// An item from data.
  struct Item {
    let item: ValidatedItem
    let title: SearchedTitle
    let list: SearchIndex.List
  }

  init(_ index: SearchIndex, _ appearances: PlannedAppearances, items: [Item]) {
    self.index = index
    self.appearances = appearances
    self.items = items
    for (position, title) in appearances.titles {
      let entry = index.entry(at: position)
      if !index.titles[entry].title.hasSameBytes(as: title) {
        own[entry] = SearchedTitle(title, in: index.entries[entry].menus)
      }
    }
  }

  /// The number of entries.
  var count: Int { index.entries.count + items.count }

  /// Returns the item from data of an entry; nil for one of the index.
  func item(of entry: Int) -> Item? {
    entry < index.entries.count ? nil : items[entry - index.entries.count]
  }

  /// The title of an entry.
  subscript(entry: Int) -> SearchedTitle {
    if let item = item(of: entry) { return item.title }
    return own.isEmpty ? index.titles[entry] : own[entry] ?? index.titles[entry]
  }

  /// The letters of the title of an entry.
  func letters(of entry: Int) -> SearchedTitle.Letters {
    if let item = item(of: entry) { return item.title.letters }
    return own.isEmpty ? index.letters[entry] : own[entry]?.letters ?? index.letters[entry]
  }

  /// Returns the other words of an entry's command (S8).
  func words(of entry: Int) -> CommandWords.Place {
    guard let item = item(of: entry) else { return index.entries[entry].words }
    return item.list.words ?? index.entries[index.entry(of: item.item.command) ?? 0].words
  }

  /// Returns the titles of the menus around an entry, outermost first.
  func menus(of entry: Int) -> [String] {
    item(of: entry)?.list.menus ?? index.entries[entry].menus
  }

  /// Returns true if the item of an entry is visible to a query (S6).
  func isShown(_ entry: Int, by query: CommandQuery) -> Bool {
    if let item = item(of: entry)?.item {
      return !item.attributes.contains(.hidden) && (item.isEnabled || query.includesDisabled)
    }
    let item = appearances.items[index.entries[entry].position]
    return !item.isHidden && (item.isEnabled || query.includesDisabled)
      && index.isOfCommand(entry)
  }

  /// Returns true if an entry precedes another in menu order.
  func isInOrder(_ entry: Int, before other: Int) -> Bool {
    guard !items.isEmpty else { return entry < other }
    let (place, otherPlace) = (place(of: entry), place(of: other))
    return place == otherPlace ? entry < other : place < otherPlace
  }

  /// Returns the place of an entry in menu order; for an item from data, that of the preceding command.
  private func place(of entry: Int) -> Int { item(of: entry).map { $0.list.place - 1 } ?? entry }
}
