import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

struct SessionToolsTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `the tools are the enabled commands, in menu order`() throws {
    #expect(
      try sample.tools() == [
        "copy-", "applyFourStarRating-", "applyFiveStarRating-", "sortByDate", "sortByTitle",
      ])
    #expect(
      try sample.tools("?tools=all") == [
        "copy-", "delete-", "applyFourStarRating-", "applyFiveStarRating-", "paste-", "sortByDate",
        "sortByTitle", "separate",
      ])
    #expect(try sample.tools("?tools=enabled") == sample.tools())
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    #expect(try sample.post(ping, to: "/sessions/demo/mcp?tools=some").status == .badRequest)
  }

  @Test func `a tool is described by its item, its command and its schema`() throws {
    let tools = try sample.result(of: "tools/list")
    #expect(
      tools[JSONPointer(["tools", "0"])]?.text()
        == #"{"name":"copy-","title":"Copy Photo","description":"“Copy Photo” in the menu Edit.","inputSchema":{"type":"object","additionalProperties":false},"_meta":{"menud/command":"copy:"}}"#
    )
    _ = try sample.send(
      .put, "/commands/resize:",
      #"{"title":"Resize…","action":"resize:","description":"Makes photos smaller.","attributes":["destructive"],"parameters":{"type":"object","required":["width"]}}"#
    )
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/resize:", #"{"perform":[]}"#)
    let last = try sample.result(of: "tools/list")[JSONPointer(["tools", "5"])]
    #expect(
      last?.text()
        == #"{"name":"resize-","title":"Resize…","description":"“Resize…”: Makes photos smaller. Destroys something.","inputSchema":{"type":"object","required":["width"]},"annotations":{"destructiveHint":true},"_meta":{"menud/command":"resize:"}}"#
    )
  }

  @Test(
    arguments: [
      (
        #"{"readOnly":true}"#, #"{"readOnly":true,"idempotent":false}"#,
        #"{"readOnlyHint":true,"idempotentHint":false}"#
      ),
      (
        #"{"idempotent":true}"#, #"{"readOnly":false,"idempotent":true}"#,
        #"{"readOnlyHint":false,"idempotentHint":true}"#
      ),
      (
        #"{"destructive":false}"#, #"{"readOnly":false,"idempotent":false,"destructive":false}"#,
        #"{"destructiveHint":false,"readOnlyHint":false,"idempotentHint":false}"#
      ),
      (
        #"{"destructive":true}"#, #"{"readOnly":false,"idempotent":false,"destructive":true}"#,
        #"{"destructiveHint":true,"readOnlyHint":false,"idempotentHint":false}"#
      ),
    ] as [(String, String, String)])
  func `an application declares what a command does, and nothing is claimed that it does not`(
    hints: String, declared: String, annotations: String
  ) throws {
    let command = #"{"title":"C","action":"copy:","propertyList":1,"hints":\#(hints)}"#
    let answer = try sample.send(.put, "/commands/hinted:", command)
    #expect(answer.text.contains(#""hints":\#(declared)"#))
    let tools = try sample.result(of: "tools/list").text()
    #expect(tools.contains(#""annotations":\#(annotations)"#))
  }

  @Test func `a description follows the title of the item, and so does an answer`() throws {
    func declare(_ id: String, _ description: String) throws {
      let command = #"{"title":"Flag","subtitle":"Marks it","action":"\#(id)"\#(description)}"#
      #expect(try sample.send(.put, "/commands/\(id)", command).status == .created)
      let handler =
        #"{"validate":{"title":"state.zoom == 0 ? 'Unflag' : 'Flag'","checked":"state.zoom == 0"},"#
        + #""perform":[{"op":"replace","path":"/zoom","value":"state.zoom == 0 ? 1 : 0"}]}"#
      let path = "/sessions/demo/responders/photoGrid/handlers/\(id)"
      #expect(try sample.send(.put, path, handler).status == .created)
    }
    try declare("flag:", "")
    try declare("mark:", #","description":"Marks the photo, or takes the mark away.""#)
    func described() throws -> [JSON?] {
      let tools = try sample.result(of: "tools/list")
      return [5, 6].map { tools[JSONPointer(["tools", "\($0)", "description"])] }
    }
    #expect(
      try described() == [
        "“Flag” (Marks it).", "“Flag” (Marks it): Marks the photo, or takes the mark away.",
      ])
    #expect(
      try sample.call("flag-").firstText
        == "Performed 'Flag' (off). Now it is 'Unflag' (on).\n/zoom: 0")
    #expect(
      try described() == [
        "“Unflag”.", "“Unflag”, otherwise “Flag”: Marks the photo, or takes the mark away.",
      ])
    #expect(
      try sample.call("flag-").firstText
        == "Performed 'Unflag' (on). Now it is 'Flag' (off).\n/zoom: 1")
  }

  @Test func `the list of all tools follows from the catalogue alone`() throws {
    func list() throws -> String {
      try sample.result(of: "tools/list", to: "/sessions/demo/mcp?tools=all").text()
    }
    let before = try list()
    #expect(before.contains(#""title":"Copy""#))
    _ = try sample.call("applyFiveStarRating-")
    _ = try sample.send(.put, "/sessions/demo/first-responder", #"{"responder":null}"#)
    #expect(try list() == before)
  }

  @Test func `a hidden command is no tool`() throws {
    _ = try sample.send(
      .put, "/commands/secret:",
      #"{"title":"S","action":"copy:","propertyList":1,"attributes":["hidden"]}"#)
    #expect(try !sample.tools().contains("secret-"))
    #expect(try !sample.tools("?tools=all").contains("secret-"))
  }

  @Test func `the list follows the session and the catalogue`() throws {
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"selection":["lake","owl"]}"#,
      type: "application/merge-patch+json")
    #expect(try sample.tools().contains("delete-"))
    _ = try sample.send(.put, "/sessions/demo/first-responder", #"{"responder":null}"#)
    #expect(try sample.tools() == [])
    #expect(try sample.tools("?tools=all").count == 8)
  }

  @Test func `many tools come in pages, whose cursors hold whatever changes`() throws {
    for number in 0..<300 {
      _ = try sample.send(
        .put, "/commands/n\(number)", #"{"title":"N","action":"copy:","propertyList":\#(number)}"#)
    }
    var names: [String] = []
    var cursor: String?
    var pages = 0
    repeat {
      let params = cursor.map { #"{"cursor":"\#($0)"}"# } ?? "{}"
      let page = try sample.result(of: "tools/list", params, to: "/sessions/demo/mcp?tools=all")
      names += page.names("tools")
      cursor = nil
      if case .string(let next)? = page[JSONPointer(["nextCursor"])] { cursor = next }
      pages += 1
    } while cursor != nil && pages < 10
    #expect(pages == 2)
    #expect(names.count == 308 && Set(names).count == 308)
    for cursor in ["", "7", "nobody", "YWZ0ZXIgbm9ib2R5", "é"] {
      let response = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\#(cursor)"}}"#)
      #expect(try response.errorCode == -32602, "\(cursor)")
    }
  }

  @Test func `since 2026-07-28 a list says how long it holds, and for whom`() throws {
    let response = try sample.stateless("tools/list")
    #expect(try response.value("/result/resultType") == "complete")
    #expect(try response.value("/result/ttlMs") == 0)
    #expect(try response.value("/result/cacheScope") == "private")
  }
}
