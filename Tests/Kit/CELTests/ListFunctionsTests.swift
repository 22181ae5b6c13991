import CEL
import JSONText
import Testing

@Suite struct ListFunctionsTests {
  @Test(arguments: [
    ("lists.range(3)", "[0, 1, 2]"), ("lists.range(0)", "[]"), ("lists.range(-1)", "[]"),
    (
      "lists.range(9223372036854775807)",
      "fault: the list or map has more than 65536 elements (maximumElements)"
    ),
    ("lists.range(1u)", "fault: 'lists.range' is not defined for uint"),
    ("[1, 2, 3, 4].slice(1, 3)", "[2, 3]"), ("state.tags.slice(1, 2)", "[\"y\"]"),
    ("[1].slice(1, 1)", "[]"), ("[1].slice(0, 2)", "fault: no element 2 in a list of 1"),
    ("[1].slice(-1, 1)", "fault: no element -1 in a list of 1"),
    ("[1].slice(1, 0)", "fault: the range from 1 to 0 ends before it begins"),
    ("[1].slice(0, 1.0)", "fault: 'slice' is not defined for list and int and double"),
    ("[1, [2, [3]], []].flatten()", "[1, 2, [3]]"), ("[1, [2, [3]]].flatten(0)", "[1, [2, [3]]]"),
    ("[1, [2, [3]]].flatten(9)", "[1, 2, 3]"),
    ("[1].flatten(-1)", "fault: 'flatten' is not defined for the negative number -1"),
    ("{}.flatten()", "fault: 'flatten' is not defined for map and int"),
    (
      "[1, 1u, 1.0, 'a', 'a', [1], [1.0], null, null, 1.5, 1.5].distinct()",
      "[1, \"a\", [1], null, 1.5]"
    ),
    ("[true, 1].distinct()", "[true, 1]"), (#"['\u00e9', 'e\u0301'].distinct().size()"#, "2"),
    ("[notANumber, notANumber].distinct()", #"[double("NaN"), double("NaN")]"#),
    ("[3, 1, 2].sort()", "[1, 2, 3]"), ("[].sort()", "[]"),
    ("['b', 'B', 'a'].sort()", #"["B", "a", "b"]"#), ("[true, false].sort()", "[false, true]"),
    ("[duration('1m'), duration('1s')].sort()[0]", #"duration("1s")"#),
    ("[1, 1.0].sort()", "fault: int and double cannot be sorted together"),
    ("[[1]].sort()", "fault: 'sort' is not defined for list"),
    ("[null].sort()", "fault: 'sort' is not defined for null_type"),
    ("'ab'.sort()", "fault: 'sort' is not defined for string"),
    ("state.images.sortBy(i, -size(i)).map(i, i.id)", #"["a", "b"]"#),
    ("['bb', 'a', 'cc', 'd'].sortBy(x, size(x))", #"["a", "d", "bb", "cc"]"#),
    ("[1, 2].sortBy(x, 1 / 0)", "fault: division by zero"),
    ("[1, 2].sortBy(x, x == 1 ? 1 : 'a')", "fault: int and string cannot be sorted together"),
    ("{}.sortBy(x, x)", "fault: 'sortBy' is not defined for map"),
    ("[1].sortBy(x)", "refused: 'sortBy' takes 2 arguments, not 1"),
    (
      "[1].sortBy(1, 2)",
      "refused: 'sortBy' takes a name of its own for each variable, then expressions"
    ),
    ("state.tags.first()", "optional.of(\"x\")"), ("[].last()", "optional.none()"),
    ("[1, 2].last().value()", "2"), ("'a'.first()", "fault: 'first' is not defined for string"),
  ])
  func `lists`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("sets.contains([], [])", "true"), ("sets.contains([], [1])", "false"),
    ("sets.contains([1, 2.0, 3u], [1.0, 2u, 3])", "true"),
    ("sets.contains([[1], 1.5, null], [null, [1.0]])", "true"),
    ("sets.equivalent([1], [1u, 1.0])", "true"), ("sets.equivalent([1, 2], [1])", "false"),
    ("sets.intersects([1], [])", "false"), ("sets.intersects([[1]], [2, [1u]])", "true"),
    ("sets.contains([notANumber], [notANumber])", "false"),
    (#"sets.intersects(['\u00e9'], ['e\u0301'])"#, "false"),
    ("sets.contains({}, [])", "fault: 'sets.contains' is not defined for map and list"),
  ])
  func `sets`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("{'a': 1, 'b': 2}.transformMapEntry(k, v, {v: k})", #"{1: "a", 2: "b"}"#),
    ("[7, 8].transformMapEntry(i, v, i > 0, {v: i, -v: i})", "{8: 1, -8: 1}"),
    ("[1, 1].transformMapEntry(i, v, {v: i})", "fault: the key 1 is there twice"),
    ("[1, 2].transformMapEntry(i, v, {double(v) == 1.0 ? 'x' : 'y': v})", #"{"x": 1, "y": 2}"#),
    ("[1].transformMapEntry(i, v, [v])", "fault: 'transformMapEntry' is not defined for list"),
    ("[1].transformMapEntry(i, v, {})", "{}"),
  ])
  func `entries of maps`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test func `JSON that is nested too deeply is neither flattened nor formatted`() throws {
    var deep = JSON.int(1)
    for _ in 0..<600 { deep = .array([deep]) }
    let value = deep
    for source in ["deep.flatten(9999)", "'%s'.format([deep])"] {
      let program = try Program(source, variables: ["deep"])
      let fault = #expect(throws: EvaluationFault.self) { try program.evaluate { _ in value } }
      #expect(fault?.message == "the values are nested more than 512 levels deep")
    }
  }
}
