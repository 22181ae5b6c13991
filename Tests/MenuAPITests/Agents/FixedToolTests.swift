import JSONText
import MenuEngine
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// The tools that stay the same whatever the application does (T7).
struct FixedToolTests {
  private static let path = "/sessions/demo/mcp?tools=find"

  private func call(
    _ tool: String, _ arguments: String = "{}", in sample: SampleService,
    headers: [(String, String)] = []
  ) throws -> JSON {
    try sample.call(tool, arguments, to: Self.path, headers: headers)
  }

  private func declare(
    _ id: String, on responder: String = "photoGrid", _ handler: String, command: String = "",
    in sample: SampleService
  ) throws {
    try sample.declare(id, title: "T \(id)", command, handler: handler, on: responder)
  }

  @Test func `T3: a token has the tools of its rights`() throws {
    let tokens = try TokenSample()
    for (rights, names) in [
      ([.items], ["find_commands", "explain_command"]),
      ([.read], ["describe_session", "find_commands", "explain_command"]),
      (
        [.items, .perform], ["find_commands", "explain_command", "perform_command", "undo"]
      ),
      ([.items, .focus], ["find_commands", "explain_command", "focus"]),
    ] as [([Right], [String])] {
      let fields = try tokens.make(rights).fields
      let path = "/sessions/own/mcp?tools=find"
      let listed = try tokens.sample.result(of: "tools/list", to: path, headers: fields)
      #expect(listed.names("tools") == names)
      let all = FixedTool.allCases.map(\.rawValue)
      for name in all where !names.contains(name) {
        let body =
          #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(name)"}}"#
        let answer = try tokens.sample.post(body, to: path, headers: fields)
        #expect(answer.text.contains("Unknown tool: '\(name)'"))
      }
    }
  }

