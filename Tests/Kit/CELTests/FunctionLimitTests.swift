import CEL
import Testing

@Suite struct FunctionLimitTests {
  /// Calls that would take minutes or gigabytes end; `make bounds` tells after how many
  /// milliseconds.
  @Test(arguments: [
    "lists.range(60000).map(x, lists.range(60000))", "lists.range(60000).sort()",
    "lists.range(60000).map(x, [x]).distinct()", "lists.range(60000).sortBy(x, -x)",
    "sets.equivalent(lists.range(999).map(x, [x]), lists.range(999).map(x, [x]))",
    "sets.contains(lists.range(60000), lists.range(60000))",
    "lists.range(60000).map(x, lists.range(9)).flatten()",
    "lists.range(60000).map(x, text.charAt(1000000))",
    "lists.range(60000).map(x, text.indexOf('b'))",
    "lists.range(60000).map(x, text.lastIndexOf('aab'))", "lists.range(60000).map(x, text.trim())",
    "lists.range(60000).map(x, text.substring(1))", "lists.range(60000).map(x, text.upperAscii())",
    "lists.range(60000).map(x, text.reverse())",
    "lists.range(60000).map(x, strings.quote(text.substring(9)))",
    "lists.range(60000).map(x, text.split('b'))",
    "lists.range(60000).map(x, text.replace('b', ''))",
    "lists.range(60000).map(x, base64.encode(bytes(text.substring(500000))))",
    "lists.range(60000).map(x, base64.decode(text))", "lists.range(60000).map(x, [text].join())",
    "lists.range(60000).map(x, '%s'.format([text]))",
    "lists.range(60000).map(x, '%x'.format([text.substring(900000)]))",
    "lists.range(60000).map(x, '%.1000f'.format([1e308]))",
    "lists.range(60000).map(x, '%.1000e'.format([5e-324]))",
    "lists.range(60000).map(x, '%s'.format([lists.range(60000)]))",
    "lists.range(60000).map(x, math.greatest(lists.range(60000)))",
    "lists.range(60000).transformMapEntry(i, v, {v: i})",
    "lists.range(60000).map(x, timestamp(x).getHours('Europe/Zurich'))",
    "cel.bind(x, lists.range(60000), x.map(y, x + [y]))",
  ])
  func `the work of functions is bounded`(source: String) throws {
    let text = Value.string(String(repeating: "a", count: 1 << 20))
    let program = try Program(source, variables: ["text"])
    let fault = #expect(throws: EvaluationFault.self) { try program.value { _ in text } }
    #expect(fault?.reason == .stepLimit(200_000))
  }

  @Test(arguments: [
    ("lists.range(1000000000)", 65536), ("text.replace('', 'bb')", 1 << 20),
    ("text.replace('a', text)", 1 << 20), ("text.split('')", 65536), ("text.split('a')", 65536),
    ("[text, 'a'].join()", 1 << 20), ("['', ''].join(text + text)", 1 << 20),
    ("['a', 'a'].join(text)", 1 << 20), ("strings.quote(text)", 1 << 20),
    ("base64.encode(bytes(text))", 1 << 20), ("'%s%s'.format([text, text])", 1 << 20),
    ("'%x'.format([text])", 1 << 20), ("[lists.range(65536), [1]].flatten()", 65536),
  ])
  func `what functions produce is bounded`(source: String, limit: Int) throws {
    let text = Value.string(String(repeating: "a", count: 1 << 20))
    let program = try Program(
      source, variables: ["text"], limits: ProgramLimits(maximumSteps: .max))
    let fault = #expect(throws: EvaluationFault.self) { try program.value { _ in text } }
    #expect(fault?.reason == (limit == 65536 ? .elementLimit(limit) : .stringLimit(limit)))
  }
}
