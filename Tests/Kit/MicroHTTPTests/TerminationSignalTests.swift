import Glibc
import MicroHTTP
import Testing

struct TerminationSignalTests {
  @Test(arguments: [
    (SIGTERM, TerminationSignal.terminate), (SIGINT, .interrupt), (SIGHUP, .reload),
  ])
  func `a blocked signal is kept for whoever waits`(number: Int32, signal: TerminationSignal) {
    TerminationSignal.block()
    pthread_kill(pthread_self(), number)
    #expect(TerminationSignal.wait(for: .seconds(60)) == signal)
  }
}
