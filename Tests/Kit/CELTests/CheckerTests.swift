import CEL
import JSONText
import Testing

@Suite struct CheckerTests {
  private let environment = Environment(
    variables: ["state", "n", "text", "names", "ages"],
    types: [
      "n": .int, "text": .string, "names": .list(.string), "ages": .map(.string, .int),
    ])

  private func type(_ source: String) -> String {
    do {
      return try Program(source, in: environment).type.description
    } catch {
      return "refused: \(error.message)"
    }
  }

  @Test(arguments: [
    ("1", "int"), ("state", "dyn"), ("state.a.b", "dyn"), ("n + 1", "int"),
    ("text + 'a'", "string"),
    ("names", "list(string)"), ("names[0]", "string"), ("ages.a", "int"), ("ages['a']", "int"),
    ("ages[text]", "int"), ("size(names)", "int"), ("names.size() > 1", "bool"),
    ("type(1)", "type(int)"), ("int", "type(int)"), ("type(names)", "type(list(string))"),
    ("has(ages.a)", "bool"), ("n < 2.5", "bool"), ("n == 2.0", "bool"), ("names[1u]", "string"),
    ("1 in [2.0]", "bool"), ("state + 1", "int"), ("state + state", "dyn"), ("-state", "dyn"),
    ("state ? 1 : 2", "int"), ("state ? 1 : 'a'", "dyn"), ("state ? [] : [1]", "list(int)"),
    ("state ? null : optional.of(1)", "optional_type(int)"), ("dyn(1)", "dyn"),
    ("state ? null : timestamp(0)", "google.protobuf.Timestamp"),
    ("state ? timestamp(0) : null", "google.protobuf.Timestamp"),
    ("null == timestamp(0)", "bool"), ("duration('0s') != null", "bool"),
    ("list", "type(list(dyn))"), ("map", "type(map(dyn, dyn))"),
    ("google.protobuf.Timestamp", "type(google.protobuf.Timestamp)"),
    ("type(timestamp(0))", "type(google.protobuf.Timestamp)"),
  ])
  func `types follow from operators and functions`(source: String, expected: String) {
    #expect(type(source) == expected)
  }

  @Test(arguments: [
    ("[]", "list(dyn)"), ("{}", "map(dyn, dyn)"), ("[1, 'a']", "list(dyn)"),
    ("[1, dyn('a')]", "list(dyn)"), ("[[], [1]]", "list(list(int))"),
    ("[[1], []]", "list(list(int))"), ("{'a': 1, 'b': 'c'}", "map(string, dyn)"),
    ("{1: [], 2: [1.0]}", "map(int, list(double))"),
    ("[null, optional.of(1)]", "list(optional_type(int))"),
    ("[timestamp(0), null]", "list(google.protobuf.Timestamp)"),
    ("[null, timestamp(0)]", "list(google.protobuf.Timestamp)"),
    ("[?optional.none(), 1]", "list(int)"),
    ("[?optional.of(1)]", "list(int)"), ("{?'a': optional.of(1)}", "map(string, int)"),
    ("[][0]", "dyn"), ("[][0] + 1", "int"), ("[] + [1]", "list(int)"),
    ("optional.none().orValue(1)", "int"), ("[[]][0].all(x, x)", "bool"),
  ])
  func `literals join the types of their elements`(source: String, expected: String) {
    #expect(type(source) == expected)
  }

