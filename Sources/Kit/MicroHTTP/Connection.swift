import CMicroHTTPD
import Glibc
import Locks
import Synchronization

/// A client's connection and the state of its present request.
///
/// `@unchecked Sendable`: only the daemon's thread of this connection accesses its members and, while it is
/// suspended, the thread that fulfills its promise. Exceptions are members that are atomic or have a lock; the
/// descriptor, which never changes; and `place`, `stream`, `isEvicted`, `overdueSeen`, `endSeen` and
/// `takenSeen`, which the registry's lock guards.
@safe final class Connection: @unchecked Sendable {
  /// The library's connection, for its own thread only.
  let handle: OpaquePointer
  /// The daemon's thread of the connection.
  let thread = pthread_self()
  let descriptor: Int32
  let remoteAddress: String
  /// True if its bytes go through TLS, so that nothing can be sent past the library.
  let isEncrypted: Bool
  let clock: PhaseClock
  /// The sequence number, among all clients, of its client's last activity: the opening, a request line, or a
  /// piece of content.
  let lastActivity = Atomic<UInt64>(0)
  /// Its index in the registry.
  var place = 0
  /// True once it was shut down to make room.
  var isEvicted = false
  /// The clock's reading when the reaper shut down its incoming half as overdue.
  var overdueSeen: PhaseClock.Moment?
  /// The reason why reading ended.
  let ending = Atomic(Ending.none)
  /// True until the daemon closes the descriptor, whose number may then be reused.
  private let isOpen = Lock(true)
  /// The clock's reading when the reaper last found the client's half closed.
  var endSeen: PhaseClock.Moment?
  var stage = Stage.idle
  /// The size of the present request's target as received, query included.
  var targetSize = 0
  /// The head of the present request.
  var head: MessageHead
  /// The pending promise in stage `promised`, and its request's head; used by the server to stop, and by the
  /// reaper at the deadline.
  let promise = Lock<(ResponsePromise, MessageHead)?>(nil)
  /// The body of the present response, if it is streamed.
  var stream: ResponseStream?
  /// The number of bytes acknowledged when the reaper last checked the stream.
  var takenSeen: Int?
  /// True if the present request is a GET or HEAD, so that withholding its answer loses nothing.
  var isRequestSafe = false
  /// True if the promised response was sent directly over the socket; written by the thread that fulfilled the
  /// promise, while the connection is suspended.
  var isAnsweredAhead = false
  var isHead = false
  /// The number of bytes of all requests read so far.
  var bytesRead = 0
  /// The number of answers so far that a smuggled request could have had.
  private var suspectAnswers = 0
  /// True if further bytes had arrived when the last request was answered.
  private var isPipelined = false
  /// The content received in stage `content`.
  var content: [UInt8] = []
  /// True if its content is counted in `ReceivedBodies`.
  var isCounted = false

  init(
    _ handle: OpaquePointer, descriptor: Int32, remoteAddress: String, isEncrypted: Bool,
    tick: UInt64
  ) {
    unsafe self.handle = handle
    self.descriptor = descriptor
    self.remoteAddress = remoteAddress
    head = MessageHead(from: remoteAddress)
    self.isEncrypted = isEncrypted
    clock = PhaseClock(.opening, tick: tick)
  }

  /// True if the daemon has read the head of the present request and not handed it over yet.
  ///
  /// Always false on threads other than `thread`.
  var isBusyWithHead: Bool {
    guard thread == pthread_self(), case .head = stage else { return false }
    return unsafe chttpd_head_size(handle) > 0
  }

  /// True if the head was read of a request without content.
  var awaitsNoContent: Bool {
    guard case .content(let request, isChunked: false) = stage else { return false }
    return !request.hasContent
  }

  /// Returns the stage and sets it to `answered`; moving it avoids a copy.
  func leaveStage() -> Stage {
    var left = Stage.answered
    swap(&left, &stage)
    return left
  }

  /// Records a response, and returns true if the connection must end after it.
  ///
  /// A second 400 or 404 on one connection may answer a smuggled request. The connection then ends, so that
  /// clients sharing it through a proxy get no answers meant for others. A smuggled request arrives together
  /// with the one before it; a client that waits for each answer may get any number of them.
  func noteResponse(_ status: Status) -> Bool {
    let wasPipelined = isPipelined
    let isSuspect = status == .badRequest || status == .notFound
    if isSuspect { suspectAnswers += 1 }
    // Most connections have no such answer, and are spared the system call.
    if suspectAnswers > 0 { isPipelined = descriptor.bytesReceived.map { $0 > bytesRead } ?? true }
    return isSuspect && suspectAnswers > 1 && wasPipelined
  }

