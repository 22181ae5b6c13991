import MenuEngine
import MenuStore

/// The id of an event (E3): which opening of a session, and at which revisions of the catalogue and the session.
/// Those of a named selection have its name behind them.
struct EventID: Equatable, Sendable {
  let opening: Int
  /// The catalogue's revision.
  let catalogRevision: Int
  /// The session's revision.
  let revision: Int
  /// The name of the selection; nil for the one without.
  let selection: EventSubscription.Name?

  /// The id of what is so now.
  init(
    _ session: SessionEdition, _ catalog: CatalogEdition,
    of selection: EventSubscription.Name? = nil
  ) {
    self.selection = selection
    opening = session.opening.number
    catalogRevision = catalog.catalog.revision
    revision = session.session.revision
  }

  /// The id that a client sends back; nil for what is none.
  init?(_ text: Substring) {
    let sides = text.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = sides[0].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let opening = Int(parts[0], radix: 36), let catalog = Int(parts[1]),
      let revision = Int(parts[2])
    else { return nil }
    selection = sides.count > 1 ? EventSubscription.Name(String(sides[1])) : nil
    guard sides.count == 1 || selection != nil else { return nil }
    self.opening = opening
    self.catalogRevision = catalog
    self.revision = revision
  }

  /// The ids in a text, with commas between them, as a stream of several sessions has them; what is none is left out.
  static func list(_ text: String) -> [EventID] {
    text.split(separator: ",").compactMap(EventID.init(_:))
  }

  /// The id as an event has it.
  var text: String {
    let moment = "\(String(opening, radix: 36)).\(catalogRevision).\(revision)"
    return selection.map { "\(moment)~\($0)" } ?? moment
  }

  /// True if both are of one opening and of one selection.
  func isOfChannel(of other: EventID) -> Bool {
    opening == other.opening && selection == other.selection
  }

  /// True if nothing that one id tells of is later than what the other one does.
  func isNotAfter(_ other: EventID) -> Bool {
    opening == other.opening && catalogRevision <= other.catalogRevision
      && revision <= other.revision
  }
}
