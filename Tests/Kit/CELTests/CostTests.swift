import CEL
import JSONText
import Testing

/// Every operation costs in proportion to its work, which is counted in steps: on a value of twice the
/// size it takes twice as many.
@Suite struct CostTests {
  /// The steps that `source` takes with a text of so many bytes, a list of so many elements and an
  /// object of so many members, also when it has no value.
  private func steps(_ source: String, _ size: Int) throws -> Int {
    let text = String(repeating: "a", count: size)
    var object = JSONObject()
    for position in 0..<size { object["m\(position)"] = .int(Int64(position)) }
    let values: [Value] = [
      .string(text), Value(.array((0..<size).map { .int(Int64($0)) })), Value(.object(object)),
      .bytes(Array(text.utf8)), Value(JSON.object([text: 1])),
    ]
    let limits = ProgramLimits(maximumSteps: .max)
    let environment = Environment(
      variables: ["text", "list", "object", "octets", "named"], isChecked: false)
    let program = try Program(source, in: environment, limits: limits)
    var steps = 0
    _ = try? program.value(addingStepsTo: &steps) { values[$0] }
    return steps
  }

  @Test(arguments: [
    "text == text + ''", "text < text + 'b'", "text + text", "octets + octets", "size(text)",
    "text.contains('b')", "text.contains(text + 'b')", "text.startsWith(text)",
    "text.charAt(9)", "text.substring(9)", "text.indexOf('b')", "text.lastIndexOf('b')",
    "text.lowerAscii()", "text.trim()", "text.reverse()", "strings.quote(text)",
    "text.split('b')", "text.split('')", "text.replace('a', 'bc')", "[text].join()",
    "bytes(text)", "string(octets)", "duration('0h' + text)",
    "base64.encode(octets)", "base64.decode(text)", "'%s'.format([text])", "'%x'.format([text])",
    "text.format([])", "text.matches('b')", "text in named", "named[text]", "{text: 1}",
    "{text: 1}[text]", "named.transformMap(k, v, v)", "[named].transformMapEntry(i, v, v)",
    "[text].distinct()", "sets.contains([text], [text])", "list == list + []", "list + list",
    "{} in list", "list.map(x, x)", "list.filter(x, true)", "list.all(x, true)",
    "list.exists_one(x, true)", "list.reverse()", "list.distinct()", "list.slice(1, size(list))",
    "[list].flatten()", "lists.range(size(list))", "math.greatest(list)", "'%s'.format([list])",
    "sets.contains(list, list)", "sets.intersects(list, [-1])", "object == object",
    "object.map(k, k)", "object.transformMap(k, v, v)", "[object].transformMapEntry(i, v, v)",
    "'%s'.format([object])",
  ])
  func `twice the size is twice the steps`(source: String) throws {
    let (once, twice) = (try steps(source, 2000), try steps(source, 4000))
    #expect((1.8...2.4).contains(Double(twice) / Double(once)), "\(once) and \(twice) steps")
  }

  @Test(arguments: ["list.sort()", "list.sortBy(x, -x)"])
  func `sorting takes a little more than in proportion`(source: String) throws {
    let (once, twice) = (try steps(source, 2000), try steps(source, 4000))
    #expect((2.0...2.4).contains(Double(twice) / Double(once)), "\(once) and \(twice) steps")
  }

  /// Each of these was once a step or two, whatever it took.
  @Test(arguments: [
    ("string(1.1e-300)", 20), ("'%s'.format([1.5])", 20), ("'%f'.format([1.5])", 16),
    ("string(timestamp(0))", 20), ("string(ip('::1'))", 28), ("isIP('::1')", 8),
    ("timestamp(0).getHours('Europe/Zurich')", 1020), ("[int('x' + text)][0] == 1", 120),
    ("timestamp(0).getHours('Nowhere')", 1020), ("object.nothing", 60),
    ("''.matches('x{0,900}' + string(1))", 10_000), ("{'a': 1, 'b': text}", 8),
  ])
  func `what takes long costs more than a step`(source: String, least: Int) throws {
    #expect(try steps(source, 1000) >= least)
  }

  @Test func `a time zone is found once for each evaluation, and costs the same in each`() throws {
    let one = "timestamp(0).getHours('Europe/Zurich')"
    let first = try steps(one, 1)
    #expect(try steps(one, 1) == first)
    #expect(try steps("\(one) + \(one)", 1) < first + 100)
  }

  @Test func `long names of fields cost what they are long`() throws {
    func steps(_ length: Int) throws -> Int {
      let name = String(repeating: "k", count: length)
      return try self.steps("has(object.\(name)) || has(named.\(name))", 1)
    }
    #expect(try steps(2000) - steps(1000) == 2 * 1000 / 4)
    #expect(try steps(15) == steps(1))
  }

  @Test func `the JSON form of a value is bounded`() throws {
    let program = try Program("lists.range(2000).map(x, lists.range(60))", variables: [])
    #expect(try program.evaluate { _ in .null }.json != .null)
    let large = try Program(
      "cel.bind(a, lists.range(60000), a.map(x, a))", variables: [],
      limits: ProgramLimits(maximumSteps: .max))
    let value = try large.evaluate { _ in .null }
    #expect(throws: Value.Unrepresentable.tooLarge) { try value.json }
  }
}
