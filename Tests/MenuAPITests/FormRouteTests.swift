import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// Forms and choices over HTTP (P4).
struct FormRouteTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try Self.prepare(sample)
  }

  private static let form = "/sessions/demo/commands/add:/form"

  static let command =
    #"{"title":"Add to Album…","action":"add:","key":{"input":"a"},"parameters":{"type":"object","#
    + #""properties":{"album":{"type":"string"},"tags":{"type":"array"}},"#
    + #""required":["album"],"additionalProperties":false},"#
    + #""choices":{"album":"state.albums","tags":"state.tags"},"defaults":{"album":"state.last"}}"#

  /// Declares the command, its handler and its choices.
  static func prepare(_ sample: SampleService) throws {
    #expect(try sample.send(.put, "/commands/add:", command).status == .created)
    let handler = #"{"perform":[{"op":"add","path":"/added","value":"parameters"}]}"#
    let place = "/sessions/demo/responders/photoGrid/handlers/add:"
    #expect(try sample.send(.put, place, handler).status == .created)
    try patch(
      #"{"albums":[{"const":"alps","title":"Alps"},"coast"],"tags":["a","b"],"last":"coast"}"#,
      sample)
  }

  static func patch(_ patch: String, _ sample: SampleService) throws {
    let response = try sample.send(
      .patch, "/sessions/demo/state", patch, type: "application/merge-patch+json")
    #expect(response.status == .ok, "\(response.text)")
  }

  private func perform(_ parameters: String, more: String = "") throws -> Response {
    try sample.send(
      .post, "/commands/perform",
      #"{"session":"demo","command":"add:","parameters":\#(parameters)\#(more)}"#)
  }

  @Test func `P4: the form of a command is its item, and its schema as it is now`() throws {
    let form = try sample.send(.get, Self.form)
    #expect(
      form.text == #"""
        {"session":"demo","revision":2,"catalogRevision":1,"command":"add:",\#
        "title":"Add to Album…","needsParameters":true,"enabled":true,"state":"off",\#
        "attributes":[],"target":"photoGrid","reason":"enabled","schema":{"type":"object",\#
        "properties":{"album":{"type":"string","oneOf":[{"const":"alps","title":"Alps"},\#
        {"const":"coast"}],"default":"coast"},"tags":{"type":"array","items":{"enum":["a","b"]}}},\#
        "required":["album"],"additionalProperties":false}}
        """#)
  }

  @Test func `P4: a form is tagged, and changes with the state`() throws {
    let form = try sample.send(.get, Self.form)
    let tag = try #require(form.headers["etag"])
    let fields = [("If-None-Match", tag)]
    #expect(try sample.send(.get, Self.form, headers: fields).status == .notModified)
    let other = try sample.send(.get, Self.form + "?from=photoHost", headers: fields)
    #expect(other.status == .ok)
    #expect(try other.value("/target") == .null)
    #expect(try other.value("/enabled") == false)
    let held = try sample.send(.get, Self.form + "?modifiers=shift", headers: fields)
    #expect(held.status == .ok)
    try Self.patch(#"{"albums":["owls"]}"#, sample)
    let next = try sample.send(.get, Self.form, headers: fields)
    #expect(try next.value("/schema/properties/album/enum") == ["owls"])
    #expect(try next.value("/schema/properties/album/default") == nil)
  }

  @Test func `P4: a question about nothing is refused`() throws {
    try sample.refuses(
      .get, "/sessions/demo/commands/none:/form",
      with: #"""
        404 /problems/unknown-command
        There is no command 'none:'; GET /commands lists those that are declared.
        """#)
    #expect(try sample.send(.get, "/sessions/none/commands/add:/form").status == .notFound)
    #expect(try sample.send(.get, Self.form + "?from=none").status == .badRequest)
    #expect(try sample.send(.get, Self.form + "?modifiers=none").status == .badRequest)
  }

  @Test func `P4: performing names the choices of each parameter`() throws {
    let response = try perform(#"{"album":"Coast","tags":["a","c"]}"#)
    #expect(
      response.text == #"""
        {"type":"/problems/invalid-body","title":"The body is invalid","status":422,"detail":\#
        "The parameters of the command 'add:' do not fit. Expected 'alps' or 'coast', found the \#
        string 'Coast'; did you mean 'coast'? And 1 more, see 'errors'.","pointer":\#
        "/parameters/album","errors":[{"pointer":"/parameters/album","detail":"Expected 'alps' or \#
        'coast', found the string 'Coast'; did you mean 'coast'?"},{"pointer":"/parameters/tags/1",\#
        "detail":"Expected 'a' or 'b', found the string 'c'."}]}
        """#)
    #expect(try perform(#"{"album":"alps"}"#).value("/invocation/parameters") == ["album": "alps"])
    try Self.patch(#"{"albums":[]}"#, sample)
    #expect(
      try sample.send(.get, Self.form).value("/schema/properties/album")
        == ["type": "string", "not": [:]])
    #expect(
      try perform(#"{"album":"alps"}"#).text.contains("Expected nothing, found the string 'alps'."))
  }

  @Test func `P4: a rule that fails is told by the form and by performing`() throws {
    try Self.patch(#"{"albums":null,"last":null}"#, sample)
    let form = try sample.send(.get, Self.form)
    #expect(try form.value("/schema/properties/album") == ["type": "string", "not": [:]])
    #expect(try form.value("/errors/0/place") == "choices/album")
    #expect(try form.value("/errors/0/rule") == "state.albums")
    #expect(try form.value("/errors/1/place") == "defaults/album")
    let response = try perform(#"{"album":"alps"}"#)
    #expect(response.status == .unprocessableContent)
    #expect(try response.value("/pointer") == "/parameters/album")
    #expect(try response.value("/error/place") == "choices/album")
    #expect(
      try response.value("/detail")?.text().contains(
        "The choices are not known. The rule at 'choices/album' failed: no such key") == true)
    #expect(try perform("{}").value("/error") == nil)
  }

  @Test func `P4: a dry run, a plan and a list are checked against the choices then`() throws {
    let dry = try perform(#"{"album":"alps"}"#, more: #","dryRun":true"#)
    let plan = try #require(try dry.value("/plan"))
    #expect(try perform(#"{"album":"owls"}"#, more: #","dryRun":true"#).status.rawValue == 422)
    let list =
      #"{"mutations":[{"op":"mergeState","patch":{"albums":["owls"]}},"#
      + #"{"op":"perform","command":"add:","parameters":{"album":"alps"}}]}"#
    let refused = try sample.send(.post, "/sessions/demo/mutations", list)
    #expect(try refused.value("/pointer") == "/mutations/1/parameters/album")
    try Self.patch(#"{"albums":["owls"]}"#, sample)
    let late = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","plan":\#(plan.text())}"#)
    #expect(late.status == .unprocessableContent)
    #expect(try late.value("/pointer") == "/plan")
    #expect(try late.value("/detail")?.text().contains("Expected 'owls'") == true)
  }

  @Test func `P4: assumed changes are checked against the choices then`() throws {
    let perform = #"{"op":"perform","command":"add:","parameters":{"album":"owls"}}"#
    let answer = try sample.send(
      .post, "/commands/validate",
      #"{"session":"demo","commands":["add:"],"assuming":[[\#(perform)],"#
        + #"[{"op":"mergeState","patch":{"albums":["owls"]}},\#(perform)]]}"#)
    #expect(try answer.value("/assumed/0/problem/status") == 422)
    #expect(try answer.value("/assumed/1/items/0/enabled") == true)
  }

  @Test func `P4: a command that a token may not see has no form`() throws {
    let tokens = try TokenSample()
    #expect(
      try tokens.sample.send(
        .put, "/commands/add:", Self.command, headers: SampleService.administrator
      ).status == .created)
    let path = "/sessions/own/commands/"
    let fields = try tokens.make([.items], more: #","commands":["copy:"]"#).fields
    #expect(try tokens.sample.send(.get, path + "copy:/form", headers: fields).status == .ok)
    let unseen = try tokens.sample.send(.get, path + "add:/form", headers: fields)
    let absent = try tokens.sample.send(.get, path + "abs:/form", headers: fields)
    #expect(unseen.status == .notFound)
    #expect(unseen.text.replacing("add:", with: "abs:") == absent.text)
    let performer = try tokens.make([.perform]).fields
    let refused = try tokens.sample.send(.get, path + "add:/form", headers: performer)
    #expect(refused.status == .forbidden)
    #expect(try refused.value("/right") == "items")
  }

  @Test func `P4: a form is the same on each replica, and after a change of the catalogue`() throws
  {
    let before = try sample.send(.get, Self.form)
    let second = #"{"title":"Add to Album…","action":"add:","propertyList":2}"#
    #expect(try sample.send(.put, "/commands/other", second).status == .created)
    let after = try sample.send(.get, Self.form)
    #expect(after.headers["etag"] != before.headers["etag"])
    #expect(try after.value("/schema") == before.value("/schema"))
  }
}
