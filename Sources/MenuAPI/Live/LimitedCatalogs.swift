import Locks
import MenuEngine
import MenuStore

/// The catalogues as visible to tokens that are limited to commands (T1).
///
/// Creating one takes time proportional to the number of commands, and its indexes are worth keeping.
final class LimitedCatalogs: Sendable {
  private struct Key: Hashable {
    let catalog: Int
    let commands: [CommandPattern]
  }

  private struct Contents {
    var editions: [Key: CatalogEdition] = [:]
    /// The last number. Numbers of limited editions are negative, so that they never equal the store's.
    var last = 0
  }

  private static let most = 64

  private let contents = Lock(Contents())

  /// Returns an edition of the catalogue without other commands.
  func edition(of whole: CatalogEdition, limitedTo commands: [CommandPattern]) -> CatalogEdition {
    let key = Key(catalog: whole.number, commands: commands)
    if let known = contents.withLock({ $0.editions[key] }) { return known }
    let catalog = whole.catalog.limited(to: commands)
    return contents.withLock { contents in
      if let known = contents.editions[key] { return known }
      // Editions of earlier catalogues are no longer needed.
      contents.editions = contents.editions.filter { $0.key.catalog >= whole.number }
      if contents.editions.count >= Self.most { contents.editions = [:] }
      contents.last -= 1
      let edition = CatalogEdition(catalog, number: contents.last)
      contents.editions[key] = edition
      return edition
    }
  }
}

extension LiveSessions {
  /// Returns a snapshot as a viewer sees it.
  func view(_ snapshot: Snapshot, limitedTo commands: [CommandPattern]?) -> Snapshot {
    guard let commands else { return snapshot }
    return Snapshot(
      sessionEdition: snapshot.sessionEdition,
      catalogEdition: limitedCatalogs.edition(of: snapshot.catalogEdition, limitedTo: commands),
      commands: commands)
  }
}
