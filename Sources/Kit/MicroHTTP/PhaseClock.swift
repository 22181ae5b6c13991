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

  /// Lets the phase of a reading begin anew, unless it is over.
  func renew(_ reading: Moment, tick: UInt64) {
    _ = value.compareExchange(
      expected: reading.rawValue, desired: Moment(reading.phase, since: tick).rawValue,
      ordering: .relaxed)
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
      rawValue = tick << 4 | phase.rawValue
    }

    var phase: ConnectionPhase { ConnectionPhase(rawValue: rawValue & 15) ?? .handling }
    var since: UInt64 { rawValue >> 4 }
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
  /// The code that fulfills the handler's promise.
  case waiting
  /// The client, to take the response.
  case response
  /// The owner of a stream, to have its next piece.
  case streaming
  /// The client, to take a piece of a stream.
  case sendingStream

  /// True if a request was begun and its rest is waited for.
  var isInsideRequest: Bool {
    switch self {
    case .head, .content: true
    case .opening, .idle, .handling, .waiting, .response, .streaming, .sendingStream: false
    }
  }

  /// True if the server waits for bytes of the client.
  var isReading: Bool {
    switch self {
    case .opening, .idle, .head, .content: true
    case .handling, .waiting, .response, .streaming, .sendingStream: false
    }
  }
}
