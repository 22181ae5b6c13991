package import JSONText

/// A change of a catalogue.
package enum CatalogMutation: Sendable, Codable {
  /// Declares a command (M1).
  case declareCommand(Command)
  /// Removes a command that no menu contains.
  case removeCommand(CommandID)
  /// Edits the menu tree, all or none (M4).
  case editMenus([MenuEdit])
  /// Declares a protocol of delegates (V7).
  case declareProtocol(DelegateProtocol)
  /// Removes a protocol that no class names.
  case removeProtocol(ProtocolName)
  /// Declares a storyboard (V2).
  case declareStoryboard(Storyboard)
  /// Removes a storyboard; view controllers made from it remain.
  case removeStoryboard(StoryboardName)
  /// Replaces the catalogue, as a reload does; the changes of clients are applied to the new one where possible
  /// (M4).
  case replace(Catalog)
  /// Adds a token for work in all sessions, and removes those that have expired by a time (T2).
  case grantToken(GrantedToken, at: Int64)
  /// Removes such a token.
  case revokeToken(Int)
  /// Adds a keymap, or replaces the one of its name (K9).
  case putKeymap(Keymap)
  /// Removes a keymap; sessions that name it continue without one.
  case removeKeymap(KeymapName)
}

/// The outcome of an accepted mutation of a catalogue.
package struct CatalogOutcome: Equatable, Sendable {
  /// True if anything changed; false if the same declaration existed.
  package let isChanged: Bool
  /// The changes by clients that could not be applied to the new catalogue (M4).
  package internal(set) var leftOut: [CatalogChange.LeftOut] = []
}

/// The refusal of a mutation of a catalogue, which stays unchanged.
package struct CatalogMutationFault: Error, Equatable, Sendable {
  package let fault: DeclarationFault
  /// The index of the failed menu edit; nil for other mutations.
  package let edit: Int?

  init(_ fault: DeclarationFault, edit: Int? = nil) {
    self.fault = fault
    self.edit = edit
  }
}

extension Catalog {
  /// Applies one mutation. The revision grows by one if anything changes.
  ///
  /// - Throws: `CatalogMutationFault`; the catalogue is then unchanged.
  package mutating func apply(
    _ mutation: CatalogMutation
  ) throws(CatalogMutationFault) -> CatalogOutcome {
    var copy = self
    let outcome = try copy.change(by: mutation)
    self = copy
    return outcome
  }

  private mutating func change(
    by mutation: CatalogMutation
  ) throws(CatalogMutationFault) -> CatalogOutcome {
    switch mutation {
    case .editMenus(let edits):
      try make(edits)
      return CatalogOutcome(isChanged: !edits.isEmpty)
    case .replace(let catalog):
      self = catalog.succeeding(self)
      return CatalogOutcome(isChanged: true, leftOut: leftOut)
    case .grantToken(let token, at: let time):
      return changeTokens { $0.add(token, at: time) != nil }
    case .revokeToken(let id): return changeTokens { $0.remove(id) }
    case .declareCommand, .removeCommand, .declareProtocol, .removeProtocol, .declareStoryboard,
      .removeStoryboard, .putKeymap, .removeKeymap:
      do throws(DeclarationFault) {
        return CatalogOutcome(isChanged: try changeDeclarations(by: mutation))
      } catch {
        throw CatalogMutationFault(error)
      }
    }
  }

  private mutating func changeTokens(
    by change: (inout GrantedTokens) -> Bool
  ) -> CatalogOutcome {
    let isChanged = change(&tokens)
    if isChanged { revision += 1 }
    return CatalogOutcome(isChanged: isChanged)
  }

