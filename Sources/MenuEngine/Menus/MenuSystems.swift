import JSONText

/// The systems that show a menu, or a command in a menu (M3).
package struct MenuSystems: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The main menu, whose keys are active (K1).
  package static let main = MenuSystems(rawValue: 1)
  /// Context menus.
  package static let context = MenuSystems(rawValue: 2)
  /// Both systems, the default.
  package static let all: MenuSystems = [.main, .context]

  /// Creates the system of a kind of menu.
  init(_ kind: MenuKind) {
    switch kind {
    case .main: self = .main
    case .context: self = .context
    }
  }
}

extension MenuSystems {
  /// Reads an array of names; the default is both systems.
  init(_ reader: inout ObjectReader) {
    guard let kinds: [MenuKind] = reader.list("systems", Read.word) else {
      self = .all
      return
    }
    self = MenuSystems(kinds.map(MenuSystems.init(_:)))
    if isEmpty {
      reader.log.note(.expected(.systems, found: .array([])), at: reader.place(of: "systems"))
    }
  }

  /// The names of the systems; nil for both, the default.
  var json: JSON? {
    guard self != .all else { return nil }
    return .array(
      MenuKind.allCases.filter { contains(MenuSystems($0)) }.map { .string($0.rawValue) })
  }
}

/// A command in a menu.
package struct CommandPlace: Equatable, Sendable {
  package let command: CommandID
  /// The systems that show it here. The default is those of the menu.
  package let systems: MenuSystems

  package init(_ command: CommandID, systems: MenuSystems = .all) {
    self.command = command
    self.systems = systems
  }
}

extension CommandPlace {
  /// Reads a place: `{"command": "copy:", "systems": ["context"]}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let command: CommandID? = reader.required("command", Read.identifier)
    let systems = MenuSystems(&reader)
    reader.finish()
    guard let command else { return nil }
    self.init(command, systems: systems)
  }

  /// The document: the name of the command alone, unless it is limited.
  var json: JSON {
    guard let systems = systems.json else { return .string(command.rawValue) }
    return ["command": .string(command.rawValue), "systems": systems]
  }
}

extension CommandPlace: Codable {
  private enum CodingKeys: CodingKey {
    case command
    case systems
  }

  /// Encodes the name of the command alone, unless it is limited.
  package func encode(to encoder: any Encoder) throws {
    guard systems != .all else { return try command.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(command, forKey: .command)
    try container.encode(systems, forKey: .systems)
  }

  package init(from decoder: any Decoder) throws {
    if let command = try? CommandID(from: decoder) {
      self.init(command)
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        try container.decode(CommandID.self, forKey: .command),
        systems: try container.decode(MenuSystems.self, forKey: .systems))
    }
  }
}
