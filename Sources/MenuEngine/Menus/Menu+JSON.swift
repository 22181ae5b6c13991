public import JSONText

/// Gives names to menus that have none: `menu.1`, `menu.2` and so on.
public struct MenuNames {
  private var taken: Set<MenuID>
  private let series: Series
  private var last = 0

  /// The word that a name begins with, so that menus of edits keep their names when another number of
  /// menus is declared without one (M4).
  public enum Series: String, CaseIterable, Sendable {
    /// Of menus that an application declares.
    case menu
    /// Of menus that edits bring.
    case edit
  }

  /// Names that differ from those in `taken`.
  public init(_ series: Series = .menu, taken: Set<MenuID>) {
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
  /// The menu that a document describes, with names of its own where it has none, or nil and the
  /// faults.
  public init?(
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

  /// The menu as a document.
  public var json: JSON {
    var object = JSONObject()
    object["identifier"] = .string(identifier.rawValue)
    object["title"] = .string(title)
    object["image"] = image.map(JSON.string)
    object["options"] = .array(options.names.map { .string($0.rawValue) })
    object["systems"] = systems.json
    object["children"] = .array(children.map(\.json))
    return .object(object)
  }

  /// All names that a document of menus or edits gives, before menus without one get theirs.
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
  /// The elements that an array describes: a string names a command, an object with a member `command`
  /// is the place of one, another object a menu.
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
