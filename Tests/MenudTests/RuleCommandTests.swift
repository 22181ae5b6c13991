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
}
