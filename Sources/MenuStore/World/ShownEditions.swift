package import MenuEngine

/// The editions that an answer was made of, in a process that is not alone on its journal.
package struct ShownEditions: Sendable {
  private var catalog: CatalogEdition?
  private var session: (id: SessionID, edition: SessionEdition?)?
  /// True if it was made of something else too, or of several sessions.
  private var hasOther = false

  /// Nothing yet.
  package init() {}

  /// Notes the catalogue.
  package mutating func note(_ edition: CatalogEdition) {
    if let catalog, catalog !== edition { hasOther = true }
    catalog = edition
  }

  /// Notes a session, or that there is none.
  package mutating func note(_ look: StoreSnapshot, of id: SessionID) {
    note(look.catalog)
    if let session, session.id != id || session.edition !== look.session { hasOther = true }
    session = (id, look.session)
  }

  /// Notes a session.
  package mutating func note(_ edition: SessionEdition) {
    let id = edition.session.id
    if let session, session.id != id || session.edition !== edition { hasOther = true }
    session = (id, edition)
  }

  /// Notes anything else.
  package mutating func noteOther() { hasOther = true }

  /// The opening and revision of the session that is shown, and the revision of the catalogue.
  package var revisions: (opening: Int?, session: Int, catalog: Int) {
    let edition = session?.edition
    return (
      edition?.opening.number, edition?.session.revision ?? -1, catalog?.catalog.revision ?? -1
    )
  }

  /// True if a world is still as it was shown.
  func isCurrent(in world: World) -> Bool {
    guard !hasOther, catalog == nil || catalog === world.catalog else { return false }
    guard let session else { return true }
    return world.sessions[session.id] === session.edition
  }
}
