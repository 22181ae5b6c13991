import Foundation
import Glibc
import JSONText
import Testing

/// Commands with parameters in the built program, through a kill (P1, P2).
@Suite(Program.isBuilt) struct ParametersTests {
  @Test func `P2: parameters and what they changed are there after a kill`() throws {
    let folder = try TemporaryFolder()
    let first = try Self.serve(in: folder)
    let connection = try Connection(port: first.port())
    let command =
      #"{"title":"Resize…","action":"resize:","parameters":{"type":"object","properties":"#
      + ##"{"width":{"$ref":"#/$defs/length"}},"$defs":{"length":{"type":"integer"}}}}"##
    #expect(try connection.ask("PUT", "/commands/resize:", command).status == 201)
    let handler = #"{"perform":[{"op":"add","path":"/width","value":"parameters.width"}]}"#
    let place = "/sessions/demo/responders/photoGrid/handlers/resize:"
    #expect(try connection.ask("PUT", place, handler).status == 201)
    #expect(try Self.perform(connection, #"{"width":"wide"}"#).status == 422)
    let performed = try Self.perform(connection, #"{"width":640}"#)
    #expect(performed["/invocation/parameters"] == ["width": 640])
    let before = try Self.answers(connection)
    first.signal(SIGKILL)
    _ = try first.outcome()

    let second = try Self.serve(in: folder)
    let again = try Connection(port: second.port())
    #expect(try Self.answers(again) == before)
    #expect(try again.ask("GET", "/sessions/demo")["/state/width"] == 640)
    #expect(try Self.perform(again, #"{"width":"wide"}"#)["/pointer"] == "/parameters/width")
    #expect(try Self.perform(again, #"{"width":320}"#).status == 200)
  }

  private static func serve(in folder: TemporaryFolder) throws -> RunningProgram {
    try RunningProgram.serving("--journal-path", folder.path + "/menud.db")
  }

  private static func perform(_ connection: Connection, _ parameters: String) throws -> Answer {
    try connection.ask(
      "POST", "/commands/perform",
      #"{"session":"demo","command":"resize:","parameters":\#(parameters)}"#)
  }

  private static func answers(_ connection: Connection) throws -> [JSON] {
    try ["/commands/resize:", "/sessions/demo"].map { try connection.ask("GET", $0).json }
  }
}
