import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import Synchronization

/// The response body of one subscriber to one or several sessions.
///
/// It is a cursor in each channel. It reads the next event once the previous one has been passed to the system, so
/// that no event is made for a client that does not read. It reads on the thread that makes events, if there is one.
final class EventStream: Sendable {
  enum Form: Sendable {
    /// Server-Sent Events (HTML, 9.2), until the connection ends.
    case serverSent
    /// A JSON array of the available events; empty if there are none until a time in nanoseconds.
    case array(until: Int)

    /// The size in bytes at which no further event is added. A stream takes one at a time, whatever its size.
    fileprivate var size: Int {
      switch self {
      case .serverSent: 1
      case .array: 1 << 20
      }
    }
  }

  /// The fields of a response with events.
  static var fields: Headers {
    [
      "Content-Type": "text/event-stream", "Cache-Control": "no-store",
      // Keeps proxies like nginx from buffering.
      "X-Accel-Buffering": "no",
    ]
  }

  /// Returns the answer to a client that must retry after some seconds, where an error would stop a browser for good
  /// (E5).
  static func again(after seconds: Int) -> Response {
    Response(headers: fields, body: Array("retry: \(seconds)000\n\n".utf8))
  }

  private let channels: [EventChannel]
  private let form: Form
  private let environment: EventEnvironment
  /// The time at which the stream began, in nanoseconds.
  private let start: Int
  /// The cursors in the channels; one thread at a time moves them.
  private let places: Lock<Places>
  private let state: Lock<State>
  private let waking = Lock<(@Sendable () -> Void)?>(nil)
  private let isBeatDue = Atomic(false)
  /// True if the id may have moved without an event.
  private let hasMoved = Atomic(false)
  private let isRevoked = Atomic(false)
  /// True if there may be an event that was not read yet.
  private let mayHaveEvent = Atomic(true)

  private struct Places {
    var cursors: [KeptEvents.Cursor]
    /// The index of the channel to read first, so that channels take turns.
    var turn = 0
    /// The id of the subscriber before its first event; nil until the first reading.
    var first: String?

    /// The id in all channels: the ids of resolved cursors, and the known ids that may belong to the other
    /// channels.
    var id: String {
      var ids = cursors.compactMap(\.id)
      for known in cursors.compactMap(\.known).joined()
      where !ids.contains(where: { $0.isOfChannel(of: known) }) {
        ids.append(known)
      }
      return ids.map(\.text).joined(separator: ",")
    }

    var isAtEnd: Bool { !cursors.contains { !$0.isAtEnd } }
  }

  private struct State {
    /// The parts that are ready to be sent.
    var parts: [[UInt8]] = []
    /// The places of the subscriber at the last reading.
    var places = Places(cursors: [])
    /// The id that was last sent; nil if none was.
    var sent: String?
    /// True if the reconnection time was sent.
    var hasRetry = false
    /// True if anything was sent, or the first event is awaited.
    var hasBegun: Bool
    /// True if nothing follows the parts.
    var isAtEnd = false
    /// True if the connection waits to be woken.
    var isWaiting = false
    /// True if it is in the queue, or is reading events.
    var isQueued = false

    /// True if the id is not the one that the subscriber knows.
    var hasMoved: Bool { places.id != sent ?? places.first ?? "" }
  }

  /// Creates the stream of a subscriber.
  ///
  /// - Parameters:
  ///   - known: The ids of the last events that the subscriber received.
  ///   - closed: The subscriptions of closed sessions, whose last events are sent first.
  init(
    _ channels: [EventChannel], after known: [EventID] = [], closed: [EventSubscription] = [],
    as form: Form = .serverSent, in environment: EventEnvironment = EventEnvironment()
  ) {
    self.channels = channels
    self.form = form
    self.environment = environment
    start = environment.nanoseconds()
    places = Lock(Places(cursors: channels.map { _ in KeptEvents.Cursor(known: known) }))
    // A subscriber that is up to date learns at once that it is connected.
    state = Lock(
      State(parts: closed.map { $0.closedEvent("sessionClosed") }, hasBegun: known.isEmpty))
    for _ in closed { environment.figures.noteSent(.closed) }
  }

  /// Sets the closure that wakes the connection.
  func wake(by wake: @escaping @Sendable () -> Void) { waking.withLock { $0 = wake } }

  /// Wakes the connection, so that it calls `next()`.
  func wake() { waking.withLock(\.self)?() }

