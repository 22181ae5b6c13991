import Glibc
public import Testing

/// A limit of the processor time that a synchronous test takes.
///
/// It finds work that grows with the square of its input. Unlike a limit of elapsed time it does not
/// depend on what else the machine does. Under a sanitizer it is thirty times as long.
public struct ProcessorTimeLimit: TestTrait, SuiteTrait, TestScoping {
  let seconds: Int

  /// True, since the limit is that of each test of a suite.
  public var isRecursive: Bool { true }

  /// Runs a test, and records an issue if it took longer.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let (thread, start) = (pthread_self(), secondsOfThread())
    try await function()
    // A test that awaits nothing stays on its thread.
    guard pthread_self() == thread else { return }
    let used = secondsOfThread() - start
    let limit = isSanitized ? seconds * 30 : seconds
    #expect(used <= limit, "\(used) s of processor time, \(limit) are allowed")
  }
}

extension Trait where Self == ProcessorTimeLimit {
  /// A limit of the processor time of each test.
  public static func processorTime(seconds: Int) -> Self { Self(seconds: seconds) }
}

/// The seconds for which the calling thread ran.
private func secondsOfThread() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec
}

/// True if .ci/sanitize runs the tests.
private var isSanitized: Bool { unsafe getenv("MENUD_SANITIZE") != nil }
