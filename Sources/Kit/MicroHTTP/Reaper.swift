import Glibc
import Locks

/// The thread that counts the ticks and calls its action at each of them.
final class Reaper: Sendable {
  /// Two joined sockets; the closing of one tells the thread to end.
  private let wakeUp: (read: Int32, write: Int32)
  private let thread: Lock<pthread_t?>

  /// Starts the thread.
  init(every tick: Duration, action: @escaping @Sendable () -> Void) throws(ServerError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system(errno) }
    let (read, write) = (ends[0], ends[1])
    wakeUp = (read, write)
    let milliseconds = Int32(clamping: Int64(tick / .milliseconds(1)))
    let work = unsafe Unmanaged.passRetained(
      Work {
        var descriptor = pollfd(fd: read, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&descriptor, 1, milliseconds) <= 0 { action() }
      })
    var thread = pthread_t()
    let failure = unsafe pthread_create(&thread, nil, runReaper, work.toOpaque())
    self.thread = Lock(failure == 0 ? thread : nil)
    if failure != 0 {
      unsafe work.release()
      throw .system(failure)
    }
  }

  /// Ends the thread and waits for its end; the second time nothing.
  func stop() {
    thread.withLock { thread in
      guard let running = thread.take() else { return }
      close(wakeUp.write)
      pthread_join(running, nil)
      close(wakeUp.read)
    }
  }

  deinit {
    stop()
  }
}

/// A closure, for the trip through `pthread_create`.
private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

private func runReaper(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work = unsafe work { unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
  return nil
}
