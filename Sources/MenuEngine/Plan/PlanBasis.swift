import JSONText

/// The basis of a plan besides the state: where searches lead.
///
/// Values are compared by the address of their storage. The plan retains its basis, so that no
/// other value can take that address, and changing the value copies it.
struct PlanBasis: Sendable {
  /// The responder at which searches begin.
  let start: ResponderID?
  private let commands: [Command]
  private let catalogEdition: Int
  private let graph: ResponderGraph
  private let windows: [WindowRole: ResponderID]
  private let focusBehind: ResponderID?
  private let search: ResponderSearch

  init(_ moment: PlanMoment, _ variant: PlanVariant, from: ResponderID?) {
    let session = moment.session
    commands = moment.catalog.commands
    catalogEdition = moment.catalogEdition
    graph = session.graph
    start = session.searchStart(from: from, sender: variant.sender)
    windows = session.windows
    focusBehind = session.focusBehind
    search = session.search
  }

  /// True if it is about the same commands and classes of responders.
  func isAbout(_ moment: PlanMoment) -> Bool {
    let others = moment.catalog.commands
    return catalogEdition == moment.catalogEdition && commands.span.isIdentical(to: others.span)
  }

  /// Returns the resemblance to a session, from 0 to 3, by what a few steps can compare: where
  /// searches begin, the class of that responder, the number of responders.
  func resemblance(to session: Session, _ variant: PlanVariant) -> Int {
    let other = session.searchStart(from: nil, sender: variant.sender)
    let ofClass = start.flatMap { graph.className(of: $0) }
    return [
      start == other, ofClass == other.flatMap { session.graph.className(of: $0) },
      graph.count == session.graph.count,
    ].reduce(0) { $0 + ($1 ? 1 : 0) }
  }

  /// True if the responders are the same, with all that they have.
  func hasResponders(of session: Session) -> Bool {
    graph.responders.isIdentical(to: session.graph.responders)
      && graph.nextPositions.isIdentical(to: session.graph.nextPositions)
  }

  /// Returns the responders whose properties may be others, when they are the same apart from that;
  /// nil when they may not be.
  func changedProperties(in session: Session) -> Set<ResponderID>? {
    guard graph.nextPositions.isIdentical(to: session.graph.nextPositions) else { return nil }
    return session.graph.responders.changedProperties(since: graph.responders)
  }

  /// True if, with the same responders, searches begin and go on at the same ones.
  func hasFocus(of session: Session, _ variant: PlanVariant, from: ResponderID?) -> Bool {
    guard search == session.search,
      start == session.searchStart(from: from, sender: variant.sender)
    else { return false }
    return switch search {
    case .uikit: true
    case .appkit: windows == session.windows && focusBehind == session.focusBehind
    }
  }
}
