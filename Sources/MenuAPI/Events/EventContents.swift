import JSONText
import MenuEngine
import MenuStore

/// The state of a session that the subscribers of a channel have, so that the next event has the differences
/// only.
struct EventContents: Sendable {
  private let subscription: EventSubscription
  /// The text of the menu in the last event; nil if there was none, or it could not be made.
  private var menu: [UInt8]?
  /// The ids of the deliveries in the subscribed states, as of the last event.
  private var toldDeliveries: Set<Int> = []
  /// The digests of the items in the last event, in the order of the commands; nil if there were none.
  private var items: [Int]?

  init(_ subscription: EventSubscription) { self.subscription = subscription }

  var size: Int {
    let numbers = (items?.count ?? 0) + 2 * toldDeliveries.count
    return (menu?.count ?? 0) + numbers * MemoryLayout<Int>.stride
  }

  /// Takes over the state that a reset would send.
  mutating func learn(of snapshot: Snapshot, from followed: FollowedSession) {
    if let request = subscription.menuQuestion {
      menu = tree(request, of: snapshot, from: followed)
    }
    if let request = subscription.itemsQuestion {
      items = difference(request, of: snapshot, from: followed)?.digests
    }
    toldDeliveries = Set(deliveries(of: snapshot).map(\.id))
  }

  /// Writes the members of a reset.
  ///
  /// - Returns: The text of the document, if it is large enough to stand apart, with its place among the bytes.
  mutating func writeAll(
    of snapshot: Snapshot, from followed: FollowedSession, to writer: inout JSONWriter
  ) -> SessionEvent.Inset? {
    var inset: SessionEvent.Inset?
    if subscription.hasDocument {
      let document = followed.document(of: snapshot)
      let isLarge = document.count > SessionEvent.Inset.threshold
      writer.member("document")
      writer.value(encoded: isLarge ? [] : document)
      if isLarge { inset = SessionEvent.Inset(text: document, place: writer.bytes.count) }
    }
    if let request = subscription.menuQuestion {
      menu = tree(request, of: snapshot, from: followed)
      writer.member("menu")
      writer.value(encoded: menu ?? Array("null".utf8))
    }
    if let request = subscription.itemsQuestion {
      items = nil
      if !writeItems(request, of: snapshot, from: followed, to: &writer) {
        writer.member("items")
        writer.null()
      }
    }
    if !subscription.deliveries.isEmpty {
      let told = deliveries(of: snapshot)
      toldDeliveries = Set(told.map(\.id))
      writer.member("deliveries", told)
    }
    return inset
  }

  /// Writes the members with the differences; returns false if there are none for the subscribers.
  mutating func writeChanges(
    by outcomes: [Outcome], to snapshot: Snapshot, from followed: FollowedSession,
    _ writer: inout JSONWriter
  ) -> Bool {
    var differs = false
    if subscription.hasDocument, !outcomes.isEmpty {
      differs = true
      writer.member("changes")
      writer.beginArray()
      for outcome in outcomes { writer.elements(changesOf: outcome) }
      writer.endArray()
    }
    if let request = subscription.menuQuestion,
      writeMenuChanges(request, of: snapshot, from: followed, to: &writer)
    {
      differs = true
    }
    if let request = subscription.itemsQuestion,
      writeItems(request, of: snapshot, from: followed, to: &writer)
    {
      differs = true
    }
    if !subscription.deliveries.isEmpty,
      writeDeliveryChanges(by: outcomes, to: snapshot, &writer)
    {
      differs = true
    }
    return differs
  }
}

// MARK: Deliveries

extension EventContents {
  private func deliveries(of snapshot: Snapshot) -> [Delivery] {
    guard !subscription.deliveries.isEmpty else { return [] }
    return snapshot.session.deliveries.all.filter { subscription.deliveries.contains($0.state) }
  }

  /// Writes the changed deliveries in full, and the ids of those that left the subscribed states.
  private mutating func writeDeliveryChanges(
    by outcomes: [Outcome], to snapshot: Snapshot, _ writer: inout JSONWriter
  ) -> Bool {
    let touched = Set(outcomes.flatMap(\.changes).compactMap(\.delivery)).sorted()
    let present = touched.compactMap { snapshot.session.deliveries[$0] }
      .filter { subscription.deliveries.contains($0.state) }
    let kept = Set(present.map(\.id))
    let gone = touched.filter { toldDeliveries.contains($0) && !kept.contains($0) }
    toldDeliveries.formUnion(kept)
    toldDeliveries.subtract(gone)
    if !present.isEmpty { writer.member("deliveries", present) }
    if !gone.isEmpty {
      writer.member("deliveriesGone", .array(gone.map { .int(Int64($0)) }))
    }
    return !present.isEmpty || !gone.isEmpty
  }
}

// MARK: Menus

extension EventContents {
  private mutating func writeMenuChanges(
    _ request: ValidationRequest, of snapshot: Snapshot, from followed: FollowedSession,
    to writer: inout JSONWriter
  ) -> Bool {
    let old = menu
    menu = tree(request, of: snapshot, from: followed)
    guard menu != old else { return false }
    guard let difference = Self.difference(from: old, to: menu) else {
      writer.member("menu")
      writer.value(encoded: menu ?? Array("null".utf8))
      return true
    }
    guard !difference.edits.isEmpty else { return false }
    writer.member(menuEdits: difference.edits)
    return true
  }

