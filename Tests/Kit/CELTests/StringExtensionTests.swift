import Testing

@Suite struct StringExtensionTests {
  @Test(arguments: [
    ("'tacocat'.charAt(0)", "\"t\""), ("'tacocat'.charAt(7)", "\"\""),
    (#"'e\u0301😀'.charAt(1)"#, "\"\u{301}\""), (#"'e\u0301😀'.charAt(2)"#, "\"😀\""),
    ("'tacocat'.charAt(8)", "fault: no offset 8 in a string of length 7"),
    ("'tacocat'.charAt(-1)", "fault: no offset -1 in a string of length 7"),
    (
      "''.charAt(9223372036854775807)",
      "fault: no offset 9223372036854775807 in a string of length 0"
    ),
    ("1.charAt(0)", "fault: 'charAt' is not defined for int and int"),
    ("'tacocat'.substring(4)", "\"cat\""), ("'tacocat'.substring(7)", "\"\""),
    ("'ta©o©αT'.substring(3, 6)", "\"o©α\""), ("''.substring(0, 0)", "\"\""),
    ("'abc'.substring(4)", "fault: no offset 4 in a string of length 3"),
    ("'abc'.substring(0, 4)", "fault: no offset 4 in a string of length 3"),
    ("'abc'.substring(2, 1)", "fault: the range from 2 to 1 ends before it begins"),
    ("'abc'.substring(1, true)", "fault: 'substring' is not defined for string and int and bool"),
    ("'abc'.substring(1, 2, 3)", "refused: 'substring' takes 1 or 2 arguments, not 3"),
  ])
  func `parts of strings`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("'tacocat'.indexOf('')", "0"), ("'tacocat'.indexOf('', 7)", "7"),
    ("'ta©o©αT'.indexOf('©α')", "4"), ("'abc'.indexOf('d')", "-1"), ("''.indexOf('a')", "-1"),
    ("'aab'.indexOf('ab')", "1"), ("'hello mellow'.indexOf('ello', 2)", "7"),
    ("'abc'.indexOf('a', 4)", "fault: no offset 4 in a string of length 3"),
    ("'abc'.indexOf('a', -1)", "fault: no offset -1 in a string of length 3"),
    ("'abc'.indexOf(1)", "fault: 'indexOf' is not defined for string and int"),
    ("'tacocat'.lastIndexOf('')", "7"), ("'aaa'.lastIndexOf('aa')", "1"),
    ("'aaa'.lastIndexOf('aa', 0)", "0"), ("'ta©o©αT'.lastIndexOf('©')", "4"),
    ("'hello mellow'.lastIndexOf('ello', 6)", "1"), ("''.lastIndexOf('')", "0"),
    ("'a'.lastIndexOf('aa')", "-1"),
    ("'abc'.lastIndexOf('a', 4)", "fault: no offset 4 in a string of length 3"),
    (
      "'abc'.lastIndexOf('a', 'b')",
      "fault: 'lastIndexOf' is not defined for string and string and string"
    ),
    // The same letter, written as one code point and as two, is not the same.
    (#"'\u00e9'.indexOf('e\u0301')"#, "-1"),
  ])
  func `searching`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("'TacoCÆt Ünder'.lowerAscii()", "\"tacocÆt Ünder\""),
    ("'TacoCÆt ünder'.upperAscii()", "\"TACOCÆT üNDER\""),
    (#"'\u0085\u00a0\u2003 a\u200b \t'.trim()"#, "\"a\u{200B}\""), ("'  '.trim()", "\"\""),
    (#"'e\u0301x'.reverse()"#, "\"x\u{301}e\""), ("[1, 'a'].reverse()", "[\"a\", 1]"),
    ("1.reverse()", "fault: 'reverse' is not defined for int"),
    (
      #"strings.quote('a"\\\a\b\f\n\r\t\v\u00e9?`\'')"#,
      #""\"a\\\"\\\\\\a\\b\\f\\n\\r\\t\\vé?`'\"""#
    ),
    ("strings.quote(1)", "fault: 'strings.quote' is not defined for int"),
    ("'abcbc'.replace('bc', 'x')", "\"axx\""), ("'aaa'.replace('aa', 'b')", "\"ba\""),
    ("'abc'.replace('', '-')", "\"-a-b-c-\""), ("'é©'.replace('', '-', 2)", "\"-é-©\""),
    ("''.replace('', '-')", "\"-\""), ("'abc'.replace('b', 'x', 0)", "\"abc\""),
    ("'abab'.replace('a', 'x', 1)", "\"xbab\""), ("'abab'.replace('a', '', -1)", "\"bb\""),
    ("'a'.replace('a', 1)", "fault: 'replace' is not defined for string and string and int"),
    ("['a', 'b'].join()", "\"ab\""), ("['a', 'b', 'c'].join(', ')", "\"a, b, c\""),
    ("[].join('x')", "\"\""), ("['a', 1].join()", "fault: 'join' is not defined for list and int"),
    ("[1].join(1)", "fault: 'join' is not defined for list and int"),
    ("'a,b,c'.split(',')", #"["a", "b", "c"]"#), ("'a,b,c'.split(',', 2)", #"["a", "b,c"]"#),
    ("'a,b'.split(',', 1)", #"["a,b"]"#), ("'a,b'.split(',', 0)", "[]"),
    ("',a,'.split(',')", #"["", "a", ""]"#), ("''.split(',')", #"[""]"#), ("''.split('')", "[]"),
    ("'é😀'.split('')", #"["é", "😀"]"#), ("'abc'.split('', 2)", #"["a", "bc"]"#),
    ("'a'.split(1)", "fault: 'split' is not defined for string and int"),
  ])
  func `editing`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
