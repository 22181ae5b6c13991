import CEL
import JSONText
import ProcessorTime
import Testing

@Suite struct BindingTests {
  @Test(arguments: [
    ("cel.bind(x, 2, x * x)", "4"), ("cel.bind(x, 1, x + cel.bind(x, x + 4, x) + x)", "7"),
    ("cel.bind(state, state.mode, state)", "null"),
    ("cel.bind(s, state.selectedImage, s.rating > 4 && s.title != '')", "true"),
    ("[1, 2].map(x, cel.bind(y, x * 2, y + x))", "[3, 6]"),
    ("cel.bind(x, [1, 2], x.map(y, x.size() + y))", "[3, 4]"),
    ("cel.bind(x, 1 / 0, true)", "true"), ("cel.bind(x, 1 / 0, x)", "fault: division by zero"),
    ("[0, 1].map(d, cel.bind(x, 1 / d, d == 0 ? -1 : x))", "[-1, 1]"),
    ("[1, 0].map(d, cel.bind(x, 1 / d, x))", "fault: division by zero"),
    ("cel.bind(x, state.nothing, has(state.nothing) && x > 1)", "false"),
    ("cel.bind(x, x, x)", "refused: unknown variable 'x'"),
    ("cel.bind(x, 1)", "refused: 'cel.bind' takes a name, its value, and an expression"),
    ("cel.bind(x.y, 1, 2)", "refused: 'cel.bind' takes a name, its value, and an expression"),
    ("cel.bind(.x, 1, 2)", "refused: 'cel.bind' takes a name, its value, and an expression"),
  ])
  func `bindings`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("cel.block([1, cel.index(0) + 1, cel.index(1) + 1], cel.index(2))", "3"),
    ("cel.block([[1, 2]], cel.index(0).map(cel.iterVar(0, 0), cel.iterVar(0, 0) * 2))", "[2, 4]"),
    (
      "[1, 2].transformList(cel.iterVar(0, 0), cel.iterVar(0, 1), cel.iterVar(0, 0) + cel.iterVar(0, 1))",
      "[1, 3]"
    ),
    ("cel.block([cel.block([1], cel.index(0) + 1)], cel.index(0) + 1)", "3"),
    ("cel.block([1 / 0, 2], cel.index(1))", "2"),
    ("cel.block([1 / 0, cel.index(0)], cel.index(1))", "fault: division by zero"),
    ("cel.block([1], cel.index(1))", "refused: unknown variable 'cel.index(1)'"),
    ("cel.block([cel.index(0)], 1)", "refused: unknown variable 'cel.index(0)'"),
    ("cel.index(0)", "refused: unknown variable 'cel.index(0)'"),
    ("cel.index(-1)", "refused: 'cel.index' takes a constant index"),
    ("cel.index('a')", "refused: 'cel.index' takes a constant index"),
    ("cel.iterVar(0)", "refused: 'cel.iterVar' takes two constant numbers"),
    ("cel.block([], 1)", "refused: 'cel.block' takes a list of values, and an expression"),
    ("cel.block(state, 1)", "refused: 'cel.block' takes a list of values, and an expression"),
    (
      "cel.block([?optional.of(1)], 1)",
      "refused: 'cel.block' takes a list of values, and an expression"
    ),
  ])
  func `blocks`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test func `paths go through bindings`() throws {
    let program = try Program("cel.bind(s, state.image, s.rating > 1)", variables: ["state"])
    #expect(program.paths.map(\.tokens) == [["state", "image"]])
  }

  @Test(.processorTime(seconds: 60))
  func `a block may be as long as the source`() {
    let limits = ProgramLimits(maximumSourceLength: .max, maximumNodes: .max)
    let values = (1..<2500).map { "cel.index(\($0 - 1)) + 1" }.joined(separator: ", ")
    #expect(outcome("cel.block([1, \(values)], cel.index(2499))", limits: limits) == "2500")
  }
}
