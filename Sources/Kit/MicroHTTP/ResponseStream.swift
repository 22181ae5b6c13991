import CMicroHTTPD
import Glibc
import Locks

/// The body of a streamed response.
///
/// It serves one response only. Once it is closed, both closures are released.
package final class ResponseStream: Sendable {
  /// The next piece of a stream.
  package enum Piece: Sendable {
    /// The next bytes of the body.
    case bytes([UInt8])
    /// The next bytes in parts, which streams can share.
    case parts([[UInt8]])
    /// Nothing before the next `wake()`.
    case waiting
    /// The end of the body, after which the connection is closed.
    case end
  }

  private let state: Lock<State>

  private struct State {
    var next: (@Sendable () -> Piece)?
    var whenClosed: (@Sendable () -> Void)?
    /// True once it is the body of a response.
    var isTaken = false
    /// True if it was woken since the last piece was requested.
    var isWoken = false
    /// True if it ends where it would wait.
    var isEnding = false
    /// Resumes the suspended connection; called under the lock.
    var resumption: (@Sendable () -> Void)?

    mutating func wake() {
      guard let resume = resumption.take() else {
        isWoken = true
        return
      }
      resume()
    }
  }

  /// Creates the body of one response.
  ///
  /// - Parameters:
  ///   - next: Returns the next piece. It is called on the connection's thread, never concurrently, and must
  ///     not block.
  ///   - whenClosed: Called once, on any thread, when the connection is gone, the stream has ended, or the
  ///     response is not sent.
  package init(
    next: @escaping @Sendable () -> Piece, whenClosed: @escaping @Sendable () -> Void = {}
  ) {
    state = Lock(State(next: next, whenClosed: whenClosed))
  }

  deinit {
    close()
  }

  /// Makes the connection request the next piece soon.
  ///
  /// It can be called from any thread, also within `next`. Several calls between two pieces count as one. It
  /// has no effect after the end.
  package func wake() {
    state.withLock { $0.wake() }
  }
}

extension ResponseStream {
  /// Makes this the body of a response; returns false if it was one before.
  func take() -> Bool {
    state.withLock { state in
      defer { state.isTaken = true }
      return !state.isTaken
    }
  }

  /// Returns the next piece. Without one, calls `suspend` for the connection, and `resume` once there may be
  /// one.
  ///
  /// Both are called under the lock, `resume` once for each `suspend`: no call of `wake()` is lost, and none
  /// reaches a connection that is not suspended.
  package func piece(
    orSuspend suspend: () -> Void, resume: @escaping @Sendable () -> Void
  ) -> Piece {
    let next = state.withLock { state in
      state.isWoken = false
      return state.next
    }
    guard let next else { return .end }
    let piece = next()
    guard case .waiting = piece else { return piece }
    return state.withLock { state in
      if state.isEnding { return .end }
      suspend()
      // Resumed rather than continued, so that other connections get their turn.
      if state.isWoken { resume() } else { state.resumption = resume }
      return .waiting
    }
  }

  /// Ends the stream once it has nothing more to send; at once if it is waiting.
  func end() {
    state.withLock { state in
      state.isEnding = true
      state.wake()
    }
  }

  /// Closes the stream; no further pieces are requested. Has no effect the second time.
  package func close() {
    // The closures are released after the lock.
    let (next, whenClosed) = state.withLock { state in
      (state.next.take(), state.whenClosed.take())
    }
    withExtendedLifetime(next) { whenClosed?() }
  }
}

/// Suspends the connections of waiting streams, and resumes woken ones in batches.
///
/// The library walks over all suspended connections for each resumption, whatever their number. So resumptions
/// are batched, with a pause of one microsecond per suspended connection after each batch. A stream woken alone
/// waits only for the thread.
final class StreamWaker: Sendable {
  private let state = Monitor(State())
  private let thread = BackgroundThread()

  private struct State {
    /// The number of suspended connections, woken ones included.
    var suspended = 0
    var woken: [SuspendedConnection] = []
    var isStopped = false

    /// Takes the woken connections, with the number of suspended ones; nil if there is nothing to do.
    mutating func takeWoken() -> (woken: [SuspendedConnection], suspended: Int, isStopped: Bool)? {
      guard !woken.isEmpty || isStopped else { return nil }
      defer { (suspended, woken) = (suspended - woken.count, []) }
      return (woken, suspended, isStopped)
    }
  }

  /// Starts the thread, which retains the waker until it is stopped.
  init() throws(ServerError) { try thread.start(or: ServerError.system) { self.run() } }

  /// Suspends a connection, on its own thread.
  func suspend(_ connection: SuspendedConnection) {
    state.withLock { $0.suspended += 1 }
    connection.suspend()
  }