  @Test(arguments: [
    ("names.map(x, size(x))", "list(int)"), ("names.filter(x, x != '')", "list(string)"),
    ("ages.map(x, x)", "list(string)"), ("ages.exists(k, v, v > 1)", "bool"),
    ("names.transformList(i, x, i)", "list(int)"), ("[].map(x, x)", "list(dyn)"),
    ("[].map(x, x)[0].a", "dyn"), ("ages.transformMap(k, v, v > 1)", "map(string, bool)"),
    ("names.transformMap(i, x, x)", "map(int, string)"), ("state.map(x, x)", "list(dyn)"),
    ("names.map(x, names.map(y, [x, y]))", "list(list(list(string)))"),
    ("{'a': optional.of(1)}.?a", "optional_type(optional_type(int))"),
    ("optional.of({'a': optional.of(1)}).a", "optional_type(optional_type(int))"),
    ("ages.?a.?b", "refused: an int has no field 'b'"),
    ("ages.?a", "optional_type(int)"), ("names[?0]", "optional_type(string)"),
    ("ages.?a.optMap(x, [x])", "optional_type(list(int))"), ("state.?a.b", "optional_type(dyn)"),
    ("ages.?a.optFlatMap(x, names[?x])", "optional_type(string)"),
    ("ages.?a.orValue(0)", "int"), ("ages.?a.or(optional.of(1))", "optional_type(int)"),
  ])
  func `macros type their variables and results`(source: String, expected: String) {
    #expect(type(source) == expected)
  }

  @Test(arguments: [
    (
      "1 + 'a'",
      "1:1: '+' is not defined for int and string; there are int + int and string + string\n1 + 'a'\n^^^^^^^"
    ),
    (
      "1 + 'a' + true + 2 + 'b' + false",
      "1:1: '+' is not defined for int and string; there are int + int and string + string\n1 + 'a' + true + 2 + 'b' + false\n^^^^^^^"
    ),
    ("!5", "1:1: '!' is not defined for int; there is !bool\n!5\n^^"),
    ("-'a'", "1:1: '-' is not defined for string; there are -int and -double\n-'a'\n^^^^"),
    (
      "'a'.startsWith(3)",
      "1:1: 'startsWith' is not defined for string and int; there is string.startsWith(string)\n'a'.startsWith(3)\n^^^^^^^^^^^^^^^^^"
    ),
    (
      "state.a && size(5) > 1",
      "1:12: 'size' is not defined for int; there are size(string), size(bytes), size(list(A)) and size(map(A, B))\nstate.a && size(5) > 1\n           ^^^^^^^"
    ),
    (
      "int(true)",
      "1:1: 'int' is not defined for bool; there are int(int), int(uint), int(double), int(string) and int(google.protobuf.Timestamp)\nint(true)\n^^^^^^^^^"
    ),
    (
      "text == 1",
      "1:1: '==' is not defined for string and int; both sides must have the same type\ntext == 1\n^^^^^^^^^"
    ),
    (
      "1 in 'a'",
      "1:1: 'in' is not defined for int and string; there are A in list(A) and A in map(A, B)\n1 in 'a'\n^^^^^^^^"
    ),
    ("names['x']", "1:1: a list(string) has no field 'x'\nnames['x']\n^^^^^^^^^^"),
    ("has(n.x)", "1:1: an int has no field 'x'\nhas(n.x)\n^^^^^^^^"),
    (
      "ages[1]",
      "1:1: '[]' is not defined for map(string, int) and int; there is map(A, B)[A]\nages[1]\n^^^^^^^"
    ),
    ("n && true", "1:1: '&&' is not defined for int; a bool is wanted\nn && true\n^"),
    ("n ? 1 : 2", "1:1: '?:' is not defined for int; a bool is wanted\nn ? 1 : 2\n^"),
    (
      "[1].all(x, x)",
      "1:12: 'all' is not defined for int; a bool is wanted\n[1].all(x, x)\n           ^"
    ),
    (
      "n.exists(x, true)",
      "1:1: 'exists' is not defined for int; a list or map is wanted\nn.exists(x, true)\n^^^^^^^^^^^^^^^^^"
    ),
    ("[?n]", "1:3: '?' is not defined for int; an optional is wanted\n[?n]\n  ^"),
    (
      "{1.5: 1}",
      "1:2: a key of a map is a string, an int, a uint or a bool, not a double\n{1.5: 1}\n ^^^"
    ),
  ])
  func `what can have no value is refused with what there is`(source: String, expected: String) {
    let fault = #expect(throws: CompilationFault.self) { try Program(source, in: environment) }
    #expect(fault?.description == expected)
  }

