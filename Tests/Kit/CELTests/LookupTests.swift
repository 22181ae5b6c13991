import Testing

@Suite struct LookupTests {
  @Test(arguments: [
    ("state.selectedImage.rating", "5"), ("state['selectedImage']['title']", #""Éclair""#),
    ("state.mode", "null"), ("state.images[1].id", #""b""#), ("state.`a b`", "true"),
    ("state['in']", "7"), ("state.in", "refused: 'in' is a reserved word"),
    ("{'for': 1}.for", "1"), ("for", "refused: 'for' is a reserved word"),
    (
      "state.selectedImage.ratng",
      #"fault: no such key "ratng"; the keys are "title", "rating", "size""#
    ),
    ("{}.a", #"fault: no such key "a"; the map is empty"#),
    ("{1: 2}[3]", "fault: no such key 3; the keys are 1"),
    (
      "{'a':1,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1,'h':1,'i':1}.z",
      #"fault: no such key "z"; the keys are "a", "b", "c", "d", "e", "f", "g", "h" and 1 more"#
    ),
    ("state.mode.x", "fault: null has no field 'x'"),
    ("state.images[2]", "fault: no element 2 in a list of 2"),
    ("state.images[-1]", "fault: no element -1 in a list of 2"),
    ("state.tags[1u]", #""y""#), ("state.tags[1.0]", #""y""#),
    ("state.tags[0.5]", "fault: '[]' is not defined for list and double"),
    ("state.tags['x']", "fault: a list has no field 'x'"),
    ("state.tags[large]", "fault: no element 9223372036854775807 in a list of 2"),
    ("{1: 'a'}[1u] + {1u: 'b'}[1.0] + {true: 'c'}[true]", #""abc""#),
    ("{1: 'a'}[1.5]", "fault: no such key 1.5; the keys are 1"),
    ("{1: 'a'}[notANumber]", #"fault: no such key double("NaN"); the keys are 1"#),
    ("{1: 'a'}[null]", "fault: '[]' is not defined for map and null_type"),
    ("{18446744073709551615u: 1}[large]", "1"),
    ("[[1, 2], [3]][0][1]", "2"), (".state.in", "refused: 'in' is a reserved word"),
    (".state.selectedImage.rating", "5"),
  ])
  func `fields and elements`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("has(state.mode)", "true"), ("has(state.nothing)", "false"), ("has({}.a)", "false"),
    ("has(state.`a b`)", "true"),
    (
      "has(state.nothing.more)",
      #"fault: no such key "nothing"; the keys are "selectedImage", "images", "tags", "mode", "a b", "in""#
    ),
    ("has(state.tags.x)", "fault: 'has' is not defined for list"),
    ("has(state)", "refused: 'has' takes one selection, as in 'has(a.b)'"),
    ("has(state['a'])", "refused: 'has' takes one selection, as in 'has(a.b)'"),
    ("has(state.a, state.b)", "refused: 'has' takes one selection, as in 'has(a.b)'"),
  ])
  func `presence`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }

  @Test(arguments: [
    ("1 in [3, 2.0, 1u]", "true"), ("'x' in state.tags", "true"), ("'z' in state.tags", "false"),
    ("[1] in [[1.0]]", "true"), ("'mode' in state", "true"), ("1 in {1u: 2}", "true"),
    ("1.5 in {1: 2}", "false"), ("null in {1: 2}", "false"), ("1 in state", "false"),
    ("1 in 'a'", "fault: 'in' is not defined for int and string"), ("!('a' in ['a'])", "false"),
    ("notANumber in [notANumber]", "false"),
  ])
  func `membership`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
