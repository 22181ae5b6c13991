import Foundation
import Testing

@Suite(Program.isBuilt) struct RuleCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(#"{"rating": 4}"#, to: "state.json")
    try folder.write(#"{"least": 5}"#, to: "variables.json")
    try folder.write("[]", to: "list.json")
  }

  private func rule(_ arguments: String...) throws -> Program.Outcome {
    try RunningProgram(["rule"] + arguments, environment: [:], in: folder.url).outcome()
  }

  @Test func `a rule is evaluated on the state of a file`() throws {
    let outcome = try rule("state.rating + 1", "--state", "state.json")
    #expect(outcome == Program.Outcome(status: 0, output: "5\n", errors: ""))
  }

  @Test func `what JSON does not have is a literal`() throws {
    let outcome = try rule("optional.of(1)")
    #expect(outcome == Program.Outcome(status: 0, output: "optional.of(1)\n", errors: ""))
  }

  @Test func `a literal is whole, however long`() throws {
    let digits = String(repeating: "7", count: 300)
    #expect(try rule("{1: '\(digits)'}").output == "{1: \"\(digits)\"}\n")
  }

  @Test func `what made a rule false is explained without colours`() throws {
    let outcome = try rule(
      "state.rating >= least", "--state", "state.json", "--variables", "variables.json",
      "--explain")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasSuffix(
        """
        = false, because
          state.rating >= least is false: state.rating is 4, least is 5

        """))
    #expect(!outcome.output.utf8.contains(0x1B))
  }

  @Test func `carets and values stand below what they are of, however wide it is`() throws {
    #expect(
      try rule("'日本語' + 5").errors.hasSuffix("\n'日本語' + 5\n\(String(repeating: "^", count: 12))\n"))
    #expect(try rule("'日本' + x").errors.hasSuffix("\n'日本' + x\n         ^\n"))
    #expect(
      try rule("'日本' == '日' + '本'", "--explain").output
        .hasPrefix("'日本' == '日' + '本'\n       |       |\n       true    \"日本\"\n"))
  }

  @Test func `a rule that is refused is shown with its place`() throws {
    let outcome = try rule("stat")
    #expect(
      outcome
        == Program.Outcome(
          status: 1, output: "",
          errors: """
            menud: 1:1: unknown variable 'stat'; did you mean 'state'?
            stat
            ^^^^

            """))
  }

  @Test func `a rule that fails ends with 1`() throws {
    #expect(try rule("1 / 0").status == 1)
    #expect(try rule("1 / 0", "--explain").status == 1)
  }

  @Test func `files that cannot be read are configuration`() throws {
    #expect(try rule("1", "--state", "none.json").status == 78)
    let outcome = try rule("1", "--variables", "list.json")
    #expect(outcome.status == 78)
    #expect(outcome.errors == "menud: list.json: Expected an object, found [].\n")
  }

  /// The bounds are those that `serve` would have: an option before a variable, that before the file,
  /// that before the default.
  @Test func `the bounds are those of the configuration`() throws {
    try folder.write(#"{"rules": {"maximumNodes": 5}}"#, to: "Config/menud.json")
    try folder.write(#"{"rules": {"maximumNodes": 3}}"#, to: "other.json")
    func bound(_ arguments: String..., environment: [String: String] = [:]) throws -> String? {
      let rule = "[" + Array(repeating: "1", count: 2000).joined(separator: ",") + "]"
      let outcome = try RunningProgram(
        ["rule", rule] + arguments, environment: environment, in: folder.url
      ).outcome()
      #expect(outcome.status == 1)
      return outcome.errors.split(separator: "\n").first.map(String.init)
    }
    let parts = { (bound: Int, column: Int) in
      "menud: 1:\(column): the program has more than \(bound) parts (maximumNodes)"
    }
    #expect(try bound() == parts(5, 12))
    #expect(try bound("--config", "other.json") == parts(3, 8))
    let variable = ["MENUD_RULES_MAXIMUM_NODES": "4"]
    #expect(try bound(environment: variable) == parts(4, 10))
    #expect(try bound("--maximum-nodes", "6", environment: variable) == parts(6, 14))
  }

  @Test(arguments: [
    ("--maximum-source-length", "1", "the source is longer than 1 bytes (maximumSourceLength)"),
    ("--maximum-nesting", "1", "the program is nested more than 1 levels deep (maximumNesting)"),
    ("--maximum-nodes", "1", "the program has more than 1 parts (maximumNodes)"),
    ("--maximum-steps", "2", "the evaluation takes more than 2 steps (maximumSteps)"),
    ("--maximum-string-length", "3", "the string has more than 3 bytes (maximumStringLength)"),
    ("--maximum-elements", "1", "the list or map has more than 1 elements (maximumElements)"),
  ])
  func `every bound has an option`(option: String, bound: String, message: String) throws {
    let outcome = try rule("('aa' + 'bb').split('')", option, bound)
    #expect(outcome.status == 1)
    #expect(outcome.errors.split(separator: "\n").first?.hasSuffix(message) == true)
  }

  @Test func `mistakes of the configuration end it`() throws {
    let outcome = try rule("1", "--maximum-nodes", "none")
    #expect(
      outcome
        == Program.Outcome(
          status: 78, output: "",
          errors: """
            menud: --maximum-nodes: Expected an integer from 1 to 65536, found "none".

            """))
  }

  @Test(Terminal.isThere) func `a terminal has colours, unless NO_COLOR is set`() throws {
    let explained = ["rule", "1 > 2", "--explain"]
    let coloured = try Terminal.run(explained, environment: [:], in: folder)
    #expect(coloured.contains("\u{1B}[31mfalse\u{1B}[0m"))
    for (value, isColoured) in [("1", false), ("0", false), ("", true)] {
      let text = try Terminal.run(explained, environment: ["NO_COLOR": value], in: folder)
      #expect(text.contains("= "))
      #expect(text.contains("\u{1B}") == isColoured, "NO_COLOR=\(value)")
    }
  }
}
