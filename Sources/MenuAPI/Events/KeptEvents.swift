import MenuStore

/// The view of a channel, and the events that lead to it.
struct KeptEvents: Remakeable {
  typealias Revisions = EventID.Revisions

  /// The place of a subscriber: the id that it has reached.
  struct Cursor: Sendable {
    /// The ids that the subscriber sent, until its place is resolved.
    var known: [EventID]?
    /// The id that the subscriber has reached; nil before its first event.
    var id: EventID?
    /// True if the channel has ended and no events follow.
    var isAtEnd = false
  }

  /// The next event at a cursor.
  enum Next {
    case none
    case event(SessionEvent)
    /// An event that must be made: the changes since revisions, or a reset.
    case unmade(since: Revisions?)
  }

  /// The maximum number of changes, and about the maximum of their bytes.
  private static let most = (count: 16, size: 1 << 20)

  /// The view of the present id; nil while it is being changed, and after an eviction.
  var view: EventView?
  private(set) var evictions = 0
  private(set) var id: EventID?
  /// The earliest time at which the last change could be made, in nanoseconds.
  private(set) var time = 0
  /// The revisions since which all changes are available; nil without a view.
  private var beginning: Revisions?
  /// The revisions at which the view last changed; nil without a view.
  private var changed: Revisions?
  /// The reset to the present id, if one was made.
  private var reset: SessionEvent?
  /// The changes that lead to the present id, by their initial revisions.
  private var changes: [Revisions: SessionEvent] = [:]
  private(set) var hasEnded = false
  /// The last event, if the channel has ended after any.
  private var closed: SessionEvent?

  /// The bytes that it takes, including the view.
  var size: Int { 512 + (view?.size ?? 0) + (reset?.ownSize ?? 0) + changesSize }

  private var changesSize: Int { changes.values.reduce(0) { $0 + $1.ownSize } }
}

// MARK: Reading

extension KeptEvents {
  /// Returns the next event at a cursor, and moves the cursor after it unless the event must still be made.
  func next(at cursor: inout Cursor) -> Next {
    var next = next(at: cursor)
    if case .unmade(since: nil) = next, hasEnded { next = .none }
    if case .unmade = next { return next }
    if cursor.known == nil { cursor.id = id ?? cursor.id }
    guard case .none = next, hasEnded, !cursor.isAtEnd else { return next }
    cursor.isAtEnd = true
    return closed.map(Next.event) ?? .none
  }

  /// Returns the next event at a cursor, besides the last one of the channel.
  private func next(at cursor: Cursor) -> Next {
    guard let id, cursor.known == nil else { return .none }
    guard let place = cursor.id, place.opening == id.opening,
      place == id || beginning?.isNotAfter(place.revisions) == true
    else { return reset.map(Next.event) ?? .unmade(since: nil) }
    guard let changed, !changed.isNotAfter(place.revisions) else { return .none }
    return changes[place.revisions].map(Next.event) ?? .unmade(since: place.revisions)
  }

  /// Returns true if there is an event at a cursor, whether or not it has been made.
  func hasEvent(at cursor: Cursor) -> Bool {
    if case .none = next(at: cursor) { hasEnded && !cursor.isAtEnd } else { true }
  }

  /// Returns the id of this channel in a cursor if some later changes are unavailable; nil if all are available.
  func unknownPlace(of cursor: Cursor) -> EventID? {
    place(of: cursor).flatMap { isComplete(since: $0) ? nil : $0 }
  }

  private func place(of cursor: Cursor) -> EventID? {
    id.flatMap { id in cursor.known?.first(where: id.isOfChannel) }
  }

  private func isComplete(since place: EventID) -> Bool {
    place == id || view?.isComplete(since: place.revisions) == true
  }

  /// Resolves the known ids of a cursor. If none belongs to this channel with all later changes available, the
  /// subscriber starts over with a reset.
  func resolve(_ cursor: inout Cursor) {
    if id == nil, hasEnded { cursor.known = nil }
    guard cursor.known != nil, id != nil else { return }
    let place = place(of: cursor)
    cursor.known = nil
    if let place, isComplete(since: place) { cursor.id = place }
  }
}

// MARK: Following

extension KeptEvents {
  /// Moves on to an id, with the view of it; nil if the view was evicted in the meantime.
  mutating func advance(to id: EventID, with view: EventView?, at time: Int) {
    if let changed = view?.changed, changed != self.changed { self.time = time }
    (self.id, self.view) = (id, view)
    (beginning, changed) = (view?.beginning, view?.changed)
    (reset, changes) = (nil, [:])
  }

  /// Stores an event to the present id: a reset, or the changes since revisions.
  mutating func keep(_ event: SessionEvent, since start: Revisions?) {
    guard let start else {
      reset = event
      return
    }
    if changes.count >= Self.most.count || changesSize + event.ownSize > Self.most.size {
      changes = [:]
    }
    changes[start] = event
  }

  /// Ends the channel with an event, if there were any before.
  mutating func end(with event: SessionEvent?) { (hasEnded, closed) = (true, event) }

  /// Removes and returns the events, which are made again when needed.
  mutating func takeEvents() -> [SessionEvent] {
    defer { (reset, changes) = (nil, [:]) }
    return changes.values + [reset].compactMap(\.self)
  }

  /// Drops the view: every subscriber that is not at the present id starts over with a reset.
  mutating func beginAnew() {
    (view, beginning, changed, reset, changes) = (nil, nil, nil, nil, [:])
  }

  /// Evicts everything except the end of the channel.
  mutating func evict() {
    evictions += 1
    beginAnew()
  }
}
