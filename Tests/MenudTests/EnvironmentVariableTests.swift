import JSONText
import MicroHTTP
import Testing

@testable import menud

/// The environment variables of settings, and others that begin as they do.
@Suite struct EnvironmentVariableTests {
  private func reading(_ environment: [String: String]) -> ConfigurationReading {
    ConfigurationSources(file: nil, environment: environment).reading()
  }

  @Test(arguments: [
    (["application"], "MENUD_APPLICATION"), (["server", "port"], "MENUD_SERVER_PORT"),
    (["server", "maximumUnsentBytes"], "MENUD_SERVER_MAXIMUM_UNSENT_BYTES"),
    (["limits", "sessionIdle"], "MENUD_LIMITS_SESSION_IDLE"),
    (["auth", "administratorTokenFile"], "MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE"),
  ])
  func `a variable is derived from the path of its setting`(path: [String], variable: String) {
    #expect(Setting.all.first { $0.path == path }?.variable == variable)
  }

  @Test func `no two settings have the same variable, and none has what Kubernetes sets`() {
    let variables = Setting.all.map(\.variable)
    #expect(Set(variables + ["MENUD_CONFIG"]).count == variables.count + 1)
    for variable in variables {
      #expect(!ServiceLink.isVariable(variable, "7"), "\(variable)")
    }
    for variable in variables {
      #expect(!variable.hasPrefix("MENUD_PORT") && !variable.hasPrefix("MENUD_SERVICE"))
    }
  }

  @Test func `a value that a setting cannot have is blamed on the variable`() {
    let reading = reading(["MENUD_SERVER_THREADS": "two"])
    #expect(
      reading.faults.map(\.description) == [
        #"MENUD_SERVER_THREADS: Expected an integer from 1 to 256, found "two"."#
      ])
  }

  @Test(arguments: [
    ("MENUD_PORT", "tcp://10.0.0.11:8080"), ("MENUD_PORT", "udp://10.0.0.11:8080"),
    ("MENUD_SERVER_PORT", "tcp://10.0.0.11:8080"), ("MENUD_SERVICE_HOST", "10.0.0.11"),
    ("MENUD_SERVICE_PORT", "8080"), ("MENUD_SERVICE_PORT_HTTP", "8080"),
    ("MENUD_PORT_8080_TCP", "tcp://10.0.0.11:8080"), ("MENUD_PORT_8080_TCP_PROTO", "tcp"),
    ("MENUD_PORT_8080_TCP_PORT", "8080"), ("MENUD_PORT_8080_TCP_ADDR", "10.0.0.11"),
  ])
  func `what Kubernetes sets for a service called menud is left alone`(
    name: String, value: String
  ) {
    let reading = reading([name: value])
    #expect(reading.faults.isEmpty)
    #expect(reading.unknownVariables.isEmpty)
    #expect("\(reading.configuration)" == "\(self.reading([:]).configuration)")
  }

  @Test func `a variable that is no setting is a warning`() {
    let reading = reading(["MENUD_SERVER_PROT": "1", "MENUD_A": "", "OTHER_PORT": "2"])
    #expect(reading.faults.isEmpty)
    #expect(reading.unknownVariables == ["MENUD_A", "MENUD_SERVER_PROT"])
    let finding = CheckFinding(unknownVariable: "MENUD_A")
    #expect(finding.message == "There is no setting of that name.")
  }
}

@Suite(Program.isBuilt) struct EnvironmentWarningTests {
  private let environment = ["MENUD_DRAIN_GRACE": "0.2", "MENUD_SERVER_PROT": "1"]

  @Test func `a start logs the variables that it warns of`() throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"], environment: environment)
    _ = try server.port()
    let unknown = server.events.filter { $0.isNamed("unknown variable") }
    #expect(unknown.map { $0["level"] } == [.string("warning"), .string("warning")])
    #expect(
      unknown.map { $0["variable"] } == [
        .string("MENUD_DRAIN_GRACE"), .string("MENUD_SERVER_PROT"),
      ])
  }

  @Test func `a check lists them`() throws {
    let outcome = try Program.run("check", "Config/shop", environment: environment)
    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasPrefix(
        """
        MENUD_DRAIN_GRACE: warning: There is no setting of that name.
        MENUD_SERVER_PROT: warning: There is no setting of that name.

        """))
    let json = try Program.run(
      "check", "Config/shop", "--format", "json", environment: environment)
    #expect(json.output.contains(#""kind":"unknownVariable","setting":"MENUD_DRAIN_GRACE""#))
  }
}
