import Synchronization

/// One client's connection, and what its present request holds.
///
/// `@unchecked Sendable`: everything but the atomic clock is touched only by the daemon's thread
/// that serves this connection, except for the descriptor, which never changes, the promise, which
/// has a lock of its own, and `place`,
/// `overdueSeen` and `endSeen`, which the registry guards by its lock.
final class Connection: @unchecked Sendable {
  let descriptor: Int32
  let remoteAddress: String
  /// Whether its bytes go through TLS, so that nothing can be written past the library.
  let isEncrypted: Bool
  let clock: PhaseClock
  /// Where the registry keeps it.
  var place = 0
  /// The clock's reading when the reaper told the library that no more will come.
  var overdueSeen: PhaseClock.Reading?
  /// Whether the reaper did that.
  let isOverdue = Atomic(false)
  /// The clock's reading when the reaper last found the client's end of it closed.
  var endSeen: PhaseClock.Reading?
  var stage = Stage.idle
  /// What it waits for in stage `promised`, for whoever stops the server or finds it overdue.
  let promise = Mutex<ResponsePromise?>(nil)
  /// The content that has arrived in stage `content`.
  var content: [UInt8] = []

  init(descriptor: Int32, remoteAddress: String, isEncrypted: Bool, tick: UInt64) {
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
