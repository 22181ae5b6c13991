public import JSONText

/// A change that a client made in a catalogue since it was loaded.
public enum CatalogChange: Equatable, Sendable, Codable {
  /// A command was declared.
  case declare(Command)
  /// A command was removed.
  case remove(CommandID)
  /// The menu tree was edited.
  case edit(MenuEdit)
  /// A protocol was declared.
  case declareProtocol(DelegateProtocol)
  /// A protocol was removed.
  case removeProtocol(ProtocolName)
  /// A storyboard was declared.
  case declareStoryboard(Storyboard)
  /// A storyboard was removed.
  case removeStoryboard(StoryboardName)
}

extension CatalogChange {
  /// The change as a document with one member, named as its case: `declare`, `remove`, `edit`, ….
  public var json: JSON {
    switch self {
    case .declare(let command): ["declare": command.json]
    case .remove(let id): ["remove": .string(id.rawValue)]
    case .edit(let edit): ["edit": edit.json]
    case .declareProtocol(let declared): ["declareProtocol": named(declared.name, declared.json)]
    case .removeProtocol(let name): ["removeProtocol": .string(name.rawValue)]
    case .declareStoryboard(let declared):
      ["declareStoryboard": named(declared.name, declared.json)]
    case .removeStoryboard(let name): ["removeStoryboard": .string(name.rawValue)]
    }
  }

  /// A declaration under its name, which it does not say itself.
  private func named<Subject>(_ name: Identifier<Subject>, _ declared: JSON) -> JSON {
    var object = JSONObject()
    object[name.rawValue] = declared
    return .object(object)
  }
}

extension [CatalogChange] {
  /// Notes that a command was removed; that it was declared before is forgotten, when no edit needs
  /// it, so that clients who come and go leave nothing behind.
  mutating func noteRemoval(of id: CommandID) {
    let declaration = lastIndex { change in
      if case .declare(let command) = change { command.id == id } else { false }
    }
    guard let declaration, !contains(where: { $0.shows(id) }) else { return append(.remove(id)) }
    remove(at: declaration)
  }
}

extension CatalogChange {
  /// True if it is an edit that puts a command into a menu.
  fileprivate func shows(_ id: CommandID) -> Bool {
    guard case .edit(let edit) = self else { return false }
    return edit.added.contains { element in
      switch element {
      case .command(let place): place.command == id
      case .menu(let menu): menu.commands.contains(id)
      }
    }
  }
}

extension Catalog {
  /// The edits that were made, in order.
  public var edits: [MenuEdit] {
    changes.compactMap { change in
      switch change {
      case .edit(let edit): edit
      case .declare, .remove, .declareProtocol, .removeProtocol, .declareStoryboard,
        .removeStoryboard:
        nil
      }
    }
  }

  /// Makes a change again; what is so already is no change.
  mutating func make(_ change: CatalogChange) throws(DeclarationFault) {
    switch change {
    case .declare(let command): _ = try declare(command)
    case .remove(let id): if command(id) != nil { try remove(id) }
    case .edit(let edit):
      do throws(CatalogEditFault) { try make([edit]) } catch { throw error.fault }
    case .declareProtocol(let declared): _ = try declare(declared)
    case .removeProtocol(let name):
      if delegateProtocol(name) != nil { try removeProtocol(name) }
    case .declareStoryboard(let storyboard): _ = try declare(storyboard)
    case .removeStoryboard(let name): if storyboard(name) != nil { try removeStoryboard(name) }
    }
  }
}

/// A catalogue in the place of an earlier one (M4).
public struct CatalogSuccession: Sendable {
  /// The catalogue, with what clients had changed in the earlier one.
  public let catalog: Catalog
  /// The changes by clients that could not be made again, in order.
  public let leftOut: [LeftOut]

  /// A change that was left out.
  public struct LeftOut: Equatable, Sendable, Codable {
    /// The change.
    public let change: CatalogChange
    /// The contradiction.
    public let fault: DeclarationFault
  }
}