  @Test(.ofOneService) func `a name means the same tool whether a client listens or not`() throws {
    let sample = try SampleService()
    try declare(
      "focus", #"{"perform":[{"op":"add","path":"/focused","value":"true"}]}"#, in: sample)
    let path = "/sessions/demo/mcp?tools=listening"
    let name = [("Mcp-Session-Id", "c")]
    let listed = try sample.result(of: "tools/list", to: path, headers: name).names("tools")
    #expect(listed.contains("menud_focus") && !listed.contains("focus"), "\(listed)")
    _ = try sample.call("menud_focus", #"{"responder":"hostedView"}"#, to: path, headers: name)
    #expect(try sample.send(.get, "/sessions/demo").value("/firstResponder") == "hostedView")
    _ = try sample.call("menud_focus", #"{"responder":"photoGrid"}"#, to: path, headers: name)
    for isListening in [false, true] {
      let reader = isListening ? try sample.openStream("c", query: "?tools=listening") : nil
      let called = try sample.call("focus", to: path, headers: name)
      #expect(called[JSONPointer(["structuredContent", "command"])] == "focus", "\(called)")
      reader?.stream.close()
    }
  }

  @Test func `a session is described: focus, who is asked, what can be undone, and the state`()
    throws
  {
    let sample = try SampleService()
    _ = try sample.call("applyFiveStarRating-")
    let told = try call("describe_session", in: sample)
    let text = try #require(told.firstText)
    #expect(text.contains(" commands can be performed now; find_commands lists them.\n"))
    #expect(text.contains("'photoGrid' has focus. A command asks 'photoGrid'"))
    #expect(text.contains("“Undo ★★★★★”"))
    #expect(text.contains("/rating: 5"))
    #expect(text.utf8.count <= ToolText.maximumSize)
    #expect(told[JSONPointer(["structuredContent", "focus"])] == "photoGrid")
    #expect(told[JSONPointer(["structuredContent", "state", "rating"])] == 5)
    #expect(told[JSONPointer(["structuredContent", "undo"])] == "Undo ★★★★★")
  }

  @Test func `T3: a token that may not read has nothing that names responders`() throws {
    let tokens = try TokenSample()
    let sample = tokens.sample
    _ = try sample.send(
      .put, "/commands/zoom:", #"{"title":"Zoom","action":"zoom:"}"#,
      headers: SampleService.administrator)
    _ = try sample.send(
      .put, "/sessions/own/responders/hostedView/handlers/zoom:", "{}", headers: tokens.own)
    let path = "/sessions/own/mcp?tools=find"
    for (rights, isShown) in [([.items, .perform], false), ([.read, .perform], true)]
      as [([Right], Bool)]
    {
      let fields = try tokens.make(rights, kind: "agent").fields
      let listed = try sample.result(of: "tools/list", to: path, headers: fields)
      #expect(listed.text().contains(#""from""#) == isShown)
      for (tool, arguments) in [
        ("find_commands", #"{"query":"Zoom"}"#), ("explain_command", #"{"command":"zoom:"}"#),
        ("perform_command", #"{"command":"zoom:"}"#),
      ] {
        let told = try sample.call(tool, arguments, to: path, headers: fields)
        #expect(told.text().contains("hostedView") == isShown, "\(tool) \(told)")
      }
    }
  }

  @Test func `a long state is cut, and says what is missing`() throws {
    let sample = try SampleService()
    let text = String(repeating: "é", count: 20_000)
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"long":"\#(text)"}"#, type: "application/merge-patch+json")
    let told = try call("describe_session", in: sample)
    #expect(told[JSONPointer(["structuredContent", "cut", "0", "member"])] == "state")
    #expect(
      told[JSONPointer(["structuredContent", "cut", "0", "rest"])] == "menud://sessions/demo")
    #expect(try #require(told.firstText).utf8.count <= ToolText.maximumSize)
  }

  @Test func `commands are found with the responders whose focus would enable them`() throws {
    let sample = try SampleService()
    try declare("zoom:", on: "hostedView", "{}", in: sample)
    let found = try call("find_commands", #"{"query":"T zoom"}"#, in: sample)
    #expect(
      found.firstText
        == "Commands:\n'zoom:' “T zoom:” is disabled: nobody can perform it. It is enabled if 'hostedView' has focus."
    )
    let commands = JSONPointer(["structuredContent", "commands", "0"])
    #expect(found[commands.appending("focus")] == ["hostedView"])
    #expect(found[JSONPointer(["structuredContent", "next"])] == nil)
    // From there it is enabled, and focus stays.
    let from = #"{"query":"T zoom","from":"hostedView"}"#
    let there = try call("find_commands", from, in: sample)
    #expect(there[commands.appending("enabled")] == true)
    let explained = try call(
      "explain_command", #"{"command":"zoom:","from":"hostedView"}"#, in: sample)
    #expect(explained.firstText?.hasPrefix("'zoom:' (“T zoom:”) can be performed now.") == true)
    for (tool, arguments) in [
      ("find_commands", #"{"from":"nobody"}"#),
      ("explain_command", #"{"command":"zoom:","from":"nobody"}"#),
      ("perform_command", #"{"command":"zoom:","from":"nobody"}"#),
    ] {
      let refused = try call(tool, arguments, in: sample)
      #expect(refused[JSONPointer(["isError"])] == true)
      #expect(refused.firstText?.contains("no responder 'nobody'") == true)
    }
  }

  @Test func `a search that finds nothing says how to go on`() throws {
    let nothing = try call("find_commands", #"{"query":"qqq xyz"}"#, in: SampleService())
    #expect(
      nothing.firstText
        == "No command matches. Use fewer or other words, or no query for all commands.")
  }

  @Test func `the text of an explanation has the schema of the arguments`() throws {
    let sample = try SampleService()
    let schema = #"{"type":"object","properties":{"by":{"type":"integer"}},"required":["by"]}"#
    try declare("turn:", "{}", command: #","parameters":\#(schema)"#, in: sample)
    let explained = try call("explain_command", #"{"command":"turn:"}"#, in: sample)
    #expect(
      explained.firstText == """
        'turn:' (“T turn:”) can be performed now.
        “T turn:”.
        The schema of its arguments: \(schema)
        """)
    let values = (0..<1000).map { #""value \#($0)""# }.joined(separator: ",")
    let long = #"{"type":"object","properties":{"by":{"enum":[\#(values)]}}}"#
    try declare("long:", "{}", command: #","parameters":\#(long)"#, in: sample)
    let cut = try call("explain_command", #"{"command":"long:"}"#, in: sample)
    let text = try #require(cut.firstText)
    #expect(text.contains("The schema of its arguments: {") && text.hasSuffix("…"))
    #expect(text.utf8.count <= ToolText.maximumSize)
  }

  @Test func `a command is performed from another place, also by a plan`() throws {
    let sample = try SampleService()
    let handler = #"{"perform":[{"op":"add","path":"/zoomed","value":"responder.id"}]}"#
    try declare("zoom:", on: "hostedView", handler, command: #","agents":"plan""#, in: sample)
    let refused = try call("perform_command", #"{"command":"zoom:"}"#, in: sample)
    #expect(refused[JSONPointer(["isError"])] == true)
    let arguments = #""command":"zoom:","from":"hostedView""#
    let planned = try call("perform_command", "{\(arguments)}", in: sample)
    let plan = try #require(planned[JSONPointer(["structuredContent", "plan"])]?.word)
    let foreign = try call(
      "perform_command", #"{"command":"zoom:","from":"photoGrid","plan":"\#(plan)"}"#, in: sample)
    #expect(foreign.firstText?.contains("The plan is of other arguments") == true)
    let done = try call("perform_command", #"{\#(arguments),"plan":"\#(plan)"}"#, in: sample)
    #expect(done[JSONPointer(["structuredContent", "performed"])] == true)
    let state = try sample.send(.get, "/sessions/demo")
    #expect(try state.value("/state/zoomed") == "hostedView")
    #expect(try state.value("/firstResponder") == "photoGrid")
  }

  @Test func `a refusal names commands and the tool for focus, which a model has`() throws {
    let sample = try SampleService()
    try declare("zoom:", on: "hostedView", "{}", in: sample)
    try declare("crop:", #"{"canPerform":"state.rating == 5"}"#, in: sample)
    let zoom = try call("perform_command", #"{"command":"zoom:"}"#, in: sample)
    #expect(
      zoom.firstText == """
        'zoom:' (“T zoom:”) cannot be performed now: nobody from 'photoGrid' on can perform it.
        'hostedView' would perform it: call perform_command with 'from': "hostedView".
        """)
    let crop = try call("perform_command", #"{"command":"crop:"}"#, in: sample)
    #expect(
      crop.firstText?.hasSuffix("\nPerforming 'applyFiveStarRating:' first would make it possible.")
        == true)
    #expect(
      crop[JSONPointer(["structuredContent", "help", "commands"])] == ["applyFiveStarRating:"])
    let focused = try call("focus", #"{"responder":"hostedView"}"#, in: sample)
    #expect(focused.firstText == "'hostedView' has focus now.")
    let done = try call("perform_command", #"{"command":"zoom:"}"#, in: sample)
    #expect(done[JSONPointer(["structuredContent", "performed"])] == true)
    let unknown = try call("focus", #"{"responder":"nobody"}"#, in: sample)
    #expect(unknown[JSONPointer(["isError"])] == true)
  }

  @Test func `T7: undo is the application's command where it has one`() throws {
    let sample = try SampleService()
    _ = try sample.call("applyFiveStarRating-")
    func rating() throws -> JSON? { try sample.send(.get, "/sessions/demo").value("/state/rating") }
    let undone = try call("undo", in: sample)
    #expect(undone.firstText?.hasPrefix("Took back “★★★★★”.\n/rating: 0") == true, "\(undone)")
    #expect(try rating() == 0)
    #expect(try call("undo", in: sample).firstText == "There is nothing to take back.")
    #expect(
      try call("undo", #"{"redo":true}"#, in: sample).firstText?.hasPrefix("Did “★★★★★” again.")
        == true
    )
    #expect(try rating() == 5)
    _ = try sample.send(
      .put, "/commands/undo:", #"{"title":"Undo","action":"undo:","agents":"plan"}"#)
    let planned = try call("undo", in: sample)
    #expect(try rating() == 5)
    let plan = try #require(planned[JSONPointer(["structuredContent", "plan"])]?.word)
    #expect(planned.firstText?.contains("Call 'undo' again with 'plan'") == true)
    _ = try call("undo", #"{"plan":"\#(plan)"}"#, in: sample)
    #expect(try rating() == 0)
    _ = try sample.send(.delete, "/commands/undo:")
    _ = try sample.send(
      .put, "/commands/undo:", #"{"title":"Undo","action":"undo:","agents":"hidden"}"#)
    let hidden = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"undo"}}"#, to: Self.path)
    #expect(hidden.text.contains("Unknown tool: 'undo'"))
  }

  @Test func `T7: an agent's token undoes where the application has no command for that`() throws {
    let tokens = try TokenSample()
    let sample = tokens.sample
    let agent = try tokens.make([.items, .perform], kind: "agent").fields
    let path = "/sessions/own/mcp?tools=find"
    _ = try sample.call("applyFiveStarRating-", to: "/sessions/own/mcp", headers: agent)
    let undone = try sample.call("undo", to: path, headers: agent)
    #expect(undone[JSONPointer(["structuredContent", "undone"])] == true, "\(undone)")
    let planned = try sample.call("undo", #"{"plan":"p"}"#, to: path, headers: agent)
    #expect(planned[JSONPointer(["isError"])] == true)
    // Once there is such a command, its consent counts, at every door.
    let limited = try tokens.make(
      [.items, .perform], kind: "agent", more: #","commands":["apply*"]"#
    ).fields
    #expect(
      try !sample.result(of: "tools/list", to: path, headers: limited).names("tools").contains(
        "undo"))
    _ = try sample.send(
      .put, "/commands/undo:", #"{"title":"Undo","action":"undo:","agents":"hidden"}"#,
      headers: SampleService.administrator)
    #expect(try sample.send(.post, "/sessions/own/undo", headers: agent).status == .forbidden)
    #expect(
      try !sample.result(of: "tools/list", to: path, headers: agent).names("tools").contains("undo")
    )
  }

  @Test func `R11: focus in a window that is not key is told as what it is`() throws {
    let sample = try SampleService()
    for (id, body) in [
      ("other", #"{"kind":"window"}"#), ("far", #"{"kind":"view","superview":"other"}"#),
    ] {
      let put = try sample.send(.put, "/sessions/demo/responders/\(id)", body)
      try #require(put.status == .created, "\(put.text)")
    }
    let focused = try call("focus", #"{"responder":"far"}"#, in: sample)
    let focus = try sample.send(.get, "/sessions/demo").value("/firstResponder")
    #expect(focused[JSONPointer(["structuredContent", "focus"])] == focus)
    #expect(focused.firstText?.hasPrefix("It has the focus of its window") == (focus != "far"))
  }

  @Test func `commands that agents may call are found behind those that they may not`() throws {
    let sample = try SampleService()
    for number in 0..<130 {
      try declare("far\(number):", "{}", command: #","agents":"hidden""#, in: sample)
    }
    for number in 0..<30 { try declare("farOpen\(number):", on: "hostedView", "{}", in: sample) }
    let commands = JSONPointer(["structuredContent", "commands"])
    let next = JSONPointer(["structuredContent", "next"])
    var found: [JSON] = []
    var told = ""
    var offset: JSON? = 0
    while let place = offset {
      let page = try call(
        "find_commands", #"{"query":"T far","offset":\#(place.text()),"limit":100}"#, in: sample)
      guard case .array(let more)? = page[commands], let text = page.firstText else {
        Issue.record("\(page)")
        return
      }
      #expect(!more.isEmpty)
      (found, told, offset) = (found + more, told + text, page[next])
    }
    #expect(Set(found).count == 30 && found.count == 30)
    // Neither the text nor the structure loses one.
    for number in 0..<30 { #expect(told.contains("'farOpen\(number):'")) }
  }

  @Test func `a disabled command is told with the places that would perform it`() throws {
    let sample = try SampleService()
    try declare("far:", #"{"validate":{"enabled":"false"}}"#, in: sample)
    let handler = try sample.send(
      .put, "/sessions/demo/responders/hostedView/handlers/far:", "{}")
    try #require(handler.status == .created, "\(handler.text)")
    let found = try call("find_commands", #"{"query":"T far"}"#, in: sample)
    let command = try #require(found[JSONPointer(["structuredContent", "commands", "0"])])
    #expect(command[JSONPointer(["focus"])] == ["hostedView"])
    #expect(command[JSONPointer(["from"])] == ["hostedView"])
    #expect(found.firstText?.contains("It is enabled if 'hostedView' has focus.") == true)
  }

  @Test func `the description has the screen, and all of a large state by its places`() throws {
    let sample = try SampleService()
    let rows = (0..<400).map {
      #"{"id":"row\#($0)","title":"\#(String(repeating: "x", count: 60))"}"#
    }
    let set = try sample.send(
      .patch, "/sessions/demo/state", #"{"rows":[\#(rows.joined(separator: ","))],"last":"z"}"#,
      type: "application/merge-patch+json")
    try #require(set.status == .ok, "\(set.text)")
    let told = try call("describe_session", in: sample)
    let content = try #require(told[JSONPointer(["structuredContent"])])
    #expect(content[JSONPointer(["state", "last"])] == "z")
    #expect(content[JSONPointer(["state", "rows"])] == nil)
    #expect(content[JSONPointer(["cut", "0", "member"])] == "state")
    #expect(content[JSONPointer(["screen"])] == ["root", "photoHost"])
    #expect(told.firstText?.contains("'path' has all of it") == true)
    let row = try call("describe_session", #"{"path":"/rows/399"}"#, in: sample)
    #expect(row[JSONPointer(["structuredContent", "state", "id"])] == "row399")
    #expect(row.firstText?.hasPrefix("The state at '/rows/399':\n/rows/399/id: \"row399\"") == true)
    for (path, text) in [
      ("/none", "'describe_session' was not performed. The state has nothing at '/none'."),
      (
        "rows",
        """
        'describe_session' was not performed: its arguments do not fit its schema.
        /arguments/path: A JSON Pointer is empty or begins with a slash.
        """
      ),
    ] {
      let refused = try call("describe_session", #"{"path":"\#(path)"}"#, in: sample)
      #expect(refused.firstText == text && refused[JSONPointer(["isError"])] == true)
    }
  }

  @Test func `M12: a command of items only is explained by its items, from where it is asked`()
    throws
  {
    let sample = try SampleService()
    try declare(
      "go:", on: "hostedView", #"{"validate":{"enabled":"parameters.to != 'b'"}}"#,
      command: #","parameters":{"type":"object","properties":{"to":{"type":"string"}}}"#, in: sample
    )
    let edit =
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"identifier":"places","title":"Places","#
      + #""children":[{"forEach":"['a', 'b']","key":"item","command":"go:","title":"item","parameters":"{'to': item}"}]}}]}"#
    let edited = try sample.send(.post, "/menus/edits", edit)
    try #require(edited.status == .ok, "\(edited.text)")
    let there = try call("explain_command", #"{"command":"go:","from":"hostedView"}"#, in: sample)
    #expect(
      there.firstText?.hasPrefix(
        "'go:' (“T go:”) is performed with the 'itemKey' of one of its items:") == true, "\(there)")
    #expect(there.firstText?.hasSuffix("\n'a' “a”\n'b' “b”, disabled") == true, "\(there)")
    #expect(there[JSONPointer(["structuredContent", "arguments", "properties"])] == nil)
  }
}

/// The tools of a client whose address does not choose them.
struct ListedToolTests {
  private static let fixed = FixedTool.allCases.map(\.rawValue)

  private func tools(_ sample: SampleService, _ client: String? = "client") throws -> [String] {
    let headers = client.map { [("Mcp-Session-Id", $0)] } ?? []
    return try sample.result(of: "tools/list", headers: headers).names("tools")
  }

  @Test(.enabled(if: Replicas.count == 1, "A replica knows the streams that it has itself."))
  func `a client that does not listen has the fixed set, and is told once it does`() throws {
    let sample = try SampleService()
    #expect(try tools(sample) == Self.fixed)
    let stream = try sample.openStream("client")
    #expect(
      stream.messages() == [#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#])
    #expect(stream.messages() == [])
    let commands = try tools(sample)
    #expect(commands.contains("applyFiveStarRating-") && !commands.contains("find_commands"))
    // Another client has nothing to do with that.
    #expect(try tools(sample, "other") == Self.fixed)
    // It may call what it knows.
    for tool in ["applyFiveStarRating-", "describe_session"] {
      for client in ["client", "other"] {
        let answer = try sample.call(tool, headers: [("Mcp-Session-Id", client)])
        #expect(answer[JSONPointer(["isError"])] == nil)
      }
    }
    stream.stream.close()
  }

  @Test func `of a client without a name it is not known, nor of one since 2026-07-28`() throws {
    let sample = try SampleService()
    #expect(try tools(sample, nil).contains("applyFiveStarRating-"))
    let answer = try sample.stateless("tools/list", headers: [("Mcp-Session-Id", "client")])
    #expect(answer.text.contains("applyFiveStarRating-"))
  }

  @Test(.ofOneService, arguments: AskedTools.allCases)
  func `the setting decides where the address says nothing`(setting: AskedTools) throws {
    var limits = ServiceLimits()
    limits.agentTools = setting
    let sample = try SampleService(limits: limits)
    let named = try tools(sample)
    switch setting {
    case .listening, .find: #expect(named == Self.fixed)
    case .enabled, .all:
      #expect(named.contains("applyFiveStarRating-") && !named.contains("find_commands"))
      #expect(named.contains("delete-") == (setting == .all))
    }
    for asked in AskedTools.allCases {
      let listed = try sample.tools("?tools=\(asked.rawValue)")
      #expect((listed == Self.fixed) == (asked == .find))
    }
  }
}
