import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/control-room`, driven over HTTP: the interlock, and an undo that stops at it.
@Suite(Program.isBuilt) struct ControlRoomTests {
  private let server: RunningProgram
  private let connection: Connection

  init() throws {
    server = try RunningProgram.serving("--application", "Config/control-room")
    connection = try Connection(port: server.port())
  }

  @discardableResult
  private func perform(
    _ command: String, _ more: String = "", answers status: Int = 200
  ) throws -> Answer {
    let answer = try connection.ask(
      "POST", "/commands/perform", #"{"session": "demo", "command": "\#(command)"\#(more)}"#)
    #expect(answer.status == status, "\(command) \(answer.json)")
    return answer
  }

  private func take(_ key: String, answers status: Int = 200) throws -> Answer {
    try perform("take:", #", "itemKey": "\#(key)""#, answers: status)
  }

  private func route(_ destination: String) throws -> JSON? {
    try connection.ask("GET", "/sessions/demo")["/state/routes/\(destination)"]
  }

  @Test func `W1: what feeds transmission is not taken while it is on air`() throws {
    try perform("goOnAir:", #", "confirmed": true"#)
    let refused = try take("mixer1/outside", answers: 409)
    #expect(refused["/explanation"] == "Vision Mixer 1 is on air. Ask the supervisor.")
    #expect(try route("mixer1") == "camera1")
    #expect(try take("monitor/camera2")["/target"] == "router")
  }

  @Test func `W4: the override asks which destination is switched, and does it after a yes`() throws
  {
    try perform("goOnAir:", #", "confirmed": true"#)
    let crosspoint = #", "itemKey": "mixer1/outside""#
    let asked = try perform("takeOnAir:", crosspoint, answers: 409)
    #expect(
      asked["/confirmation/title"]
        == "Switch Vision Mixer 1, which is on air, to Outside Broadcast?")
    #expect(try route("mixer1") == "camera1")
    try perform("takeOnAir:", crosspoint + #", "confirmed": true"#)
    #expect(try route("mixer1") == "outside")
  }

  @Test func `parameters pass no interlock, as crosspoints do not`() throws {
    try perform("goOnAir:", #", "confirmed": true"#)
    let refused = try perform(
      "take:", #", "parameters": {"destination": "mixer1", "source": "outside"}"#, answers: 409)
    #expect(refused["/explanation"] == "Vision Mixer 1 is on air. Ask the supervisor.")
  }

  @Test func `no undo goes back beyond the moment of going on air`() throws {
    _ = try take("mixer1/outside")
    try perform("goOnAir:", #", "confirmed": true"#)
    let refused = try perform("undo:", answers: 409)
    #expect(refused["/explanation"] == "There is nothing to undo.")
    #expect(try route("mixer1") == "outside")
  }

  @Test func `the tests of the sample pass, and see each condition true and false`() throws {
    let outcome = try Program.run("test", "Config/control-room", "--strict")
    #expect(outcome.status == 0, "\(outcome.output)")
  }
}
