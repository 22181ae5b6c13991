import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

struct AdministratorAgentTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func call(_ tool: String, _ arguments: String = "{}") throws -> JSON {
    try sample.call(tool, arguments, to: "/mcp")
  }

  @Test func `every tool says what it takes`() throws {
    let result = try sample.result(of: "tools/list", to: "/mcp")
    guard case .array(let tools)? = result[JSONPointer(["tools"])] else {
      Issue.record("'tools' is not an array")
      return
    }
    #expect(tools.count == AdministratorTool.all.count)
    for tool in tools {
      #expect(tool[JSONPointer(["inputSchema", "type"])] == "object")
      #expect(tool[JSONPointer(["description"])] != nil)
    }
    let cursor = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, to: "/mcp")
    #expect(try cursor.errorCode == -32602)
  }

  @Test func `every tool says what it may change`() throws {
    let result = try sample.result(of: "tools/list", to: "/mcp")
    guard case .array(let tools)? = result[JSONPointer(["tools"])] else {
      Issue.record("'tools' is not an array")
      return
    }
    var others: [String: String] = [:]
    for tool in tools {
      guard case .string(let name)? = tool[JSONPointer(["name"])],
        let hints = tool[JSONPointer(["annotations"])]
      else {
        Issue.record("a tool without a name or annotations: \(tool.text())")
        continue
      }
      if hints != ["readOnlyHint": true, "destructiveHint": false, "openWorldHint": false] {
        others[name] = hints.text()
      }
    }
    #expect(
      others == [
        "open_session":
          #"{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}"#,
        "close_session":
          #"{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}"#,
        "perform_command": #"{"readOnlyHint":false}"#,
      ])
  }

  @Test func `sessions are opened, listed, asked and closed`() throws {
    let opened = try call("open_session", #"{"id":"tablet","state":{"selection":[]}}"#)
    #expect(opened[JSONPointer(["structuredContent", "session"])] == "tablet")
    let listed = try call("list_sessions", #"{"limit":1,"after":"demo"}"#)
    #expect(listed[JSONPointer(["structuredContent", "sessions", "0", "session"])] == "tablet")
    let document = try call("get_session", #"{"session":"tablet"}"#)
    #expect(
      document[JSONPointer(["content", "0", "text"])]
        == .string(try sample.send(.get, "/sessions/tablet").text))
    #expect(try call("get_diagnostics", #"{"session":"tablet"}"#).firstText != nil)
    let closed = try call("close_session", #"{"session":"tablet"}"#)
    #expect(closed == ["content": [["type": "text", "text": "Done."]]])
    let gone = try call("get_session", #"{"session":"tablet"}"#)
    #expect(gone[JSONPointer(["isError"])] == true)
    #expect(gone[JSONPointer(["structuredContent", "type"])] == "/problems/unknown-session")
  }

  @Test func `an item is explained, and a target found`() throws {
    let item = try call("explain_item", #"{"session":"demo","command":"delete:"}"#)
    let found = item[JSONPointer(["structuredContent", "items", "0"])]
    #expect(found?[JSONPointer(["reason"])] == "ruleFalse")
    #expect(found?[JSONPointer(["trace", "0"])] != nil)
    let target = try call("find_target", #"{"session":"demo","action":"copy:"}"#)
    #expect(target[JSONPointer(["structuredContent", "target"])] == "photoGrid")
    let menu = try call("get_menu", #"{"session":"demo","menu":"edit"}"#)
    #expect(menu[JSONPointer(["structuredContent", "menu", "identifier"])] == "edit")
  }

  @Test func `a command is tried without being performed`() throws {
    let arguments = #"{"session":"demo","command":"applyFiveStarRating:","dryRun":true}"#
    let tried = try call("perform_command", arguments)
    #expect(tried[JSONPointer(["structuredContent", "dryRun"])] == true)
    #expect(try sample.send(.get, "/sessions/demo").value("/revision") == 0)
    let refused = try call("perform_command", #"{"session":"demo","command":"delete:"}"#)
    #expect(refused[JSONPointer(["structuredContent", "reason"])] == "ruleFalse")
  }

  @Test func `rules are checked, commands are searched`() throws {
    let rule = try call(
      "check_rule", #"{"rule":"size(state.selection) > 0","variables":{"state":{"selection":[1]}}}"#
    )
    #expect(rule[JSONPointer(["structuredContent", "value"])] == true)
    let wrong = try call("check_rule", #"{"rule":"size("}"#)
    #expect(wrong[JSONPointer(["structuredContent", "ok"])] == false)
    let found = try call("search_commands", #"{"query":"image ★"}"#)
    #expect(found[JSONPointer(["structuredContent", "total"])] == 2)
    #expect(
      found[JSONPointer(["structuredContent", "commands", "0"])]?.text()
        == #"{"command":"applyFourStarRating:","title":"★★★★","action":"applyFourStarRating:","menus":["Image","Rating"]}"#
    )
    let few = try call("search_commands", #"{"query":"","limit":2}"#)
    #expect(few[JSONPointer(["structuredContent", "total"])] == 8)
    #expect(few[JSONPointer(["structuredContent", "commands", "2"])] == nil)
    #expect(try call("get_command", #"{"command":"copy:"}"#).firstText?.contains("Copy") == true)
    #expect(try call("list_key_conflicts").firstText?.contains("conflicts") == true)
    let odd = try call("get_command", #"{"command":"a/b?c#d%é"}"#)
    #expect(odd[JSONPointer(["isError"])] == true)
  }

  @Test func `arguments that do not fit are told one by one`() throws {
    let result = try call("explain_item", #"{"session":7,"comand":"x"}"#)
    #expect(result[JSONPointer(["isError"])] == true)
    let text = try #require(result.firstText)
    #expect(text.contains("/arguments/session: Expected a string, found the number 7."))
    #expect(text.contains("The member 'command' is missing."))
    #expect(text.contains("'comand'"))
  }

  @Test func `a tool that there is not is an error, and so is what the server does not have`()
    throws
  {
    let unknown = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_sesion"}}"#, to: "/mcp"
    )
    #expect(
      try unknown.value("/error/message")
        == "Unknown tool: 'open_sesion'; did you mean 'open_session'?")
    for method in ["resources/list", "completion/complete", "resources/subscribe"] {
      let response = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#, to: "/mcp")
      #expect(try response.errorCode == -32601)
    }
  }

  @Test func `a session that is opened has its token in the answer, and once under a key`() throws {
    let closed = try SampleService(authorization: .closed)
    let message =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_session","arguments":{"id":"tablet"}}}"#
    let headers = SampleService.administrator + [("Idempotency-Key", "k")]
    let first = try closed.post(message, to: "/mcp", headers: headers)
    let token = try first.value("/result/structuredContent/token")
    #expect(token != nil)
    let again = try closed.post(message, to: "/mcp", headers: headers)
    #expect(try again.value("/result/structuredContent/token") == token)
  }
}