  /// Returns true if anything changed.
  private mutating func changeDeclarations(
    by mutation: CatalogMutation
  ) throws(DeclarationFault) -> Bool {
    switch mutation {
    case .declareCommand(let command): return try declare(command)
    case .declareProtocol(let declared): return try declare(declared)
    case .declareStoryboard(let storyboard): return try declare(storyboard)
    case .putKeymap(let keymap): return put(keymap)
    case .removeKeymap(let name): try removeKeymap(name)
    case .removeCommand(let id): try remove(id)
    case .removeProtocol(let name): try removeProtocol(name)
    case .removeStoryboard(let name): try removeStoryboard(name)
    case .editMenus, .replace, .grantToken, .revokeToken: return false
    }
    return true
  }
}

/// A change by a client since the catalogue was loaded.
package enum CatalogChange: Equatable, Sendable, Codable {
  case declare(Command)
  case remove(CommandID)
  case edit(MenuEdit)
  case declareProtocol(DelegateProtocol)
  case removeProtocol(ProtocolName)
  case declareStoryboard(Storyboard)
  case removeStoryboard(StoryboardName)

  /// A change that could not be applied to the catalogue that replaced an earlier one (M4).
  package struct LeftOut: Equatable, Sendable, Codable {
    package let change: CatalogChange
    package let fault: DeclarationFault
  }
}

extension CatalogChange {
  /// The document: an object with one member named as the case, such as `declare`, `remove` or `edit`.
  package var json: JSON {
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

  /// Returns a declaration under its name, which it does not contain itself.
  private func named<Subject>(_ name: Identifier<Subject>, _ declared: JSON) -> JSON {
    var object = JSONObject()
    object[name.rawValue] = declared
    return .object(object)
  }
}

extension CatalogChange {
  /// True if the change is an edit that adds a command to a menu.
  func shows(_ id: CommandID) -> Bool {
    guard case .edit(let edit) = self else { return false }
    return edit.added.contains { element in
      switch element {
      case .command, .itemsFromData: element.command == id
      case .menu(let menu): menu.commands.contains(id)
      }
    }
  }
}

extension Catalog {
  /// The edits, in order.
  package var edits: [MenuEdit] {
    changes.compactMap { change in
      switch change {
      case .edit(let edit): edit
      case .declare, .remove, .declareProtocol, .removeProtocol, .declareStoryboard,
        .removeStoryboard:
        nil
      }
    }
  }

  /// Applies a change; one that is already in effect is not repeated.
  mutating func make(_ change: CatalogChange) throws(DeclarationFault) {
    switch change {
    case .declare(let command): _ = try declare(command)
    case .remove(let id): if command(id) != nil { try remove(id) }
    case .edit(let edit):
      do throws(CatalogMutationFault) { try make([edit]) } catch { throw error.fault }
    case .declareProtocol(let declared): _ = try declare(declared)
    case .removeProtocol(let name):
      if delegateProtocol(name) != nil { try removeProtocol(name) }
    case .declareStoryboard(let storyboard): _ = try declare(storyboard)
    case .removeStoryboard(let name): if storyboard(name) != nil { try removeStoryboard(name) }
    }
  }
}

extension Catalog {
  /// Records a change; the revision grows by one.
  mutating func note(_ change: CatalogChange) {
    changes.append(change)
    revision += 1
  }

  /// Records a removal. If a client's earlier change declared the removed item (`isDeclaration`) and no other change
  /// needs it, that change is dropped instead, so that temporary clients leave no record.
  mutating func noteRemoval(
    _ removal: CatalogChange, isNeeded: Bool = false, _ isDeclaration: (CatalogChange) -> Bool
  ) {
    revision += 1
    guard !isNeeded, let declaration = changes.lastIndex(where: isDeclaration) else {
      return changes.append(removal)
    }
    changes.remove(at: declaration)
  }

  /// Returns generated names for menus of edits without identifier, unique in the tree: `edit.1`.
  package func menuNames(besides json: JSON) -> MenuNames {
    MenuNames(.edit, taken: Set(menus.menus.map(\.identifier)).union(Menu.namesGiven(in: json)))
  }
}
