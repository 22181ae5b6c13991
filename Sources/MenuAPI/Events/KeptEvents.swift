import MenuStore

/// The last events of a channel, and the contents that subscribers have after them.
struct KeptEvents: Remakeable {
  /// A place among the events.
  struct Cursor: Sendable {
    /// The ids that the subscriber knows, until its place is resolved.
    var known: [EventID]?
    /// The number of the next event; nil for a reset.
    var next: Int?
    /// The id that the subscriber is at.
    var id: EventID?
    /// True if the channel has ended and no events follow.
    var isAtEnd = false
  }

  private let count: Int
  private let maximumSize: Int
  /// The contents after the last event; nil while an event is made, and after an eviction.
  var contents: EventContents?
  private(set) var evictions = 0
  private(set) var id: EventID?
  /// The id from which on the kept events are complete.
  private var beginning: EventID?
  private var events: [SessionEvent] = []
  /// The number of the first kept event.
  private var first = 0
  private var eventsSize = 0
  /// The reset of the present id, if one was made.
  var reset: SessionEvent?
  /// The last merged event, for subscribers that are behind, and the numbers that it covers.
  var merged: (event: SessionEvent, numbers: Range<Int>)?
  /// The reason for which there are no more events.
  var end: String?

  /// Creates an empty sequence of events, with limits.
  init(_ contents: EventContents, within limits: EventLimits) {
    self.contents = contents
    (count, maximumSize) = (limits.kept.count, limits.kept.size)
  }

  /// The bytes that it takes, including the contents.
  var size: Int {
    512 + eventsSize + (contents?.size ?? 0) + (reset?.ownSize ?? 0)
      + (merged?.event.ownSize ?? 0)
  }

  /// The number after the last event.
  var last: Int { first + events.count }

  /// True if a subscriber is to start over with a reset.
  func isAnew(_ cursor: Cursor) -> Bool {
    cursor.known == nil && cursor.next.map { $0 < first } ?? true
  }

  /// True if there is no event at a cursor yet.
  func isAtEnd(_ cursor: Cursor) -> Bool {
    cursor.next.map { $0 >= last } ?? true
  }

  /// Resolves the known ids of a cursor: moves it after the id of this channel. If there is none, or later
  /// events were dropped, the subscriber starts over with a reset.
  func resolve(_ cursor: inout Cursor) {
    if id == nil, end != nil { cursor.known = nil }
    guard let known = cursor.known, let id else { return }
    cursor.known = nil
    guard
      let last = known.first(where: id.isOfChannel),
      let next = next(after: last)
    else { return }
    (cursor.next, cursor.id) = (next, last)
  }

  /// Returns the events at a number: one, several to be merged for a subscriber that is behind, or none.
  func events(at number: Int) -> ArraySlice<SessionEvent> {
    guard number >= first, number < last else { return [] }
    let numbers = numbersToMerge(from: number)
    return events[(numbers.lowerBound - first)..<(numbers.upperBound - first)]
  }

  var lastEvent: SessionEvent? { events.last }

  /// Moves a cursor after the events that its subscriber received.
  func move(_ cursor: inout Cursor, to next: Int, after event: SessionEvent?) {
    cursor.next = next
    let isAtEnd = isAtEnd(cursor)
    cursor.id = (isAtEnd ? id : event?.id) ?? cursor.id
    cursor.isAtEnd = isAtEnd && end != nil
  }

  /// Returns the numbers, from one on, of the events to merge for a subscriber that is far behind: up to a
  /// quarter of a MiB of changes.
  private func numbersToMerge(from number: Int) -> Range<Int> {
    guard last - number > 16 else { return number..<(number + 1) }
    var (end, size) = (number, 0)
    while end < last, size < 256 << 10, case .change = events[end - first].kind {
      size += events[end - first].ownSize
      end += 1
    }
    return number..<max(end, number + 1)
  }

  /// Returns the number of the event after a known id; nil if that event is unknown.
  private func next(after known: EventID) -> Int? {
    guard let id, let beginning, known.isNotAfter(id), beginning.isNotAfter(known) else {
      return nil
    }
    // Between the end of an event and the start of the next one nothing differed.
    var index = events.count
    while index > 0, !events[index - 1].id.isNotAfter(known) {
      guard known.isNotAfter(events[index - 1].start) else { return nil }
      index -= 1
    }
    return first + index
  }
}

extension KeptEvents {
  /// Moves on to an id, and adds the event that leads to it, if there is one.
  mutating func advance(to id: EventID, with event: SessionEvent?) {
    (self.id, reset) = (id, nil)
    if let event { append(event) }
  }

  mutating func append(_ event: SessionEvent) {
    events.append(event)
    eventsSize += event.ownSize
    while events.count > count || eventsSize > maximumSize && events.count > 1 {
      let dropped = events.removeFirst()
      beginning = dropped.id
      eventsSize -= dropped.ownSize
      first += 1
    }
  }

  /// Drops all events: every subscriber starts over with a reset, from an id if there is one.
  mutating func beginAnew(at id: EventID?) {
    first += events.count + 1
    (events, eventsSize, reset, merged) = ([], 0, nil, nil)
    (self.id, beginning) = (id, id)
  }

  /// Evicts everything except the end of the channel.
  mutating func evict() {
    evictions += 1
    contents = nil
    if end == nil { beginAnew(at: id) }
  }
}
