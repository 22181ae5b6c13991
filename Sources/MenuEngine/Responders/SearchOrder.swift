/// The order in which the searches of an inquiry ask responders, and which responders each search
/// can skip. Many searches together then walk along the chain once.
///
/// It answers no question. It only skips responders that have neither a method nor a redirect for
/// an action, are no proxy, and name no substitute. It is computed only as far as searches go, so
/// that a single search is not slower.
struct SearchOrder {
  /// The responder at which it begins.
  let start: ResponderID?
  /// The positions in the graph of the responders that are asked, as far as searches have come.
  private(set) var positions: [Int] = []
  /// True if it leads back into itself behind these (R9).
  private(set) var isCyclic = false
  /// In AppKit's search, how each is come to (R10).
  let stops: [WindowOrder.Stop]
  /// On a chain, who follows those in `positions`.
  private var following: Int?
  private var classes = ClassPlaces()
  private var owners = OwnerPlaces()
  /// Those that are asked whatever the action is.
  private var always: [Int] = []

  init(from start: ResponderID?, in session: Session) {
    self.start = start
    switch session.search {
    case .uikit:
      stops = []
      following = start.flatMap { session.graph.position(of: $0) }
    case .appkit:
      stops = WindowOrder(of: session, from: start).stops
        .filter { session.graph.position(of: $0.responder) != nil }
    }
  }

  /// The first one from a place on that may have something to say of an action; nil when nobody has.
  mutating func next(
    for action: Selector, from place: Int, in session: Session, _ catalog: Catalog
  ) -> Int? {
    var place = place
    while true {
      if let next = known(for: action, from: place, session.graph) { return next }
      place = positions.count
      guard findMore(session, catalog) else { return nil }
    }
  }

  /// True if somebody stands at a place.
  mutating func contains(_ place: Int, in session: Session, _ catalog: Catalog) -> Bool {
    while place >= positions.count {
      guard findMore(session, catalog) else { return false }
    }
    return true
  }

  private mutating func known(
    for action: Selector, from place: Int, _ graph: ResponderGraph
  ) -> Int? {
    guard place < positions.count else { return nil }
    var nearest = always.first(from: place) ?? .max
    nearest = min(nearest, classes.first(implementing: action, from: place, before: nearest))
    let positions = positions
    nearest = min(
      nearest,
      owners.first(of: action, from: place, before: nearest) {
        graph.responders[positions[$0]].hasOwn(action)
      })
    return nearest == .max ? nil : nearest
  }

  /// Goes on as far again as it is known; no when it ends there.
  private mutating func findMore(_ session: Session, _ catalog: Catalog) -> Bool {
    let before = positions.count
    for _ in 0..<max(before, 8) {
      guard let position = nextPosition(session) else { break }
      note(position, in: session, classes: catalog.classes)
    }
    return positions.count > before
  }

  private mutating func nextPosition(_ session: Session) -> Int? {
    switch session.search {
    case .appkit:
      guard positions.count < stops.count else { return nil }
      return session.graph.position(of: stops[positions.count].responder)
    case .uikit:
      guard let position = following else { return nil }
      isCyclic = positions.count == session.graph.count
      guard !isCyclic else { return nil }
      following = session.graph.next(of: position)
      return position
    }
  }

  private mutating func note(_ position: Int, in session: Session, classes all: ResponderClasses) {
    let place = positions.count
    positions.append(position)
    classes.note(session.graph.responders[position].className, at: place, all)
    let count = session.graph.responders[position].ownSelectorCount
    if count > 0 { owners.note(place, count) }
    if session.graph.responders[position].isAlwaysAsked(in: session.search) {
      always.append(place)
    }
  }
}

extension SearchOrder {
  /// Makes it quick to find the owners of a method once that was often asked for.
  mutating func index(_ graph: ResponderGraph) {
    let positions = positions
    owners.indexIfWorthwhile { graph.responders[positions[$0]].ownSelectors }
  }
}

extension Responder {
  /// True if it has a method for an action itself, or its coordinator has one.
  fileprivate func hasOwn(_ action: Selector) -> Bool {
    handlers[action] != nil || coordinator?[action] != nil || undoHandlers[action] != nil
  }

  fileprivate var ownSelectors: [Selector] {
    Array(handlers.keys) + (coordinator?.registrations.map(\.selector) ?? []) + undoHandlers.keys
  }

  fileprivate var ownSelectorCount: Int {
    handlers.count + (coordinator?.registrations.count ?? 0) + undoHandlers.count
  }

  /// True if somebody else may answer in its place, whatever the action is (L8, R10).
  func isAlwaysAsked(in search: ResponderSearch) -> Bool {
    switch search {
    case .uikit: proxy != nil
    case .appkit:
      proxy != nil || supplementalTargetRule != nil || links[.supplementalTarget] != nil
    }
  }
}