  /// Resumes a suspended connection soon.
  func resume(_ connection: SuspendedConnection) {
    let isFirst = state.withLock { state -> Bool? in
      guard !state.isStopped else { return nil }
      state.woken.append(connection)
      return state.woken.count == 1
    }
    guard let isFirst else { return connection.resume() }
    if isFirst { state.signal() }
  }

  /// Resumes woken connections, and ends the thread. After that each connection is resumed at once.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.signal()
    thread.finish()
  }

  private func run() {
    while let (woken, suspended, isStopped) = state.wait(until: { $0.takeWoken() }) {
      for connection in woken { connection.resume() }
      if isStopped { return }
      usleep(UInt32(clamping: suspended))
    }
  }
}

// The callbacks of streamed responses. `reader` is always the `StreamReader`, retained by the daemon's
// response.

extension Response {
  /// Queues the response with a stream. Returns false if the daemon refuses it; the stream is then closed.
  func queue(
    _ stream: ResponseStream, for connection: Connection, of processor: RequestProcessor,
    on handle: OpaquePointer,
    isHead: Bool
  ) -> Bool {
    let reader = StreamReader(stream, on: connection, of: processor)
    let held = unsafe Unmanaged.passRetained(reader)
    // The block is the buffer for HTTP/1.0 only: chunks are written into the connection's memory.
    let made = unsafe MHD_create_response_from_callback(
      UInt64.max, Self.blockSize, readStream, held.toOpaque(), closeStream)
    guard let made = unsafe made else {
      unsafe held.release()
      stream.close()
      return false
    }
    defer { unsafe MHD_destroy_response(made) }
    if isHead, unsafe chttpd_send_unchunked(made) != .YES { return false }
    return unsafe headers.add(to: made) && processor.commonHeaders.add(to: made, besides: headers)
      && MHD_add_response_header(made, "Connection", "close") == .YES
      && MHD_queue_response(handle, UInt32(clamping: status.rawValue), made) == .YES
  }

  private static var blockSize: Int { 1024 }
}

/// The reader of a stream, on the connection's thread.
private final class StreamReader {
  let stream: ResponseStream
  private let connection: Connection
  private let processor: RequestProcessor
  /// The parts of the current piece, the next one last. Each counts as unsent unless it is small.
  private var parts: [UnsentBody] = []
  /// The number of bytes of the next part already passed to the daemon.
  private var position = 0

  init(_ stream: ResponseStream, on connection: Connection, of processor: RequestProcessor) {
    self.stream = stream
    self.connection = connection
    self.processor = processor
  }

  /// Returns the number of bytes read; 0 if the connection is suspended, and the library's end marker.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while parts.isEmpty {
      let suspended = unsafe SuspendedConnection(connection.handle)
      let waker = processor.waker
      let next = stream.piece {
        waker.suspend(suspended)
      } resume: {
        waker.resume(suspended)
      }
      switch next {
      case .bytes(let bytes): guard take([bytes]) else { return chttpd_broken_stream }
      case .parts(let parts): guard take(parts) else { return chttpd_broken_stream }
      case .waiting:
        processor.enter(.streaming, connection)
        return 0
      case .end:
        stream.close()
        return chttpd_end_of_stream
      }
    }
    let count = unsafe fill(buffer)
    processor.enter(.sendingStream, connection)
    return count
  }

  /// Takes and counts the parts of a piece. Returns false without room for them.
  ///
  /// The stream is then cut, since earlier pieces are unread; its client reconnects and resumes.
  private func take(_ pieces: [[UInt8]]) -> Bool {
    for piece in pieces.reversed() where !piece.isEmpty {
      let counted = processor.unsentBodies.add(
        piece, to: connection, from: UnsentBodies.uncountedOfStreams, isRefusable: true)
      guard let counted else {
        parts = []
        stream.close()
        return false
      }
      parts.append(counted)
    }
    return true
  }

  /// Copies bytes of the parts into a buffer, and returns their number.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count, let part = parts.last {
      let count = min(buffer.count - filled, part.bytes.count - position)
      unsafe part.bytes[position..<(position + count)].withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: bytes)
      }
      (filled, position) = (filled + count, position + count)
      if position == part.bytes.count { (_, position) = (parts.removeLast(), 0) }
    }
    return filled
  }
}

private func readStream(
  _ reader: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  guard let reader = unsafe reader else { return chttpd_end_of_stream }
  let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
  return unsafe Unmanaged<StreamReader>.fromOpaque(reader).takeUnretainedValue().read(into: room)
}

private func closeStream(_ reader: UnsafeMutableRawPointer?) {
  guard let reader = unsafe reader else { return }
  unsafe Unmanaged<StreamReader>.fromOpaque(reader).takeRetainedValue().stream.close()
}
