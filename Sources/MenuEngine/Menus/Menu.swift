package import JSONText

/// A menu: a titled, ordered group of commands and further menus (M3).
package struct Menu: Equatable, Sendable, Codable {
  /// Its name, unique in the tree.
  package let identifier: MenuID
  /// The title. The default is empty, as for menus displayed inline.
  package let title: String
  /// The name of an image.
  package let image: String?
  /// The display options. The default is a submenu.
  package let options: MenuOptions
  package var children: [MenuElement]
  /// The systems that show the menu and its children. The default is all.
  package internal(set) var systems = MenuSystems.all

  /// The name of the root menu, which no edit replaces or removes.
  package static let rootIdentifier: MenuID = Identifier(unchecked: "root")
}

package enum MenuElement: Equatable, Sendable, Codable {
  /// A command of the catalogue.
  case command(CommandPlace)
  /// Items of a command, one for each element of a list (M12).
  case itemsFromData(ItemsFromData)
  /// A submenu.
  indirect case menu(Menu)
}

/// The display options of a menu (M3).
package struct MenuOptions: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The children are shown in the parent menu, between separators.
  package static let displayInline = MenuOptions(rawValue: 1)
  /// The menu is marked as destructive.
  package static let destructive = MenuOptions(rawValue: 2)
  /// At most one displayed child is `on` (M9).
  package static let singleSelection = MenuOptions(rawValue: 4)
  /// The children are shown side by side.
  package static let displayAsPalette = MenuOptions(rawValue: 8)

  /// The names in documents, in the order written.
  package enum Name: String, CaseIterable, Sendable {
    case displayInline
    case destructive
    case singleSelection
    case displayAsPalette

    package var option: MenuOptions {
      switch self {
      case .displayInline: .displayInline
      case .destructive: .destructive
      case .singleSelection: .singleSelection
      case .displayAsPalette: .displayAsPalette
      }
    }
  }

  package var names: [Name] { Name.allCases.filter { contains($0.option) } }
}

extension MenuElement {
  /// The command, or that of the items from data; nil for a menu.
  package var command: CommandID? {
    switch self {
    case .command(let place): place.command
    case .itemsFromData(let items): items.command
    case .menu: nil
    }
  }

  /// The systems that show it.
  var systems: MenuSystems {
    switch self {
    case .command(let place): place.systems
    case .itemsFromData(let items): items.systems
    case .menu(let menu): menu.systems
    }
  }

  /// The menu and its submenus, outer ones first; none for a command.
  var menus: [Menu] {
    switch self {
    case .command, .itemsFromData: []
    case .menu(let menu): menu.menus
    }
  }
}

extension Menu {
  /// The commands in the menu and its submenus, in menu order, those of items from data too.
  package var commands: [CommandID] { entries().compactMap(\.command) }

  /// Returns the commands in the menu and its submenus that one of the systems shows, in menu order (M3), without
  /// those contained only as items from data.
  func commands(in systems: MenuSystems) -> [CommandID] {
    entries(in: systems).compactMap { entry in
      if case .command(let place) = entry { place.command } else { nil }
    }
  }

  /// Returns the declarations of items from data in the menu and its submenus that one of the systems shows (M12).
  package func itemsFromData(in systems: MenuSystems = .all) -> [ItemsFromData] {
    entries(in: systems).compactMap { entry in
      if case .itemsFromData(let items) = entry { items } else { nil }
    }
  }

  /// Returns the elements of the menu and its submenus, except menus, that one of the systems shows, in menu order.
  private func entries(in systems: MenuSystems = .all) -> [MenuElement] {
    children(in: systems).flatMap { child in
      if case .menu(let menu) = child { menu.entries(in: systems) } else { [child] }
    }
  }

  /// The commands that the menu and its submenus contain only as items from data (M12).
  package var commandsFromDataOnly: Set<CommandID> {
    let declarations = itemsFromData()
    guard !declarations.isEmpty else { return [] }
    return Set(declarations.map(\.command)).subtracting(commands(in: .all))
  }

  /// Returns the children that one of the systems shows; none if the menu is not shown.
  func children(in systems: MenuSystems) -> [MenuElement] {
    guard !self.systems.isDisjoint(with: systems) else { return [] }
    return children.filter { !$0.systems.isDisjoint(with: systems) }
  }

  /// The menu and its submenus, outer ones first.
  package var menus: [Menu] { [self] + children.flatMap(\.menus) }

  /// Returns the menu called `identifier`: this one or one below it.
  package func menu(_ identifier: MenuID) -> Menu? { menus.first { $0.identifier == identifier } }

  /// Returns the menu called `identifier`, limited to the systems of the menus around it (M3).
  func menuAsShown(_ identifier: MenuID) -> Menu? {
    if self.identifier == identifier { return self }
    for case .menu(var menu) in children {
      menu.systems.formIntersection(systems)
      if let found = menu.menuAsShown(identifier) { return found }
    }
    return nil
  }
}

