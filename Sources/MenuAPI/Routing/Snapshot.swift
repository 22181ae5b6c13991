import MenuEngine
import MenuStore

/// A session and the catalogue at one moment.
struct Snapshot: Sendable {
  let sessionEdition: SessionEdition
  let catalogEdition: CatalogEdition

  var session: Session { sessionEdition.session }

  /// The catalogue.
  var catalog: Catalog { catalogEdition.catalog }

  /// The numbers of the editions: what is known about one snapshot holds for all of the same version.
  var version: Version {
    Version(session: sessionEdition.number, catalog: catalogEdition.number)
  }

  /// The numbers of the editions in a snapshot.
  struct Version: Hashable, Sendable {
    let session: Int
    let catalog: Int
  }

  /// The snapshot as a plan is asked about it.
  var moment: PlanMoment {
    PlanMoment(
      session, in: catalog, sessionEdition: sessionEdition.number,
      catalogEdition: catalogEdition.number)
  }
}
