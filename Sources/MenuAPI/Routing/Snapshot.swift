import MenuEngine
import MenuStore

/// A session and the catalogue at one moment.
struct Snapshot: Sendable {
  let sessionEdition: SessionEdition
  let catalogEdition: CatalogEdition

  /// The session.
  var session: Session { sessionEdition.session }

  /// The catalogue.
  var catalog: Catalog { catalogEdition.catalog }

  /// The numbers of the editions: what is known about one snapshot holds for all of the same version.
  var version: Version {
    Version(
      session: sessionEdition.number, revision: session.revision, catalog: catalogEdition.number,
      catalogRevision: catalog.revision)
  }

  /// The numbers of the editions in a snapshot, with their revisions.
  struct Version: Hashable, Sendable {
    let session: Int
    let revision: Int
    let catalog: Int
    let catalogRevision: Int
  }
}

extension Snapshot.Version {
  /// True if it is the same or a later version of the same session, of which revisions tell what changed
  /// since. It is none after a commit was rolled back: then there are two editions of one revision.
  func follows(_ former: Snapshot.Version) -> Bool {
    (session == former.session || session > former.session && revision > former.revision)
      && (catalog == former.catalog
        || catalog > former.catalog && catalogRevision > former.catalogRevision)
  }
}
