import CMicroHTTPD
import Glibc
import Locks
import Synchronization

/// One client's connection, and what its present request holds.
///
/// `@unchecked Sendable`: only the daemon's thread that serves this connection touches its members.
/// The exceptions are the clock, which is atomic; the descriptor, which never changes; the promise,
/// which has a lock of its own; and `place`, `stream`, `isEvicted`, `overdueSeen`, `endSeen` and
/// `takenSeen`, which the registry guards by its lock.
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
  /// True once the reaper did that.
  let isOverdue = Atomic(false)
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
  /// The bytes of all requests so far, as far as they were read.
  var bytesRead = 0
  /// The number of answers so far that a request smuggled in might have had.
  private var suspectAnswers = 0
  /// True if something had come behind the last request when that was answered.
  private var isPipelined = false
  /// The content that has arrived in stage `content`.
  var content: [UInt8] = []

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

  /// The stage of the present request.
  enum Stage {
    /// There is none.
    case idle
    /// Its request line was read, with that target; nil when it was no text.
    case head(target: String?)
    /// Its head was read, its content is being gathered.
    case content(Request, isChunked: Bool)
    /// It is refused; so many more bytes of its content are read and dropped, in order that the
    /// client gets to read the answer. That was sent over the socket itself, or is still to come.
    case refused(patience: Int, isAnswered: Bool)
    /// The handler gave a promise; `closing` tells whether the connection ends after its response.
    case promised(ResponsePromise, closing: Bool)
    /// Its response was queued, whose body comes in pieces.
    case streaming
    /// Its response was queued.
    case answered
  }
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

  private func connectionInfo(at place: Int) -> Int? {
    var info = [UInt64](repeating: 0, count: 32)
    var size = socklen_t(info.count * MemoryLayout<UInt64>.stride)
    let failure = unsafe getsockopt(self, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
    guard failure == 0, Int(size) >= (place + 1) * MemoryLayout<UInt64>.stride else { return nil }
    return Int(clamping: info[place])
  }
}
