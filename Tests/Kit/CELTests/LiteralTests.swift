import Testing

@Suite struct LiteralTests {
  @Test(arguments: [
    ("0", "0"), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), ("0x1F", "31"), ("0xfF", "255"),
    ("-0x8000000000000000", "-9223372036854775808"),
    ("18446744073709551615u", "18446744073709551615u"), ("0xAU", "10u"),
    ("9223372036854775808", "refused: the number '9223372036854775808' is out of range"),
    ("-9223372036854775809", "refused: the number '-9223372036854775809' is out of range"),
    ("18446744073709551616u", "refused: the number '18446744073709551616u' is out of range"),
    ("0x", "refused: invalid number '0x'"), ("0Xff", "refused: invalid number '0Xff'"),
    ("12px", "refused: invalid number '12px'"),
    ("1.5", "1.5"), (".5", "0.5"), ("1e3", "1000.0"), ("1.5E-2", "0.015"), ("-.5e+1", "-5.0"),
    ("1e999", "refused: the number '1e999' is out of range"), ("1e-999", "0.0"),
    ("1.", "refused: expected a field name, found the end"),
    ("1.u", "fault: an int has no field 'u'"),
    ("true", "true"), ("false", "false"), ("null", "null"),
  ])
  func `numbers and constants`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    (#""a'b""#, #""a'b""#), (#"'a"b'"#, #""a\"b""#), (#"''"#, #""""#), (#"'''x''x'''"#, #""x''x""#),
    ("\"\"\"a\n\"b\"\"\"\"", "refused: the string does not end"),
    ("'''a\r\nb\rc\\r'''", #""a\nb\nc\r""#), ("r'''a\r\n'''", #""a\n""#),
    (#"'\a\b\f\n\r\t\v\\\?\"\'\`'"#, ##""\x07\x08\x0c\n\r\t\x0b\\?\"'`""##),
    (#"'\x41\X4a\101\u00e9\U0001F62C'"#, #""AJAé😬""#), (#"'\uD83D\uDE2C'"#, #""😬""#),
    (#"'\xff'"#, #""ÿ""#), (#"r'\n\'"#, #""\\n\\""#), (#"R"\d""#, #""\\d""#),
    (#"'\uD83D'"#, #"refused: invalid escape sequence '\uD83D'"#),
    (#"'\uD83D\u0041'"#, #"refused: invalid escape sequence '\uD83D\u0041'"#),
    (#"'\U00110000'"#, #"refused: invalid escape sequence '\U00110000'"#),
    (#"'\q'"#, #"refused: invalid escape sequence '\q'"#),
    (#"'\400'"#, #"refused: invalid escape sequence '\4'"#),
    (#"'\x4'"#, #"refused: invalid escape sequence '\x4'"#),
    (#"'\é'"#, #"refused: invalid escape sequence '\é'"#),
    (#"'\"#, "refused: the string does not end"), ("'a\nb'", "refused: the string does not end"),
  ])
  func `strings`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    (#"b'aé'"#, #"b"a\xc3\xa9""#), (#"b'\xff\377\x00'"#, #"b"\xff\xff\x00""#),
    (#"br'\n'"#, #"b"\\n""#),
    (#"B"""a"""  "#, #"b"a""#), (#"b'\u0041'"#, #"refused: invalid escape sequence '\u'"#),
    (#"rb'a'"#, "refused: expected an operator or the end, found a string"),
  ])
  func `bytes`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("[]", "[]"), ("[1, 'a', [2u],]", #"[1, "a", [2u]]"#), ("{}", "{}"),
    ("{1: 2, 'a': [], true: null,}", #"{1: 2, "a": [], true: null}"#),
    ("[,]", "refused: expected an expression, found ','"),
    ("{1}", "refused: expected ':', found '}'"),
    ("{1: 1, 1u: 2}", "fault: the key 1u is there twice"),
    ("{'a': 1, 'a': 2}", #"fault: the key "a" is there twice"#),
    ("{1.0: 1}", "fault: a key of a map is a string, an int, a uint or a bool, not a double"),
    ("{null: 1}", "fault: a key of a map is a string, an int, a uint or a bool, not null"),
  ])
  func `lists and maps`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("1 // one\n + 2 // two", "3"), ("\t1\u{0C}\r\n", "1"),
    ("// nothing", "refused: expected an expression, found the end"),
  ])
  func `comments and blanks stand anywhere between tokens`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
