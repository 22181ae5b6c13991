/// Everything that can happen to a catalogue.
public enum CatalogMutation: Sendable, Codable {
  /// Declares a command (M1).
  case declareCommand(Command)
  /// Removes a command that stands in no menu.
  case removeCommand(CommandID)
  /// Edits the menu tree, all or none (M4).
  case editMenus([MenuEdit])
  /// Declares a protocol of delegates (V7).
  case declareProtocol(DelegateProtocol)
  /// Removes a protocol that no class names.
  case removeProtocol(ProtocolName)
  /// Declares a storyboard (V2).
  case declareStoryboard(Storyboard)
  /// Removes a storyboard; view controllers that were made from it stay.
  case removeStoryboard(StoryboardName)
  /// Puts another catalogue in the place of this one, as a reload does; what clients changed here is
  /// changed there again, as far as it can be (M4).
  case replace(Catalog)
}

/// The effect of an accepted mutation on a catalogue.
public struct CatalogOutcome: Equatable, Sendable {
  /// True if anything changed; not when the very same was declared before.
  public let isChanged: Bool
  /// The changes by clients that could not be made again in the catalogue that took the place (M4).
  public internal(set) var leftOut: [CatalogSuccession.LeftOut] = []
}

/// The refusal of a mutation of a catalogue, which stays as it was.
public struct CatalogMutationFault: Error, Equatable, Sendable {
  /// The contradiction.
  public let fault: DeclarationFault
  /// The index of the menu edit that cannot be made; nil for another mutation.
  public let edit: Int?

  init(_ fault: DeclarationFault, edit: Int? = nil) {
    self.fault = fault
    self.edit = edit
  }
}

extension Catalog {
  /// Applies one mutation; its revision grows by one if that changes anything.
  ///
  /// - Throws: `CatalogMutationFault`; then the catalogue is as it was.
  public mutating func apply(
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
    case .editMenus(let edits): return try edit(edits)
    case .replace(let catalog):
      let succession = catalog.succeeding(self)
      self = succession.catalog
      return CatalogOutcome(isChanged: true, leftOut: succession.leftOut)
    case .declareCommand, .removeCommand, .declareProtocol, .removeProtocol, .declareStoryboard,
      .removeStoryboard:
      do throws(DeclarationFault) {
        return CatalogOutcome(isChanged: try changeDeclarations(by: mutation))
      } catch {
        throw CatalogMutationFault(error)
      }
    }
  }

  private mutating func edit(
    _ edits: [MenuEdit]
  ) throws(CatalogMutationFault) -> CatalogOutcome {
    do throws(CatalogEditFault) {
      try make(edits)
    } catch {
      throw CatalogMutationFault(error.fault, edit: error.index)
    }
    return CatalogOutcome(isChanged: !edits.isEmpty)
  }

  /// Answers whether anything changed.
  private mutating func changeDeclarations(
    by mutation: CatalogMutation
  ) throws(DeclarationFault) -> Bool {
    switch mutation {
    case .declareCommand(let command): return try declare(command) == .added
    case .declareProtocol(let declared): return try declare(declared) == .added
    case .declareStoryboard(let storyboard): return try declare(storyboard) == .added
    case .removeCommand(let id): try remove(id)
    case .removeProtocol(let name): try removeProtocol(name)
    case .removeStoryboard(let name): try removeStoryboard(name)
    case .editMenus, .replace: return false
    }
    return true
  }
}
