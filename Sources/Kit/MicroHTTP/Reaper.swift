import Glibc
import Locks
import Synchronization

/// The thread that counts ticks and calls its action at each.
final class Reaper: Sendable {
  /// A pair of connected sockets; closing one ends the thread. Nil once it has ended. A monitor's timed wait returns at
  /// once under Debian's faketime, and all deadlines with it.
  private let wakeUp: Lock<(read: Int32, write: Int32)?>
  private let thread = BackgroundThread()

  /// Starts the thread.
  init(every tick: Duration, action: @escaping @Sendable () -> Void) throws(ServerError) {
    var ends: [Int32] = [-1, -1]
    let type = ListeningSocket.streamType | O_CLOEXEC
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system(errno) }
    let (read, write) = (ends[0], ends[1])
    wakeUp = Lock((read, write))
    let milliseconds = Int32(clamping: Int64(tick / .milliseconds(1)))
    try thread.start(or: ServerError.system) {
      var descriptor = pollfd(fd: read, events: Int16(POLLIN), revents: 0)
      while unsafe poll(&descriptor, 1, milliseconds) <= 0 { action() }
    }
  }

  /// Ends the thread and waits for it; has no effect the second time.
  func stop() {
    wakeUp.withLock { wakeUp in
      guard let ends = wakeUp.take() else { return }
      close(ends.write)
      thread.finish()
      close(ends.read)
    }
  }

  deinit {
    stop()
  }
}

/// The deadlines of each phase of a connection, in ticks.
///
/// libmicrohttpd has idle timeouts only, so that a client could hold a connection forever by sending single
/// bytes.
struct Deadlines: Sendable {
  /// The time between checks of the connections; a deadline is exceeded by at most two.
  let tick: Duration
  private let opening: UInt64
  private let idle: UInt64
  private let content: UInt64
  private let response: UInt64
  private let promise: UInt64

  init(_ configuration: ServerConfiguration) {
    let timeouts = [
      configuration.headerTimeout, configuration.idleTimeout, configuration.bodyTimeout,
      configuration.responseTimeout, configuration.answerTimeout,
    ]
    let shortest = timeouts.min() ?? .seconds(4)
    let tick = min(max(shortest / 4, .milliseconds(5)), .seconds(1))
    self.tick = tick
    let ticks = timeouts.map { UInt64(max(0, ($0 / tick).rounded(.up))) + 1 }
    (opening, idle, content) = (ticks[0], ticks[1], ticks[2])
    (response, promise) = (ticks[3], ticks[4])
  }

  /// Returns true if a connection in `phase` since `since` is overdue at `now`.
  func areExceeded(in phase: ConnectionPhase, since: UInt64, now: UInt64) -> Bool {
    guard let limit = limit(phase) else { return false }
    return now > since + limit
  }

  private func limit(_ phase: ConnectionPhase) -> UInt64? {
    switch phase {
    case .opening, .head: opening
    case .idle: idle
    case .content: content
    case .waiting: promise
    case .response, .sendingStream: response
    case .handling, .streaming: nil
    }
  }
}

/// The phase of a connection and the tick when it began; written by the daemon, read by the reaper.
struct PhaseClock: ~Copyable {
  private let value: Atomic<UInt64>

  init(_ phase: ConnectionPhase, tick: UInt64) {
    value = Atomic(Moment(phase, since: tick).rawValue)
  }

  func enter(_ phase: ConnectionPhase, tick: UInt64) {
    value.store(Moment(phase, since: tick).rawValue, ordering: .relaxed)
  }

  /// Restarts the phase of a reading, unless it has changed.
  func renew(_ reading: Moment, tick: UInt64) {
    _ = value.compareExchange(
      expected: reading.rawValue, desired: Moment(reading.phase, since: tick).rawValue,
      ordering: .relaxed)
  }

  var reading: Moment {
    Moment(rawValue: value.load(ordering: .relaxed))
  }

  /// Phase and tick in one number, so that they are read atomically.
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

/// The phase of a connection, named after the event it waits for.
enum ConnectionPhase: UInt64 {
  /// The first request.
  case opening
  /// The next request.
  case idle
  /// The rest of a head.
  case head
  /// The rest of the content.
  case content
  /// The handler's result.
  case handling
  /// The fulfillment of the handler's promise.
  case waiting
  /// The client's reading of the response.
  case response
  /// The next piece of a stream.
  case streaming
  /// The client's reading of a piece of a stream.
  case sendingStream

  /// True if a request is incomplete.
  var isInsideRequest: Bool {
    switch self {
    case .head, .content: true
    case .opening, .idle, .handling, .waiting, .response, .streaming, .sendingStream: false
    }
  }

  /// True if the server reads from the client.
  var isReading: Bool {
    switch self {
    case .opening, .idle, .head, .content: true
    case .handling, .waiting, .response, .streaming, .sendingStream: false
    }
  }
}
