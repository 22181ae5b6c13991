import Testing

@testable import MicroHTTP

struct WallClockTests {
  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
  ])
  func `a moment is written as HTTP writes it`(seconds: Int, text: String) {
    #expect(WallClock(seconds: seconds).httpDate == text)
  }
}
