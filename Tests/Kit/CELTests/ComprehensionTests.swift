import Testing

@Suite struct ComprehensionTests {
  @Test(arguments: [
    ("[1, 2].all(x, x > 0)", "true"), ("[].all(x, false)", "true"), ("[].exists(x, true)", "false"),
    ("[0, 1].all(x, 1 / x > 5)", "false"), ("[0, 1].exists(x, 1 / x == 1)", "true"),
    ("[0].all(x, 1 / x > 0)", "fault: division by zero"),
    ("[1].all(x, x)", "fault: 'all' is not defined for int"),
    ("state.images.exists(i, i.id == 'b')", "true"),
    ("state.images.exists_one(i, has(i.rating))", "true"),
    ("[0, 1].exists_one(x, 1 / x == 1)", "fault: division by zero"),
    ("state.images.map(i, i.id)", #"["a", "b"]"#), ("[1, 2, 3].map(x, x > 1, x * x)", "[4, 9]"),
    ("[1, 2, 3].filter(x, x % 2 == 1)", "[1, 3]"), ("{'a': 1, 'b': 2}.map(k, k)", #"["a", "b"]"#),
    ("{'a': 1}.exists(k, v, k == 'a' && v == 1)", "true"),
    ("[5, 6].transformList(i, v, i * v)", "[0, 6]"),
    ("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 2)", #"{"b": 4}"#),
    ("[1, 2].map(x, [10, 20].map(x, x + 1))", "[[11, 21], [11, 21]]"),
    ("[1, 2].map(x, [10, 20].map(y, x + y))", "[[11, 21], [12, 22]]"),
    (
      "[1].map(a, [2].map(b, [3].map(c, [4].transformList(i, d, [a, b, c, i, d]))))",
      "[[[[[1, 2, 3, 0, 4]]]]]"
    ),
    ("[1].map(state, state)", "[1]"), ("[1].exists(state, .state.mode == null)", "true"),
    ("1.all(x, true)", "fault: 'all' is not defined for int"),
    (
      "[1].all(x.y, true)",
      "refused: 'all' takes a name of its own for each variable, then expressions"
    ),
    (
      "[1].exists(x, x, true)",
      "refused: 'exists' takes a name of its own for each variable, then expressions"
    ),
    ("[1].all(x, y)", "refused: unknown variable 'y'"),
    ("[1].all(x, true) && x", "refused: unknown variable 'x'"),
    ("[1].filter(x)", "refused: 'filter' takes 2 arguments, not 1"),
  ])
  func `comprehensions`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
