import Testing

/// The built program as a model uses it that sees only what models see; `make agents` runs the same script.
@Suite(Program.isBuilt) struct AgentJobTests {
  @Test func `a model does whole jobs by tools alone, also while menud is killed`() throws {
    let (status, text) = try CheckScript(name: "agent_jobs.py").run()
    #expect(status == 0, "\(text)")
    #expect(text.contains(", 0 faults"), "\(text)")
  }
}
