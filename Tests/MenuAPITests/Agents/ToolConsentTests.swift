import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// Agents perform commands by consent (T7).
struct ToolConsentTests {
  private func sample(_ limits: ServiceLimits = ServiceLimits()) throws -> SampleService {
    let sample = try SampleService(limits: limits)
    let schema =
      #"{"type":"object","properties":{"by":{"type":"integer"}},"required":["by"],"additionalProperties":false}"#
    for (action, more) in [
      ("secret:", #","agents":"hidden""#), ("turn:", #","agents":"plan","parameters":\#(schema)"#),
      ("purge:", #","confirmation":{"title":"Purge?"}"#), ("wipe:", ""),
    ] {
      let answer = try sample.send(
        .put, "/commands/\(action)", #"{"title":"T","action":"\#(action)"\#(more)}"#)
      try #require(answer.status == .created, "\(answer.text)")
      let validate = action == "wipe:" ? #"{"confirmation":{"title":"'Wipe?'"}}"# : "{}"
      let value = action == "turn:" ? "state.angle + parameters.by" : "'done'"
      let path = action == "turn:" ? "/angle" : "/\(action.dropLast())"
      _ = try sample.send(
        .put, "/sessions/demo/responders/photoGrid/handlers/\(action)",
        #"{"validate":\#(validate),"perform":[{"op":"add","path":"\#(path)","value":"\#(value)"}]}"#
      )
    }
    try set("angle", 1, sample)
    return sample
  }

  private func set(_ name: String, _ value: Int, _ sample: SampleService) throws {
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"\#(name)":\#(value)}"#,
      type: "application/merge-patch+json")
  }

  private func state(_ name: String, _ sample: SampleService) throws -> JSON? {
    try sample.send(.get, "/sessions/demo").value("/state/\(name)")
  }

  private func plan(_ result: JSON) throws -> String {
    try #require(result[JSONPointer(["structuredContent", "plan"])]?.word, "\(result)")
  }

  @Test func `T7: a hidden command is no tool`() throws {
    let sample = try sample()
    for query in ["", "?tools=all"] {
      let tools = try sample.tools(query)
      #expect(!tools.contains("secret-") && tools.contains("turn-"))
    }
    let answer = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"secret-"}}"#,
      to: "/sessions/demo/mcp")
    #expect(answer.text.contains("Unknown tool: 'secret-'"))
    let performed = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","command":"secret:"}"#)
    #expect(performed.status == .ok)
  }

  @Test func `T7: the resource with all menus has no hidden command`() throws {
    let sample = try sample()
    let menu = #"{"title":"Things","children":["turn:",{"title":"Hidden","children":["secret:"]}]}"#
    let made = try sample.send(
      .post, "/menus/edits",
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"image","menu":\#(menu)}]}"#)
    try #require(made.status == .ok, "\(made.text)")
    let read = try sample.result(
      of: "resources/read", #"{"uri":"menud://sessions/demo/menu"}"#)
    let text = try #require(read[JSONPointer(["contents", "0", "text"])]?.word)
    #expect(text.contains("turn:") && !text.contains("secret:") && !text.contains("Hidden"))
    let whole = try sample.send(.get, "/sessions/demo/menu")
    #expect(whole.text.contains("secret:"))
  }

  @Test func `T7: a list of all tools has the plan of a call that only rules would confirm`() throws
  {
    let list = try sample().result(of: "tools/list", to: "/sessions/demo/mcp?tools=all")
    guard case .array(let tools)? = list[JSONPointer(["tools"])] else {
      Issue.record("\(list)")
      return
    }
    for name in ["wipe-", "purge-"] {
      let tool = try #require(tools.first { $0[JSONPointer(["name"])] == .string(name) })
      let plan = tool[JSONPointer(["inputSchema", "properties", "plan", "description"])]?.word
      #expect(plan?.contains(name == "wipe-" ? "if it answered one" : "what that one said") == true)
    }
  }

  @Test func `T7: the default holds where a command is silent`() throws {
    var limits = ServiceLimits()
    limits.agentConsent = .hidden
    #expect(try sample(limits).tools("?tools=all") == ["turn-"])
    limits.agentConsent = .plan
    let sample = try sample(limits)
    let result = try sample.call("applyFiveStarRating-")
    #expect(result[JSONPointer(["structuredContent", "planned"])] == true)
    #expect(try state("rating", sample) != 5)
  }

  @Test func `T7: a call without a plan tells what would happen, and one with it does that`() throws
  {
    let sample = try sample()
    let shown = try sample.call("turn-", #"{"by":4}"#)
    #expect(shown[JSONPointer(["isError"])] == nil)
    #expect(try state("angle", sample) == 1)
    let plan = try plan(shown)
    let text = try #require(shown.firstText)
    #expect(text.hasPrefix("Nothing was done yet. Call 'turn-' again with 'plan': \"\(plan)\""))
    #expect(text.contains("\n/angle: 5"))
    let done = try sample.call("turn-", #"{"plan":"\#(plan)"}"#)
    #expect(done[JSONPointer(["structuredContent", "performed"])] == true, "\(done)")
    #expect(try state("angle", sample) == 5)
    _ = try sample.call("turn-", #"{"plan":"\#(plan)","by":4}"#)
    #expect(try state("angle", sample) == 5)
  }

  @Test func `T7: a plan is good for its command and arguments, and for what it showed`() throws {
    let sample = try sample()
    let plan = try plan(try sample.call("turn-", #"{"by":4}"#))
    for (tool, arguments) in [
      ("purge-", #"{"plan":"\#(plan)"}"#), ("turn-", #"{"plan":"\#(plan)","by":5}"#),
    ] {
      let refused = try sample.call(tool, arguments)
      #expect(refused[JSONPointer(["isError"])] == true)
      #expect(refused[JSONPointer(["structuredContent", "type"])] == "/problems/foreign-plan")
    }
    try set("angle", 10, sample)
    let changed = try sample.call("turn-", #"{"plan":"\#(plan)"}"#)
    #expect(
      changed.firstText?.hasPrefix("Nothing was done, since it would do something else now.")
        == true)
    #expect(changed.firstText?.contains("\n/angle: 14") == true)
    #expect(try state("angle", sample) == 10)
    let next = try self.plan(changed)
    _ = try sample.call("turn-", #"{"plan":"\#(next)"}"#)
    #expect(try state("angle", sample) == 14)
  }

  @Test(arguments: ["purge", "wipe"])
  func `T7: a command with a confirmation is planned at least`(name: String) throws {
    let sample = try sample()
    let shown = try sample.call("\(name)-")
    #expect(shown.firstText?.contains("A person is asked first: “") == true, "\(shown)")
    #expect(try state(name, sample) == nil)
    let done = try sample.call("\(name)-", #"{"plan":"\#(try plan(shown))"}"#)
    #expect(done[JSONPointer(["structuredContent", "performed"])] == true, "\(done)")
    #expect(try state(name, sample) == "done")
  }

  @Test func `T7: a plan that changed tells the question that is asked now`() throws {
    let sample = try sample()
    let rules = #"{"confirmation":{"title":"'Wipe ' + string(state.angle) + '?'"}}"#
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/wipe:",
      #"{"validate":\#(rules),"perform":[{"op":"add","path":"/wipe","value":"'done'"}]}"#)
    let shown = try sample.call("wipe-")
    try set("angle", 2, sample)
    let changed = try sample.call("wipe-", #"{"plan":"\#(try plan(shown))"}"#)
    #expect(changed.firstText?.contains("A person is asked first: “Wipe 2?”") == true)
    #expect(
      changed[JSONPointer(["structuredContent", "confirmation"])] == ["title": "Wipe 2?"])
    #expect(try state("wipe", sample) == nil)
    _ = try sample.call("wipe-", #"{"plan":"\#(try plan(changed))"}"#)
    #expect(try state("wipe", sample) == "done")
  }

  @Test func `T7: the schema of a planned tool has the plan beside the parameters`() throws {
    let sample = try sample()
    let list = try sample.result(of: "tools/list", "{}")
    guard case .array(let tools)? = list[JSONPointer(["tools"])] else {
      Issue.record("\(list)")
      return
    }
    for name in ["turn-", "purge-", "wipe-"] {
      let tool = try #require(tools.first { $0[JSONPointer(["name"])] == .string(name) })
      #expect(tool[JSONPointer(["inputSchema", "properties", "plan", "type"])] == "string")
    }
  }

  @Test func `T7: a result tells the name of the argument for its plan`() throws {
    let sample = try sample()
    let schema = #"{"type":"object","properties":{"plan":{"type":"integer"}}}"#
    _ = try sample.send(
      .put, "/commands/scheme:",
      #"{"title":"S","action":"turn:","propertyList":9,"agents":"plan","parameters":\#(schema)}"#)
    for (name, arguments, argument) in [
      ("turn-", #"{"by":4}"#, "plan"), ("scheme-", #"{"plan":1,"by":4}"#, "menudPlan"),
    ] {
      let shown = try sample.call(name, arguments)
      let told = shown[JSONPointer(["structuredContent", "planArgument"])]
      #expect(told == .string(argument), "\(shown)")
      let done = try sample.call(name, #"{"\#(argument)":"\#(try plan(shown))"}"#)
      #expect(done[JSONPointer(["structuredContent", "performed"])] == true, "\(done)")
      #expect(done[JSONPointer(["structuredContent", "planArgument"])] == nil)
    }
  }

  @Test(arguments: ["", "?tools=all"])
  func `T7: what is no plan is refused as such, whatever the command's consent`(query: String)
    throws
  {
    let sample = try sample()
    let closed = #"{"type":"object","additionalProperties":false}"#
    for (id, more) in [("closed", #","parameters":\#(closed)"#), ("bare", "")] {
      _ = try sample.send(
        .put, "/commands/\(id)",
        #"{"title":"S","action":"purge:","propertyList":"\#(id)"\#(more)}"#)
    }
    let path = "/sessions/demo/mcp" + query
    for tool in ["turn-", "closed", "bare"] {
      for (plan, found) in [("null", "null"), ("5", "the number 5")] {
        let refused = try sample.call(tool, #"{"plan":\#(plan)}"#, to: path)
        #expect(
          refused.firstText == """
            '\(tool)' was not performed: its arguments do not fit its schema.
            /arguments/plan: Expected a string, found \(found).
            """)
        #expect(refused.at("structuredContent", "pointer") == "/arguments/plan")
      }
      let refused = try sample.call(tool, #"{"plan":"none"}"#, to: path)
      #expect(refused.at("structuredContent", "type") == "/problems/unknown-plan", "\(refused)")
    }
  }

  @Test
  func `T7: a command without plans may have a parameter of that name that it does not declare`()
    throws
  {
    let sample = try sample()
    _ = try sample.send(
      .put, "/commands/open",
      #"{"title":"S","action":"purge:","propertyList":"open","parameters":{"type":"object"}}"#)
    let done = try sample.call("open", #"{"plan":"none"}"#)
    #expect(done.at("structuredContent", "performed") == true, "\(done)")
  }

  @Test func `T7: commands are found, explained and performed by consent`() throws {
    let sample = try sample()
    let path = "/sessions/demo/mcp?tools=find"
    let found = try sample.call("find_commands", #"{"query":"copy"}"#, to: path)
    #expect(found[JSONPointer(["structuredContent", "commands", "0", "command"])] != nil)
    let all = try sample.call("find_commands", #"{"limit":100}"#, to: path)
    #expect(all.firstText?.contains("secret:") == false)
    let explained = try sample.call("explain_command", #"{"command":"turn:"}"#, to: path)
    #expect(explained.firstText?.hasPrefix("'turn:' (“T”) can be performed now.") == true)
    #expect(
      explained[JSONPointer(["structuredContent", "arguments", "required", "0"])] == "by")
    let shown = try sample.call(
      "perform_command", #"{"command":"turn:","arguments":{"by":2}}"#, to: path)
    #expect(shown.firstText?.contains("Call 'perform_command' again with 'plan'") == true)
    let done = try sample.call(
      "perform_command", #"{"command":"turn:","plan":"\#(try plan(shown))"}"#, to: path)
    #expect(done[JSONPointer(["structuredContent", "performed"])] == true)
    #expect(try state("angle", sample) == 3)
    for arguments in [#"{"command":"secret:"}"#, #"{"command":"nobody"}"#, "{}", #"{"command":5}"#]
    {
      let refused = try sample.call("perform_command", arguments, to: path)
      #expect(refused[JSONPointer(["isError"])] == true)
    }
  }

  @Test func `T7: an agent's token needs consent at every door`() throws {
    let tokens = try TokenSample()
    let sample = tokens.sample
    for (action, more) in [
      ("secret:", #","agents":"hidden""#), ("turn:", #","agents":"plan""#),
      ("purge:", #","confirmation":{"title":"?"}"#),
      ("free:", ""),
    ] {
      _ = try sample.send(
        .put, "/commands/\(action)", #"{"title":"T","action":"\#(action)"\#(more)}"#,
        headers: SampleService.administrator)
      let handled = try sample.send(
        .put, "/sessions/own/responders/photoGrid/handlers/\(action)",
        #"{"perform":[{"op":"add","path":"/did","value":"'\#(action)'"}]}"#, headers: tokens.own)
      try #require(handled.status == .created, "\(handled.text)")
    }
    let agent = try tokens.make([.items, .perform, .declare], kind: "agent").fields
    let session = #""session":"own""#
    for (path, body, status) in [
      ("/commands/perform", #"{\#(session),"command":"secret:"}"#, Status.notFound),
      ("/commands/perform", #"{\#(session),"command":"turn:"}"#, .forbidden),
      ("/commands/perform", #"{\#(session),"command":"purge:","confirmed":true}"#, .forbidden),
      ("/commands/perform", #"{\#(session),"action":"secret:"}"#, .forbidden),
      (
        "/sessions/own/mutations", #"{"mutations":[{"op":"perform","command":"turn:"}]}"#,
        .forbidden
      ),
      ("/keys/press", #"{\#(session),"key":{"input":"5","modifiers":["command"]}}"#, .forbidden),
    ] {
      let answer = try sample.send(.post, path, body, headers: agent)
      #expect(answer.status == status, "\(body) \(answer.text)")
    }
    #expect(try sample.send(.get, "/sessions/own", headers: tokens.own).value("/state/did") == nil)
    let free = try sample.send(
      .post, "/commands/perform", #"{\#(session),"command":"free:"}"#, headers: agent)
    #expect(free.status == .ok)
    let shown = try sample.send(
      .post, "/commands/perform", #"{\#(session),"command":"turn:","dryRun":true}"#, headers: agent)
    let plan = try #require(try shown.value("/plan")?.word)
    #expect(try shown.value("/changes") == nil)
    let done = try sample.send(
      .post, "/commands/perform", #"{\#(session),"plan":"\#(plan)"}"#, headers: agent)
    #expect(done.status == .ok, "\(done.text)")
    let state = try sample.send(.get, "/sessions/own", headers: tokens.own)
    #expect(try state.value("/state/did") == "turn:")
  }

  @Test func `T3: an agent that may not read is told no values`() throws {
    let tokens = try TokenSample()
    let sample = tokens.sample
    _ = try sample.send(
      .put, "/commands/crop:", #"{"title":"Crop","action":"crop:"}"#,
      headers: SampleService.administrator)
    _ = try sample.send(
      .put, "/sessions/own/responders/photoGrid/handlers/crop:",
      #"{"validate":{"requires":[{"if":"size(state) > 4711","else":"Draw a frame."}]}}"#,
      headers: tokens.own)
    let agent = try tokens.make(kind: "agent").fields
    for message in [
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"crop-"}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"explain_command","arguments":{"command":"crop:"}}}"#,
    ] {
      let path = "/sessions/own/mcp" + (message.contains("explain") ? "?tools=find" : "")
      let answer = try sample.post(message, to: path, headers: agent)
      #expect(answer.text.contains("Draw a frame."))
      #expect(!answer.text.contains("4711") && !answer.text.contains("would perform it if"))
    }
  }
}
