import JSONText
import MenuEngine
import MenuStore

/// The present state of the selected parts of a session. Each element has the revisions at which it last changed, so
/// that one event leads from any earlier revisions to the present ones.
struct EventView: Sendable {
  typealias Revisions = EventID.Revisions

  private let subscription: EventSubscription
  private let bounds: Follower.Bounds
  /// The last revisions that the view had, since the beginning. Only at these can an event begin.
  ///
  /// An element may have changed and changed back between two of them.
  private var moments: [Revisions]
  /// The revisions since which all changes are available.
  private(set) var beginning: Revisions
  /// The revisions at which any part last changed.
  private(set) var changed: Revisions
  /// The last changes of the document.
  private var steps: [Step] = []
  /// The last changes by actors with tokens, with the session's revisions after them (T4).
  private var acts: [(revision: Int, actor: Principal)] = []
  private var stepsSize = 0
  private var menu: Part
  private var items: Part
  private var keys: WholePart
  private var tools: WholePart
  /// The deliveries in the subscribed states, by id.
  private var deliveries: [Int: ToldDelivery] = [:]
  /// The revisions at which deliveries left the subscribed states, by id.
  private var gone: [Int: Revisions] = [:]

  /// The changes of one commit to the document.
  private struct Step: Sendable {
    /// The revision of the session after it.
    let revision: Int
    /// The changes, separated by commas.
    let text: [UInt8]

    /// The approximate size in bytes.
    var size: Int { text.count + 64 }
  }

  /// The menu or the items.
  private struct Part: Sendable {
    /// The table; nil if it cannot be made: the menu does not exist, or its validation takes too much effort.
    var table: ElementTable?
    /// The revisions at which it was inserted or removed.
    var came: Revisions

    /// Updates to a newer table; returns false if nothing has changed.
    mutating func follow(_ new: ElementTable?, at now: Revisions) -> Bool {
      let former = table.take()
      table = new
      guard let former, new != nil else {
        let differs = former != nil || new != nil
        if differs { came = now }
        return differs
      }
      return table?.follow(former) == true
    }
  }

  /// A list that is sent as a whole if any element has changed: the keys or the tools.
  private struct WholePart: Sendable {
    /// The list as written; null if it takes too much effort.
    var text: [UInt8] = []
    /// The revisions of the last change.
    var changed: Revisions

    /// Updates to the newer list; returns false if nothing has changed.
    mutating func follow(at now: Revisions, _ write: (inout JSONWriter) -> Void) -> Bool {
      var writer = JSONWriter()
      write(&writer)
      guard !writer.bytes.span.hasSameBytes(as: text.span) else { return false }
      (text, changed) = (writer.bytes, now)
      return true
    }

    /// Writes the list as a member, if it differs since then.
    func write(_ name: String, since start: Revisions?, to writer: inout JSONWriter) {
      if let start, changed.isNotAfter(start) { return }
      writer.member(name)
      writer.value(encoded: text)
    }
  }

  private struct ToldDelivery: Sendable {
    let text: [UInt8]
    let changed: Revisions
  }

  /// Creates the view of a snapshot.
  ///
  /// - Parameter bounds: The maximum number of moments, of changes of the document and of removed deliveries that are
  ///   kept, and the maximum size of these changes.
  init(
    _ subscription: EventSubscription, of snapshot: Snapshot, asking plan: SessionPlan,
    within bounds: Follower.Bounds
  ) {
    (self.subscription, self.bounds) = (subscription, bounds)
    let now = snapshot.revisions
    (moments, beginning, changed) = ([now], now, now)
    (menu, items) = (Part(came: now), Part(came: now))
    (keys, tools) = (WholePart(changed: now), WholePart(changed: now))
    for delivery in snapshot.session.deliveries.all { follow(delivery, at: now) }
    _ = followTables(snapshot, asking: plan)
  }

  /// The approximate size in bytes.
  var size: Int {
    stepsSize + 16 * moments.count + 48 * acts.count + (menu.table?.size ?? 0)
      + (items.table?.size ?? 0) + keys.text.count + tools.text.count
      + deliveries.values.reduce(48 * gone.count) { $0 + $1.text.count + 64 }
  }
}

// MARK: Following

extension EventView {
  /// Updates to a newer snapshot, to which these changes led.
  mutating func follow(
    _ changes: [EventNews.Change], to snapshot: Snapshot, asking plan: SessionPlan
  ) {
    let now = snapshot.revisions
    var differs = subscription.isOfRevisions
    if subscription.hasDocument {
      for change in changes { append(change) }
      if !changes.isEmpty { differs = true }
    }
    if subscription.tellsActors { for change in changes { note(change) } }
    if followTables(snapshot, asking: plan) { differs = true }
    if followDeliveries(changes, to: snapshot.session, at: now) { differs = true }
    if differs { changed = now }
    moments.append(now)
    // Remove many at once, so that each moment is moved once on average.
    guard moments.count > 2 * bounds.count else { return }
    moments.removeFirst(bounds.count)
    begin(at: moments[0])
  }

