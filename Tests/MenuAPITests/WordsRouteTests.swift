import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// The words for people are the same at every door (W3, W4).
struct WordsRouteTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try declare(
      "crop:", #","key":{"input":"k","modifiers":["control"]},"unavailable":"Open a photo first.""#)
    try declare("purge:", #","confirmation":{"title":"Purge?","message":"For good."}"#)
    try handle(
      "crop:", #"{"requires":[{"if":"has(state.frame)","else":"Draw a frame first."}]}"#)
    try handle("purge:", "{}")
  }

  private func declare(_ action: String, _ more: String) throws {
    let answer = try sample.send(
      .put, "/commands/\(action)",
      #"{"title":"\#(action)","action":"\#(action)"\#(more)}"#)
    #expect(answer.status == .created)
  }

  private func handle(_ action: String, _ validate: String) throws {
    let handler =
      #"{"validate":\#(validate),"perform":[{"op":"add","path":"/did","value":"true"}]}"#
    let answer = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/\(action)", handler)
    #expect(answer.status == .created)
  }

  private func state() throws -> JSON? {
    try sample.send(.get, "/sessions/demo").value("/state/did")
  }

  private let words: JSON = "Draw a frame first."

  @Test func `W3: validations, searches and menus show the explanation`() throws {
    let menu = try sample.send(
      .post, "/menus/edits",
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"image","menu":{"identifier":"words","title":"W","children":["crop:"]}}]}"#
    )
    let validated = try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":["crop:"]}"#)
    #expect(try validated.value("/items/0/explanation") == words)
    #expect(try validated.value("/items/0/requirement") == 0)
    #expect(try validated.value("/items/0/reason") == "ruleFalse")
    let found = try sample.send(
      .post, "/commands/search", #"{"session":"demo","query":"crop","disabled":true}"#)
    #expect(try found.value("/items/0/explanation") == words)
    #expect(menu.status == .ok)
    let shown = try sample.send(.get, "/sessions/demo/menu?menu=words")
    #expect(try shown.value("/menu/children/0/explanation") == words)
  }

  @Test func `W3: a refused perform and a refused press are explained`() throws {
    let performed = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","command":"crop:"}"#)
    #expect(performed.status == .conflict)
    #expect(try performed.value("/explanation") == words)
    #expect(try performed.value("/item/requirement") == 0)
    #expect(
      try performed.value("/detail") == "The command 'crop:' is disabled: Draw a frame first.")
    let key = #"{"input":"k","modifiers":["control"]}"#
    let pressed = try sample.key("press", key)
    #expect(pressed.status == .conflict)
    #expect(try pressed.value("/explanation") == words)
    #expect(try pressed.value("/matches/0/explanation") == words)
    #expect(try sample.key("resolve", key).value("/matches/0/explanation") == words)
    #expect(try state() == nil)
  }

  @Test func `W3: an event tells an item whose words change`() throws {
    let first = try sample.send(.get, "/sessions/demo/changes?commands=crop:")
    let item = try #require(try first.value("/0/data/items/0"))
    #expect(item[JSONPointer(["explanation"])] == words)
    let id = try #require(try first.value("/0/id")?.word)
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"frame":1}"#, type: "application/merge-patch+json")
    let next = try sample.send(.get, "/sessions/demo/changes?commands=crop:&since=\(id)")
    let told = try #require(try next.value("/0/data/items/0"))
    #expect(told[JSONPointer(["enabled"])] == true && told[JSONPointer(["explanation"])] == nil)
  }

  @Test func `W3: an agent is told the words, and what has to be true`() throws {
    let result = try sample.call("crop-")
    #expect(result[JSONPointer(["isError"])] == true)
    #expect(
      result.firstText?.hasPrefix(
        "'crop-' (“crop:”) cannot be performed now: Draw a frame first.\n"
          + "That is because 'photoGrid' says no: has(state.frame) is false") == true,
      "\(result.firstText ?? "")")
    #expect(result[JSONPointer(["structuredContent", "explanation"])] == words)
  }

  @Test(arguments: [
    ("/commands/perform", #""command":"purge:""#),
    ("/sessions/demo/mutations", #""mutations":[{"op":"perform","command":"purge:"}]"#),
  ])
  func `W4: performing needs the confirmation, and says what to ask`(
    path: String, members: String
  ) throws {
    let body =
      path.hasPrefix("/commands") ? #"{"session":"demo",\#(members)}"# : "{\(members)}"
    let refused = try sample.send(.post, path, body)
    #expect(refused.status == .conflict)
    #expect(try refused.value("/type") == "/problems/needs-confirmation")
    #expect(
      try refused.value("/confirmation") == ["title": "Purge?", "message": "For good."])
    #expect(try state() == nil)
    let confirmed = body.replacing(#""purge:""#, with: #""purge:","confirmed":true"#)
    #expect(try sample.send(.post, path, confirmed).status == .ok)
    #expect(try state() == true)
  }

  @Test func `W4: a dry run shows what would happen without a confirmation`() throws {
    let body = #"{"session":"demo","command":"purge:","dryRun":true}"#
    let answer = try sample.send(.post, "/commands/perform", body)
    #expect(try answer.value("/performed") == true)
    #expect(try state() == nil)
    let list = #"{"mutations":[{"op":"perform","command":"purge:"}],"dryRun":true}"#
    #expect(try sample.send(.post, "/sessions/demo/mutations", list).status == .ok)
  }

  @Test func `W4: confirmed belongs to commands, and to no question`() throws {
    for body in [
      #"{"session":"demo","action":"purge:","confirmed":true}"#,
      #"{"session":"demo","command":"purge:","confirmed":"yes"}"#,
    ] {
      #expect(try sample.send(.post, "/commands/perform", body).status == .unprocessableContent)
    }
    let resolved = try sample.key("resolve", #"{"input":"k"}"#, #","confirmed":true"#)
    #expect(try resolved.value("/pointer") == "/confirmed")
  }
}
