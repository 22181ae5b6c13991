import JSONText
import MenuEngine
import MenuStore

/// The part of a session that the subscribers of a channel know, so that the next event tells the differences.
struct EventContents: Sendable {
  private let subscription: EventSubscription
  private var plan = ValidationPlan { fault, writer in writer.value(fault) }
  /// The tree that was told last; nil if none was, or none could be made.
  private var menu: JSON?
  /// True if the items that were told last are those of the plan.
  private var hasItems = false
  /// The numbers of the deliveries that are among those that were told last.
  private var toldDeliveries: Set<Int> = []

  /// Nothing is known yet.
  init(_ subscription: EventSubscription) { self.subscription = subscription }

  /// Writes the members that tell everything.
  mutating func writeAll(of snapshot: Snapshot, to writer: inout JSONWriter) {
    if subscription.hasDocument {
      writer.member("document")
      writer.beginObject()
      writer.value(members: snapshot.session)
      writer.endObject()
    }
    if let request = subscription.menuQuestion {
      menu = tree(request, snapshot)
      writer.member("menu", menu ?? .null)
    }
    if let request = subscription.itemsQuestion {
      _ = takeChangedItems(request, snapshot)
      writer.items(of: request.commands ?? [], by: request, &plan, snapshot)
    }
    if !subscription.deliveries.isEmpty {
      let told = snapshot.session.deliveries.all.filter {
        subscription.deliveries.contains($0.state)
      }
      toldDeliveries = Set(told.map(\.id))
      writer.member("deliveries", told)
    }
  }

  /// Writes the members that tell what differs since; false if nothing does for the subscribers.
  mutating func writeChanges(
    by outcomes: [Outcome], to snapshot: Snapshot, _ writer: inout JSONWriter
  ) -> Bool {
    var differs = false
    if subscription.hasDocument, !outcomes.isEmpty {
      differs = true
      writer.member("changes")
      writer.beginArray()
      for outcome in outcomes { writer.elements(changesOf: outcome) }
      writer.endArray()
    }
    if let request = subscription.menuQuestion, writeMenuChanges(request, snapshot, to: &writer) {
      differs = true
    }
    if let request = subscription.itemsQuestion {
      let changed = takeChangedItems(request, snapshot)
      if !changed.isEmpty {
        differs = true
        writer.items(of: changed, by: request, &plan, snapshot)
      }
    }
    if !subscription.deliveries.isEmpty,
      writeDeliveryChanges(by: outcomes, to: snapshot, &writer)
    {
      differs = true
    }
    return differs
  }

  /// Writes the deliveries that differ since, whole, and the numbers of those that are none of the told ones any more.
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

  private mutating func writeMenuChanges(
    _ request: ValidationRequest, _ snapshot: Snapshot, to writer: inout JSONWriter
  ) -> Bool {
    let new = tree(request, snapshot)
    defer { menu = new }
    guard let old = menu, let new else {
      guard menu != nil || new != nil else { return false }
      writer.member("menu", new ?? .null)
      return true
    }
    guard let difference = MenuDifference(from: old, to: new) else {
      writer.member("menu", new)
      return true
    }
    guard !difference.edits.isEmpty else { return false }
    writer.member(menuEdits: difference.edits)
    return true
  }

  /// Returns the menu as it is now; nil if there is none, or asking about it takes too much.
  private mutating func tree(_ request: ValidationRequest, _ snapshot: Snapshot) -> JSON? {
    guard let declared = snapshot.catalog.menuAsShown(request.menu ?? Menu.rootIdentifier),
      let menu = try? plan.validate(declared, request, at: snapshot.moment)
    else { return nil }
    var writer = JSONWriter()
    writer.value(menu, isExplaining: false)
    return try? JSON(parsing: writer.bytes)
  }

  /// Returns the commands whose items are others than those that were told last; all after a time in
  /// which asking about them took too much.
  private mutating func takeChangedItems(
    _ request: ValidationRequest, _ snapshot: Snapshot
  ) -> [CommandID] {
    guard let changed = try? plan.changedItems(for: request, at: snapshot.moment) else {
      defer { hasItems = false }
      return hasItems ? request.commands ?? [] : []
    }
    defer { hasItems = true }
    guard hasItems else { return request.commands ?? [] }
    let isChanged = Set(changed)
    return (request.commands ?? []).filter { isChanged.contains($0) }
  }
}

extension JSONWriter {
  /// Writes the member with items, in that order; null if asking about them takes too much.
  fileprivate mutating func items(
    of commands: [CommandID], by request: ValidationRequest, _ plan: inout ValidationPlan,
    _ snapshot: Snapshot
  ) {
    var request = request
    request.commands = commands
    member("items")
    guard let items = try? plan.validate(request, at: snapshot.moment) else { return null() }
    beginArray()
    for item in items { value(item, isExplaining: false) }
    endArray()
  }
}

extension Outcome.Change {
  /// The number of the delivery that it is about; nil if it is about none.
  fileprivate var delivery: Int? {
    switch self {
    case .delivery(let delivery), .deliveryState(let delivery): delivery.id
    case .deliveryForgotten(let id): id
    default: nil
    }
  }
}
