import CEL
import JSONText
import Testing

@Suite struct ExplanationTests {
  private func explanation(_ source: String, limits: ProgramLimits = ProgramLimits()) throws
    -> Explanation
  {
    let environment = Environment(variables: ["state"], isChecked: false)
    return try Program(source, in: environment, limits: limits).explanation { _ in
      Value(sampleState)
    }
  }

  /// `text = value` for every part; what the result does not rest on stands in parentheses.
  private func parts(_ source: String) throws -> [String] {
    try explanation(source).parts.filter { !$0.isLiteral }.map { part in
      let bytes = Array(source.utf8)[part.range.start..<part.range.end]
      let place = part.element.map { "#\($0) " } ?? ""
      let worth: String
      switch part.outcome {
      case .success(let value): worth = value.description
      case .failure(let fault): worth = fault.message
      }
      let text = "\(place)\(String(decoding: bytes, as: UTF8.self)) = \(worth)"
      return part.isDecisive ? text : "(\(text))"
    }
  }

  @Test(arguments: [
    ("1 + 2 * 3", ["2 * 3 = 6", "1 + 2 * 3 = 7"]),
    (
      "true && 1 == 2 && 2 == 2",
      ["1 == 2 = false", "(2 == 2 = true)", "true && 1 == 2 && 2 == 2 = false"]
    ),
    (
      "1 == 1 || 1 / 0 == 1",
      [
        "1 == 1 = true", "(1 / 0 = division by zero)", "(1 / 0 == 1 = division by zero)",
        "1 == 1 || 1 / 0 == 1 = true",
      ]
    ),
    (
      "1 < 2 ? 3 + 3 : 4 + 4",
      ["1 < 2 = true", "3 + 3 = 6", "(4 + 4 = 8)", "1 < 2 ? 3 + 3 : 4 + 4 = 6"]
    ),
    (
      "[1, 0].all(x, 4 / x > 1)",
      [
        "[1, 0].all(x, 4 / x > 1) = division by zero", "#0 x = 1", "#0 4 / x = 4",
        "#0 4 / x > 1 = true",
        "#1 x = 0", "#1 4 / x = division by zero", "#1 4 / x > 1 = division by zero",
      ]
    ),
    (
      "optional.of(1).orValue(2 + 2)",
      [
        "optional.of(1) = optional.of(1)", "(2 + 2 = 4)", "optional.of(1).orValue(2 + 2) = 1",
      ]
    ),
  ])
  func `every part has its value, whether it matters or not`(
    source: String, expected: [String]
  ) throws {
    #expect(try parts(source) == expected)
  }

