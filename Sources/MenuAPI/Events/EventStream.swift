import Locks
import MicroHTTP

/// The body that one subscriber is sent: Server-Sent Events (HTML, 9.2).
final class EventStream: Sendable {
  private let channel: EventChannel
  private let state: Lock<State>

  fileprivate struct State {
    var cursor: EventChannel.Cursor
    /// The id that the subscriber was sent last.
    var sent: EventID?
    /// The number of the heartbeat that was answered last.
    var beat: Int
    var hasBegun = false
    var isAtEnd = false
  }

  /// The stream of a subscriber that begins at a place.
  init(_ channel: EventChannel, from cursor: EventChannel.Cursor) {
    self.channel = channel
    state = Lock(State(cursor: cursor, sent: cursor.id, beat: channel.beats))
  }

  /// Returns what is to be sent next.
  func next() -> ResponseStream.Piece {
    state.withLock { state in
      guard !state.isAtEnd else { return .end }
      let (events, isAtEnd) = channel.events(since: &state.cursor)
      state.isAtEnd = isAtEnd
      let text = events.isEmpty ? state.heartbeat(of: channel) : state.blocks(of: events)
      state.beat = channel.beats
      return text.isEmpty ? isAtEnd ? .end : .waiting : .bytes(text)
    }
  }
}

extension EventStream.State {
  /// How soon a client is to connect again, in milliseconds.
  private static var retry: [UInt8] { Array("retry: 2000\n".utf8) }

  fileprivate mutating func blocks(of events: [SessionEvent]) -> [UInt8] {
    // In the block of the first event: by itself, some clients take it for an empty one.
    var text = hasBegun ? [] : Self.retry
    for event in events { text += event.block }
    hasBegun = true
    sent = events.last?.id
    return text
  }

  /// The text that tells that the connection is alive, if that is to be told: the id alone if it moved, which
  /// is no event, else a comment.
  ///
  /// A comment has one line feed, since two would be an event for some clients.
  fileprivate mutating func heartbeat(of channel: EventChannel) -> [UInt8] {
    guard beat != channel.beats || !hasBegun else { return [] }
    hasBegun = true
    guard let id = cursor.id, id != sent else { return Array(":\n".utf8) }
    sent = id
    return Array("id: \(id.text)\n\n".utf8)
  }
}
