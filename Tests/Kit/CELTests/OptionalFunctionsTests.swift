import Testing

@Suite struct OptionalFunctionsTests {
  @Test(arguments: [
    ("state.?mode", "optional.of(null)"), ("state.?nothing", "optional.none()"),
    ("state.?nothing.more.still", "optional.none()"),
    ("state.?selectedImage.rating.value()", "5"),
    ("state.?selectedImage.nothing.orValue(0)", "0"), ("state.?`a b`.hasValue()", "true"),
    ("state.tags[?1].orValue('z')", "\"y\""), ("state.tags[?9].orValue('z')", "\"z\""),
    ("state.tags.?x", "fault: a list has no field 'x'"),
    ("state[?'mode'].hasValue()", "true"),
    ("state.?nothing.value()", "fault: the optional has no value"),
    ("state.?nothing.or(state.?mode).hasValue()", "true"),
    ("state.?mode.orValue(1 / 0)", "null"),
    ("state.?nothing.orValue(1 / 0)", "fault: division by zero"),
    ("state.?nothing.or(1)", "fault: 'or' is not defined for optional_type and int"),
    ("[1, ?state.?nothing, ?optional.of(2)]", "[1, 2]"),
    ("[?1]", "fault: '?' is not defined for int"),
    ("{?'a': optional.none(), ?'b': optional.of(1)}", "{\"b\": 1}"),
    ("optional.of(1).optMap(x, x + 1)", "optional.of(2)"),
    ("optional.none().optMap(x, 1 / 0)", "optional.none()"),
    ("optional.of(state).optFlatMap(s, s.?nothing)", "optional.none()"),
    ("optional.of(1).optFlatMap(x, x)", "fault: 'optFlatMap' is not defined for int"),
    ("has(optional.of(state).mode)", "true"), ("has(state.?nothing.mode)", "false"),
    ("optional.of(1) == optional.of(1.0)", "true"),
    ("optional.none() == optional.of(null)", "false"),
    ("optional.of(1) == 1", "false"), ("true ? [1] : [2]", "[1]"),
    ("optional.ofNonZeroValue(optional.none())", "optional.of(optional.none())"),
    ("state.?in", "refused: 'in' is a reserved word"), ("state.?`in`.value()", "7"),
    ("{'a': optional.of(1)}.?a.value().value()", "1"),
    ("optional.of({'a': optional.none()}).a.value().hasValue()", "false"),
    ("state.?selectedImage.?rating.orValue(0) + 1", "6"),
    ("state.?selectedImage.?nothing.?more.orValue(state.mode)", "null"),
    ("state.?selectedImage.?rating.?more", "fault: an int has no field 'more'"),
    ("state.?selectedImage.rating.or(optional.of(1))", "optional.of(5)"),
    ("state.?selectedImage.?rating.optMap(r, r + 1).orValue(0)", "6"),
    ("{'a': optional.of({'b': 1})}.?a.?b.orValue(0)", "1"),
    ("{'a': optional.none()}.?a.?b.orValue(0)", "0"),
    ("{'a': optional.of(1)}.?a.orValue(0)", "optional.of(1)"),
    ("state.?tags.?nothing.orValue(1)", "fault: a list has no field 'nothing'"),
    ("1.orValue(2)", "fault: 'orValue' is not defined for int"),
  ])
  func `optionals`(source: String, expected: String) {
    #expect(outcome(source) == expected)
  }
}