  /// A reason why reading of a connection ended.
  enum Ending: UInt8, AtomicRepresentable {
    case none
    /// Its deadline has passed.
    case overdue
    /// Its content was evicted.
    case outOfRoom

    /// The answer to an incomplete request.
    var refusal: RequestRefusal? {
      switch self {
      case .none: nil
      case .overdue: .requestTimeout
      case .outOfRoom: .overloaded(.tooMuchReceived)
      }
    }
  }

  /// The stage of the present request.
  enum Stage {
    /// No request.
    case idle
    /// The request line was read; the target is nil if it is not valid text.
    case head(target: String?)
    /// The head was read, and the content is being received.
    case content(Request, isChunked: Bool)
    /// The request is refused. Up to `patience` more bytes of content are read and dropped, so that the client
    /// gets to read the response. The response is nil if it was sent directly over the socket.
    case refused(patience: Int, response: Response?)
    /// The handler returned a promise; `closing` is true if the connection ends after the response.
    case promised(ResponsePromise, closing: Bool)
    /// A streamed response was queued.
    case streaming
    /// The response was queued.
    case answered
  }
}

extension Connection {
  /// Records that the daemon is about to close the descriptor.
  func noteClosing() { isOpen.withLock { $0 = false } }

  /// Returns the result of `body` for the descriptor; nil once that is closed.
  private func withDescriptor<Result: Sendable>(_ body: (Int32) -> Result) -> Result? {
    isOpen.withLock { $0 ? body(descriptor) : nil }
  }

  /// Shuts down the connection, from any thread.
  func closeIfOpen() { _ = withDescriptor { shutdown($0, Int32(SHUT_RDWR)) } }

  /// Stops receiving content, from any thread. The connection's own thread then sends an answer, if possible.
  func stopReceiving() {
    ending.store(.outOfRoom, ordering: .relaxed)
    _ = withDescriptor { shutdown($0, Int32(isEncrypted ? SHUT_RDWR : SHUT_RD)) }
  }

  /// True if the client has closed its half of the connection, or all of it; it may still read an answer.
  var hasHungUp: Bool {
    withDescriptor { descriptor in
      var look = pollfd(descriptor: descriptor)
      return unsafe poll(&look, 1, 0) > 0 && look.hasHungUp
    } ?? true
  }

  /// The total time for which the client's full buffer has blocked sending; nil if unknown.
  var waitForClient: Duration? {
    (withDescriptor { $0.timeLimitedByReader } ?? nil).map { .microseconds($0) }
  }
}

extension pollfd {
  /// Creates a poll for whether the peer has closed its half.
  init(descriptor: Int32) {
    // `POLLRDHUP`, which the C library declares for its own extensions only.
    self.init(fd: descriptor, events: 0x2000, revents: 0)
  }

  var hasHungUp: Bool { revents & (0x2000 | Int16(POLLHUP) | Int16(POLLERR)) != 0 }
}

extension Int32 {
  /// The number of bytes received on a TCP socket, TLS included; nil if unknown.
  fileprivate var bytesReceived: Int? {
    // `tcpi_bytes_received`, in the kernel since 4.1, missing in the C library's declaration.
    connectionInfo(at: 16)
  }

  /// The number of bytes acknowledged by the peer of a TCP socket, TLS included; nil if unknown.
  var bytesTaken: Int? {
    // `tcpi_bytes_acked`, in the kernel since 4.1.
    connectionInfo(at: 15)
  }

  /// The microseconds for which the receive window of a TCP socket's peer has limited sending; nil if unknown.
  fileprivate var timeLimitedByReader: Int? {
    // `tcpi_rwnd_limited`, in the kernel since 4.10.
    connectionInfo(at: 22)
  }

  private func connectionInfo(at place: Int) -> Int? {
    var info = [UInt64](repeating: 0, count: 32)
    var size = socklen_t(info.count * MemoryLayout<UInt64>.stride)
    let failure = unsafe getsockopt(self, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
    guard failure == 0, Int(size) >= (place + 1) * MemoryLayout<UInt64>.stride else { return nil }
    return Int(clamping: info[place])
  }
}
