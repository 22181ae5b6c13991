/// A menu: a titled, ordered group of commands and further menus (M3).
public struct Menu: Equatable, Sendable {
  /// Its name, unique in the tree.
  public let identifier: MenuID
  /// The title; a menu displayed inline may have an empty one. The default is empty.
  public let title: String
  /// The name of an image.
  public let image: String?
  /// The options of its appearance. The default is a submenu.
  public let options: MenuOptions
  /// The elements, in order.
  public var children: [MenuElement]
  /// The systems that show it, with all of its children. The default is all.
  public internal(set) var systems = MenuSystems.all

  /// The name of the menu that holds all others, and which no edit replaces or removes.
  public static let rootIdentifier: MenuID = Identifier(unchecked: "root")
}

/// An element of a menu.
public enum MenuElement: Equatable, Sendable, Codable {
  /// A command of the catalogue, or one with a key.
  case command(CommandPlace)
  /// A menu inside the menu.
  indirect case menu(Menu)
}

/// Options of a menu's appearance (M3).
public struct MenuOptions: OptionSet, Hashable, Sendable, Codable {
  /// The bits.
  public let rawValue: UInt8

  /// The options with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The children are shown in the menu above, between separators.
  public static let displayInline = MenuOptions(rawValue: 1)
  /// The menu is marked as one that destroys something.
  public static let destructive = MenuOptions(rawValue: 2)
  /// At most one displayed child may be `on` (M9).
  public static let singleSelection = MenuOptions(rawValue: 4)
  /// The children are shown side by side.
  public static let displayAsPalette = MenuOptions(rawValue: 8)

  /// The names on the wire, in the order in which they are written.
  public enum Name: String, CaseIterable, Sendable {
    case displayInline
    case destructive
    case singleSelection
    case displayAsPalette

    /// The option of this name.
    public var option: MenuOptions {
      switch self {
      case .displayInline: .displayInline
      case .destructive: .destructive
      case .singleSelection: .singleSelection
      case .displayAsPalette: .displayAsPalette
      }
    }
  }

  /// The names of the options that are set.
  public var names: [Name] { Name.allCases.filter { contains($0.option) } }
}

extension Menu: Codable {
  private enum CodingKeys: CodingKey {
    case identifier
    case title
    case image
    case options
    case children
    case systems
  }

  /// Decodes a menu.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    identifier = try container.decode(MenuID.self, forKey: .identifier)
    title = try container.decode(String.self, forKey: .title)
    image = try container.decodeIfPresent(String.self, forKey: .image)
    options = try container.decode(MenuOptions.self, forKey: .options)
    children = try container.decode([MenuElement].self, forKey: .children)
    systems = try container.decode(MenuSystems.self, forKey: .systems)
  }
}

extension MenuElement {
  /// The command that stands here; nil for a menu.
  var command: CommandID? {
    switch self {
    case .command(let place): place.command
    case .menu: nil
    }
  }

  /// The systems that show it.
  var systems: MenuSystems {
    switch self {
    case .command(let place): place.systems
    case .menu(let menu): menu.systems
    }
  }

  /// The menu and those below it, outer ones first; none for a command.
  var menus: [Menu] {
    switch self {
    case .command: []
    case .menu(let menu): menu.menus
    }
  }
}

extension Menu {
  /// The commands in the menu and in the menus below it, in menu order.
  public var commands: [CommandID] { commands(in: .all) }

  /// The commands that are shown in one of these systems, in the menu and in the menus below it, in
  /// menu order (M3).
  func commands(in systems: MenuSystems) -> [CommandID] {
    children(in: systems).flatMap { child in
      switch child {
      case .command(let place): [place.command]
      case .menu(let menu): menu.commands(in: systems)
      }
    }
  }

  /// The children that are shown in one of these systems, none when the menu is not.
  func children(in systems: MenuSystems) -> [MenuElement] {
    guard !self.systems.isDisjoint(with: systems) else { return [] }
    return children.filter { !$0.systems.isDisjoint(with: systems) }
  }

  /// The menu itself and those below it, outer ones first.
  public var menus: [Menu] { [self] + children.flatMap(\.menus) }

  /// The menu called `identifier`: this one or one below it.
  public func menu(_ identifier: MenuID) -> Menu? { menus.first { $0.identifier == identifier } }

  /// The menu called `identifier`, limited as the menus around it are (M3).
  func menuAsShown(_ identifier: MenuID) -> Menu? {
    if self.identifier == identifier { return self }
    for case .menu(var menu) in children {
      menu.systems.formIntersection(systems)
      if let found = menu.menuAsShown(identifier) { return found }
    }
    return nil
  }
}
