import Glibc

/// The signals that end or reload the program, received synchronously by a thread.
///
/// `block()` comes first in `main`, before any thread exists: threads inherit the signal mask, so no signal
/// interrupts them.
package enum TerminationSignal: CaseIterable, Sendable {
  /// SIGTERM: the system requests termination.
  case terminate
  /// SIGINT: a person at the terminal requests termination.
  case interrupt
  /// SIGHUP: the configuration is to be reloaded.
  case reload

  /// Blocks these signals in this thread and those it starts, and ignores SIGPIPE and SIGXFSZ: a disconnected
  /// client or a file at its size limit is an error of the write and must not end the program.
  package static func block() {
    var set = signalSet()
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Waits for the next of these signals; nil after the timeout.
  package static func wait(for patience: Duration) -> Self? {
    var set = signalSet()
    let (seconds, attoseconds) = patience.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    let number = unsafe sigtimedwait(&set, nil, &time)
    return allCases.first { $0.number == number }
  }

  /// Makes the next termination signal end the process at once, with the status that shells give it: 128 plus
  /// its number.
  package static func endAtOnce() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in [terminate, interrupt] {
      unsafe sigaddset(&set, signal.number)
      // The first process of a container has no default actions.
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