  /// Returns true once if the id has moved without an event, so that a heartbeat is sent soon with the new position.
  func takesMove() -> Bool {
    hasMoved.load(ordering: .relaxed) && hasMoved.exchange(false, ordering: .relaxed)
  }

  /// Sends a heartbeat at the next wake-up.
  func beat() { isBeatDue.store(true, ordering: .relaxed) }

  /// Ends its channels for a reason.
  func close(_ reason: String) { for channel in channels { channel.close(reason) } }

  /// Ends the stream at the next wake-up, since its token is revoked.
  func revoke() { isRevoked.store(true, ordering: .relaxed) }

  /// True if its wait is over at a time in nanoseconds.
  func isOver(at now: Int) -> Bool {
    switch form {
    case .serverSent: false
    case .array(let deadline): now >= deadline
    }
  }
}

// MARK: Reading events

extension EventStream {
  /// Lets streams of a session read events: waiting streams are added to the queue, or are woken if there is
  /// none.
  static func noteNews(_ streams: [EventStream], of session: SessionID, _ queue: EventQueue?) {
    for stream in streams { stream.mayHaveEvent.store(true, ordering: .releasing) }
    guard let queue else {
      for stream in streams { stream.wake() }
      return
    }
    queue.add(streams.filter { $0.isToBeQueued(onlyIfWaiting: true) }, of: session)
  }

  /// Returns true if the stream is to be added to the queue, and records that it is.
  private func isToBeQueued(onlyIfWaiting: Bool) -> Bool {
    state.withLock { state in
      guard !state.isQueued, !state.isAtEnd, state.parts.isEmpty,
        state.isWaiting || !onlyIfWaiting
      else { return false }
      state.isQueued = true
      return true
    }
  }

  /// Reads the next event, and wakes the connection if there is anything to send.
  func prepare() {
    while true {
      let isReady = look()
      let isAgain = state.withLock { state in
        let isAgain = !isReady && mayHaveEvent.load(ordering: .acquiring)
        if !isAgain { state.isQueued = false }
        return isAgain
      }
      guard isAgain else {
        if isReady { wake() }
        return
      }
    }
  }

  /// Takes the next event, or all available ones for an array; returns true if anything is ready to be sent.
  private func look() -> Bool {
    // An exchange: concurrent news is either seen here or leaves the flag true.
    _ = mayHaveEvent.exchange(false, ordering: .acquiringAndReleasing)
    let (events, places) = places.withLock { places in
      // All cursors are resolved before the first event, whose id includes them all: the client may disconnect
      // before the second.
      for (index, channel) in channels.enumerated() { channel.resolve(&places.cursors[index]) }
      if places.first == nil { places.first = places.id }
      var events: [(event: SessionEvent, id: String)] = []
      var size = 0
      while size < form.size, let event = take(&places) {
        // The last event may be older than the last change.
        let isOwn = channels.count == 1 && event.kind != .closed
        events.append((event, isOwn ? event.idText : places.id))
        size += event.size
      }
      return (events, places)
    }
    // Without any event there is nothing to read until the next news.
    let hasMore = zip(channels, places.cursors).contains { channel, cursor in
      !events.isEmpty && !cursor.isAtEnd && channel.mayHaveEvent(at: cursor)
    }
    if hasMore { mayHaveEvent.store(true, ordering: .releasing) }
    return state.withLock { keep(events, at: places, &$0) }
  }

  /// Takes the next event of any channel.
  private func take(_ places: inout Places) -> SessionEvent? {
    for offset in channels.indices {
      let index = (places.turn + offset) % channels.count
      guard !places.cursors[index].isAtEnd,
        let event = channels[index].event(at: &places.cursors[index])
      else { continue }
      places.turn = index + 1
      environment.figures.noteSent(event.kind)
      // Events that it missed while disconnected do not count as lag.
      if case .change = event.kind, event.time >= start {
        environment.figures.lag.note(environment.nanoseconds() &- event.time)
      }
      return event
    }
    return nil
  }

  private func keep(
    _ events: [(event: SessionEvent, id: String)], at places: Places, _ state: inout State
  ) -> Bool {
    state.places = places
    switch form {
    case .serverSent:
      if let (event, id) = events.first {
        state.parts = parts(of: event, withID: id, &state)
      } else if state.hasMoved {
        hasMoved.store(true, ordering: .relaxed)
      }
      state.isAtEnd = places.isAtEnd
    case .array:
      guard !events.isEmpty || places.isAtEnd else { break }
      state.parts = [Self.array(of: events)]
      state.isAtEnd = true
    }
    return !state.parts.isEmpty || state.isAtEnd || !state.hasBegun
  }
}

