import Foundation
import JSONText
import Testing

/// A shell beside a running server, in which `menud do` asks that server.
struct DoShell {
  let server: RunningProgram
  let port: UInt16
  var environment: [String: String] = [:]

  /// Starts a server of the sample.
  init(with variables: [String: String] = [:]) throws {
    server = try RunningProgram(["serve", "--log-format", "json"], environment: variables)
    port = try server.port()
    environment["MENUD_SERVER"] = "http://localhost:\(port)"
  }

  /// Starts `menud do`.
  func start(_ arguments: [String], _ variables: [String: String] = [:]) throws -> RunningProgram {
    try RunningProgram(["do"] + arguments, environment: environment.merging(variables) { $1 })
  }

  /// Runs `menud do` to its end.
  func run(
    _ arguments: String..., with variables: [String: String] = [:]
  ) throws -> Program.Outcome { try start(arguments, variables).outcome() }

  /// Sends a request as an application does.
  @discardableResult
  func ask(_ method: String, _ target: String, _ body: String? = nil) throws -> Answer {
    try Connection(port: port).ask(method, target, body)
  }

  /// Declares a command that the application itself handles.
  func declare(_ name: String, _ members: String, handler: String = #"{"perform":[]}"#) throws {
    let command = try ask("PUT", "/commands/\(name)", "{\(members),\"action\":\"\(name)\"}")
    #expect(command.status < 300, "\(String(decoding: command.body, as: UTF8.self))")
    let place = "/sessions/demo/responders/application/handlers/\(name)"
    let handled = try ask("PUT", place, handler)
    #expect(handled.status < 300, "\(String(decoding: handled.body, as: UTF8.self))")
  }

  /// Runs a script of bash to its end, for two minutes at most.
  func shell(_ script: String, with variables: [String: String] = [:]) throws -> Program.Outcome {
    try RunningProgram(
      [],
      environment: environment.merging(["BASH_SCRIPT": script]) { $1 }.merging(variables) { $1 },
      throughScript: "exec bash -c \"$BASH_SCRIPT\"", isolatingMounts: false
    ).outcome(patience: 6)
  }
}

extension Program.Outcome {
  /// The lines of the standard output.
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// The standard output as JSON.
  var json: JSON { (try? JSON(parsing: output)) ?? .null }
}
