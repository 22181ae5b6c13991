import Testing

@Suite struct TimeTests {
  @Test(arguments: [
    ("timestamp('2009-02-13T23:31:30Z')", #"timestamp("2009-02-13T23:31:30Z")"#),
    ("timestamp('2009-02-13t23:31:30.5z')", #"timestamp("2009-02-13T23:31:30.5Z")"#),
    (
      "timestamp('2009-02-13T23:31:30.1234567899Z')",
      #"timestamp("2009-02-13T23:31:30.123456789Z")"#
    ),
    ("timestamp('2009-02-13T23:31:30-23:59')", #"timestamp("2009-02-14T23:30:30Z")"#),
    ("timestamp('2000-02-29T00:00:00Z')", #"timestamp("2000-02-29T00:00:00Z")"#),
    ("timestamp('2026-01-01T00:00:00Z') < timestamp('2026-01-02T00:00:00Z')", "true"),
    ("timestamp('2026-01-01T00:00:00Z').getFullYear() + 1", "2027"),
    ("timestamp('2026-01-01T00:00:00Z') + duration('1h')", #"timestamp("2026-01-01T01:00:00Z")"#),
    ("true || timestamp('yesterday') == timestamp(0)", "true"),
    (
      "timestamp('yesterday')",
      "fault: \"yesterday\" cannot be converted to google.protobuf.Timestamp"
    ),
    (
      "timestamp('2026-01-01T00:00:00.0000000000000000000000001Z')",
      #"timestamp("2026-01-01T00:00:00Z")"#
    ),
    (
      "timestamp('2026-01-01T00:00:00.00000000000000000001Z!')",
      "fault: \"2026-01-01T00:00:00.00000000000000000001Z!\" cannot be converted to google.protobuf.Timestamp"
    ),
    ("timestamp(-1)", #"timestamp("1969-12-31T23:59:59Z")"#),
    ("timestamp(timestamp(0))", #"timestamp("1970-01-01T00:00:00Z")"#),
    ("int(timestamp('1969-12-31T23:59:59.5Z'))", "-1"),
    ("string(timestamp(-62135596800))", "\"0001-01-01T00:00:00Z\""),
    ("string(timestamp('9999-12-31T23:59:59.999999999Z'))", "\"9999-12-31T23:59:59.999999999Z\""),
    ("type(timestamp(0))", "google.protobuf.Timestamp"),
    ("type(timestamp(0)) == google.protobuf.Timestamp", "true"),
    ("timestamp(1.5)", "fault: 'timestamp' is not defined for double"),
    ("timestamp(duration('1s'))", "fault: 'timestamp' is not defined for google.protobuf.Duration"),
    (
      "timestamp(253402300800)",
      "fault: 253402300800 cannot be converted to google.protobuf.Timestamp"
    ),
    (
      "timestamp(-9223372036854775808)",
      "fault: -9223372036854775808 cannot be converted to google.protobuf.Timestamp"
    ),
  ])
  func `timestamps`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    "", "2009-02-13", "2009-02-13T23:31:30", "2009-02-13 23:31:30Z", "2009-2-13T23:31:30Z",
    "2009-02-29T23:31:30Z", "1900-02-29T00:00:00Z", "2009-13-01T00:00:00Z", "2009-00-01T00:00:00Z",
    "2009-01-00T00:00:00Z", "2009-02-13T24:00:00Z", "2009-02-13T23:60:30Z", "2009-02-13T23:31:60Z",
    "2009-02-13T23:31:30.Z", "2009-02-13T23:31:30+24:00", "2009-02-13T23:31:30+0100",
    "2009-02-13T23:31:30Zz", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00", "+2009-02-13T23:31:30Z", "10000-01-01T00:00:00Z",
  ])
  func `what is no timestamp`(text: String) {
    #expect(
      outcome("timestamp('\(text)')")
        == "fault: \"\(text)\" cannot be converted to google.protobuf.Timestamp")
  }

  @Test(arguments: [
    ("1h30m", "5400s"), ("1.5h", "5400s"), ("-1.5s", "-1.5s"), ("+1ms", "0.001s"), ("0", "0s"),
    ("-0", "0s"), ("1us", "0.000001s"), ("1µs", "0.000001s"), ("1ns", "0.000000001s"),
    ("0.1ns", "0s"), (".5s", "0.5s"), ("5.s", "5s"), ("0h0m1s", "1s"),
    ("315576000000s", "315576000000s"), ("-315576000000.9s", "-315576000000.9s"),
    ("1.0000000000000000000000000001s", "1s"),
  ])
  func `durations`(text: String, expected: String) {
    #expect(outcome("string(duration('\(text)'))") == "\"\(expected)\"")
  }

  @Test(arguments: [
    "", "-", ".", "s", ".s", "1", "1 s", "1d", "1h-1m", "00", "1S", "--1s", "315576000001s",
    "-315576000001s", "9999999999999999999h", "999999999999999999h",
  ])
  func `what is no duration`(text: String) {
    #expect(
      outcome("duration('\(text)')")
        == "fault: \"\(text)\" cannot be converted to google.protobuf.Duration")
  }

  @Test(arguments: [
    ("timestamp(0) + duration('1.5s')", #"timestamp("1970-01-01T00:00:01.5Z")"#),
    ("duration('-1.5s') + timestamp(0)", #"timestamp("1969-12-31T23:59:58.5Z")"#),
    ("timestamp(5) - duration('1h')", #"timestamp("1969-12-31T23:00:05Z")"#),
    ("timestamp(0) - timestamp(1)", #"duration("-1s")"#),
    ("duration('1s') - duration('1ns')", #"duration("0.999999999s")"#),
    (
      "timestamp(0) + timestamp(0)",
      "fault: '+' is not defined for google.protobuf.Timestamp and google.protobuf.Timestamp"
    ),
    (
      "duration('1s') - timestamp(0)",
      "fault: '-' is not defined for google.protobuf.Duration and google.protobuf.Timestamp"
    ),
    ("timestamp(0) + 1", "fault: '+' is not defined for google.protobuf.Timestamp and int"),
    ("1 + timestamp(0)", "fault: '+' is not defined for int and google.protobuf.Timestamp"),
    ("-duration('1s')", "fault: '-' is not defined for google.protobuf.Duration"),
    ("duration('1s') * 2", "fault: '*' is not defined for google.protobuf.Duration and int"),
    (
      "timestamp(253402300799) + duration('1s')",
      "fault: the result does not fit a google.protobuf.Timestamp"
    ),
    (
      "duration('315576000000s') + duration('1s')",
      "fault: the result does not fit a google.protobuf.Duration"
    ),
    (
      "timestamp(253402300799) - timestamp(0)",
      "fault: the result does not fit a google.protobuf.Duration"
    ),
    (
      "timestamp('0001-01-01T00:00:00Z') + duration('315537897599s')",
      #"timestamp("9999-12-31T23:59:59Z")"#
    ),
    ("duration('-1ns') < duration('0')", "true"), ("duration('-1.5s') < duration('-1.4s')", "true"),
    ("timestamp(1) > timestamp('1970-01-01T00:00:00.999Z')", "true"),
    (
      "timestamp(0) < duration('1s')",
      "fault: '<' is not defined for google.protobuf.Timestamp and google.protobuf.Duration"
    ),
    ("timestamp(0) == duration('0')", "false"), ("duration('60s') == duration('1m')", "true"),
    ("{'a': timestamp(0)} == {'a': timestamp(0)}", "true"),
    (
      "{timestamp(0): 1}",
      "fault: a key of a map is a string, an int, a uint or a bool, not a google.protobuf.Timestamp"
    ),
    ("optional.ofNonZeroValue(duration('0'))", "optional.none()"),
  ])
  func `arithmetic and comparison`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("duration('-90m').getHours()", "-1"), ("duration('3730s').getMinutes()", "62"),
    ("duration('-1.5s').getSeconds()", "-1"), ("duration('-1.5s').getMilliseconds()", "-500"),
    (
      "duration('1s').getHours('UTC')",
      "fault: 'getHours' is not defined for google.protobuf.Duration and string"
    ),
    (
      "duration('1s').getFullYear()",
      "fault: 'getFullYear' is not defined for google.protobuf.Duration"
    ),
    ("1.getDate()", "fault: 'getDate' is not defined for int"),
    (
      "timestamp(0).getDate(1)",
      "fault: 'getDate' is not defined for google.protobuf.Timestamp and int"
    ),
    ("timestamp('2009-02-13T23:31:30.120Z').getMilliseconds('+01:00')", "120"),
    ("timestamp(-62135596800).getFullYear('-01:00')", "0"),
    ("timestamp(253402300799).getFullYear('+01:00')", "10000"),
    ("timestamp('2008-12-31T00:00:00Z').getDayOfYear()", "365"),
  ])
  func `parts`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
