import Testing

@Suite struct FunctionTests {
  @Test(arguments: [
    ("size('')", "0"), (#"size('e\u0301👩‍👧')"#, "5"), ("size(bytes_)", "2"), ("size([1, 2])", "2"),
    ("state.images.size()", "2"), ("size(state)", "6"), ("'ab'.size()", "2"),
    ("size(1)", "fault: 'size' is not defined for int"),
    ("size()", "refused: 'size' takes 1 argument, not 0"),
    ("'a'.size(1)", "refused: 'size' takes 0 arguments, not 1"),
    ("'hello'.contains('ell')", "true"), ("'hello'.contains('')", "true"),
    ("''.contains('')", "true"), ("''.contains('a')", "false"),
    ("'hello'.contains('lol')", "false"),
    ("'abcabcabcabdabcabcabc'.contains('abcabcabdabc')", "true"),
    ("'aaaaaaaaaaaaaaaaaaaa'.contains('aaaaaaaaaaab')", "false"),
    ("'hello'.startsWith('he')", "true"), ("'hello'.startsWith('hello!')", "false"),
    ("'hello'.endsWith('lo')", "true"), ("'hello'.endsWith('')", "true"),
    (#"'e\u0301'.startsWith('e')"#, "true"), (#"'\u00e9'.contains('e\u0301')"#, "false"),
    ("'a'.contains(1)", "fault: 'contains' is not defined for string and int"),
    ("1.contains('a')", "fault: 'contains' is not defined for int and string"),
    ("dyn(1)", "1"),
  ])
  func `functions`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
