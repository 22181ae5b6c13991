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
    let former = Setting.all.compactMap(\.formerVariable)
    #expect(Set(variables + former + ["MENUD_CONFIG"]).count == variables.count + former.count + 1)
    for variable in variables + former {
      #expect(!ServiceLink.isVariable(variable, "7"), "\(variable)")
    }
    for variable in variables {
      #expect(!variable.hasPrefix("MENUD_PORT") && !variable.hasPrefix("MENUD_SERVICE"))
    }
  }

  @Test func `a former name is accepted with a warning that names the present one`() {
    let reading = reading(["MENUD_PORT": "9000"])
    #expect(reading.faults.isEmpty)
    #expect(reading.configuration.server.port == 9000)
    #expect(reading.warnings.map(\.variable) == ["MENUD_PORT"])
    #expect(
      reading.warnings.map(\.sentence) == [
        "Its name is MENUD_SERVER_PORT now; the former one is accepted in this version only."
      ])
  }

  @Test func `both names are accepted when they say the same`() {
    let reading = reading(["MENUD_PORT": "9000", "MENUD_SERVER_PORT": "9000"])
    #expect(reading.faults.isEmpty)
    #expect(reading.configuration.server.port == 9000)
    #expect(reading.warnings.map(\.variable) == ["MENUD_PORT"])
  }

  @Test func `two names with different values are a mistake`() {
    let reading = reading(["MENUD_HOST": "::1", "MENUD_SERVER_HOST": "127.0.0.2"])
    #expect(
      reading.faults.map(\.description) == [
        "MENUD_HOST: It is the former name of MENUD_SERVER_HOST, which has another value; remove this one."
      ])
  }

  @Test func `a value that a setting cannot have is blamed on the name that was given`() {
    let reading = reading(["MENUD_THREADS": "two"])
    #expect(
      reading.faults.map(\.description) == [
        #"MENUD_THREADS: Expected an integer from 1 to 256, found "two"."#
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
    #expect(reading.warnings.isEmpty)
    #expect("\(reading.configuration)" == "\(self.reading([:]).configuration)")
  }

  @Test func `a variable that is no setting is a warning`() {
    let reading = reading(["MENUD_SERVER_PROT": "1", "MENUD_A": "", "OTHER_PORT": "2"])
    #expect(reading.faults.isEmpty)
    #expect(reading.warnings.map(\.variable) == ["MENUD_A", "MENUD_SERVER_PROT"])
    #expect(reading.warnings.first?.sentence == "There is no setting of that name.")
  }
}

@Suite(Program.isBuilt) struct EnvironmentWarningTests {
  private let environment = ["MENUD_DRAIN_GRACE": "0.2", "MENUD_SERVER_PROT": "1"]

  @Test func `a start logs the variables that it warns of`() throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"], environment: environment)
    _ = try server.port()
    let former = server.events.first { $0.isNamed("former variable") }
    #expect(former?["level"] == .string("warning"))
    #expect(former?["variable"] == .string("MENUD_DRAIN_GRACE"))
    #expect(former?["use"] == .string("MENUD_SERVER_DRAIN_GRACE"))
    let unknown = server.events.first { $0.isNamed("unknown variable") }
    #expect(unknown?["variable"] == .string("MENUD_SERVER_PROT"))
  }

  @Test func `a check lists them`() throws {
    let outcome = try Program.run("check", "Config/shop", environment: environment)
    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasPrefix(
        """
        MENUD_DRAIN_GRACE: warning: Its name is MENUD_SERVER_DRAIN_GRACE now; the former one is accepted \
        in this version only.
        MENUD_SERVER_PROT: warning: There is no setting of that name.

        """))
    let json = try Program.run(
      "check", "Config/shop", "--format", "json", environment: environment)
    #expect(json.output.contains(#""kind":"formerVariable","setting":"MENUD_DRAIN_GRACE""#))
  }
}
