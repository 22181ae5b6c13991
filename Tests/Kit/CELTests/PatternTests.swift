import CEL
import Testing

@Suite struct PatternTests {
  @Test(arguments: [
    ("'hubba'.matches('ubb')", "true"), ("matches('hubba', '^ubb')", "false"),
    ("''.matches('')", "true"), (#"'é😀'.matches('^..$')"#, "true"),
    (#"'a\u0000b'.matches('a\\x00b')"#, "true"), (#"'a\u0000b'.matches('a\u0000b')"#, "true"),
    ("'ABC'.matches('(?i)abc')", "true"), (#"'7'.matches(r'\A\d\z')"#, "true"),
    ("'aa'.matches(string('a') + '{2}')", "true"),
    ("1.matches('a')", "fault: 'matches' is not defined for int and string"),
    ("'a'.matches(1)", "fault: 'matches' is not defined for string and int"),
    ("'a'.matches('a', 'b')", "refused: 'matches' takes 1 argument, not 2"),
    ("'a'.matches('(')", "refused: invalid pattern: missing ): ("),
    (#"'a'.matches(r'(a)\1')"#, #"refused: invalid pattern: invalid escape sequence: \1"#),
    ("'a'.matches('(?=a)')", "refused: invalid pattern: invalid perl operator: (?="),
    ("'a'.matches('[z-a]')", "refused: invalid pattern: invalid character class range: z-a"),
    (
      "'a'.matches('((a{100}){100}){100}')",
      "refused: invalid pattern: invalid repetition size: {100}"
    ),
    (#"'a'.matches(r'(\pL\pN\pS){9}')"#, "refused: invalid pattern: it is too large"),
    ("'a'.matches(string('('))", "fault: invalid pattern: missing ): ("),
    ("false && 'a'.matches(string('('))", "false"),
  ])
  func `patterns`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test func `a fault of a pattern points to it`() {
    let fault = #expect(throws: CompilationFault.self) {
      try Program("state.title.matches('a(b')", variables: ["state"])
    }
    #expect(
      fault?.description == """
        1:21: invalid pattern: missing ): a(b
        state.title.matches('a(b')
                            ^^^^^
        """)
  }

  @Test(arguments: [
    "text.matches('(a*)*b')", "text.matches('(x+x+)+y')", "text.matches('(a|a|a|a)*(a|b)c')",
    "text.matches('a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaab')", #"text.matches(r'\pL+\pL+\pN')"#,
    "lists.range(9999).exists(x, 'a'.matches(string(x) + '|b'))",
    #"lists.range(9999).exists(x, 'a'.matches(r'(\pL\pN\pS){3}b' + string(x)))"#,
    "lists.range(9999).exists(x, 'a'.matches(text + string(x)) || x < 0)",
  ])
  func `matching is bounded`(source: String) throws {
    let text = Value.string(String(repeating: "a", count: (1 << 20) - 8))
    let program = try Program(source, variables: ["text"])
    let fault = #expect(throws: EvaluationFault.self) { try program.value { _ in text } }
    #expect(fault?.reason == .stepLimit(200_000))
  }

  @Test func `compiling many patterns is bounded`() {
    let part = #"''.matches(r'\pL{9}')||"#
    #expect(
      outcome(String(repeating: part, count: 170) + "true")
        == "refused: invalid pattern: it is too large")
    #expect(
      outcome("''.matches(r'" + String(repeating: #"\pL"#, count: 1300) + "')")
        == "refused: invalid pattern: it is too large")
  }
}