  @Test(arguments: [
    (
      "state.selectedImage.rating == 4",
      #"""
      state.selectedImage.rating == 4
      |     |             |      |
      |     |             5      false
      |     {"title": "Éclair", "rating": 5…
      {"selectedImage": {"title": "Éc…
      = false, because
        state.selectedImage.rating == 4 is false: state.selectedImage.rating is 5
      """#
    ),
    (
      "1 + 1 == 2 &&\n  !has(state.mode)",
      #"""
      1 + 1 == 2 &&
        |   |    |
        2   true false
        !has(state.mode)
        ||   |
        ||   {"selectedImage": {"title": "Éc…
        |true
        false
      = false, because
        has(state.mode) is true
      """#
    ),
    (
      "state.images.all(i, i.rating > 1 && i.id != 'b')",
      #"""
      state.images.all(i, i.rating > 1 && i.id != 'b')
      |     |      |
      |     |      false
      |     [{"id": "a", "rating": 1}, {"id…
      {"selectedImage": {"title": "Éc…
        element 0: i.rating > 1 && i.id != 'b' is false
      = false, because
        i.rating > 1 is false (element 0): i.rating is 1
      """#
    ),
    (
      "[1, 0].map(x, 4 / x)",
      #"""
      [1, 0].map(x, 4 / x)
        element 0: 4 / x is 4
        element 1: 4 / x is division by zero
      fault: 1:15: division by zero
      [1, 0].map(x, 4 / x)
                    ^^^^^
      """#
    ),
    (
      "size(state.tags) > 1",
      #"""
      size(state.tags) > 1
      |    |     |     |
      2    |     |     true
           |     ["x", "y"]
           {"selectedImage": {"title": "Éc…
      = true
      """#
    ),
    (
      "state.nothing || false",
      #"""
      state.nothing || false
      |     |
      |     no such key "nothing"; the keys…
      {"selectedImage": {"title": "Éc…
      fault: 1:1: no such key "nothing"; the keys are "selectedImage", "images", "tags", "mode", "a b", "in"; has() and .? are for what may be missing
      state.nothing || false
      ^^^^^^^^^^^^^
      """#
    ),
  ])
  func `a terminal shows values below their parts`(source: String, expected: String) throws {
    let text = try explanation(source).text()
    #expect(text == expected)
  }

  @Test(arguments: [
    ("false && state.mode == null", ["false"]),
    ("1 == 2 && 3 == 3 && 4 == 5", ["1 == 2", "4 == 5"]),
    ("1 == 2 || (3 == 4 && 5 == 5)", ["1 == 2", "3 == 4"]),
    ("!(1 == 1 || 2 == 3)", ["1 == 1"]), ("!(1 == 1 && 2 == 2)", ["1 == 1", "2 == 2"]),
    ("!![false][0]", ["[false][0]"]), ("1 == 1 ? 2 == 3 : true", ["2 == 3"]),
    ("1 == 2 ? true : false", ["1 == 2"]), ("[1, 2].exists(x, x > 2)", ["[1, 2].exists(x, x > 2)"]),
    ("[1, 2].all(x, x > 1 || x < 0)", ["x > 1", "x < 0"]),
    ("!['a'].exists(x, x == 'a')", ["x == 'a'"]),
    ("[1, 2, 3, 4, 5, 6, 7, 8].all(x, x != 7)", ["x != 7"]),
    ("[[1]].all(x, x.all(y, y > 1))", ["x.all(y, y > 1)"]), ("true", []), ("1 / 0 == 1", []),
  ])
  func `a false program says which conditions make it so`(
    source: String, expected: [String]
  ) throws {
    let reasons = try explanation(source).reasons.map { reason in
      let range = reason.part.range
      return String(decoding: Array(source.utf8)[range.start..<range.end], as: UTF8.self)
    }
    #expect(reasons == expected)
  }

  @Test func `a reason knows its element and what it compares`() throws {
    let reason = try explanation("[1, 2, 3, 4, 5, 6, 7, 8].all(x, x != 7)").reasons.first
    #expect(reason?.part.element == 6)
    let operands = reason?.operands.compactMap { try? $0.outcome.get().description }
    #expect(operands == ["7", "7"])
  }

  @Test func `an explanation takes no more steps than an evaluation may`() throws {
    let source = "state.images.all(x, state.images.all(y, x.id == y.id)) || state.tags == []"
    let explanation = try explanation(source, limits: ProgramLimits(maximumSteps: 20))
    #expect(!explanation.isComplete)
    #expect(explanation.text().contains("did not suffice"))
  }

  @Test func `colours tell true from false`() throws {
    let text = try explanation("1 == 2 || [][0]").text(isColored: true)
    #expect(
      text == """
        1 == 2 || [][0]
          |         |
          \u{1B}[31mfalse\u{1B}[0m     \u{1B}[33mno element 0 in a list of 0\u{1B}[0m
        fault: 1:11: no element 0 in a list of 0
        1 == 2 || [][0]
                  ^^^^^
        """)
  }

  @Test func `a part of a long chain is worked out once`() throws {
    let source = "1" + String(repeating: " + 1", count: 900)
    let explanation = try explanation(source)
    #expect(explanation.isComplete)
    #expect(explanation.parts.count == 1801)
  }
}
