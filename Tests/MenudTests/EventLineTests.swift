import Logging
import Testing

@testable import menud

@Suite struct EventLineTests {
  @Test func `a line has the time, the level, the event and its details by name`() {
    let line = line("listening", ["port": "8080", "host": "127.0.0.1"])
    #expect(
      line.text(in: .text)
        == "1970-01-01T00:00:00.000Z info listening host=127.0.0.1 port=8080")
    #expect(
      line.text(in: .json) == """
        {"time":"1970-01-01T00:00:00.000Z","level":"info","event":"listening",\
        "host":"127.0.0.1","port":"8080"}
        """)
  }

  @Test(arguments: [
    ("", #""""#), ("a b", #""a b""#), (#"a"b"#, #""a\"b""#), ("a=b", #""a=b""#),
    (#"a\b"#, #""a\\b""#), ("a\nb\r\t", #""a\nb\r\t""#), ("\u{1B}[2J", #""\u001b[2J""#),
    ("\u{202E}x", #""\u202ex""#), ("\u{2028}", #""\u2028""#), ("★", "★"),
  ])
  func `what would break the line or deceive its reader is escaped`(value: String, shown: String) {
    let line = line("e", ["v": "\(value)"]).text(in: .text)
    #expect(line == "1970-01-01T00:00:00.000Z info e v=\(shown)")
  }

  @Test func `an event cannot begin another line`() {
    for format in LogFormat.allCases {
      let text = line("a\nb", ["c\nd": "e\nf"]).text(in: format)
      #expect(!text.contains("\n"))
    }
  }

  private func line(_ message: String, _ details: Logger.Metadata) -> EventLine {
    EventLine(milliseconds: 0, level: .info, message: message, details: details)
  }
}
