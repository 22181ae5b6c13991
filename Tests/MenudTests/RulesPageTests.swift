import Testing

@testable import CEL

/// docs/rules.md names everything that a rule can call.
@Suite struct RulesPageTests {
  @Test func `every function and macro is on the page`() throws {
    let words = Set(
      try DocumentationPage("docs/rules.md").text.matches(of: /[A-Za-z][A-Za-z0-9_.]*/)
        .flatMap { match in
          [String(match.output)] + match.output.split(separator: ".").map(String.init)
        })
    let functions = Function.Style.allCases.flatMap { FunctionTable.standard.names($0) }
    #expect(functions.count > 80)
    for name in functions + MacroCall.memberNames {
      #expect(words.contains(name), "\(name)")
    }
  }
}
