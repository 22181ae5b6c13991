import CMicroHTTPD
import Glibc
import Locks
import Synchronization

/// One client's connection, and what its present request holds.
///
/// `@unchecked Sendable`: only the daemon's thread that serves this connection touches its members; while it waits,
/// the thread that fulfills its promise does. Exceptions are what is atomic or has a lock of its own; the descriptor,
/// which never changes; and `place`, `stream`, `isEvicted`, `overdueSeen`, `endSeen` and `takenSeen`, which the
/// registry guards by its lock.
@safe final class Connection: @unchecked Sendable {
  /// The library's connection, for its own thread only.
  let handle: OpaquePointer
  /// The daemon's thread that serves it.
  let thread = pthread_self()
  let descriptor: Int32
  let remoteAddress: String
  /// True if its bytes go through TLS, so that nothing can be written past the library.
  let isEncrypted: Bool
  let clock: PhaseClock
  /// The number, among all clients', of the last time that its client was heard of: the opening, a
  /// request line, or a piece of content.
  let lastActivity = Atomic<UInt64>(0)
  /// Its place in the registry.
  var place = 0
  /// True once it was shut down for another one.
  var isEvicted = false
  /// The clock's reading when the reaper told the library that no more will come.
  var overdueSeen: PhaseClock.Moment?
  /// The reason why no more is read of it.
  let ending = Atomic(Ending.none)
  /// True until the daemon closes the descriptor, whose number then may be another connection's.
  private let isOpen = Lock(true)
  /// The clock's reading when the reaper last found the client's end of it closed.
  var endSeen: PhaseClock.Moment?
  var stage = Stage.idle
  /// The bytes of the present request's target as it came, query included.
  var targetSize = 0
  /// The promise that it waits for in stage `promised`; the server uses it to stop, the reaper to end what
  /// is overdue.
  let promise = Lock<ResponsePromise?>(nil)
  /// The body of the present response, if it is streamed.
  var stream: ResponseStream?
  /// The bytes that the client had taken when the reaper last looked at its stream.
  var takenSeen: Int?
  /// True if the present request is a GET or HEAD, which changes nothing, so that its answer may be
  /// withheld.
  var isRequestSafe = false
  /// True if the promised response was sent past the daemon; written by the thread that fulfilled the promise, while
  /// the connection waits.
  var isAnsweredAhead = false
  /// True if the present request is a HEAD.
  var isHead = false
  /// The bytes of all requests so far, as far as they were read.
  var bytesRead = 0
  /// The number of answers so far that a request smuggled in might have had.
  private var suspectAnswers = 0
  /// True if something had come behind the last request when that was answered.
  private var isPipelined = false
  /// The content that has arrived in stage `content`.
  var content: [UInt8] = []
  /// True if its content is counted (`ReceivedBodies`).
  var isCounted = false

  init(
    _ handle: OpaquePointer, descriptor: Int32, remoteAddress: String, isEncrypted: Bool,
    tick: UInt64
  ) {
    unsafe self.handle = handle
    self.descriptor = descriptor
    self.remoteAddress = remoteAddress
    self.isEncrypted = isEncrypted
    clock = PhaseClock(.opening, tick: tick)
  }

  /// True if the daemon has read the head of the present request and was not told what to do yet.
  ///
  /// Asked on any other thread than `thread` it is false.
  var isBusyWithHead: Bool {
    guard thread == pthread_self(), case .head = stage else { return false }
    return unsafe chttpd_head_size(handle) > 0
  }

  /// True if the head was read of a request without content.
  var awaitsNoContent: Bool {
    guard case .content(let request, isChunked: false) = stage else { return false }
    return !request.hasContent
  }

  /// Takes what the stage holds and leaves `answered` in its place; moving it spares a copy.
  func leaveStage() -> Stage {
    var left = Stage.answered
    swap(&left, &stage)
    return left
  }

