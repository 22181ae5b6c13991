import JSONText
import Testing

/// Declare once, validate, perform, forward: against the running program.
@Suite(Program.isBuilt) struct MainJobTests {
  private let server: RunningProgram
  private let connection: Connection

  init() throws {
    server = try RunningProgram.serving()
    connection = try Connection(port: server.port())
  }

  @Test(arguments: [
    ("photoGrid", "photoGrid"), ("viewer", "viewer"), ("photoHost", "photoHost/forwarder"),
  ])
  func `the check mark moves when a rating is performed`(focus: String, target: String) throws {
    _ = try connection.ask(
      "PUT", "/sessions/demo/first-responder", #"{"responder": "\#(focus)"}"#)
    #expect(try fiveStars("state") == .string("off"))
    let performed = try connection.ask(
      "POST", "/commands/perform", #"{"session": "demo", "command": "applyFiveStarRating:"}"#)
    #expect(performed.status == 200)
    #expect(performed["/target"] == .string(target))
    #expect(try fiveStars("state") == .string("on"))
    #expect(try fiveStars("target") == .string(target))
    #expect(try checked() == ["applyFiveStarRating:"])
  }

  @Test func `the trace of the hosting controller tells how it forwards`() throws {
    _ = try connection.ask("PUT", "/sessions/demo/first-responder", #"{"responder": "photoHost"}"#)
    let answer = try connection.ask(
      "POST", "/commands/perform",
      #"{"session": "demo", "command": "applyFiveStarRating:", "explain": true}"#)
    guard case .array(let steps)? = answer["/trace"] else {
      Issue.record("no trace in \(answer.json)")
      return
    }
    let story = steps.map { step in
      ["asked", "question", "selector", "answer"].compactMap {
        step.value(at: JSONPointer([$0]))?.text()
      }.joined(separator: " ")
    }
    #expect(
      story == [
        #""photoHost" "redirect" "applyFiveStarRating:" "photoHost/forwarder""#,
        #""photoHost/forwarder" "canPerformAction" "applyFiveStarRating:" true"#,
        #""photoHost/forwarder" "validate" {"enabled":true,"checked":"off"}"#,
        #""photoHost/forwarder" "resolveInstanceMethod" "applyFiveStarRating:" false"#,
        #""photoHost/forwarder" "forwardingTarget" "applyFiveStarRating:" null"#,
        #""photoHost/forwarder" "methodSignature" "applyFiveStarRating:" "handleAction:""#,
        #""photoHost/forwarder" "forwardInvocation" "applyFiveStarRating:" "handleAction:""#,
        #""photoHost/forwarder" "invoke" "handleAction:" "handleAction:""#,
        #""photoHost/forwarder" "handler" "applyFiveStarRating:" "applyFiveStarRating:""#,
        #""library" "invoke" "set:to:ofPhotos:" "set:to:ofPhotos:""#,
      ])
  }

  /// Each body, the status, the place and words that the answer must have.
  @Test(
    arguments: [
      (
        "copy:", #"{"title": "Duplicate", "action": "copy:"}"#, 409, "",
        "The command 'copy:' is declared already"
      ),
      (
        "duplicate", #"{"title": "Duplicate", "action": "copy:"}"#, 409, "/action",
        "The commands 'duplicate' and 'copy:' have the same action 'copy:'"
      ),
      (
        "star:",
        #"{"title": "*", "action": "star:", "key": {"input": "5", "modifiers": ["command"]}}"#, 409,
        "/key", "The commands 'star:' and 'applyFiveStarRating:' have the same key 'command+5'"
      ),
      (
        "star:", #"{"title": "*", "action": "star:", "tilte": "*"}"#, 422, "/tilte",
        "There is no member 'tilte' here; did you mean 'title'?"
      ),
    ] as [(String, String, Int, String, String)])
  func `a declaration that contradicts another is refused and names both`(
    id: String, body: String, status: Int, pointer: String, words: String
  ) throws {
    let answer = try connection.ask("PUT", "/commands/\(id)", body)
    #expect(answer.status == status)
    #expect(answer.fields["content-type"] == "application/problem+json")
    #expect(answer["/pointer"] == .string(pointer))
    #expect(answer["/detail"]?.text().contains(words) == true, "\(answer.json)")
    #expect(try connection.ask("GET", "/commands")["/catalogRevision"] != .int(1))
  }

  @Test func `a rule with a typo is refused with its place`() throws {
    let answer = try connection.ask(
      "PUT", "/sessions/demo/responders/viewer/handlers/copy:",
      #"{"validate": {"enabled": "size(state.viewed > 0"}}"#)
    #expect(answer.status == 422)
    #expect(answer["/pointer"] == .string("/validate/enabled"))
    #expect(answer["/detail"]?.text().contains("The rule does not compile: ") == true)
    #expect(answer["/rule/offset"] != nil, "\(answer.json)")
  }

  private func fiveStars(_ member: String) throws -> JSON? {
    try connection.ask(
      "POST", "/commands/validate", #"{"session": "demo", "commands": ["applyFiveStarRating:"]}"#)[
        "/items/0/\(member)"]
  }

  /// The ratings that have a check mark.
  private func checked() throws -> [String] {
    let answer = try connection.ask(
      "POST", "/commands/validate", #"{"session": "demo", "menu": "rating"}"#)
    guard case .array(let items)? = answer["/items"] else { return [] }
    return items.filter { $0.value(at: JSONPointer(["state"])) == .string("on") }
      .compactMap {
        guard case .string(let id)? = $0.value(at: JSONPointer(["command"])) else { return nil }
        return id
      }
  }
}
