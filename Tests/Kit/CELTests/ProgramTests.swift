import CEL
import JSONText
import Testing

@Suite struct ProgramTests {
  private let names = ["state", "sender", "command", "a.b", "x.y.z"]

  @Test func `variables that are not needed are not asked for`() throws {
    let program = try Program("state.on || sender.on", variables: names)
    var asked: [Int] = []
    let value = try program.evaluate { index in
      asked.append(index)
      return object(["on": .bool(true)])
    }
    #expect(value.description == "true")
    #expect(asked == [0])
    #expect(program.readVariables == [0, 1])
  }

  @Test(arguments: [
    ("state.on ? 'Hide' : 'Show'", "Hide", true), ("state.on ? 'Hide' : 'Show'", "Show", true),
    ("state.on ? (state.x ? 'A' : 'B') : 'C'", "B", true),
    ("state.?title.orValue('Untitled')", "Untitled", true), ("'Paste'", "Paste", true),
    ("state.name == 'Roses' ? state.name : 'x'", "Roses", false),
    ("'Paste ' + state.name", "Paste ", false), ("state.title", "title", false),
  ])
  func `a text is spelled out if it is answered as it is written`(
    source: String, text: String, isSpelledOut: Bool
  ) throws {
    #expect(try Program(source, variables: names).spellsOut(text) == isSpelledOut)
  }

  @Test(arguments: [
    ("tr('a')", ["a"]), ("state.on ? tr('a') : 'b'", ["a"]),
    ("tr('a', {'n': tr('b')})", ["a", "b"]), ("tr('a') + tr(state.key)", ["a"]),
    ("[1].map(x, tr('c'))[0]", ["c"]), ("'tr(1)'", []),
  ])
  func `M14: literal keys of translations are known`(source: String, translated: [String]) throws {
    let program = try Program(source, variables: names + ["tr"])
    #expect(Set(program.translatedKeys) == Set(translated))
  }

  @Test(arguments: [
    ("1", []), ("state", ["state"]), ("state.a.b == state.a.b", ["state.a.b"]),
    ("state.a[0].b['c d'].e", ["state.a.0.b.c d.e"]),
    ("state.a[state.i].b", ["state.a", "state.i"]), ("has(state.a.b)", ["state.a.b"]),
    ("size(state.list) > 1 && sender.kind == 'x'", ["state.list", "sender.kind"]),
    ("state.list.exists(i, i.id == command.id)", ["state.list", "command.id"]),
    ("(true ? state : sender).x", ["state", "sender"]), ("a.b.c", ["a.b.c"]),
    ("[state.a, {'b': sender}]", ["state.a", "sender"]), ("state.a[1u][2.0]", ["state.a.1.2"]),
    ("x.y.z.w", ["x.y.z.w"]),
  ])
  func `the paths that are read`(source: String, expected: [String]) throws {
    let program = try Program(source, variables: names)
    #expect(program.paths.map { $0.tokens.joined(separator: ".") } == expected)
  }

  @Test(arguments: [
    ("state.a.b == 1", ["state.a.b"]), ("has(state.a.b)", ["state.a"]),
    ("has(state.a) && state.a.b", ["state"]), ("state.b && has(state.a)", ["state.b", "state"]),
    ("state.?a.b.orValue(1) == state.c", ["state", "state.c"]),
    ("state.a.?b.orValue(1) + state.a.b", ["state.a"]),
    ("state[?'a'].orValue(1)", ["state"]), ("'a' in state && state.a.b", ["state"]),
    ("'a' in state.b && state.a", ["state.b", "state.a"]), ("1 in state.list", ["state.list"]),
    ("state.list.exists(i, i == state.a[i])", ["state.list", "state.a"]),
    ("has(state.ab) && state.a", ["state", "state.a"]),
  ])
  func `the paths without which a program fails`(source: String, expected: [String]) throws {
    let program = try Program(source, variables: names)
    #expect(program.requiredPaths.map { $0.tokens.joined(separator: ".") } == expected)
  }

  @Test(arguments: [
    ("y", "com.example.y"), (".y", "y"), ("example.y", "com.example.y"), ("z", "com.z"),
    (".com.z", "com.z"), ("[1].map(y, y)[0] == 1 ? y : z", "com.example.y"),
  ])
  func `names are resolved in their container`(source: String, expected: String) throws {
    let variables = ["y", "com.example.y", "com.z"]
    let program = try Program(
      source, in: Environment(variables: variables, container: "com.example"))
    #expect(try program.evaluate { .string(variables[$0]) }.description == "\"\(expected)\"")
  }

  @Test(arguments: [
    ("google.protobuf.Timestamp", "google.protobuf.Timestamp"),
    ("Duration", "google.protobuf.Duration"), (".net.IP", "net.IP"), (".google.x", "1"),
    ("[1].map(net, net)", "[1]"), ("type(net.CIDR)", "type"),
  ])
  func `types have dotted names`(source: String, expected: String) throws {
    let environment = Environment(variables: ["google"], container: "google.protobuf")
    let program = try Program(source, in: environment)
    #expect(try program.evaluate { _ in object(["x": .int(1)]) }.description == expected)
  }

  @Test(arguments: [
    ("", "math.abs(-1)", "1"), ("math", "abs(-1)", "1"), ("math.x", "abs(-1)", "1"),
    ("math", "math.abs(-1)", "1"), ("x", ".math.abs(-1)", "1"), ("x", "size([1])", "1"),
    ("x", ".size([1])", "1"), ("optional", "of(1).hasValue()", "true"),
    ("math", ".abs(-1)", "refused: unknown function 'abs'"),
    ("", "(math).abs(-1)", "refused: unknown function 'abs'"),
    ("", "[1].map(math, math.abs(-1))", "refused: unknown function 'abs'"),
  ])
  func `functions are resolved in their container`(
    container: String, source: String, expected: String
  ) {
    let environment = Environment(variables: [], container: container)
    do {
      let program = try Program(source, in: environment)
      #expect(try program.evaluate { _ in .null }.description == expected)
    } catch {
      #expect("refused: \((error as? CompilationFault)?.message ?? "")" == expected)
    }
  }

  /// Langdef "Name Resolution": parentheses choose the field.
  @Test(arguments: [
    ("a.b", "1"), ("(a.b)", "1"), ("(a).b", "2"), ("a.b.c", "3"), ("(a.b).c", "4"),
    ("((a)).b", "2"), ("a['b']", "2"),
  ])
  func `the longest name wins, unless parentheses end it`(source: String, expected: String) throws {
    let environment = Environment(variables: ["a", "a.b", "a.b.c"])
    let values = [object(["b": .int(2)]), .int(1), .int(3)]
    let field = source == "(a.b).c" ? [values[0], object(["c": .int(4)]), values[2]] : values
    let program = try Program(source, in: environment)
    #expect(try program.evaluate { field[$0] }.description == expected)
  }

  @Test func `unchecked programs fail only where they are evaluated`() throws {
    let environment = Environment(variables: [], isChecked: false)
    let absorbed = try Program("x.f(1) || g() || true", in: environment)
    #expect(try absorbed.evaluate { _ in .null }.description == "true")
    let program = try Program("x", in: environment)
    let fault = #expect(throws: EvaluationFault.self) { try program.evaluate { _ in .null } }
    #expect(fault?.message == "'x' is not declared")
  }
}
