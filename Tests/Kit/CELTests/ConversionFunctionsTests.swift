import CEL
import JSONText
import ProcessorTime
import Testing

@Suite struct ConversionFunctionsTests {
  @Test(arguments: [
    ("int('-7')", "-7"), ("int('0x1')", "fault: \"0x1\" cannot be converted to int"),
    ("int('')", "fault: \"\" cannot be converted to int"), ("int(1.9)", "1"), ("int(-1.9)", "-1"),
    ("int(large)", "fault: 18446744073709551615u cannot be converted to int"),
    ("int(notANumber)", #"fault: double("NaN") cannot be converted to int"#),
    ("int(true)", "fault: 'int' is not defined for bool"),
    ("uint(-1)", "fault: -1 cannot be converted to uint"),
    ("uint('+1')", "fault: \"+1\" cannot be converted to uint"),
    ("uint(-0.5)", "fault: -0.5 cannot be converted to uint"),
    ("uint(1e30)", "fault: 1e+30 cannot be converted to uint"),
    ("double('1e400')", "fault: \"1e400\" cannot be converted to double"),
    ("double('x')", "fault: \"x\" cannot be converted to double"),
    ("double('inf')", #"double("Infinity")"#),
    ("bool('yes')", "fault: \"yes\" cannot be converted to bool"),
    ("bytes('é')", "b\"\\xc3\\xa9\""),
    ("string(bytes_)", "fault: b\"\\x01\\xff\" cannot be converted to string"),
    ("string(b'\\xc3\\xa9')", "\"é\""), ("string(true)", "\"true\""),
    ("string(null)", "fault: 'string' is not defined for null_type"),
    ("string(123.0)", "\"123\""), ("string(-0.0045)", "\"-0.0045\""),
    ("string(6.02214e23)", "\"6.02214e+23\""),
    ("string(1.38e-23)", "\"1.38e-23\""), ("string(1e20)", "\"100000000000000000000\""),
    ("string(0.0)", "\"0\""), ("string(-1.0 / 0.0)", "\"-Infinity\""),
    ("string(notANumber)", "\"NaN\""),
    ("string(123456.75)", "\"123456.75\""), ("string(1e7)", "\"10000000\""),
    ("string(1e-7)", "\"1e-07\""),
  ])
  func `conversions`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("bool('1')", "true"), ("bool('t')", "true"), ("bool('TRUE')", "true"),
    ("bool('0')", "false"), ("bool('f')", "false"), ("bool('False')", "false"),
    ("bool('tRUE')", "fault: \"tRUE\" cannot be converted to bool"),
  ])
  func `words for true and false`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(.processorTime(seconds: 60))
  func `a word of many combining marks is no bool, at once`() throws {
    let marks = String(repeating: "\u{301}\u{323}\u{302}\u{316}", count: 50_000)
    let program = try Program("bool(x)", variables: ["x"])
    #expect(throws: EvaluationFault.self) { try program.evaluate { _ in .string("t" + marks) } }
  }
}