// MARK: Sending

extension EventStream {
  /// The time after which a client reconnects, in milliseconds.
  private static let retry = Array("retry: 2000\n".utf8)

  func next() -> ResponseStream.Piece {
    if environment.queue == nil { lookIfDry() }
    let piece = state.withLock { state in
      let piece = next(&state)
      state.isWaiting = if case .waiting = piece { true } else { false }
      return piece
    }
    if case .waiting = piece, let queue = environment.queue,
      mayHaveEvent.load(ordering: .acquiring), isToBeQueued(onlyIfWaiting: false)
    {
      queue.add([self], of: channels[0].subscription.session)
    }
    return piece
  }

  /// Returns the array of available events; nil if it is to wait for some.
  func arrayIfReady() -> [UInt8]? {
    lookIfDry()
    // A heartbeat is not an array.
    let piece = state.withLock { next(&$0, mayBeat: false) }
    return if case .bytes(let array) = piece { array } else { nil }
  }

  private func lookIfDry() {
    let isDry = state.withLock { $0.parts.isEmpty && !$0.isAtEnd }
    if isDry, !isRevoked.load(ordering: .relaxed) { _ = look() }
  }

  private func next(_ state: inout State, mayBeat: Bool = true) -> ResponseStream.Piece {
    if !state.parts.isEmpty {
      defer { state.parts = [] }
      return state.parts.count == 1 ? .bytes(state.parts[0]) : .parts(state.parts)
    }
    if state.isAtEnd { return .end }
    if isRevoked.load(ordering: .relaxed) { return revocation(&state) }
    switch form {
    case .serverSent:
      // If there may be an event, it comes first.
      let isDue = isBeatDue.exchange(false, ordering: .relaxed)
      guard isDue || !state.hasBegun && !mayHaveEvent.load(ordering: .relaxed) else {
        return .waiting
      }
      return .bytes(heartbeat(&state))
    case .array(let deadline):
      if environment.nanoseconds() >= deadline {
        state.isAtEnd = true
        return .bytes(Self.array(of: []))
      }
      // A space before the array detects whether the client is still connected.
      return mayBeat && isBeatDue.exchange(false, ordering: .relaxed) ? .bytes([0x20]) : .waiting
    }
  }

  /// Returns the last events of the channels that have not ended, since the token is revoked.
  private func revocation(_ state: inout State) -> ResponseStream.Piece {
    state.isAtEnd = true
    let events = zip(channels, state.places.cursors).compactMap { channel, cursor in
      cursor.isAtEnd ? nil : cursor.id.map { channel.closedEvent("tokenRevoked", after: $0) }
    }
    for _ in events { environment.figures.noteSent(.closed) }
    switch form {
    case .serverSent:
      let id = state.places.id
      let text = events.flatMap { $0.parts(withID: id) }.flatMap(\.self)
      return text.isEmpty ? .end : .bytes(text)
    case .array:
      let all = state.places.id
      return .bytes(Self.array(of: events.map { ($0, channels.count == 1 ? $0.idText : all) }))
    }
  }

  /// Returns an event as it is sent; all subscribers share its bytes.
  private func parts(
    of event: SessionEvent, withID id: String, _ state: inout State
  ) -> [[UInt8]] {
    state.sent = id
    let parts = id == event.idText ? event.parts : event.parts(withID: id)
    guard !state.hasRetry else { return parts }
    // Within the block of the first event: some clients take a separate block for an empty event.
    (state.hasRetry, state.hasBegun) = (true, true)
    return [Self.retry] + parts
  }

  /// Returns a heartbeat: the new id alone if it moved, which is not an event, else a comment.
  ///
  /// A comment has one line feed, since some clients take two for an event.
  private func heartbeat(_ state: inout State) -> [UInt8] {
    state.hasBegun = true
    // Moves recorded before this look-up are included now.
    hasMoved.store(false, ordering: .relaxed)
    guard state.hasMoved else { return Array(":\n".utf8) }
    let id = state.places.id
    state.sent = id
    return Array("id: \(id)\n\n".utf8)
  }

  private static func array(of events: [(event: SessionEvent, id: String)]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    for (event, id) in events { event.write(to: &writer, withID: id) }
    writer.endArray()
    return writer.bytes
  }
}
