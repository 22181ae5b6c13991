import Testing

/// The built program as the protocol's conformance suite uses it; `make agents` runs the same script.
@Suite(Program.isBuilt) struct AgentScenarioTests {
  @Test func `what the suite's scenarios demand is met in every revision`() throws {
    let (status, text) = try CheckScript(name: "agent_scenarios.py").run()
    #expect(status == 0, "\(text)")
    #expect(text.contains(", 0 faults"), "\(text)")
  }
}
