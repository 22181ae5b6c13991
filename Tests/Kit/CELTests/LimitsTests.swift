import CEL
import JSONText
import Testing

@Suite struct LimitsTests {
  private static func times(_ count: Int, _ text: String) -> String {
    String(repeating: text, count: count)
  }

  private static let roomy = ProgramLimits(
    maximumSourceLength: .max, maximumNesting: .max, maximumNodes: .max)

  @Test(arguments: ["(", "[", "{1:", "f(", "true ? 1 : ", "x[", "x.all(x, ", "-(", "has("])
  func `what nests too deeply is refused`(part: String) {
    #expect(
      outcome(Self.times(5000, part), limits: Self.roomy)
        == "refused: the program is nested more than 128 levels deep (maximumNesting)")
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
    #expect(
      outcome(Self.times(4097, " "))
        == "refused: the source is longer than 4096 bytes (maximumSourceLength)")
    #expect(outcome("1" + Self.times(4095, " ")) == "1")
    let fault = #expect(throws: CompilationFault.self) {
      try Program(Self.times(4000, " ") + "\n" + Self.times(100, " "), variables: [])
    }
    #expect(fault?.offset == 4096)
    #expect(fault?.line == 2)
    #expect(fault?.column == 96)
  }

  @Test(arguments: [
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
    let program = try Program(source, variables: ["big", "text", "other"])
    let fault = #expect(throws: EvaluationFault.self) { try program.evaluate { roots[$0] } }
    #expect(fault?.reason == .stepLimit(200_000))
  }

  @Test func `a program with too many parts is refused`() {
    let source = "[" + Self.times(1998, "1,") + "]"
    #expect(outcome(source + ".size()", limits: ProgramLimits()) == "1998")
    #expect(
      outcome("[" + source + ".size()]")
        == "refused: the program has more than 2000 parts (maximumNodes)")
    #expect(
      outcome("1", limits: ProgramLimits(maximumNodes: -1))
        == "refused: the program has more than 0 parts (maximumNodes)")
  }

  @Test(arguments: [
    ("state.tags[0] + 'bbbbbbbb'", "the string has more than 8 bytes (maximumStringLength)"),
    (
      "bytes(state.tags[0]) + b'aaaaaaaa'", "the string has more than 8 bytes (maximumStringLength)"
    ),
    ("state.tags + [3]", "the list or map has more than 2 elements (maximumElements)"),
    ("state.map(x, x)", "the list or map has more than 2 elements (maximumElements)"),
    (
      "state.transformMap(k, v, 1)", "the list or map has more than 2 elements (maximumElements)"
    ),
  ])
  func `what is produced is bounded`(source: String, expected: String) {
    let limits = ProgramLimits(maximumStringLength: 8, maximumElements: 2)
    #expect(outcome(source, limits: limits) == "fault: " + expected)
  }

  @Test(arguments: [
    ("'aaaaaaaa' + 'b'", "the string has more than 8 bytes (maximumStringLength)"),
    ("b'aaaaaaaa' + b'b'", "the string has more than 8 bytes (maximumStringLength)"),
    ("[1, 2] + [3]", "the list or map has more than 2 elements (maximumElements)"),
    ("[state, 2, 3]", "the list or map has more than 2 elements (maximumElements)"),
    ("{'a': state, 'b': 1, 'c': 2}", "the list or map has more than 2 elements (maximumElements)"),
    ("[1, 2, 3].map(x, x)", "the list or map has more than 2 elements (maximumElements)"),
    (
      "[1, 2, 3].exists_one(x, [1, 2, 3].filter(y, x + y > 1).size() > 1)",
      "evaluating this takes at least 58 steps, more than 40 (maximumSteps)"
    ),
    (
      "state.mode && [1, 2, 3].exists_one(x, [1, 2, 3].filter(y, x + y > 1).size() > 1)",
      "evaluating this takes at least 58 steps, more than 40 (maximumSteps)"
    ),
  ])
  func `what is certain to exceed a bound is refused before it runs`(
    source: String, expected: String
  ) {
    let limits = ProgramLimits(maximumSteps: 40, maximumStringLength: 8, maximumElements: 2)
    #expect(outcome(source, limits: limits) == "refused: " + expected)
  }

  @Test(arguments: [
    "[1, 2].map(x, x + 1)", "[1, 2, 3].all(x, [x].map(y, y * y) != [x])",
    "state.mode != null ? 1 : [1, 2, 3].filter(x, [1, 2, 3].filter(y, x > y) == []).size()",
    "'a' + 'b' + string(size(state.tags))", "[1].exists(x, [x, 2].exists(y, x == y || y > x))",
    "{'a': state.tags}.map(k, k + k)", "optional.of([1, 2]).optMap(x, x.map(y, y))",
  ])
  func `the estimate is less than what is counted`(source: String) {
    let outcomes = (0..<100).map { outcome(source, limits: ProgramLimits(maximumSteps: $0)) }
    let refused = outcomes.prefix { $0.hasPrefix("refused") }
    #expect(!refused.isEmpty)
    #expect(outcomes[refused.count].hasPrefix("fault: the evaluation takes more than"))
    #expect(outcomes.last?.contains("fault") == false)
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