  /// Returns the differences between two texts; nil if they cannot be expressed as edits.
  private static func difference(from old: [UInt8]?, to new: [UInt8]?) -> MenuDifference? {
    guard let old, let new, let tree = try? JSON(parsing: old), let other = try? JSON(parsing: new)
    else { return nil }
    return MenuDifference(from: tree, to: other)
  }

  /// Returns the text of the menu in its present state; nil if there is none, or its validation takes too much.
  private func tree(
    _ request: ValidationRequest, of snapshot: Snapshot, from followed: FollowedSession
  ) -> [UInt8]? {
    guard let declared = snapshot.catalog.menuAsShown(request.menu ?? Menu.rootIdentifier),
      let menu = try? followed.ask(
        at: snapshot.moment, as: request,
        { (plan) throws(MutationFault) in
          try plan.validate(declared, request, at: snapshot.moment)
        })
    else { return nil }
    var writer = JSONWriter()
    writer.value(menu, isExplaining: false)
    return writer.bytes
  }
}

// MARK: Items

extension EventContents {
  /// The items that differ from those of the last event.
  private struct Difference: Sendable {
    /// The texts of the differing items, separated by commas.
    var texts: [UInt8] = []
    /// The digests of all items.
    var digests: [Int] = []

    mutating func add(_ text: ArraySlice<UInt8>, knowing known: [Int]?) {
      let digest = text.digest
      let isKnown = known.map { $0.indices.contains(digests.count) && $0[digests.count] == digest }
      digests.append(digest)
      guard isKnown != true else { return }
      if !texts.isEmpty { texts.append(UInt8(ascii: ",")) }
      texts += text
    }
  }

  /// Writes the member with the items that differ, or null if their validation takes too much; returns false,
  /// and writes nothing, without news.
  private mutating func writeItems(
    _ request: ValidationRequest, of snapshot: Snapshot, from followed: FollowedSession,
    to writer: inout JSONWriter
  ) -> Bool {
    let known = items
    let difference = difference(request, of: snapshot, from: followed)
    items = difference?.digests
    guard let difference else {
      guard known != nil else { return false }
      writer.member("items")
      writer.null()
      return true
    }
    guard !difference.texts.isEmpty else { return false }
    writer.member("items")
    writer.beginArray()
    writer.value(encoded: difference.texts)
    writer.endArray()
    return true
  }
}

extension EventContents {
  /// Returns the items that differ from those of the last event; nil if their validation takes too much.
  private func difference(
    _ request: ValidationRequest, of snapshot: Snapshot, from followed: FollowedSession
  ) -> Difference? {
    try? followed.ask(at: snapshot.moment, as: request) { (plan) throws(MutationFault) in
      var difference = Difference()
      try plan.readTexts(for: request, at: snapshot.moment) { difference.add($0, knowing: items) }
      return difference
    }
  }
}

extension ArraySlice<UInt8> {
  /// The digest of the bytes, different in each process.
  fileprivate var digest: Int {
    var hasher = Hasher()
    hasher.combine(self)
    return hasher.finalize()
  }
}

extension Outcome.Change {
  /// The id of the delivery that the change is about; nil if it is about none.
  fileprivate var delivery: Int? {
    switch self {
    case .delivery(let delivery), .deliveryState(let delivery): delivery.id
    case .deliveryForgotten(let id): id
    default: nil
    }
  }
}

/// The followers of a session and of the catalogue.
final class EventSources: Sendable {
  let session: Follower
  let catalog: Follower

  /// Follows both from now on.
  init(_ id: SessionID, of store: SessionStore, wake: @escaping @Sendable () -> Void) {
    session = store.follow(.session(id), wake: wake)
    catalog = store.follow(.catalog, wake: wake)
  }
}

/// The durable commits of a session and of the catalogue since the last ones taken.
struct EventNews {
  var hasAny = false
  var isAnew = false
  var outcomes: [Outcome] = []
  var session: SessionEdition?
  var catalog: CatalogEdition?
  /// The reason for which the session was closed.
  var end: String?

  /// Takes all news of a follower; returns false if there are none.
  mutating func take(_ follower: Follower, _ position: inout Int?) -> Bool {
    var tookAny = false
    while true {
      switch follower.news(after: position) {
      case .none: return tookAny
      case .commits(let commits, let state):
        for commit in commits { take(commit) }
        position = state?.number ?? commits.last?.number ?? position
        if let state { take(state) }
      case .anew(let state):
        if case .session = state { isAnew = true }
        position = state.number
        take(state)
      }
      (hasAny, tookAny) = (true, true)
    }
  }

  /// Reads the present durable state of a follower's subject, independently of taken news.
  mutating func read(_ follower: Follower) {
    if case .anew(let state) = follower.news(after: nil) { take(state) }
  }

  private mutating func take(_ commit: DurableCommit) {
    switch commit.change {
    case .opened: isAnew = true
    case .changed(by: _, let outcomes): self.outcomes += outcomes
    case .closed(let isExpired): end = isExpired ? "expired" : "sessionClosed"
    case .catalogChanged: break
    }
  }

  private mutating func take(_ state: FollowedState) {
    switch state {
    case .catalog(let edition): catalog = edition
    case .session(let edition): session = edition
    case .noSession: end = end ?? "sessionClosed"
    }
  }
}
