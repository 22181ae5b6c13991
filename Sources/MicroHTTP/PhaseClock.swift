import Synchronization

/// Since which tick a connection is in which phase; written by the daemon, read by the reaper.
struct PhaseClock: ~Copyable {
  private let value: Atomic<UInt64>

  init(_ phase: ConnectionPhase, tick: UInt64) {
    value = Atomic(Moment(phase, since: tick).rawValue)
  }

  func enter(_ phase: ConnectionPhase, tick: UInt64) {
    value.store(Moment(phase, since: tick).rawValue, ordering: .relaxed)
  }

  var reading: Moment {
    Moment(rawValue: value.load(ordering: .relaxed))
  }

  /// Phase and tick in one number, so that they are read together.
  struct Moment: Equatable, RawRepresentable {
    let rawValue: UInt64

    init(rawValue: UInt64) {
      self.rawValue = rawValue
    }

    init(_ phase: ConnectionPhase, since tick: UInt64) {
      rawValue = tick << 3 | phase.rawValue
    }

    var phase: ConnectionPhase { ConnectionPhase(rawValue: rawValue & 7) ?? .handling }
    var since: UInt64 { rawValue >> 3 }
  }
}

/// The phase of a connection, named after what it waits for.
enum ConnectionPhase: UInt64 {
  /// The first request.
  case opening
  /// The next request.
  case idle
  /// The rest of a head.
  case head
  /// The rest of the content.
  case content
  /// The handler.
  case handling
  /// Whoever fulfills the handler's promise.
  case waiting
  /// The client, to take the response.
  case response

  /// True if a request was begun and its rest is waited for.
  var isInsideRequest: Bool {
    switch self {
    case .head, .content: true
    case .opening, .idle, .handling, .waiting, .response: false
    }
  }

  /// True if the server waits for bytes of the client.
  var isReading: Bool {
    switch self {
    case .opening, .idle, .head, .content: true
    case .handling, .waiting, .response: false
    }
  }
}
