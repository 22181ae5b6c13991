import Glibc
import Locks

/// An HTTP/1.1 server, listening from its creation until it is stopped.
///
/// The handler runs on the server's threads, one request at a time on each: it must respond or return a promise
/// without blocking. A process can have several servers.
package final class Server: Sendable {
  /// The port, also when any free one was requested.
  package let port: UInt16
  private let processor: RequestProcessor
  private let listener: ListeningSocket
  private let reaper: Reaper
  private let daemon: Lock<Daemon?>

  /// Starts listening.
  ///
  /// `admission` is called when the head of a request with large content has been read: if it returns a response, that
  /// is sent instead of reading the content, and the connection is closed. The default admits all requests. `refusal`
  /// returns the response to a request that does not reach the handler, with its head as far as it was read; the
  /// default is the status as plain text. `isUrgent` selects the requests that are handled even beyond
  /// `ServerConfiguration.maximumRequestsInFlight`; the default is none.
  package init(
    _ configuration: ServerConfiguration = ServerConfiguration(),
    handler: @escaping @Sendable (Request) -> EventualResponse,
    admission: @escaping @Sendable (Request) -> Response? = { _ in nil },
    refusal: @escaping @Sendable (RequestRefusal, MessageHead) -> Response = { reason, _ in
      reason.plainResponse
    },
    isUrgent: @escaping @Sendable (Request) -> Bool = { _ in false }
  ) throws(ServerError) {
    let listener = try ListeningSocket(host: configuration.host, port: configuration.port)
    let waker: StreamWaker
    do throws(ServerError) {
      waker = try StreamWaker()
    } catch {
      listener.close()
      throw error
    }
    let processor = RequestProcessor(
      configuration, waker: waker, handler: handler, admission: admission, refusal: refusal,
      isUrgent: isUrgent)
    do throws(ServerError) {
      reaper = try Reaper(every: processor.deadlines.tick) { processor.closeOverdueConnections() }
      daemon = Lock(try Daemon(configuration, listener: listener, processor: processor))
    } catch {
      waker.stop()
      listener.close()
      throw error
    }
    port = listener.port
    self.listener = listener
    self.processor = processor
  }

  deinit {
    stop(grace: .zero)
  }

  /// The number of requests being read, handled or answered.
  package var requestsInFlight: Int {
    processor.requestsInFlight.load(ordering: .relaxed)
  }

  /// The number of open connections.
  package var openConnections: Int {
    processor.registry.count
  }

  /// The total number of connections evicted for new ones.
  package var evictedConnections: Int {
    processor.registry.evictions
  }

  /// The number of bytes of large answers not yet read by clients.
  package var unsentBytes: Int {
    processor.unsentBodies.total
  }

  /// The number of bytes of large content being received or not yet answered.
  package var receivedBytes: Int {
    processor.receivedBodies.total
  }

  /// The total number of connections evicted because their clients did not read.
  package var unreadEvictions: Int {
    processor.unsentBodies.evictions
  }

  /// The number of open streams; they are not requests in flight.
  package var openStreams: Int {
    processor.registry.streamCount
  }

  /// Makes every response close its connection; new connections are still accepted.
  ///
  /// This gives load balancers time to notice that the server is stopping.
  package func beginDraining() {
    processor.isDraining.store(true, ordering: .relaxed)
  }

  /// Refuses new connections, waits for the requests that have arrived, and stops. Returns false if one was cut
  /// off.
  ///
  /// Waits at most `grace` for clients, but always for handlers, which cannot be interrupted. Shortly before
  /// the end, pending promises are answered with 503. Streams are not waited for: their owners should end them
  /// before; they are ended where they have nothing to send, and clients have at most a second to read the
  /// rest. Must not be called from a handler or a promise's observer. The second call has no effect and returns
  /// true.
  @discardableResult
  package func stop(grace: Duration) -> Bool {
    guard isRunning else { return true }
    beginDraining()
    let start = ContinuousClock.now
    let deadline = start + grace
    wait(until: start + min(grace / 2, .seconds(1))) { !listener.hasWaitingConnections }
    processor.refusesConnections.store(true, ordering: .relaxed)
    wait(until: deadline - min(grace / 4, .milliseconds(250))) { isQuiet }
    // The library aborts the process if it is stopped while a connection is suspended.
    let brokenPromises = processor.breakPromises()
    processor.endStreams()
    wait(until: deadline) { isQuiet }
    wait(until: min(deadline, .now + .seconds(1))) { openStreams == 0 }
    let wasQuiet = isQuiet && brokenPromises == 0
    // The same applies to suspended streams.
    processor.waker.stop()
    daemon.withLock { daemon in
      daemon.take()?.stop()
    }
    reaper.stop()
    return wasQuiet
  }

  private var isRunning: Bool {
    daemon.withLock { $0 != nil }
  }

  /// True if no request is in flight or unread in a socket.
  private var isQuiet: Bool {
    requestsInFlight == 0 && !processor.registry.hasUnreadBytes
  }

  /// Waits until the condition has held at five consecutive checks, or until the deadline.
  ///
  /// One check is not enough: between the socket and the count a request is in neither.
  private func wait(until deadline: ContinuousClock.Instant, _ condition: () -> Bool) {
    var looks = 0
    while looks < 5, ContinuousClock.now < deadline {
      looks = condition() ? looks + 1 : 0
      usleep(2000)
    }
  }
}

extension RequestProcessor {
  fileprivate func closeOverdueConnections() {
    let now = ticks.add(1, ordering: .relaxed).newValue
    registry.renewProgressingStreams(now: now)
    registry.end { phase, since in
      phase != .waiting && deadlines.areExceeded(in: phase, since: since, now: now)
    }
    registry.shutDownAbandoned()
    for stream in registry.shutDownHungUpStreams(tick: now) { stream.end() }
    // Call both, so that neither counts the same again.
    let (closed, sent) = (registry.takeClosed(), unsentBodies.takePeak())
    if closed > 0 || sent > 16 << 20 { Memory.trim() }
    fulfillOverduePromises(now: now)
  }
}
