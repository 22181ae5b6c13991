import CEL
import JSONText
import Testing

@Suite struct ValueTests {
  private func json(_ source: String) throws -> JSON {
    try Program(source, variables: ["state"]).evaluate { _ in sampleState }.json
  }

  @Test(arguments: [
    ("null", JSON.null), ("true", .bool(true)), ("-1", .int(-1)), ("1u", .int(1)),
    ("9223372036854775808u", .double(0x1p63)), ("1.5", .double(1.5)),
    ("'a'", .string("a")), ("b''", .string("")), ("b'f'", .string("Zg==")),
    ("b'fo'", .string("Zm8=")), ("b'foo'", .string("Zm9v")), (#"b'foob\xff'"#, .string("Zm9vYv8=")),
    ("timestamp('2009-02-13T23:31:30.5+01:00')", .string("2009-02-13T22:31:30.5Z")),
    ("duration('90m')", .string("5400s")), ("ip('::0:1')", .string("::1")),
    ("cidr('10.0.0.1/8')", .string("10.0.0.1/8")),
    ("[1, [2u]]", .array([.int(1), .array([.int(2)])])),
    ("{'a': b'f'}", object(["a": .string("Zg==")])), ("state", sampleState),
  ])
  func `values have a JSON form`(source: String, expected: JSON) throws {
    #expect(try json(source) == expected)
  }

  @Test(arguments: [
    ("0.0 / 0.0", Value.Unrepresentable.notFinite), ("[1.0 / 0.0]", .notFinite),
    ("{1: 2}", .key(.int)), ("{'a': type(1)}", .type(.type)),
    ("[18446744073709551615u]", .largeInteger(.max)),
  ])
  func `what JSON cannot say is refused`(source: String, expected: Value.Unrepresentable) throws {
    let error = #expect(throws: Value.Unrepresentable.self) { try json(source) }
    #expect(error == expected)
  }

  @Test func `long and deep values are shortened in text`() {
    var deep = JSON.int(1)
    for _ in 0..<10_000 { deep = .array([deep, deep]) }
    #expect(Value(deep).description.utf8.count < 2000)
    #expect(Value.string(String(repeating: "a", count: 1000)).description.utf8.count < 300)
  }
}
