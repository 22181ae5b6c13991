import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import Synchronization

/// The body that one subscriber of one or several sessions is sent.
///
/// It is a place among the events of each channel. It asks for the next event when the last one is with the system, so
/// that none is made for a subscriber that does not read; and it asks on the thread that makes events, if there is one.
final class EventStream: Sendable {
  /// The form of a body.
  enum Form: Sendable {
    /// Server-Sent Events (HTML, 9.2), for as long as the connection lasts.
    case serverSent
    /// A JSON array of the events that there are; an empty one if there are none at a time in nanoseconds.
    case array(until: Int)

    /// The size in bytes at which no further event is taken. A stream takes one at a time, whatever its size.
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
      // Keeps proxies like nginx from gathering it.
      "X-Accel-Buffering": "no",
    ]
  }

  /// The answer to a client that is to try again later, where an error would stop a browser for good (E5).
  static var laterAgain: Response {
    Response(headers: fields, body: Array("retry: 10000\n\n".utf8))
  }

  private let channels: [EventChannel]
  private let form: Form
  private let environment: EventEnvironment
  /// The time at which it began, in nanoseconds.
  private let start: Int
  /// The places in the channels, which one thread at a time moves.
  private let places: Lock<Places>
  private let state: Lock<State>
  private let waking = Lock<(@Sendable () -> Void)?>(nil)
  private let isBeatDue = Atomic(false)
  private let isRevoked = Atomic(false)
  /// True if there may be an event that was not looked for.
  private let mayHaveEvent = Atomic(true)

  private struct Places {
    var cursors: [KeptEvents.Cursor]
    /// The index of the channel that is asked first, so that each has its turn.
    var turn = 0

    /// The id of all channels: the places that were found, and those known ones that may be of the others.
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
    /// The parts of what is ready to be sent.
    var parts: [[UInt8]] = []
    /// The subscriber's places when events were looked for last, and the id of all of them.
    var cursors: [KeptEvents.Cursor] = []
    var id = ""
    /// The id that the subscriber knows or was sent last; empty until events were looked for.
    var sent = ""
    var hasLooked = false
    /// True if it was sent how soon to connect again.
    var hasRetry = false
    /// True if it was sent anything, or waits for its first event.
    var hasBegun: Bool
    /// True if nothing follows the parts.
    var isAtEnd = false
    /// True if the connection waits to be woken.
    var isWaiting = false
    /// True if it is in the queue, or asks for events.
    var isQueued = false
  }

  /// The stream of a subscriber.
  ///
  /// - Parameter known: The ids of the last events that the subscriber knows.
  init(
    _ channels: [EventChannel], after known: [EventID] = [], as form: Form = .serverSent,
    in environment: EventEnvironment = EventEnvironment()
  ) {
    self.channels = channels
    self.form = form
    self.environment = environment
    start = environment.nanoseconds()
    places = Lock(Places(cursors: channels.map { _ in KeptEvents.Cursor(known: known) }))
    // A subscriber that is up to date learns at once that it is connected.
    state = Lock(State(hasBegun: known.isEmpty))
  }

  /// Sets what wakes the connection.
  func wake(by wake: @escaping @Sendable () -> Void) { waking.withLock { $0 = wake } }

  /// Lets the connection ask for what is to be sent next.
  func wake() { waking.withLock(\.self)?() }

  /// Lets it show that it is alive, once it is woken.
  func beat() { isBeatDue.store(true, ordering: .relaxed) }

  /// Ends it once it is woken, since the token that it was asked for with is revoked.
  func revoke() { isRevoked.store(true, ordering: .relaxed) }

  /// True if it waits no longer at a time in nanoseconds.
  func isOver(at now: Int) -> Bool {
    switch form {
    case .serverSent: false
    case .array(let deadline): now >= deadline
    }
  }
}

// MARK: Asking for events

extension EventStream {
  /// Lets streams of a session look for events: those that wait ask the queue, if there is one, and are woken
  /// otherwise.
  static func noteNews(_ streams: [EventStream], of session: SessionID, _ queue: EventQueue?) {
    for stream in streams { stream.mayHaveEvent.store(true, ordering: .releasing) }
    guard let queue else {
      for stream in streams { stream.wake() }
      return
    }
    queue.add(streams.filter { $0.isToBeQueued(onlyIfWaiting: true) }, of: session)
  }

