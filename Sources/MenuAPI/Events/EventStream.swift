import JSONText
import Locks
import MenuStore
import MicroHTTP
import Synchronization

/// The body that one subscriber of one or several sessions is sent.
///
/// It holds no events: it is a place among those of each channel, and asks for the next one when the last one is with
/// the system.
final class EventStream: Sendable {
  /// The form of a body.
  enum Form: Sendable {
    /// Server-Sent Events (HTML, 9.2), for as long as the connection lasts.
    case serverSent
    /// A JSON array of the events that there are; an empty one if there are none at a time in nanoseconds.
    case array(until: Int)
  }

  private let channels: [EventChannel]
  private let form: Form
  private let environment: EventEnvironment
  /// The time at which it began, in nanoseconds.
  private let start: Int
  private let state: Lock<State>
  private let isBeatDue = Atomic(false)
  private let isRevoked = Atomic(false)

  private struct State {
    var cursors: [EventChannel.Cursor]
    /// The index of the channel that is asked first, so that each has its turn.
    var turn = 0
    /// The id that the subscriber was sent last.
    var sent = ""
    /// True if it was sent how soon to connect again.
    var hasRetry = false
    /// True if it was sent anything, or waits for its first event.
    var hasBegun = false
    var isAtEnd = false

    /// The id of all channels.
    var id: String { cursors.compactMap { $0.id?.text }.joined(separator: ",") }
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
    var state = State(cursors: channels.map { $0.cursor(after: known) })
    state.sent = state.id
    // A subscriber that is up to date learns at once that it is connected.
    state.hasBegun = state.sent.isEmpty
    self.state = Lock(state)
  }

  /// Returns what is to be sent next.
  func next() -> ResponseStream.Piece {
    state.withLock { state in
      guard !state.isAtEnd else { return .end }
      switch form {
      case .serverSent: return nextEvent(&state)
      case .array(let deadline): return array(&state, until: deadline)
      }
    }
  }

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

  /// Takes the next event of any channel.
  private func take(_ state: inout State) -> SessionEvent? {
    for offset in channels.indices {
      let index = (state.turn + offset) % channels.count
      guard !state.cursors[index].isAtEnd,
        let event = channels[index].event(at: &state.cursors[index])
      else { continue }
      state.turn = index + 1
      environment.figures.noteSent(event.kind)
      // What it missed while it was not connected is no lag.
      if case .change = event.kind, event.time >= start {
        environment.figures.lag.note(environment.nanoseconds() &- event.time)
      }
      return event
    }
    return nil
  }

  /// The id of an event that was just taken: its own, or those of all channels.
  private func id(of event: SessionEvent, _ state: State) -> String {
    channels.count == 1 ? event.id.text : state.id
  }

  /// Takes the last events of the channels that have not ended, since the token is revoked.
  private func takeRevocation(_ state: inout State) -> [SessionEvent] {
    state.isAtEnd = true
    return zip(channels, state.cursors).compactMap { channel, cursor in
      guard !cursor.isAtEnd, let id = cursor.id else { return nil }
      environment.figures.noteSent(.closed)
      return channel.closedEvent("tokenRevoked", after: id)
    }
  }
}

// MARK: Server-Sent Events

extension EventStream {
  /// The time after which a client connects again, in milliseconds.
  private static let retry = Array("retry: 2000\n".utf8)

  private func nextEvent(_ state: inout State) -> ResponseStream.Piece {
    if isRevoked.load(ordering: .relaxed) {
      let text = takeRevocation(&state).flatMap { $0.block(withID: state.id) }
      return text.isEmpty ? .end : .bytes(text)
    }
    if let event = take(&state) { return .bytes(block(of: event, &state)) }
    guard state.cursors.contains(where: { !$0.isAtEnd }) else {
      state.isAtEnd = true
      return .end
    }
    guard isBeatDue.exchange(false, ordering: .relaxed) || !state.hasBegun else { return .waiting }
    return .bytes(heartbeat(&state))
  }

  /// The event as it is sent; usually the bytes that all subscribers share.
  private func block(of event: SessionEvent, _ state: inout State) -> [UInt8] {
    state.sent = id(of: event, state)
    let block = channels.count == 1 ? event.block : event.block(withID: state.sent)
    guard !state.hasRetry else { return block }
    // In the block of the first event: by itself, some clients take it for an empty one.
    (state.hasRetry, state.hasBegun) = (true, true)
    return Self.retry + block
  }

  /// The text that tells that the connection is alive: the id alone if it moved, which is no event, else a comment.
  ///
  /// A comment has one line feed, since two would be an event for some clients.
  private func heartbeat(_ state: inout State) -> [UInt8] {
    state.hasBegun = true
    let id = state.id
    guard id != state.sent else { return Array(":\n".utf8) }
    state.sent = id
    return Array("id: \(id)\n\n".utf8)
  }
}

// MARK: An array

extension EventStream {
  private func array(_ state: inout State, until deadline: Int) -> ResponseStream.Piece {
    var events: [(event: SessionEvent, id: String)] = []
    if isRevoked.load(ordering: .relaxed) {
      events = takeRevocation(&state).map { ($0, id(of: $0, state)) }
    } else {
      while let event = take(&state) { events.append((event, id(of: event, state))) }
    }
    let isOver =
      !events.isEmpty || !state.cursors.contains { !$0.isAtEnd }
      || environment.nanoseconds() >= deadline
    guard isOver else {
      // A space before the array finds out whether the client is still there.
      return isBeatDue.exchange(false, ordering: .relaxed) ? .bytes([0x20]) : .waiting
    }
    state.isAtEnd = true
    return .bytes(Self.array(of: events))
  }

  private static func array(of events: [(event: SessionEvent, id: String)]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    for (event, id) in events { event.write(to: &writer, withID: id) }
    writer.endArray()
    return writer.bytes
  }
}
