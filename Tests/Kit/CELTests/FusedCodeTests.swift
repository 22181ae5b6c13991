import JSONText
import Randomness
import Testing

@testable import CEL

/// Fused code says what the instructions say, in as many steps.
@Suite struct FusedCodeTests {
  /// Returns the outcome of a program: its value or its fault, whole, and its steps.
  private func outcome(
    _ source: String, _ state: JSON, _ limits: ProgramLimits = ProgramLimits(), isFusing: Bool
  ) throws -> String {
    let environment = Environment(variables: ["other", "state"], isChecked: false)
    let program = try Program(source, in: environment, limits: limits, isFusing: isFusing)
    var steps = 0
    do {
      let value = try program.value(addingStepsTo: &steps) { $0 == 1 ? Value(state) : .null }
      return "\(value) after \(steps)"
    } catch {
      return "\(error.description) after \(steps)"
    }
  }

  private func program(_ source: String) throws -> Program {
    try Program(source, variables: ["other", "state"])
  }

  private static let state = object([
    "on": .bool(true), "off": .bool(false), "none": .null, "one": .int(1), "half": .double(0.5),
    "two": .double(2), "word": .string("word"), "empty": .array([]), "nothing": object([:]),
    "line": .string("a line of more than sixteen bytes"),
    "words": .array([.null, .string("wort"), .string("a line of more than sixteen bytes"), .int(1)]
    ),
    "inner": object([
      "on": .bool(false), "one": .int(1), "a name of more than sixteen bytes": .int(7),
      "words": .array([.string("x")]), "inner": object(["one": .int(-1), "on": .bool(true)]),
    ]),
  ])

  @Test(arguments: [
    "true", "'text'", "state.on", "state.inner.inner.one", "has(state.inner.one)",
    "has(state.inner.missing)", "!state.on", "state.one == 1", "state.one != 1.0", "2 > state.one",
    "state.half <= 0.5", "state.one < 1.5", "state.word == 'word'", "'wort' != state.word",
    "state.none == null", "state.none == 'x'", "state.empty == []", "state.words != []",
    "state.on == true", "state.inner != null", "size(state.words) > 3", "state.words.size() == 4",
    "size(state.inner) >= 1", "'wort' in state.words", "'none' in state.words",
    "'one' in state.inner", "state.word in ['x', 'word']", "state.none in [1, null]",
    "state.on && !state.off", "state.off || state.inner.on || state.one == 1",
    "state.on ? 'Hide' : 'Show'", "state.off ? state.one : state.two",
    "state.?inner.?one.orValue(2) == 1", "state.?inner.?missing.?one.orValue('') == ''",
    "state.inner.?on.orValue(true)", "state.?missing.one.orValue(null)",
    "state.inner['a name of more than sixteen bytes'] == 7", "state.one == state.inner.one",
    "has(state.word) && (state.word == 'x' || state.one > 0)",
    "state.line == 'a line of more than sixteen bytes'",
    "'a line of more than sixteen bytes' in state.words",
  ])
  func `what most rules do is fused, and answered so`(source: String) throws {
    var steps = 0
    let value = try program(source).value(addingStepsTo: &steps, in: Self.state, at: 1)
    let general = try outcome(source, Self.state, isFusing: false)
    #expect(value.map { "\($0) after \(steps)" } == general)
  }

  @Test(arguments: [
    "state", "state.one + 1", "state.words[0]", "state.words.exists(w, w == 'x')",
    "state.one == other.one", "other", "state.?one", "state.a.b.c.d.e.f.g.h.i",
    "state.one == 1u", "state.words == [1]", "true && state.on", "-state.one",
  ])
  func `other programs are not fused`(source: String) throws {
    #expect(try !program(source).isFused)
    let fusing = try outcome(source, Self.state, isFusing: true)
    #expect(try fusing == outcome(source, Self.state, isFusing: false))
  }

  @Test(arguments: [
    "state.missing", "state.inner.missing == 1", "state.word.missing", "has(state.word.x)",
    "state.one == 1 && state.word", "!state.one", "state.word < 1", "size(state.one) == 1",
    "'x' in state.word", "state.one ? 1 : 2", "state.missing || state.on",
    "state.words == state.words",
    "state.word < 'x'", "state.word.?x.orValue(1)", "size(state.word) == 4",
  ])
  func `what is unusual is left to the instructions, with the same faults`(source: String) throws {
    #expect(try program(source).isFused)
    let fusing = try outcome(source, Self.state, isFusing: true)
    #expect(try fusing == outcome(source, Self.state, isFusing: false))
  }

