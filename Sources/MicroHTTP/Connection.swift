import Glibc
import Synchronization

/// One client's connection, and what its present request holds.
///
/// `@unchecked Sendable`: everything but the atomic clock is touched only by the daemon's thread
/// that serves this connection, except for the descriptor, which never changes, the promise, which
/// has a lock of its own, and `place`,
/// `isEvicted`, `overdueSeen` and `endSeen`, which the registry guards by its lock.
@safe final class Connection: @unchecked Sendable {
  /// The library's connection, for its own thread only.
  let handle: OpaquePointer
  /// The daemon's thread that serves it.
  let thread = pthread_self()
  let descriptor: Int32
  let remoteAddress: String
  /// Whether its bytes go through TLS, so that nothing can be written past the library.
  let isEncrypted: Bool
  let clock: PhaseClock
  /// The number of its present or last request among all; the number of its opening before the first.
  let order = Atomic<UInt64>(0)
  /// Where the registry keeps it.
  var place = 0
  /// True once it was shut down for another one.
  var isEvicted = false
  /// The clock's reading when the reaper told the library that no more will come.
  var overdueSeen: PhaseClock.Reading?
  /// Whether the reaper did that.
  let isOverdue = Atomic(false)
  /// The clock's reading when the reaper last found the client's end of it closed.
  var endSeen: PhaseClock.Reading?
  var stage = Stage.idle
  /// The bytes of the present request's target as it came, query included.
  var targetSize = 0
  /// What it waits for in stage `promised`, for whoever stops the server or finds it overdue.
  let promise = Mutex<ResponsePromise?>(nil)
  /// True if the present request is a GET or HEAD, which changes nothing, so that its answer may be
  /// withheld.
  var isRequestSafe = false
  /// The number of answers so far that a request smuggled in might have had.
  private var suspectAnswers = 0
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

  /// Takes what the stage holds and leaves `answered` in its place; moving it spares a copy.
  func leaveStage() -> Stage {
    var left = Stage.answered
    swap(&left, &stage)
    return left
  }

  /// Records the status of a response, and returns true if the connection is to end after it.
  ///
  /// A second 400 or 404 on one connection may be the answer to what somebody else's request had behind
  /// it: whoever shares the connection through a proxy gets no answers beyond it.
  func recordResponse(_ status: Status) -> Bool {
    guard status == .badRequest || status == .notFound else { return false }
    suspectAnswers += 1
    return suspectAnswers > 1
  }

  /// How far the present request has come.
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
    /// Its response was queued.
    case answered
  }
}
