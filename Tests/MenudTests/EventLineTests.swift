import JSONText
import Logging
import Testing

@testable import menud

@Suite struct EventLineTests {
  @Test func `a line has the time, the level, the event and its details by name`() {
    let line = line("listening", ["port": .stringConvertible(8080), "host": "127.0.0.1"])
    #expect(
      line.text(in: .text)
        == "1970-01-01T00:00:00.000Z info listening host=127.0.0.1 port=8080")
    #expect(
      line.text(in: .json) == """
        {"time":"1970-01-01T00:00:00.000Z","level":"info","event":"listening",\
        "host":"127.0.0.1","port":8080}
        """)
  }

  @Test func `numbers and truth values are such as JSON, and everything else is text`() {
    let line = line(
      "e",
      [
        "a": .stringConvertible(UInt16(404)), "b": .stringConvertible(0.25),
        "c": .stringConvertible(true), "d": "404", "e": .stringConvertible(UInt64.max),
        "f": .stringConvertible(Double.infinity), "g": ["1", "2"],
      ])
    #expect(
      line.text(in: .json) == """
        {"time":"1970-01-01T00:00:00.000Z","level":"info","event":"e","a":404,"b":0.25,"c":true,\
        "d":"404","e":"18446744073709551615","f":"inf","g":"[\\"1\\", \\"2\\"]"}
        """)
  }

  @Test(arguments: [
    ("", #""""#), ("a b", #""a b""#), (#"a"b"#, #""a\"b""#), ("a=b", #""a=b""#),
    (#"a\b"#, #""a\\b""#), ("a\nb\r\t", #""a\nb\r\t""#), ("\u{1B}[2J", #""\u001b[2J""#),
    ("\u{202E}x", #""\u202ex""#), ("\u{2028}", #""\u2028""#), ("★", "★"),
    ("\u{2029}", #""\u2029""#), ("\u{85}", #""\u0085""#), ("\u{9B}31m", #""\u009b31m""#),
    ("\u{7F}", #""\u007f""#), ("\u{0}", #""\u0000""#), ("\u{E0001}", #""\udb40\udc01""#),
    ("\u{FEFF}", #""\ufeff""#),
  ])
  func `what would break the line or deceive its reader is escaped`(value: String, shown: String) {
    let line = line("e", ["v": "\(value)"]).text(in: .text)
    #expect(line == "1970-01-01T00:00:00.000Z info e v=\(shown)")
  }

  @Test(arguments: [
    "\u{1B}]0;title\u{7}", "\u{9B}31m", "\r\n", "\u{2028}", "\u{2029}", "\u{85}", "\u{202E}",
    "\u{7F}", "\u{E0001}", "\u{0}", "\"", "\\",
  ])
  func `nothing invisible is in a line, and as JSON it is read again as it was`(
    value: String
  ) throws {
    let line = line(value, [value: "\(value)"])
    for format in LogFormat.allCases {
      for scalar in line.text(in: format).unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
          Issue.record("\(scalar.value) as \(format)")
        default: break
        }
      }
    }
    guard case .object(let object) = try JSON(parsing: line.text(in: .json)) else {
      Issue.record("'object' is not an object")
      return
    }
    #expect(object[value] == .string(value))
    #expect(object["event"] == .string(value))
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