  @Test func `another document than the one it reads says nothing`() throws {
    var steps = 0
    #expect(try program("state.on").value(addingStepsTo: &steps, in: Self.state, at: 0) == nil)
    #expect(try program("state.on").value(addingStepsTo: &steps, in: .null, at: 1) == nil)
    #expect(try program("state.no").value(addingStepsTo: &steps, in: Self.state, at: 1) == nil)
    #expect(steps == 0)
    #expect(try program("true").value(addingStepsTo: &steps, in: .null, at: 1) == .bool(true))
    #expect(steps == 1)
  }

  @Test func `places are found wherever they stood the last time`() throws {
    let program = try program("state.a.b == 1")
    for position in [0, 3, 1, 20, 300, 2] {
      var (outer, inner) = (JSONObject(), JSONObject())
      for number in 0..<position { inner["x\(number)"] = .int(Int64(number)) }
      inner["b"] = .int(1)
      for number in 0..<position { outer["y\(number)"] = .null }
      outer["a"] = .object(inner)
      var steps = 0
      let value = program.value(addingStepsTo: &steps, in: .object(outer), at: 1)
      #expect(value == .bool(true))
    }
  }

  @Test(arguments: Seeds.first(10))
  func `random programs come to the same on random states, within all bounds`(seed: UInt64) throws {
    var random = RandomPrograms(seed: seed)
    for _ in 0..<50 {
      let (source, state) = (random.program(), random.document(depth: 3))
      for limits in [ProgramLimits(), ProgramLimits(maximumSteps: random.number(below: 12))] {
        let general: String
        do {
          general = try outcome(source, state, limits, isFusing: false)
        } catch is CompilationFault {
          continue
        }
        let fusing = try outcome(source, state, limits, isFusing: true)
        #expect(fusing == general, "\(source) of \(state)")
      }
    }
  }
}

extension Value {
  /// Returns true if both are the same Boolean; nothing else is compared here.
  fileprivate static func == (left: Value?, right: Value) -> Bool {
    if case (.bool(let left)?, .bool(let right)) = (left, right) { left == right } else { false }
  }
}

/// Programs of the shapes that are fused, or nearly, and documents that often have what they read.
private struct RandomPrograms {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func number(below limit: Int) -> Int { .random(in: 0..<limit, using: &generator) }

  private mutating func any<Element>(_ choices: [Element]) -> Element {
    choices[number(below: choices.count)]
  }

  private let names = ["a", "b", "c", "longer than sixteen bytes", "é", "e\u{301}"]
  private let texts = [
    "", "a", "é", "e\u{301}", "longer than sixteen bytes", "longer than sixteen bites",
  ]

  private mutating func name() -> String { any(names) }

  private mutating func place(_ separators: [String] = ["", ""]) -> String {
    var text = number(below: 20) == 0 ? "other" : "state"
    for _ in 0...number(below: 3) { text += "\(any(separators))['\(name())']" }
    return text
  }

  private mutating func fields() -> String {
    (0...number(below: 2)).reduce("state") { text, _ in text + any([".", ".?"]) + any(["a", "b"]) }
  }

  private mutating func constant() -> String {
    any(
      ["1", "0", "-1", "0.5", "1.0", "true", "false", "null", "[]", "1u"] + texts.map { "'\($0)'" })
  }

  private mutating func operand() -> String {
    switch number(below: 6) {
    case 0: "size(\(place()))"
    case 1: "\(fields()).orValue(\(constant()))"
    case 2: constant()
    default: place()
    }
  }

  private mutating func condition(_ depth: Int) -> String {
    switch number(below: depth > 2 ? 5 : 8) {
    case 0: "\(operand()) \(any(["==", "!=", "<", "<=", ">", ">="])) \(operand())"
    case 1: "has(state.\(any(["a", "b"])).\(any(["a", "b"])))"
    case 2: "'\(any(texts))' in \(place())"
    case 3: "\(place()) in [\(constant()), \(constant())]"
    case 4: place()
    case 5: "!(\(condition(depth + 1)))"
    case 6:
      "(\(condition(depth + 1)) \(any(["&&", "||"])) \(condition(depth + 1)) || \(condition(depth + 1)))"
    default: "(\(condition(depth + 1)) ? \(condition(depth + 1)) : \(constant()))"
    }
  }

  mutating func program() -> String { number(below: 5) == 0 ? operand() : condition(0) }

  mutating func document(depth: Int) -> JSON {
    var members = JSONObject()
    for _ in 0..<6 { members[name()] = value(depth: depth) }
    return .object(members)
  }

  private mutating func value(depth: Int) -> JSON {
    switch number(below: depth > 0 ? 10 : 6) {
    case 0: .null
    case 1: .bool(number(below: 2) == 0)
    case 2: .int(Int64(number(below: 3)) - 1)
    case 3: .double(any([0.5, 1.0, 0]))
    case 4: .string(any(texts))
    case 5: .array([])
    case 6: .array((0..<number(below: 4)).map { _ in value(depth: depth - 1) })
    default: document(depth: depth - 1)
    }
  }
}
