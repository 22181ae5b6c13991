import Testing

@Suite struct MathFunctionsTests {
  @Test(arguments: [
    ("math.greatest(1)", "1"), ("math.greatest(1, 1.0)", "1"), ("math.greatest(1.0, 1)", "1.0"),
    ("math.greatest([1, 2u, 2.5])", "2.5"), ("math.least(3u, 2, 2.5)", "2"),
    ("math.least([large, -1])", "-1"), ("math.least(1, notANumber)", "1"),
    ("math.greatest([])", "fault: 'math.greatest' is not defined for an empty list"),
    ("math.least([1, 'a'])", "fault: 'math.least' is not defined for string"),
    ("math.least('a')", "fault: 'math.least' is not defined for string"),
    ("math.least([1], 2)", "fault: 'math.least' is not defined for list"),
    ("math.greatest()", "refused: 'math.greatest' takes one argument or more"),
    ("math.ceil(1.2)", "2.0"), ("math.ceil(-0.5)", "-0.0"), ("math.floor(-1.2)", "-2.0"),
    ("math.round(2.5)", "3.0"), ("math.round(-1.5)", "-2.0"),
    ("math.round(0.49999999999999994)", "0.0"), ("math.trunc(-1.9)", "-1.0"),
    ("math.ceil(1)", "fault: 'math.ceil' is not defined for int"),
    ("math.isNaN(notANumber)", "true"), ("math.isInf(1.0 / 0.0)", "true"),
    ("math.isFinite(notANumber)", "false"),
    ("math.isFinite(1)", "fault: 'math.isFinite' is not defined for int"),
    ("math.abs(-1)", "1"), ("math.abs(-1.5)", "1.5"), ("math.abs(large)", "18446744073709551615u"),
    ("math.abs(-9223372036854775808)", "fault: the result does not fit an int"),
    ("math.abs(null)", "fault: 'math.abs' is not defined for null_type"),
    ("math.sign(-9)", "-1"), ("math.sign(large)", "1u"), ("math.sign(-0.0)", "0.0"),
    ("math.sign(notANumber)", #"double("NaN")"#),
    ("math.sign('a')", "fault: 'math.sign' is not defined for string"),
    ("math.sqrt(81)", "9.0"), ("math.sqrt(4u)", "2.0"), ("math.sqrt(-15)", #"double("NaN")"#),
    ("math.nothing(1)", "refused: unknown function 'math.nothing'"),
  ])
  func `numbers`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("math.bitAnd(-3, -5)", "-7"), ("math.bitAnd(3u, 2u)", "2u"), ("math.bitOr(-2, -4)", "-2"),
    ("math.bitXor(3u, 5u)", "6u"), ("math.bitNot(0u)", "18446744073709551615u"),
    ("math.bitNot(-1)", "0"), ("math.bitShiftLeft(-1, 2)", "-4"),
    ("math.bitShiftLeft(1, 63)", "-9223372036854775808"), ("math.bitShiftLeft(1u, 64)", "0u"),
    ("math.bitShiftRight(-1, 1)", "9223372036854775807"), ("math.bitShiftRight(-1, 0)", "-1"),
    ("math.bitShiftRight(-1, 9223372036854775807)", "0"),
    (
      "math.bitShiftLeft(1, -1)",
      "fault: 'math.bitShiftLeft' is not defined for the negative number -1"
    ),
    ("math.bitShiftLeft(1, 1u)", "fault: 'math.bitShiftLeft' is not defined for int and uint"),
    ("math.bitShiftRight(1.0, 1)", "fault: 'math.bitShiftRight' is not defined for double and int"),
    ("math.bitAnd(1, 1u)", "fault: 'math.bitAnd' is not defined for int and uint"),
    ("math.bitNot(1.0)", "fault: 'math.bitNot' is not defined for double"),
  ])
  func `bits`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("base64.encode(b'')", "\"\""), ("base64.encode(b'fo')", "\"Zm8=\""),
    ("base64.decode('Zm8=')", "b\"fo\""), ("base64.decode('Zm8')", "b\"fo\""),
    ("base64.decode('')", "b\"\""), (#"base64.decode('+/8=') == b'\xfb\xff'"#, "true"),
    ("base64.decode('Z')", "fault: \"Z\" cannot be converted to bytes"),
    ("base64.decode('Zm8==')", "fault: \"Zm8==\" cannot be converted to bytes"),
    ("base64.decode('Zg=')", "fault: \"Zg=\" cannot be converted to bytes"),
    ("base64.decode('Zm 9v')", "fault: \"Zm 9v\" cannot be converted to bytes"),
    ("base64.decode('-_8=')", "fault: \"-_8=\" cannot be converted to bytes"),
    ("base64.decode('====')", "fault: \"====\" cannot be converted to bytes"),
    ("base64.decode(1)", "fault: 'base64.decode' is not defined for int"),
    ("base64.encode('a')", "fault: 'base64.encode' is not defined for string"),
  ])
  func `base 64`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
