import Glibc
import Locks

/// The thread that counts the ticks and calls its action at each of them.
final class Reaper: Sendable {
  /// Two joined sockets; the closing of one tells the thread to end. Nil once it has ended.
  private let wakeUp: Lock<(read: Int32, write: Int32)?>
  private let thread = BackgroundThread()

  /// Starts the thread.
  init(every tick: Duration, action: @escaping @Sendable () -> Void) throws(ServerError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system(errno) }
    let (read, write) = (ends[0], ends[1])
    wakeUp = Lock((read, write))
    let milliseconds = Int32(clamping: Int64(tick / .milliseconds(1)))
    try ServerError.starting(thread) {
      var descriptor = pollfd(fd: read, events: Int16(POLLIN), revents: 0)
      while unsafe poll(&descriptor, 1, milliseconds) <= 0 { action() }
    }
  }

  /// Ends the thread and waits for its end; the second time nothing.
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