/// The kind of a displayed menu (M8), and its system (M3).
package enum MenuKind: String, CaseIterable, Sendable {
  /// Items that cannot be performed are disabled.
  case main
  /// Items that cannot be performed are left out, as are submenus without items.
  case context
}

/// A generator of names for menus without one: `menu.1`, `menu.2` and so on.
package struct MenuNames {
  private var taken: Set<MenuID>
  private let series: Series
  private var last = 0

  /// The prefix of names. Menus of edits have their own, so that their names do not depend on the number of
  /// declared menus (M4).
  package enum Series: String, CaseIterable, Sendable {
    /// Menus declared by an application.
    case menu
    /// Menus added by edits.
    case edit
  }

  /// Creates a generator of names not in `taken`.
  package init(_ series: Series = .menu, taken: Set<MenuID>) {
    self.taken = taken
    self.series = series
  }

  mutating func next() -> MenuID {
    while true {
      last += 1
      let name = MenuID(unchecked: "\(series.rawValue).\(last)")
      if taken.insert(name).inserted { return name }
    }
  }
}

extension Menu {
  /// Reads a menu; menus without a name get a generated one.
  package init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, names: inout MenuNames
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let identifier: MenuID? = reader.member("identifier", Read.identifier)
    title = reader.member("title", Read.string) ?? ""
    image = reader.member("image", Read.string)
    let options: [MenuOptions.Name]? = reader.list("options", Read.word)
    self.options = MenuOptions((options ?? []).map(\.option))
    self.identifier = identifier ?? names.next()
    systems = MenuSystems(&reader)
    children = []
    if let list = reader.json("children") {
      children = MenuElement.list(reading: list, at: reader.place(of: "children"), log, &names)
    }
    reader.finish()
  }

  package var json: JSON {
    var object = JSONObject()
    object["identifier"] = .string(identifier.rawValue)
    object["title"] = .string(title)
    object["image"] = image.map(JSON.string)
    object["options"] = .array(options.names.map { .string($0.rawValue) })
    object["systems"] = systems.json
    object["children"] = .array(children.map(\.json))
    return .object(object)
  }

  /// Returns all names in a document of menus or edits, which generated names must avoid.
  static func namesGiven(in json: JSON) -> Set<MenuID> {
    switch json {
    case .array(let elements):
      elements.reduce(into: []) { $0.formUnion(namesGiven(in: $1)) }
    case .object(let object):
      ["children", "menu", "with"].reduce(
        into: Set(object["identifier"].flatMap(MenuID.init(json:)).map { [$0] } ?? [])
      ) { $0.formUnion(namesGiven(in: object[$1] ?? .null)) }
    case .null, .bool, .int, .double, .string: []
    }
  }
}

extension MenuElement {
  /// Reads the elements of an array: a string names a command, an object with a member `forEach` is items from data,
  /// one with a member `command` a command place, any other object a menu.
  static func list(
    reading json: JSON, at pointer: JSONPointer, _ log: FaultLog, _ names: inout MenuNames
  ) -> [MenuElement] {
    guard case .array(let elements) = json else {
      log.note(.expected(.array, found: json), at: pointer)
      return []
    }
    var list: [MenuElement] = []
    for (index, element) in elements.enumerated() {
      if let element = one(reading: element, at: pointer.appending(index), log, &names) {
        list.append(element)
      }
    }
    return list
  }

  private static func one(
    reading json: JSON, at pointer: JSONPointer, _ log: FaultLog, _ names: inout MenuNames
  ) -> MenuElement? {
    switch json {
    case .string:
      Read.identifier(json, at: pointer, log: log).map { .command(CommandPlace($0)) }
    case .object(let object) where object["forEach"] != nil:
      ItemsFromData(reading: json, at: pointer, log: log).map(MenuElement.itemsFromData)
    case .object(let object) where object["command"] != nil:
      CommandPlace(reading: json, at: pointer, log: log).map(MenuElement.command)
    case .object:
      Menu(reading: json, at: pointer, log: log, names: &names).map(MenuElement.menu)
    case .null, .bool, .int, .double, .array:
      Read.refuse(.menuElement, json, at: pointer, log: log)
    }
  }

  var json: JSON {
    switch self {
    case .command(let place): place.json
    case .itemsFromData(let items): items.json
    case .menu(let menu): menu.json
    }
  }
}

extension Identifier {
  init?(json: JSON) {
    guard case .string(let text) = json else { return nil }
    self.init(text)
  }
}

extension Menu {
  /// Removes the commands that do not satisfy a condition, and the menus that have nothing else.
  package mutating func keep(where condition: (CommandID) -> Bool) {
    children = children.compactMap { child in
      switch child {
      case .command(let place): return condition(place.command) ? child : nil
      case .itemsFromData(let items): return condition(items.command) ? child : nil
      case .menu(var menu):
        let wasEmpty = menu.children.isEmpty
        menu.keep(where: condition)
        return menu.children.isEmpty && !wasEmpty ? nil : .menu(menu)
      }
    }
  }
}
