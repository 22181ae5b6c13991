import CEL
import JSONText
import Testing

@Suite struct FaultTests {
  @Test(arguments: [
    ("stat.x", "1:1: unknown variable 'stat'; did you mean 'state'?\nstat.x\n^^^^"),
    ("state.a = 5", "1:9: unexpected character '='; did you mean '=='?\nstate.a = 5\n        ^"),
    ("true & false", "1:6: unexpected character '&'; did you mean '&&'?\ntrue & false\n     ^"),
    ("true | false", "1:6: unexpected character '|'; did you mean '||'?\ntrue | false\n     ^"),
    (
      "true and false",
      "1:6: expected an operator or the end, found 'and'; 'and' is written '&&'\ntrue and false\n     ^^^"
    ),
    (
      "(true or false)",
      "1:7: expected ')', found 'or'; 'or' is written '||'\n(true or false)\n      ^^"
    ),
    (
      "not true",
      "1:5: expected an operator or the end, found 'true'; 'not' is written '!'\nnot true\n    ^^^^"
    ),
    (
      "state.a == 'x",
      "1:12: the string does not end; a quote is missing\nstate.a == 'x\n           ^"
    ),
    (
      "'x\n'",
      "1:1: the string does not end; a quote is missing, or three of them for a string of several lines\n'x\n^"
    ),
    (
      "state.a === 1",
      "1:9: expected an operator, found '==='; did you mean '=='?\nstate.a === 1\n        ^^^"
    ),
    ("“a”", "1:1: unexpected character '“'; strings stand in ' or \"\n“a”\n^"),
    ("true;", "1:5: unexpected character ';'; a program is one expression\ntrue;\n    ^"),
    ("1 +\n  é", "2:3: unexpected character 'é'\n  é\n  ^"),
    ("\u{1B}", "1:1: unexpected character U+001B\n\u{FFFD}\n^"),
    ("'é' +\t@", "1:7: unexpected character '@'\n'é' +\t@\n     \t^"),
    (
      "state == nil",
      "1:10: unknown variable 'nil'; did you mean 'null'?\nstate == nil\n         ^^^"
    ),
    ("(1", "1:3: expected ')', found the end\n(1\n  ^"),
    ("", "1:1: expected an expression, found the end\n\n^"),
    ("1 ? 2", "1:6: expected ':', found the end\n1 ? 2\n     ^"),
    ("lenght(1)", "1:1: unknown function 'lenght'; did you mean 'size'?\nlenght(1)\n^^^^^^"),
    (
      "'a'.startWith('a')",
      "1:5: unknown function 'startWith'; did you mean 'startsWith'?\n'a'.startWith('a')\n    ^^^^^^^^^"
    ),
    (
      "contains('a', 'b')",
      "1:1: unknown function 'contains'; write 'x.contains(…)' instead of 'contains(x, …)'\ncontains('a', 'b')\n^^^^^^^^"
    ),
    (
      "'a'.contains()",
      "1:5: 'contains' takes 1 argument, not 0; there is string.contains(string)\n'a'.contains()\n    ^^^^^^^^"
    ),
    (
      "state.Image{a: 1}",
      "1:1: 'state.Image{…}' would be a message; programs here know JSON values only\nstate.Image{a: 1}\n^^^^^^^^^^^"
    ),
    ("var", "1:1: 'var' is a reserved word\nvar\n^^^"),
    (
      "zzzzzz == 1",
      "1:1: unknown variable 'zzzzzz'; the variables are state, sender and command\nzzzzzz == 1\n^^^^^^"
    ),
    ("state.a => 1", "1:9: unexpected character '='; did you mean '>='?\nstate.a => 1\n        ^"),
    (
      "state.a <> 1",
      "1:10: expected an expression, found '>'; did you mean '!='?\nstate.a <> 1\n         ^"
    ),
    ("1 # one", "1:3: unexpected character '#'; comments begin with '//'\n1 # one\n  ^"),
    ("size(1 2)", "1:8: expected ',' or ')', found '2'\nsize(1 2)\n       ^"),
    ("[1 2]", "1:4: expected ',' or ']', found '2'\n[1 2]\n   ^"),
    ("{'a': 1 'b': 2}", "1:9: expected ',' or '}', found a string\n{'a': 1 'b': 2}\n        ^^^"),
    ("{mode: 1}", "1:2: unknown variable 'mode'; did you mean 'mode' in quotes?\n{mode: 1}\n ^^^^"),
    ("state.in", "1:7: 'in' is a reserved word; write ['in'] instead of .in\nstate.in\n      ^^"),
    ("if true", "1:1: 'if' is a reserved word; write 'condition ? a : b'\nif true\n^^"),
    (
      "state == `x`",
      "1:10: expected an expression, found '`x`'; strings stand in ' or \"\nstate == `x`\n         ^^^"
    ),
    (
      "state.a contains 'b'",
      "1:9: expected an operator or the end, found 'contains'; write 'x.contains(…)' instead of 'contains(x, …)'\nstate.a contains 'b'\n        ^^^^^^^^"
    ),
    ("zzzzzz(y) + x", "1:1: unknown function 'zzzzzz'\nzzzzzz(y) + x\n^^^^^^"),
  ])
  func `a source that is no program says where and why`(source: String, expected: String) {
    let fault = #expect(throws: CompilationFault.self) {
      try Program(source, variables: ["state", "sender", "command"])
    }
    #expect(fault?.description == expected)
  }

  @Test(arguments: [
    (
      "state.a.b == 1",
      "1:1: no such key \"b\"; the keys are \"c\"; has() and .? are for what may be missing\nstate.a.b == 1\n^^^^^^^^^"
    ),
    ("1 +\n  2 / 0", "2:3: division by zero\n  2 / 0\n  ^^^^^"),
    (
      "true && [1][state.a.c]",
      "1:9: no element 2 in a list of 1\ntrue && [1][state.a.c]\n        ^^^^^^^^^^^^^^"
    ),
    ("[1, 'é' + 2]", "1:5: '+' is not defined for string and int\n[1, 'é' + 2]\n    ^^^^^^^"),
    ("{1: 2,\n 1: 3}", "2:2: the key 1 is there twice\n 1: 3}\n ^"),
    (
      "state.a.title",
      "1:1: no such key \"title\"; the keys are \"c\"; has() and .? are for what may be missing\nstate.a.title\n^^^^^^^^^^^^^"
    ),
    ("[1][1]", "1:1: no element 1 in a list of 1; the first element is 0\n[1][1]\n^^^^^^"),
    (
      "{'rating': 5, 'title': 'a'}.ratng",
      "1:1: no such key \"ratng\"; the keys are \"rating\", \"title\"; did you mean \"rating\"?\n{'rating': 5, 'title': 'a'}.ratng\n^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    ),
    ("null.a", "1:1: null has no field 'a'; compare with null first\nnull.a\n^^^^^^"),
    (
      "null < 1",
      "1:1: '<' is not defined for null_type and int; compare with null first\nnull < 1\n^^^^^^^^"
    ),
    (
      "1 + 1.5",
      "1:1: '+' is not defined for int and double; convert with double()\n1 + 1.5\n^^^^^^^"
    ),
    (
      "state.?a.b.value()",
      "1:1: the optional has no value; orValue() gives it one\nstate.?a.b.value()\n^^^^^^^^^^^^^^^^^^"
    ),
    ("size(1)", "1:1: 'size' is not defined for int\nsize(1)\n^^^^^^^"),
    ("false || 1", "1:10: '||' is not defined for int; a bool is wanted\nfalse || 1\n         ^"),
  ])
  func `an evaluation without a value says where and why`(source: String, expected: String) throws {
    let program = try Program(source, in: Environment(variables: ["state"], isChecked: false))
    let fault = #expect(throws: EvaluationFault.self) {
      try program.evaluate { _ in object(["a": object(["c": .int(2)])]) }
    }
    #expect(fault?.description == expected)
  }

  @Test func `a fault has its place in bytes, lines and columns`() {
    let fault = #expect(throws: CompilationFault.self) {
      try Program("'é' ==\n 'ü' + x", variables: [])
    }
    #expect(fault?.offset == 16)
    #expect(fault?.line == 2)
    #expect(fault?.column == 8)
    #expect(fault?.reason == .unknownVariable("x"))
    #expect(fault?.hint == nil)
  }
}