  /// Returns true if the stream is to be put into the queue, and notes that it is there then.
  private func isToBeQueued(onlyIfWaiting: Bool) -> Bool {
    state.withLock { state in
      guard !state.isQueued, !state.isAtEnd, state.parts.isEmpty,
        state.isWaiting || !onlyIfWaiting
      else { return false }
      state.isQueued = true
      return true
    }
  }

  /// Looks for what is to be sent next, and wakes the connection if there is anything.
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

  /// Takes the next event, or all that there are for an array; returns true if anything is ready to be sent.
  private func look() -> Bool {
    // An exchange, so that whoever notes news meanwhile is either seen here or leaves it true.
    _ = mayHaveEvent.exchange(false, ordering: .acquiringAndReleasing)
    let (events, places, known) = places.withLock { places in
      // All places are found before the first event, whose id has them all: its subscriber may be gone before the next.
      for (index, channel) in channels.enumerated() { channel.resolve(&places.cursors[index]) }
      let known = places.id
      var events: [(event: SessionEvent, id: String)] = []
      var size = 0
      while size < form.size, let event = take(&places) {
        events.append((event, id(of: event, places.id)))
        size += event.size
      }
      return (events, places, known)
    }
    // After none there is nothing to look for before the next news.
    let hasMore = zip(channels, places.cursors).contains { channel, cursor in
      !events.isEmpty && !cursor.isAtEnd && channel.mayHaveEvent(at: cursor)
    }
    if hasMore { mayHaveEvent.store(true, ordering: .releasing) }
    return state.withLock { state in
      if !state.hasLooked { (state.hasLooked, state.sent) = (true, known) }
      return keep(events, at: places, &state)
    }
  }

  /// The id of an event that was just taken: its own, or those of all channels.
  private func id(of event: SessionEvent, _ all: String) -> String {
    channels.count == 1 ? event.id.text : all
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
      // What it missed while it was not connected is no lag.
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
    (state.cursors, state.id) = (places.cursors, places.id)
    switch form {
    case .serverSent:
      if let (event, id) = events.first {
        state.parts = parts(of: event, withID: id, &state)
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
  /// The time after which a client connects again, in milliseconds.
  private static let retry = Array("retry: 2000\n".utf8)

  /// Returns what is to be sent next.
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

  /// Returns the array of the events that there are now; nil if it is to wait for some.
  func arrayIfReady() -> [UInt8]? {
    lookIfDry()
    // The sign that it is alive is no array.
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
      // An event is to come first, if there may be one.
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
      // A space before the array finds out whether the client is still there.
      return mayBeat && isBeatDue.exchange(false, ordering: .relaxed) ? .bytes([0x20]) : .waiting
    }
  }

  /// The last events of the channels that have not ended, since the token is revoked.
  private func revocation(_ state: inout State) -> ResponseStream.Piece {
    state.isAtEnd = true
    let events = zip(channels, state.cursors).compactMap { channel, cursor in
      cursor.isAtEnd ? nil : cursor.id.map { channel.closedEvent("tokenRevoked", after: $0) }
    }
    for _ in events { environment.figures.noteSent(.closed) }
    switch form {
    case .serverSent:
      let id = state.id
      let text = events.flatMap { $0.parts(withID: id) }.flatMap(\.self)
      return text.isEmpty ? .end : .bytes(text)
    case .array: return .bytes(Self.array(of: events.map { ($0, id(of: $0, state.id)) }))
    }
  }

  /// The event as it is sent: all subscribers share its bytes.
  private func parts(
    of event: SessionEvent, withID id: String, _ state: inout State
  ) -> [[UInt8]] {
    state.sent = id
    let parts = channels.count == 1 ? event.parts : event.parts(withID: id)
    guard !state.hasRetry else { return parts }
    // In the block of the first event: by itself, some clients take it for an empty one.
    (state.hasRetry, state.hasBegun) = (true, true)
    return [Self.retry] + parts
  }

  /// The text that tells that the connection is alive: the id alone if it moved, which is no event, else a comment.
  ///
  /// A comment has one line feed, since two would be an event for some clients.
  private func heartbeat(_ state: inout State) -> [UInt8] {
    state.hasBegun = true
    guard state.id != state.sent else { return Array(":\n".utf8) }
    state.sent = state.id
    return Array("id: \(state.id)\n\n".utf8)
  }

  private static func array(of events: [(event: SessionEvent, id: String)]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    for (event, id) in events { event.write(to: &writer, withID: id) }
    writer.endArray()
    return writer.bytes
  }
}
