import Testing

@Suite struct FormatFunctionTests {
  @Test(arguments: [
    ("'%%, %s %%%s'.format(['a', 'b'])", "\"%, a %b\""), ("''.format([])", "\"\""),
    ("'é%sé'.format(['ß'])", "\"éßé\""),
    ("'%d %d'.format([-1, 18446744073709551615u])", "\"-1 18446744073709551615\""),
    ("'%d %d'.format([3.14, 1e21])", "\"3.14 1000000000000000000000\""),
    ("'%x %X %x %X'.format([-255, 255u, 'é', b'\\x00\\xAb'])", "\"-ff FF c3a9 00AB\""),
    ("'%o %o'.format([8, -9223372036854775808])", "\"10 -1000000000000000000000\""),
    ("'%b %b %b'.format([5, -5, true])", "\"101 -101 1\""),
    ("'%.0f %.0f %.0f %.0f'.format([0.5, 1.5, 2.5, -0.4])", "\"0 2 2 -0\""),
    ("'%.3f %.3f'.format([1.2345, 123.4999])", "\"1.234 123.500\""),
    ("'%f %f %f'.format([1, 2u, 0.1])", "\"1.000000 2.000000 0.100000\""),
    ("'%f'.format([9223372036854775807])", "\"9223372036854775807.000000\""),
    ("'%.1f'.format([1e22])", "\"10000000000000000000000.0\""),
    ("'%.25f'.format([0.1])", "\"0.1000000000000000055511151\""),
    ("'%e %.0e %.2e'.format([0.0, 15.0, 999999])", "\"0.000000e+00 2e+01 1.00e+06\""),
    ("'%e'.format([5e-324])", "\"4.940656e-324\""),
    ("'%e %f %d'.format([notANumber, -1.0 / 0.0, 1.0 / 0.0])", "\"NaN -Infinity Infinity\""),
    ("'%f %e'.format(['NaN', '-Infinity'])", "\"NaN -Infinity\""),
    ("'%s %s %s'.format([1.0, 0.000001, -0.0])", "\"1 0.000001 -0\""),
    ("'%s %s'.format([type(1), type(timestamp(0))])", "\"int google.protobuf.Timestamp\""),
    (
      "'%s'.format([{'b': [1, 'x', null], 'a': duration('90s'), 3: {}}])",
      "\"{3: {}, a: 90s, b: [1, x, null]}\""
    ),
    ("'%s'.format([b'a\\xff\\xfeb\\xc3'])", "\"a\u{FFFD}b\u{FFFD}\""),
    ("'%s %s'.format([duration('-0.5s'), duration('1ns')])", "\"-0.5s 0.000000001s\""),
    ("'%s'.format([duration('100000000.123456789s')])", "\"100000000.12345679s\""),
    ("'%s'.format([1, 2])", "\"1\""), ("'%.3s'.format(['abcdef'])", "\"abcdef\""),
  ])
  func `formats`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("'%d %d'.format([1])", "no argument 1 for the format, which has 1"),
    ("'%'.format([1])", "the format ends within a clause"),
    ("'%.2'.format([1])", "the format ends within a clause"),
    ("'%.'.format([1])", "the format ends within a clause"),
    ("'%.f'.format([1])", "the precision of a format is a number up to 1000"),
    ("'%.1001f'.format([1])", "the precision of a format is a number up to 1000"),
    ("'%.99999999999999999999f'.format([1])", "the precision of a format is a number up to 1000"),
    (
      "'%5d'.format([1])", "'%5' is no clause of a format; those are %s %d %f %e %b %x %X %o and %%"
    ),
    ("'%é'.format([1])", "'%é' is no clause of a format; those are %s %d %f %e %b %x %X %o and %%"),
    ("'%d'.format(['1'])", "'%d' does not take a string"),
    ("'%f'.format(['1'])", "'%f' does not take a string"),
    ("'%e'.format([null])", "'%e' does not take null"),
    ("'%x'.format([1.0])", "'%x' does not take a double"),
    ("'%X'.format([true])", "'%X' does not take a bool"),
    ("'%o'.format([true])", "'%o' does not take a bool"),
    ("'%b'.format([b'a'])", "'%b' does not take a bytes"),
    ("'%s'.format([optional.none()])", "'%s' does not take an optional_type"),
    ("'%s'.format([[ip('::1')]])", "'%s' does not take a net.IP"),
    ("'%s'.format(1)", "'format' is not defined for string and int"),
  ])
  func `what cannot be formatted`(source: String, expected: String) {
    #expect(outcome(source) == "fault: " + expected)
  }
}
