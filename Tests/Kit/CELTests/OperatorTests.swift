import Testing

@Suite struct OperatorTests {
  @Test(arguments: [
    ("1 + 2 * 3 - 4 / 2 % 3", "5"), ("10 - 3 - 2", "5"), ("-7 / 2", "-3"), ("-7 % 3", "-1"),
    ("9223372036854775807 + 1", "fault: the result does not fit an int"),
    ("-9223372036854775808 - 1", "fault: the result does not fit an int"),
    ("-9223372036854775808 * -1", "fault: the result does not fit an int"),
    ("-9223372036854775808 / -1", "fault: the result does not fit an int"),
    ("-9223372036854775808 % -1", "fault: the result does not fit an int"),
    ("-(-9223372036854775808)", "fault: the result does not fit an int"),
    ("0u - 1u", "fault: the result does not fit a uint"),
    ("large + 1u", "fault: the result does not fit a uint"), ("large / 2u", "9223372036854775807u"),
    ("1 / 0", "fault: division by zero"), ("1u % 0u", "fault: division by zero"),
    ("1.0 / 0.0", #"double("Infinity")"#), ("-1.0 / 0.0", #"double("-Infinity")"#),
    ("0.5 - 1.0", "-0.5"), ("-0.0", "-0.0"),
    ("1.0 % 1.0", "fault: '%' is not defined for double and double"),
    ("1 + 1u", "fault: '+' is not defined for int and uint"),
    ("1 + 1.0", "fault: '+' is not defined for int and double"),
    ("-1u", "fault: '-' is not defined for uint"), ("!1", "fault: '!' is not defined for int"),
    ("-'a'", "fault: '-' is not defined for string"), ("'a' + 'b'", #""ab""#),
    ("'a' - 'b'", "fault: '-' is not defined for string and string"),
    ("b'a' + b'b'", #"b"ab""#), ("[1] + [2, 3]", "[1, 2, 3]"),
    ("state.tags + [1]", #"["x", "y", 1]"#),
    ("!!true", "true"), ("--5", "5"), ("-(-5)", "5"), ("!-1", "fault: '!' is not defined for int"),
    ("-!true", "refused: expected an expression, found '!'"),
    ("1 - -1", "2"), ("1-1", "0"), ("2 - - 1", "3"),
  ])
  func `arithmetic is checked`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("1 == 1u", "true"), ("1 == 1.0", "true"), ("1u == 1.5", "false"), ("-1 == large", "false"),
    ("'1' == 1", "false"), ("null == false", "false"), ("[1, 2.0] == [1u, 2]", "true"),
    ("[1] == [1, 1]", "false"), ("{'a': 1, 'b': 2} == {'b': 2.0, 'a': 1u}", "true"),
    ("{1: 'a'} == {1u: 'a'}", "true"), ("notANumber == notANumber", "false"),
    ("notANumber != notANumber", "true"), ("[notANumber] == [notANumber]", "false"),
    (#"'\u00e9' == 'e\u0301'"#, "false"), (#"'\u00e9' < 'e\u0301'"#, "false"),
    ("1 < 2u", "true"), ("-1 < large", "true"), ("large > 1.5", "true"), ("1.5 >= 1", "true"),
    ("notANumber < 1", "false"), ("notANumber >= 1", "false"), ("1 <= notANumber", "false"),
    ("'a' < 'b'", "true"), ("'a' < 'aa'", "true"), ("'Z' < 'a'", "true"),
    (#"'\uFFFD' < '😀'"#, "true"),
    ("b'\\x01' < b'\\xff'", "true"), ("false < true", "true"), ("true <= true", "true"),
    ("1 < 'a'", "fault: '<' is not defined for int and string"),
    ("null < null", "fault: '<' is not defined for null_type and null_type"),
    ("[1] < [2]", "fault: '<' is not defined for list and list"),
    ("type(1) == int", "true"), ("type(type(1)) == type", "true"),
    ("type(null) == null_type", "true"),
    ("state == state", "true"), ("state.images[0] == {'rating': 1.0, 'id': 'a'}", "true"),
    ("1 < 2 == true", "true"), ("1 == 2 == false", "true"),
  ])
  func `comparisons`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("true && true && false", "false"), ("false || true", "true"),
    ("true || false && false", "true"),
    ("1/0 == 1 && false", "false"), ("false && 1/0 == 1", "false"),
    ("1/0 == 1 || true", "true"), ("1 || true", "true"), ("'a' && false", "false"),
    ("1/0 == 1 || false", "fault: division by zero"),
    ("1/0 == 1 || state.x", "fault: division by zero"),
    ("true && 1", "fault: '&&' is not defined for int"),
    ("1 || false", "fault: '||' is not defined for int"),
    ("true ? 1 : 1/0", "1"), ("false ? 1/0 : 2", "2"),
    ("true ? false ? 1 : 2 : 3", "refused: expected ':', found '?'"),
    ("true ? (false ? 1 : 2) : 3", "2"),
    ("false ? 1 : true ? 2 : 3", "2"), ("1 ? 2 : 3", "fault: '?:' is not defined for int"),
    ("1/0 == 1 ? 2 : 3", "fault: division by zero"),
  ])
  func `logic`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
