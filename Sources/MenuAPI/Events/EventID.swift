import MenuEngine
import MenuStore

/// The id of an event (E3): which opening of a session, and at which revisions of the catalogue and the session.
struct EventID: Equatable, Sendable {
  let opening: Int
  /// The catalogue's revision.
  let catalogRevision: Int
  /// The session's revision.
  let revision: Int

  /// The id of what is so now.
  init(_ session: SessionEdition, _ catalog: CatalogEdition) {
    opening = session.opening.number
    catalogRevision = catalog.catalog.revision
    revision = session.session.revision
  }

  /// The id that a client sends back; nil for what is none.
  init?(_ text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let opening = Int(parts[0], radix: 36), let catalog = Int(parts[1]),
      let revision = Int(parts[2])
    else { return nil }
    self.opening = opening
    self.catalogRevision = catalog
    self.revision = revision
  }

  /// The ids in a text, with commas between them, as a stream of several sessions has them; what is none is left out.
  static func list(_ text: String) -> [EventID] {
    text.split(separator: ",").compactMap(EventID.init(_:))
  }

  /// The id as an event has it.
  var text: String { "\(String(opening, radix: 36)).\(catalogRevision).\(revision)" }

  /// True if nothing that one id tells of is later than what the other one does.
  func isNotAfter(_ other: EventID) -> Bool {
    opening == other.opening && catalogRevision <= other.catalogRevision
      && revision <= other.revision
  }
}
