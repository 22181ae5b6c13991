import Glibc
import Locks

/// An HTTP/1.1 server that is listening from its creation until it is stopped.
///
/// The handler runs on the server's own threads, one request after the other on each of them: it
/// answers at once, or promises to, or it holds up the others. A second server in the same process
/// is no trouble.
package final class Server: Sendable {
  /// The port it listens on, also when any free one was asked for.
  package let port: UInt16
  private let processor: RequestProcessor
  private let listener: ListeningSocket
  private let reaper: Reaper
  private let daemon: Lock<Daemon?>

  /// Starts listening.
  ///
  /// `admission` is asked when the head of a request with large content was read, and before the content is: its
  /// response is sent in place of the handler's, and the connection closed; the default admits all. `refusal` makes
  /// the response to a message that never reaches the handler; the default is the
  /// status in plain text. `isUrgent` tells which requests are handled even beyond
  /// `ServerConfiguration.maximumRequestsInFlight`; the default is none.
  package init(
    _ configuration: ServerConfiguration = ServerConfiguration(),
    handler: @escaping @Sendable (Request) -> EventualResponse,
    admission: @escaping @Sendable (Request) -> Response? = { _ in nil },
    refusal: @escaping @Sendable (RequestRefusal) -> Response = { $0.plainResponse },
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

  /// Requests that are being read, handled or answered at this moment.
  package var requestsInFlight: Int {
    processor.requestsInFlight.load(ordering: .relaxed)
  }

  /// Connections that are open at this moment.
  package var openConnections: Int {
    processor.registry.count
  }

  /// The number of connections so far that were closed for another one.
  package var evictedConnections: Int {
    processor.registry.evictions
  }

  /// The bytes of large answers that clients have not read yet.
  package var unsentBytes: Int {
    processor.unsentBodies.total
  }

  /// The bytes of large content that is being received, or was and is not answered yet.
  package var receivedBytes: Int {
    processor.receivedBodies.total
  }

  /// The number of connections so far that were closed since they did not read their answers, for others.
  package var unreadEvictions: Int {
    processor.unsentBodies.evictions
  }

  /// Streamed responses that have not ended at this moment; they are no requests in flight.
  package var openStreams: Int {
    processor.registry.streamCount
  }

  /// From now on every response closes its connection; new connections are still accepted.
  ///
  /// This gives load balancers time to notice that the server is stopping.
  package func beginDraining() {
    processor.isDraining.store(true, ordering: .relaxed)
  }

  /// Refuses new connections, waits for the requests that have arrived, and stops; answers whether
  /// none of them was cut off.
  ///
  /// Waits no longer than `grace` for clients, but always for handlers, which cannot be
  /// interrupted. Shortly before its end, promises that nobody has fulfilled are answered with 503.
  /// Streams are not waited for: their owners end them before, and then they are ended where they have
  /// nothing to send, and for a second at most clients may take what is left.
  /// Not to be called from a handler, nor from an observer of a promise. The second time it does
  /// nothing and answers true.
  @discardableResult
  package func stop(grace: Duration) -> Bool {
    guard isRunning else { return true }
    beginDraining()
    let start = ContinuousClock.now
    let deadline = start + grace
    wait(until: start + min(grace / 2, .seconds(1))) { !listener.hasWaitingConnections }
    processor.refusesConnections.store(true, ordering: .relaxed)
    wait(until: deadline - min(grace / 4, .milliseconds(250))) { isQuiet }
    // The library ends the process when it is stopped while a connection waits.
    let brokenPromises = processor.breakPromises()
    processor.endStreams()
    wait(until: deadline) { isQuiet }
    wait(until: min(deadline, .now + .seconds(1))) { openStreams == 0 }
    let wasQuiet = isQuiet && brokenPromises == 0
    // The library ends the process, too, when it is stopped while a stream waits.
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

  /// True if no request is in flight or lies unread in a socket.
  private var isQuiet: Bool {
    requestsInFlight == 0 && !processor.registry.hasUnreadBytes
  }

  /// Waits until the condition has held for five looks together, or for the deadline.
  ///
  /// One look is not enough: between the socket and the count a request is in neither of them.
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
    // Both are asked, so that neither counts again what is given back now.
    let (closed, sent) = (registry.takeClosed(), unsentBodies.takePeak())
    if closed > 0 || sent > 16 << 20 { Memory.trim() }
    fulfillOverduePromises(now: now)
  }
}