  /// Notes a response with that status, and returns true if the connection is to end after it.
  ///
  /// A second 400 or 404 on one connection may be the answer to a smuggled request. The connection
  /// then ends, so that other clients that share it through a proxy get no answers meant for
  /// others. A smuggled request arrives together with the one before it; a client that waits for
  /// each answer may therefore get any number of them.
  func noteResponse(_ status: Status) -> Bool {
    let wasPipelined = isPipelined
    let isSuspect = status == .badRequest || status == .notFound
    if isSuspect { suspectAnswers += 1 }
    // Most connections have no such answer, and are spared the question.
    if suspectAnswers > 0 { isPipelined = descriptor.bytesReceived.map { $0 > bytesRead } ?? true }
    return isSuspect && suspectAnswers > 1 && wasPipelined
  }

  /// A reason why no more is read of a connection.
  enum Ending: UInt8, AtomicRepresentable {
    case none
    /// Its time is over.
    case overdue
    /// Others need the room of its content.
    case outOfRoom

    /// The answer to a request that was not read to its end.
    var refusal: RequestRefusal? {
      switch self {
      case .none: nil
      case .overdue: .requestTimeout
      case .outOfRoom: .tooMuchReceived
      }
    }
  }

  /// The stage of the present request.
  enum Stage {
    /// There is none.
    case idle
    /// Its request line was read, with that target; nil when it was no text.
    case head(target: String?)
    /// Its head was read, its content is being gathered.
    case content(Request, isChunked: Bool)
    /// It is refused; so many more bytes of its content are read and dropped, in order that the
    /// client gets to read the response. Nil if that was sent over the socket itself.
    case refused(patience: Int, response: Response?)
    /// The handler gave a promise; `closing` tells whether the connection ends after its response.
    case promised(ResponsePromise, closing: Bool)
    /// Its response was queued, whose body comes in pieces.
    case streaming
    /// Its response was queued.
    case answered
  }
}

extension Connection {
  /// Notes that the daemon is about to close the descriptor.
  func noteClosing() { isOpen.withLock { $0 = false } }

  /// Returns what `body` returns for the descriptor; nil once that is closed.
  private func withDescriptor<Result: Sendable>(_ body: (Int32) -> Result) -> Result? {
    isOpen.withLock { $0 ? body(descriptor) : nil }
  }

  /// Closes it, from any thread.
  func closeIfOpen() { _ = withDescriptor { shutdown($0, Int32(SHUT_RDWR)) } }

  /// Reads no more content, from any thread. Its own thread answers so, if that is possible.
  func stopReceiving() {
    ending.store(.outOfRoom, ordering: .relaxed)
    _ = withDescriptor { shutdown($0, Int32(isEncrypted ? SHUT_RDWR : SHUT_RD)) }
  }

  /// True if the client has ended its side of the connection, or all of it; it may still read an answer.
  var hasHungUp: Bool {
    withDescriptor { descriptor in
      var look = pollfd(descriptor: descriptor)
      return unsafe poll(&look, 1, 0) > 0 && look.hasHungUp
    } ?? true
  }

  /// The time for which the client let the server wait with bytes that it had no room for, since the connection was
  /// opened; nil if the system does not tell.
  var waitForClient: Duration? {
    (withDescriptor { $0.timeLimitedByReader } ?? nil).map { .microseconds($0) }
  }
}

extension pollfd {
  /// A look at whether the other side has ended its half.
  init(descriptor: Int32) {
    // `POLLRDHUP`, which the C library declares for its own extensions only.
    self.init(fd: descriptor, events: 0x2000, revents: 0)
  }

  var hasHungUp: Bool { revents & (0x2000 | Int16(POLLHUP) | Int16(POLLERR)) != 0 }
}

extension Int32 {
  /// The bytes that the system has received on a TCP socket, those of TLS included; nil if it does not
  /// tell.
  fileprivate var bytesReceived: Int? {
    // `tcpi_bytes_received`, which the kernel has since 4.1 and the C library's declaration lacks.
    connectionInfo(at: 16)
  }

  /// The bytes that the other side of a TCP socket has taken, those of TLS included; nil if the system
  /// does not tell.
  var bytesTaken: Int? {
    // `tcpi_bytes_acked`, as old.
    connectionInfo(at: 15)
  }

  /// The microseconds for which the other side of a TCP socket had no room for what was to be sent; nil if the system
  /// does not tell.
  fileprivate var timeLimitedByReader: Int? {
    // `tcpi_rwnd_limited`, which the kernel has since 4.10.
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
