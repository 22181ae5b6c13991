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
      document[JSONPointer(["structuredContent"])]
        == (try sample.send(.get, "/sessions/tablet").json))
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
    let copy = try call("get_command", #"{"command":"copy:"}"#)
    #expect(copy[JSONPointer(["structuredContent", "title"])] == "Copy")
    let conflicts = try call("list_key_conflicts")
    #expect(conflicts[JSONPointer(["structuredContent", "conflicts"])] == [])
    let odd = try call("get_command", #"{"command":"a/b?c#d%é"}"#)
    #expect(odd[JSONPointer(["isError"])] == true)
  }

  @Test func `arguments that do not fit are told one by one`() throws {
    let result = try call("explain_item", #"{"session":7,"comand":"x"}"#)
    #expect(result[JSONPointer(["isError"])] == true)
    #expect(
      result.firstText == """
        'explain_item' was not performed: its arguments do not fit its schema.
        /arguments: The member 'command' is missing.
        /arguments/session: Expected a string, found the number 7.
        /arguments/comand: There is no member 'comand' here; did you mean 'command'?
        """)
  }

  @Test func `the faults of arguments take 2 kB at most`() throws {
    let wrong = (0..<400).map { #""argument\#($0)":1"# }.joined(separator: ",")
    let text = try #require(try call("find_target", "{\(wrong)}").firstText)
    #expect(text.utf8.count <= 2048)
    #expect(
      text.hasPrefix("'find_target' was not performed: its arguments do not fit its schema.\n"))
    #expect(text.hasSuffix(" more."))
  }

  @Test func `an answer is told once: in short as a text, and whole as a structure`() throws {
    let target = try call("find_target", #"{"session":"demo","action":"copy:"}"#)
    #expect(
      target.firstText == """
        'find_target' answered 400 bytes of JSON:
        session: "demo"
        revision: 0
        target: "photoGrid"
        reason: "enabled"
        trace: 2 elements
        """)
    #expect(target[JSONPointer(["structuredContent", "trace", "1", "answer"])] == true)
    let session = try call("get_session", #"{"session":"demo"}"#)
    #expect(
      session.firstText?.contains(
        "\nstate: 'rating', 'selection', 'photos', 'zoom' and 'sortedBy'\n") == true)
    let whole = try sample.send(.get, "/sessions/demo").json
    #expect(session[JSONPointer(["structuredContent"])] == whole)
  }

  @Test func `a large answer is cut, and says what and where all of it is`() throws {
    let large = String(repeating: "x", count: 3_000_000)
    let opened = try sample.send(
      .post, "/sessions", #"{"id":"large","state":{"text":"\#(large)"}}"#)
    #expect(opened.status == .created, "\(opened.text)")
    let result = try call("get_session", #"{"session":"large"}"#)
    #expect(result.text().utf8.count < 20_480)
    #expect(try #require(result.firstText).utf8.count <= 2048)
    #expect(result[JSONPointer(["structuredContent", "session"])] == "large")
    #expect(result[JSONPointer(["structuredContent", "state"])] == nil)
    #expect(
      result[JSONPointer(["structuredContent", "cut"])] == [
        ["member": "state", "size": 3_000_021, "rest": "/sessions/large"]
      ])
  }

  @Test func `many elements are cut, with how many there are`() throws {
    for number in 0..<300 {
      let opened = try sample.send(.post, "/sessions", #"{"id":"session-\#(number)"}"#)
      #expect(opened.status == .created)
    }
    let result = try call("list_sessions", #"{"limit":1000}"#)
    #expect(result.text().utf8.count < 20_480)
    let cut = result[JSONPointer(["structuredContent", "cut", "0"])]
    #expect(cut?[JSONPointer(["member"])] == "sessions")
    #expect(cut?[JSONPointer(["count"])] == 301)
    #expect(cut?[JSONPointer(["rest"])] == "/sessions?limit=1000")
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
