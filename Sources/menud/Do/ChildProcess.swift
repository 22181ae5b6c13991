import ArgumentParser
@unsafe @preconcurrency import Glibc
import Synchronization

/// A child process, which is killed with this program.
///
/// Its standard input and its descriptor 3 are read from bytes: unlike arguments, these are hidden from other users.
/// Except for `Posix.swift`, no other file of the program uses pointers.
final class ChildProcess {
  private let id: pid_t
  private let output: Int32
  private let errors: Int32
  private var isOutputOpen = true
  private var isErrorsOpen = true
  private var isWaitedFor = false
  /// The beginning of its standard error.
  private(set) var errorText: [UInt8] = []
  private static let longestErrorText = 4096

  struct Failure: Error { let code: Int32 }

  /// A report about its output.
  enum Report {
    case bytes([UInt8])
    /// The output has ended.
    case end
    /// The timeout has expired.
    case silence
  }

  /// Starts the program of that name in `PATH`.
  init(_ name: String, arguments: [String], input: [UInt8], third: [UInt8]) throws(Failure) {
    let pipes = try Self.pipes(4)
    defer { for end in [pipes[0].0, pipes[1].0, pipes[2].1, pipes[3].1] { close(end) } }
    (output, errors) = (pipes[2].0, pipes[3].0)
    let ends = [(pipes[0].0, 0), (pipes[2].1, 1), (pipes[3].1, 2), (pipes[1].0, 3)]
    let (code, id) = Self.spawned(name, arguments, ends: ends.map { ($0.0, Int32($0.1)) })
    self.id = id
    guard code == 0 else {
      for end in [pipes[0].1, pipes[1].1, output, errors] { close(end) }
      isWaitedFor = true
      throw Failure(code: code)
    }
    RunningChild.id.store(id, ordering: .relaxed)
    // The child reads the third descriptor, then its input, and all of it before it writes.
    Posix.write(third, to: pipes[1].1)
    close(pipes[1].1)
    Posix.write(input, to: pipes[0].1)
    close(pipes[0].1)
  }

  deinit { _ = stop() }

  /// Ends it if it is running; returns its exit code, or 128 plus the signal that ended it.
  func stop() -> Int32 {
    guard !isWaitedFor else { return -1 }
    isWaitedFor = true
    if isOutputOpen { kill(id, SIGKILL) }
    close(output)
    close(errors)
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    RunningChild.id.store(0, ordering: .relaxed)
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Waits for its next output.
  ///
  /// If `watchesReader` is true, the program ends as by SIGPIPE once its own standard output has no reader.
  func next(within patience: Duration, watchesReader: Bool = false) -> Report {
    let end = Posix.monotonicMilliseconds + patience.milliseconds
    while isOutputOpen || isErrorsOpen {
      let time = end - Posix.monotonicMilliseconds
      guard time > 0 else { return .silence }
      let events = Int16(POLLIN)
      var polled = [
        pollfd(fd: isOutputOpen ? output : -1, events: events, revents: 0),
        pollfd(fd: isErrorsOpen ? errors : -1, events: events, revents: 0),
        pollfd(fd: watchesReader ? STDOUT_FILENO : -1, events: 0, revents: 0),
      ]
      let count = unsafe poll(&polled, nfds_t(polled.count), Int32(clamping: time))
      guard count > 0 else { continue }
      // POLLERR or POLLHUP, which are always reported.
      if polled[2].revents != 0 { Self.endByBrokenPipe() }
      if polled[1].revents != 0 {
        let bytes = Posix.someBytes(of: errors)
        isErrorsOpen = !bytes.isEmpty
        errorText += bytes.prefix(Self.longestErrorText - errorText.count)
      }
      if polled[0].revents != 0 {
        let bytes = Posix.someBytes(of: output)
        isOutputOpen = !bytes.isEmpty
        if !bytes.isEmpty { return .bytes(bytes) }
      }
    }
    return .end
  }
}

extension ChildProcess {
  private typealias Pipe = (Int32, Int32)

  private static func pipes(_ count: Int) throws(Failure) -> [Pipe] {
    var pipes: [Pipe] = []
    for _ in 0..<count {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw Failure(code: errno) }
      // Away from the descriptors that the child receives.
      let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
      for end in ends { close(end) }
      guard !moved.contains(-1) else { throw Failure(code: errno) }
      pipes.append((moved[0], moved[1]))
    }
    return pipes
  }

  private static func spawned(
    _ name: String, _ arguments: [String], ends: [(Int32, Int32)]
  ) -> (code: Int32, id: pid_t) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (end, number) in ends { unsafe posix_spawn_file_actions_adddup2(&actions, end, number) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&defaults, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var words = unsafe ([name] + arguments).map { unsafe strdup($0) }
    unsafe words.append(nil)
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    var id: pid_t = 0
    let code = unsafe posix_spawnp(&id, name, &actions, &attributes, &words, environ)
    return (code, id)
  }

  /// Ignores SIGPIPE, and lets the signals that end this program end its child first.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    // The parent process may have blocked them.
    var ends = sigset_t()
    unsafe sigemptyset(&ends)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&ends, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &ends, nil)
    RunningChild.id.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, endWithChild) }
  }

  /// Ends the program as SIGPIPE does.
  static func endByBrokenPipe() -> Never {
    endWithChild(SIGPIPE)
    exit(128 + SIGPIPE)
  }
}

/// The child process to end with this program. A signal handler reads it, so it has no lock.
private enum RunningChild {
  static let id = Atomic<Int32>(0)
}

private func endWithChild(_ number: Int32) {
  let id = RunningChild.id.load(ordering: .relaxed)
  if id > 0 { kill(id, SIGTERM) }
  signal(number, SIG_DFL)
  raise(number)
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

extension Posix {
  /// Writes all of the bytes; returns the system's error if it fails.
  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return nil
  }

  /// Writes to standard output; ends the program if that fails, as SIGPIPE does if there is no reader.
  static func print(_ bytes: [UInt8]) {
    guard let code = write(bytes, to: STDOUT_FILENO) else { return }
    guard code != EPIPE else { ChildProcess.endByBrokenPipe() }
    write("menud: standard output: \(description(of: code))\n", to: errors)
    exit(ExitCode.inputOutput.rawValue)
  }

  /// Writes a text and a line ending to standard output, in the same way.
  static func print(_ text: String) { print(Array((text + "\n").utf8)) }

  /// Returns the available bytes, after a wait if there are none; empty at the end.
  static func someBytes(of descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(buffer[..<count]) : []
    }
  }

  /// True if standard input is a terminal.
  static var asksPerson: Bool { isatty(STDIN_FILENO) == 1 }

  /// The number of columns of the terminal on standard output; nil if it is not a terminal.
  static var columns: Int? {
    guard isInteractive else { return nil }
    var size = winsize()
    let isKnown = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    return isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
