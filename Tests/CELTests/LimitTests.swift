import CEL
import JSONText
import Testing

@Suite struct LimitTests {
  private static func times(_ count: Int, _ text: String) -> String {
    String(repeating: text, count: count)
  }

  private static let roomy = Limits(maximumSourceLength: .max, maximumNesting: .max)

  @Test(arguments: ["(", "[", "{1:", "f(", "true ? 1 : ", "x[", "x.all(x, ", "-(", "has("])
  func `what nests too deeply is refused`(part: String) {
    #expect(
      outcome(Self.times(5000, part), limits: Self.roomy)
        == "refused: the program is nested more than 128 levels deep")
  }

  @Test(arguments: [
    ("", "!", "true", "true"), ("", "-", "1", "1"), ("1", "+1", "", "4001"),
    ("true", "||true", "", "true"), ("true", "&&true", "", "true"),
    ("true", " == true", "", "true"),
    ("1", "*1/1", "", "1"), ("size('a'", "+'a'", ") > 1", "fault: the evaluation takes more"),
    ("[1]", ".map(x, [x])", ".size()", "1"),
    ("optional.of(1)", ".optMap(x, [x])", "", "optional.of([["),
    ("state", ".a", "", "fault: no such key \"a\""), ("state", "[0]", "", "fault: no such key 0"),
    ("state", ".size()", "", "fault: 'size' is not defined for int"),
  ])
  func `a chain may be as long as the source`(
    first: String, link: String, last: String, expected: String
  ) {
    let source = first + Self.times(4000, link) + last
    #expect(outcome(source, limits: Self.roomy).hasPrefix(expected))
  }

  @Test(arguments: [
    ("(", "1", ")", "1"), ("[", "1", "].size()", "1"),
    ("[1].all(x, ", "true", ")", "true"),
    ("false || true && true == (", "true", ")", "true"), ("true ? 1 : ", "1", "", "1"),
    ("{1: ", "2", "}", "{1: {1: {1"), ("state.tags[size([", "1", "]) - 1]", "\"x\""),
  ])
  func `the allowed nesting fits the stack`(
    open: String, inner: String, close: String, expected: String
  ) {
    let depth = open.contains("size") ? 40 : 125
    let source = Self.times(depth, open) + inner + Self.times(depth, close)
    #expect(outcome(source, limits: Self.roomy).hasPrefix(expected))
  }

  @Test func `a source that is too long is refused`() {
    #expect(outcome(Self.times(4097, " ")) == "refused: the source is longer than 4096 bytes")
    #expect(outcome("1" + Self.times(4095, " ")) == "1")
  }

  @Test(arguments: [
    "[1,2,3,4,5,6,7,8,9,10].map(x, [1,2,3,4,5,6,7,8,9,10])",
    "big.all(a, big.all(b, big.all(c, true)))", "big.exists(a, big.exists(b, a + b < 0))",
    "big.all(a, text.contains(other) || text != other)", "big.all(a, text < other)",
    "big.all(a, big == big) || true", "big.all(a, size(text) > 0)",
    "big.map(a, big.map(b, b)) == []", "big.all(a, a in big)",
  ])
  func `the steps of an evaluation are bounded`(source: String) throws {
    let big = JSON.array((0..<2000).map { .int($0) })
    let text = JSON.string(Self.times(65_536, "a"))
    let other = JSON.string(Self.times(65_535, "a") + "b")
    let roots = [big, text, other]
    let limits = Limits(maximumSteps: source.hasPrefix("[") ? 10 : 200_000)
    let program = try Program(source, variables: ["big", "text", "other"], limits: limits)
    let clock = ContinuousClock()
    let time = clock.measure {
      let fault = #expect(throws: EvaluationFault.self) { try program.evaluate { roots[$0] } }
      #expect(fault?.reason == .stepLimit(limits.maximumSteps))
    }
    #expect(time < .seconds(5))
  }

  @Test func `searching takes linear time`() throws {
    let text = JSON.string(Self.times(65_536, "a"))
    let part = JSON.string(Self.times(32_768, "a") + "b")
    let program = try Program("text.contains(part)", variables: ["text", "part"])
    let clock = ContinuousClock()
    let time = try clock.measure {
      let value = try program.evaluate { $0 == 0 ? text : part }
      #expect(value.description == "false")
    }
    #expect(time < .seconds(1))
  }

  @Test func `what is produced is bounded`() {
    #expect(
      outcome("'aaaaaaaa' + 'bbbbbbbb'", limits: Limits(maximumStringLength: 15))
        == "fault: the result is larger than 15")
    #expect(
      outcome("b'aaaaaaaa' + b'bbbbbbbb'", limits: Limits(maximumStringLength: 15))
        == "fault: the result is larger than 15")
    #expect(
      outcome("[1, 2] + [3]", limits: Limits(maximumElements: 2))
        == "fault: the result is larger than 2")
    #expect(
      outcome("[1, 2].map(x, x).map(x, x) + [3]", limits: Limits(maximumElements: 2))
        == "fault: the result is larger than 2")
  }

  @Test func `JSON that is nested too deeply is not compared`() throws {
    var deep = JSON.int(1)
    for _ in 0..<600 { deep = .array([deep]) }
    let value = deep
    let program = try Program("deep == deep", variables: ["deep"])
    let fault = #expect(throws: EvaluationFault.self) { try program.evaluate { _ in value } }
    #expect(fault?.message == "the values are nested more than 512 levels deep")
  }
}