  @Test func `declared functions are checked though they cannot be called`() throws {
    let pair = StaticType("pair(T, U)") ?? .dyn
    let parameters = [StaticType("T") ?? .dyn, StaticType("U") ?? .dyn]
    let environment = Environment(
      variables: [], functions: [Signature("pair", taking: parameters, returning: pair)])
    let program = try Program("[pair(1, 'a'), pair(2, dyn(3))]", in: environment)
    #expect(program.type.description == "list(pair(int, dyn))")
    let fault = #expect(throws: EvaluationFault.self) { try program.evaluate { _ in .null } }
    #expect(fault?.message == "'pair' is not declared")
  }

  @Test(arguments: [
    "int", "list(string)", "map(string, list(dyn))", "optional_type(int)", "tuple(A, B2, net.IP)",
  ])
  func `types have a text`(text: String) {
    #expect(StaticType(text)?.description == text)
  }

  @Test(arguments: ["", "1", "list(", "list()x", "list(int", "a b", "list(int,)", "é"])
  func `what is no type is refused`(text: String) {
    #expect(StaticType(text) == nil)
  }

  @Test func `no type is too deep or too large`() throws {
    let deep = String(repeating: "list(", count: 40) + "int" + String(repeating: ")", count: 40)
    #expect(StaticType(deep) == nil)
    let limits = ProgramLimits(maximumSourceLength: .max, maximumNesting: .max, maximumNodes: .max)
    for link in [".map(x, [x])", ".map(x, {'a': [x, x], 'b': [[x]]})", ".map(x, [[x], []])"] {
      let source = "[[]]" + String(repeating: link, count: 1000) + " == []"
      #expect(try Program(source, in: environment, limits: limits).type == .bool)
    }
    let nested = (0..<60).map {
      "[].all(x\($0), x\(max($0 - 1, 0)) == {'k': [x\($0)], 'l': [x\($0)]} || "
    }
    let source = nested.joined() + "true" + String(repeating: ")", count: 60)
    #expect(try Program(source, in: environment, limits: limits).type == .bool)
  }

  @Test(arguments: [
    (
      "'a'.substring('b')", "'substring' is not defined for string and string",
      "string.substring(int)"
    ),
    (
      "math.abs('x')", "'math.abs' is not defined for string",
      "math.abs(int), math.abs(uint) and math.abs(double)"
    ),
    (
      "timestamp(true)", "'timestamp' is not defined for bool",
      "timestamp(google.protobuf.Timestamp), timestamp(string) and timestamp(int)"
    ),
    (
      "math.greatest(1, 'a')", "'math.greatest' is not defined for string",
      "math.greatest(int), math.greatest(uint) and math.greatest(double)"
    ),
    (
      "cidr('::/0').containsIP(1)", "'containsIP' is not defined for net.CIDR and int",
      "net.CIDR.containsIP(net.IP) and net.CIDR.containsIP(string)"
    ),
    ("[1].join()", "'join' is not defined for list(int)", "list(string).join()"),
  ])
  func `arguments of functions are refused by their types`(
    source: String, message: String, overloads: String
  ) {
    let fault = #expect(throws: CompilationFault.self) { try Program(source, in: environment) }
    #expect(fault?.message == message)
    let verb = overloads.contains(" and ") ? "are" : "is"
    #expect(fault?.hint == "there \(verb) \(overloads)")
  }

  @Test(arguments: [
    ("math.greatest(1, 2)", "int"), ("math.least(1, 2.0)", "dyn"), ("math.least([1, 2])", "int"),
    ("names.join()", "string"), ("timestamp(0).getHours('UTC')", "int"),
    ("names.sort().first()", "optional_type(string)"), ("names.sortBy(x, size(x))", "list(string)"),
    ("cel.bind(x, names, x[0])", "string"),
    ("cel.block([1, [cel.index(0)]], cel.index(1))", "list(int)"),
    ("ages.transformMapEntry(k, v, {v: k})", "map(int, string)"),
    ("'a-b'.split('-')", "list(string)"),
    ("ip('::1').family()", "int"), ("base64.decode('')", "bytes"), ("lists.range(3)", "list(int)"),
  ])
  func `functions have types`(source: String, expected: String) {
    #expect(type(source) == expected)
  }
}