  private mutating func append(_ change: EventNews.Change) {
    var writer = JSONWriter()
    for outcome in change.outcomes { writer.elements(changesOf: outcome) }
    let step = Step(revision: change.revision, text: writer.bytes)
    steps.append(step)
    stepsSize += step.size
    while steps.count > bounds.count || stepsSize > bounds.size && steps.count > 1 {
      let dropped = steps.removeFirst()
      stepsSize -= dropped.size
      begin(at: Revisions(catalog: beginning.catalog, session: dropped.revision))
    }
  }

  /// Records the actor of a change, unless all changes so far were made without tokens.
  private mutating func note(_ change: EventNews.Change) {
    guard change.actor != .local || !acts.isEmpty else { return }
    acts.append((change.revision, change.actor))
    guard acts.count > 2 * bounds.count else { return }
    begin(at: Revisions(catalog: beginning.catalog, session: acts[bounds.count - 1].revision))
    acts.removeFirst(bounds.count)
  }

  /// Drops the changes before these revisions, unless later ones have been dropped already.
  private mutating func begin(at revisions: Revisions) {
    beginning = Revisions(
      catalog: max(beginning.catalog, revisions.catalog),
      session: max(beginning.session, revisions.session))
  }

  private mutating func followTables(_ snapshot: Snapshot, asking plan: SessionPlan) -> Bool {
    let now = snapshot.revisions
    var differs = false
    if let request = subscription.menuQuestion {
      let table = Self.menu(request, of: snapshot, asking: plan)
      if menu.follow(table, at: now) { differs = true }
    }
    if let request = subscription.itemsQuestion {
      let table = try? plan.ask(snapshot) { (plan) throws(MutationFault) in
        try ElementTable(of: subscription.commands, at: now) { (read) throws(MutationFault) in
          try plan.readTexts(for: request, at: snapshot.moment, read)
        }
      }.answer
      if items.follow(table, at: now) { differs = true }
    }
    if let request = subscription.keysQuestion {
      let isNew = keys.follow(at: now) { writer in
        if let keys = try? snapshot.keys(request) { writer.value(keys) } else { writer.null() }
      }
      if isNew { differs = true }
    }
    if subscription.hasTools, followTools(snapshot, asking: plan) { differs = true }
    return differs
  }

  private mutating func followTools(_ snapshot: Snapshot, asking plan: SessionPlan) -> Bool {
    let listed = try? plan.ask(snapshot) { (plan) throws(MutationFault) in
      try SessionTools(
        snapshot, by: subscription.viewer.actor, consent: subscription.consent, &plan)
    }.answer
    return tools.follow(at: snapshot.revisions) { writer in
      guard let listed else { return writer.null() }
      writer.beginArray()
      for tool in listed.all { writer.value(tool.json) }
      writer.endArray()
    }
  }

  /// Returns the menu; nil if there is none, or its validation takes too much.
  private static func menu(
    _ request: ValidationRequest, of snapshot: Snapshot, asking plan: SessionPlan
  ) -> ElementTable? {
    let id = request.menu ?? Menu.rootIdentifier
    guard let declared = snapshot.catalog.menuAsShown(id) else { return nil }
    let menu = try? plan.ask(snapshot) { (plan) throws(MutationFault) in
      try plan.validate(declared, request, at: snapshot.moment)
    }.answer
    return menu.map { ElementTable($0, at: snapshot.revisions) }
  }

  private mutating func followDeliveries(
    _ changes: [EventNews.Change], to session: Session, at now: Revisions
  ) -> Bool {
    guard !subscription.deliveries.isEmpty else { return false }
    var differs = false
    let outcomes = changes.lazy.flatMap(\.outcomes)
    for id in Set(outcomes.flatMap(\.changes).compactMap(\.delivery)) {
      if let delivery = session.deliveries[id], follow(delivery, at: now) {
        differs = true
      } else if deliveries.removeValue(forKey: id) != nil {
        gone[id] = now
        differs = true
      }
    }
    while gone.count > bounds.count,
      let oldest = gone.min(by: { $0.value.count(since: $1.value) < 0 })
    {
      begin(at: oldest.value)
      gone[oldest.key] = nil
    }
    return differs
  }

