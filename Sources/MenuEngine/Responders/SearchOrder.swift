/// The order in which the searches of an inquiry visit responders, and the responders that each search can skip.
/// Several searches then share one walk of the chain.
///
/// It finds no targets. It only skips responders that have no method or redirect for an action, are not proxies and
/// have no supplemental target. It is computed only as far as searches need, so that a single search is not slower.
struct SearchOrder {
  let start: ResponderID?
  /// The positions of the responders in the graph, as far as searches have reached.
  private(set) var positions: [Int] = []
  /// True if the chain forms a cycle after these positions (R9).
  private(set) var isCyclic = false
  /// The stops of AppKit's search (R10).
  let stops: [WindowOrder.Stop]
  /// The next position on the chain after `positions`.
  private var following: Int?
  private var classes = ClassPlaces()
  private var owners = OwnerPlaces()
  /// The places visited for every action.
  private var always: [Int] = []

  init(from start: ResponderID?, in session: Session) {
    self.start = start
    switch session.search {
    case .uikit:
      stops = []
      following = start.flatMap { session.graph.position(of: $0) }
    case .appkit:
      stops = WindowOrder(of: session, from: start).stops
        .filter { session.graph.contains($0.responder) }
    }
  }

  /// Returns the first place, from `place` on, that may have a method for an action; nil for none.
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

  /// True if the order has a responder at a place.
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

  /// Doubles the known part of the order. Returns false at the end.
  private mutating func findMore(_ session: Session, _ catalog: Catalog) -> Bool {
    let before = positions.count
    let more = max(before, 2)
    positions.reserveCapacity(before + more)
    for _ in 0..<more {
      guard let position = nextPosition(session) else { break }
      note(position, in: session, catalog.classes)
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

  /// Appends a position to the order.
  private mutating func note(_ position: Int, in session: Session, _ all: ResponderClasses) {
    let place = positions.count
    positions.append(position)
    let responder = session.graph.responders[position]
    classes.note(responder.className, at: place, all)
    let count = responder.ownSelectorCount
    if count > 0 { owners.note(place, count) }
    if responder.isAlwaysAsked(in: session.search) { always.append(place) }
  }
}

extension SearchOrder {
  /// Builds an index of methods once searches have been frequent enough.
  mutating func index(_ graph: ResponderGraph) {
    let positions = positions
    owners.indexIfWorthwhile { graph.responders[positions[$0]].ownSelectors }
  }
}

extension Responder {
  /// True if the responder itself or its coordinator has a method for an action.
  fileprivate func hasOwn(_ action: Selector) -> Bool {
    handlers[action] != nil || coordinator?[action] != nil || undoHandlers[action] != nil
  }

  fileprivate var ownSelectors: [Selector] {
    Array(handlers.keys) + (coordinator?.registrations.map(\.selector) ?? []) + undoHandlers.keys
  }

  fileprivate var ownSelectorCount: Int {
    handlers.count + (coordinator?.registrations.count ?? 0) + undoHandlers.count
  }

  /// True if another responder can answer any action for it: a proxy (L8), or a supplemental target (R10).
  func isAlwaysAsked(in search: ResponderSearch) -> Bool {
    switch search {
    case .uikit: proxy != nil
    case .appkit:
      proxy != nil || supplementalTargetRule != nil || links[.supplementalTarget] != nil
    }
  }
}

/// The search for targets, fixed for the life of a session.
package enum ResponderSearch: String, CaseIterable, Sendable, Codable {
  /// Along the chain; each responder answers for itself and its successors (R5).
  case uikit
  /// In the key window, then in the main window, then the application and its delegate (R10).
  case appkit
}

/// The classes of the visited responders, with the places of their instances.
struct ClassPlaces {
  private struct Met {
    let name: ClassName
    let methods: [Selector: ResponderClasses.DefinedMethod]
    let first: Int
    /// The places after the first one; few classes have any.
    var others: [Int] = []

    /// Returns the first place from `place` on; nil for none.
    func first(from place: Int) -> Int? { first >= place ? first : others.first(from: place) }
  }

  /// The classes in the order of their first instance.
  private var met: [Met] = []
  /// The numbers in `met` of classes, once there are many.
  private var numbers: [ClassName: Int] = [:]
  private var last = 0

  /// The number of classes from which on they are hashed; a search among fewer is faster.
  private static let hashedCount = 16

  mutating func note(_ name: ClassName, at place: Int, _ classes: ResponderClasses) {
    if last < met.count, met[last].name == name { return met[last].others.append(place) }
    if let number = number(of: name) {
      met[number].others.append(place)
      last = number
    } else {
      last = met.count
      met.append(Met(name: name, methods: classes.methods(of: name), first: place))
      if met.count == Self.hashedCount {
        for (number, met) in met.enumerated() { numbers[met.name] = number }
      } else if met.count > Self.hashedCount {
        numbers[name] = last
      }
    }
  }

  private func number(of name: ClassName) -> Int? {
    numbers.isEmpty ? met.firstIndex { $0.name == name } : numbers[name]
  }

  /// Returns the place of the first instance with a method, from `place` on and before `limit`; else `.max`.
  func first(implementing action: Selector, from place: Int, before limit: Int) -> Int {
    var nearest = limit
    for index in met.indices {
      guard met[index].first < nearest else { break }
      if met[index].methods.keys.contains(action), let first = met[index].first(from: place) {
        nearest = min(nearest, first)
      }
    }
    return nearest == limit ? .max : nearest
  }
}

/// The responders with methods of their own, besides their class, or with a coordinator that has some.
struct OwnerPlaces {
  /// The places of the responders, ascending.
  private var places: [Int] = []
  /// The number of places, from the first, that are in `bySelector`.
  private var indexed = 0
  private var bySelector: [Selector: [Int]] = [:]
  /// The number of methods at the other places, and of look-ups there.
  private var unindexed = 0
  private var asked = 0

  mutating func note(_ place: Int, _ count: Int) {
    places.append(place)
    unindexed += count
  }

  /// Returns the first place with a method, from `place` on and before `limit`; else `.max`.
  mutating func first(
    of action: Selector, from place: Int, before limit: Int, _ hasMethod: (Int) -> Bool
  ) -> Int {
    if let first = bySelector[action]?.first(from: place) { return first < limit ? first : .max }
    for index in indexed..<places.count where places[index] >= place {
      guard places[index] < limit else { break }
      asked += 1
      if hasMethod(places[index]) { return places[index] }
    }
    return .max
  }

  /// Indexes all methods once look-ups have cost more than the index does.
  mutating func indexIfWorthwhile(_ selectors: (Int) -> [Selector]) {
    guard asked > 2 * unindexed else { return }
    for index in indexed..<places.count {
      for selector in selectors(places[index]) {
        bySelector[selector, default: []].append(places[index])
      }
    }
    (indexed, unindexed, asked) = (places.count, 0, 0)
  }
}

extension [Int] {
  /// Returns the first element not below a bound, in an ascending array.
  func first(from bound: Int) -> Int? {
    if let first, first >= bound { return first }
    let index = partitioningIndex { $0 >= bound }
    return index < count ? self[index] : nil
  }
}
