import Glibc

/// The signals that end or reload the program, taken one after another by the thread that asks.
///
/// `block()` comes first in `main`, before any thread exists: threads inherit what is blocked, and
/// so no signal ever interrupts one of them.
package enum TerminationSignal: CaseIterable, Sendable {
  /// SIGTERM: the system asks for the end.
  case terminate
  /// SIGINT: a person at the terminal asks for the end.
  case interrupt
  /// SIGHUP: the configuration is to be read again.
  case reload

  /// Blocks these signals in this thread and in those it will start, and ignores SIGPIPE and
  /// SIGXFSZ: a client that is gone, or a file that may not grow, is an error of the write and must
  /// not end the program.
  package static func block() {
    var set = signalSet()
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Waits for the next of these signals, for that long at most; nil when none came.
  package static func wait(for patience: Duration) -> Self? {
    var set = signalSet()
    let (seconds, attoseconds) = patience.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    let number = unsafe sigtimedwait(&set, nil, &time)
    return allCases.first { $0.number == number }
  }

  /// From now on the next signal that asks for the end ends the process at once, with the status
  /// that shells give it, 128 and its number.
  package static func endAtOnce() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in [terminate, interrupt] {
      unsafe sigaddset(&set, signal.number)
      // The first process of a container has no default action for them.
      Glibc.signal(signal.number) { _exit(128 + $0) }
    }
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func signalSet() -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in allCases { unsafe sigaddset(&set, signal.number) }
    return set
  }

  private var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .reload: SIGHUP
    }
  }
}