  /// Updates a delivery that may have changed; returns false if it is in no subscribed state.
  @discardableResult
  private mutating func follow(_ delivery: Delivery, at now: Revisions) -> Bool {
    guard subscription.deliveries.contains(delivery.state), subscription.viewer.shows(delivery)
    else { return false }
    var writer = JSONWriter()
    writer.value(delivery)
    deliveries[delivery.id] = ToldDelivery(text: writer.bytes, changed: now)
    gone[delivery.id] = nil
    return true
  }
}

// MARK: Writing

extension EventView {
  /// Returns true if one event leads from these revisions to the present ones.
  func isComplete(since start: Revisions) -> Bool {
    beginning.isNotAfter(start) && moments.contains(start)
  }

  /// Writes the present parts.
  ///
  /// - Parameter document: The text of the document; nil if it is not selected.
  /// - Returns: The text of the document, if it is large enough to be sent separately, with its offset in the bytes.
  func write(with document: [UInt8]?, to writer: inout JSONWriter) -> SessionEvent.Inset? {
    var inset: SessionEvent.Inset?
    if let document {
      let isLarge = document.count > SessionEvent.Inset.threshold
      writer.member("document")
      writer.value(encoded: isLarge ? [] : document)
      if isLarge { inset = SessionEvent.Inset(text: document, place: writer.bytes.count) }
    }
    writeOthers(since: nil, to: &writer)
    return inset
  }

  /// Writes the differences since revisions for which the view is complete.
  func write(since start: Revisions, to writer: inout JSONWriter) {
    writeActors(since: start, to: &writer)
    if subscription.hasDocument { writeSteps(since: start, to: &writer) }
    writeOthers(since: start, to: &writer)
  }

  /// Writes the actors of the changes since then, each once; nothing if all were without a token.
  private func writeActors(since start: Revisions, to writer: inout JSONWriter) {
    let actors = acts.reduce(into: [Principal]()) { actors, act in
      guard act.revision > start.session, !actors.contains(act.actor) else { return }
      actors.append(act.actor)
    }
    guard actors.contains(where: { $0 != .local }) else { return }
    writer.member("actors", .array(actors.map(\.json)))
  }

  private func writeOthers(since start: Revisions?, to writer: inout JSONWriter) {
    if subscription.menu != nil { writeMenu(since: start, to: &writer) }
    if !subscription.commands.isEmpty { writeItems(since: start, to: &writer) }
    if subscription.keys != nil { keys.write("keys", since: start, to: &writer) }
    if subscription.hasTools { tools.write("tools", since: start, to: &writer) }
    if !subscription.deliveries.isEmpty { writeDeliveries(since: start, to: &writer) }
  }

  private func writeSteps(since start: Revisions, to writer: inout JSONWriter) {
    let known = steps.lastIndex { $0.revision <= start.session }
    let missed = steps[(known.map { $0 + 1 } ?? 0)...]
    guard !missed.isEmpty else { return }
    writer.member("changes")
    writer.beginArray()
    for step in missed where !step.text.isEmpty { writer.value(encoded: step.text) }
    writer.endArray()
  }

  private func writeMenu(since start: Revisions?, to writer: inout JSONWriter) {
    if let start, menu.came.isNotAfter(start) {
      guard let table = menu.table, table.hasChanged(since: start) else { return }
      writer.member("menuEdits")
      return table.writeEdits(since: start, to: &writer)
    }
    writer.member("menu")
    writer.value(encoded: menu.table?.text ?? Array("null".utf8))
  }

  private func writeItems(since start: Revisions?, to writer: inout JSONWriter) {
    let start = start.flatMap { items.came.isNotAfter($0) ? $0 : nil }
    if let start, items.table?.hasChanged(since: start) != true { return }
    writer.member("items")
    guard let table = items.table else { return writer.null() }
    writer.beginArray()
    table.writeItems(since: start, to: &writer)
    writer.endArray()
  }

  private func writeDeliveries(since start: Revisions?, to writer: inout JSONWriter) {
    func isNews(_ changed: Revisions) -> Bool { start.map { !changed.isNotAfter($0) } ?? true }
    let told = deliveries.filter { isNews($0.value.changed) }.sorted { $0.key < $1.key }
    if start == nil || !told.isEmpty {
      writer.member("deliveries")
      writer.beginArray()
      for delivery in told { writer.value(encoded: delivery.value.text) }
      writer.endArray()
    }
    guard start != nil else { return }
    let gone = gone.filter { isNews($0.value) }.keys.sorted()
    if !gone.isEmpty { writer.member("deliveriesGone", .array(gone.map { .int(Int64($0)) })) }
  }
}

extension Outcome.Change {
  /// The id of the changed delivery; nil if the change is not about one.
  fileprivate var delivery: Int? {
    switch self {
    case .delivery(let delivery), .deliveryState(let delivery): delivery.id
    case .deliveryForgotten(let id): id
    default: nil
    }
  }
}
