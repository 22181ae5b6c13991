import Testing

@testable import CEL

/// Checking takes work in proportion to the size of a program, counted in types that are looked at.
@Suite struct CheckerCostTests {
  private func work(_ first: String, _ part: String, _ last: String, _ count: Int) throws -> Int {
    let limits = ProgramLimits(maximumSourceLength: 1 << 16, maximumNodes: 1 << 16)
    let source = first + String(repeating: part, count: count) + last
    return try Program(source, variables: ["state"], limits: limits).code.checkingWork
  }

  @Test(arguments: [
    ("cel.block([", "1,", "1], 1)"), ("[", "1,", "1]"), ("{", "state: [1],", "'b': [2]}"),
    ("1", "+1", ""), ("state", ".a", ""), ("[1]", ".map(x,x)", ""),
    ("cel.bind(a,[[[[[1]]]]],[", "a,", "a])"), ("cel.block([[1]", ",cel.index(0)", "], 1)"),
    ("true", "&&state.a==[[1]]", ""), ("[", "[[[]]],", "[]]"),
  ])
  func `a program of twice the size takes twice the work`(
    first: String, part: String, last: String
  ) throws {
    let once = try work(first, part, last, 1250)
    let twice = try work(first, part, last, 2500)
    #expect(twice <= 2 * once + 10, "\(once) and \(twice)")
  }

  @Test(arguments: [
    ("[[]]", ".map(x,[x,[]])", ""), ("optional.of(1)", ".optMap(x,[x])", ""),
    ("cel.block([[]", ",[cel.index(0)]", "],1)"),
    ("[", "[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]],", "[]]"),
  ])
  func `types that nest do not take more than a bound for each node`(
    first: String, part: String, last: String
  ) throws {
    let count = 1000
    let nodes = 4 + count * 26
    #expect(try work(first, part, last, count) <= 1000 + 100 * nodes)
  }
}
