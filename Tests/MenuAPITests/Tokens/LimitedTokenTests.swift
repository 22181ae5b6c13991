import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// Tokens that are limited to commands: the others do not exist for them (T1).
struct LimitedTokenTests {
  let tokens: TokenSample

  init() throws { tokens = try TokenSample() }

  private var sample: SampleService { tokens.sample }

  private func limited(_ rights: [Right], to commands: String) throws -> TokenSample.Fields {
    try tokens.make(rights, kind: "person", more: #","commands":\#(commands)"#).fields
  }

  private static func isSeen(_ id: String) -> Bool { id == "copy:" || id.hasPrefix("apply") }

  /// The commands in any of these members of an answer.
  private func commands(_ json: JSON?) -> Set<String> {
    var found: Set<String> = []
    func visit(_ json: JSON) {
      switch json {
      case .object(let object):
        for member in object.members {
          if ["command", "id"].contains(member.name), case .string(let id) = member.value {
            found.insert(id)
          }
          visit(member.value)
        }
      case .array(let elements): elements.forEach(visit)
      case .null, .bool, .int, .double, .string: break
      }
    }
    json.map(visit)
    return found
  }

  @Test func `T1 questions, menus, search and the catalogue have the commands of a token only`()
    throws
  {
    let fields = try limited([.items, .read], to: #"["copy:","apply*"]"#)
    let all = Set(try SampleCatalog.catalog().commands.map(\.id.rawValue))
    let questions: [(MicroHTTP.Method, String, String?)] = [
      (.get, "/commands", nil), (.get, "/menus", nil), (.get, "/sessions/own/menu", nil),
      (.post, "/commands/validate", #"{"session":"own"}"#),
      (.post, "/commands/validate", #"{"session":"own","explain":true}"#),
      (.post, "/commands/search", #"{"session":"own","query":"","disabled":true,"limit":100}"#),
      (.get, "/keys/conflicts?session=own", nil), (.get, "/sessions/own/keys", nil),
      (.get, "/sessions/own/changes?menu=root", nil),
    ]
    for (method, target, body) in questions {
      // The whole answer is kept, and is not given to others.
      let whole = try sample.send(method, target, body, headers: tokens.own)
      let part = try sample.send(method, target, body, headers: fields)
      #expect(part.status == .ok, "\(target): \(part.text)")
      for id in all where !Self.isSeen(id) {
        #expect(!part.text.contains("\"\(id)\""), "\(target) tells of \(id)")
      }
      let shown = commands(try whole.json).intersection(all).filter(Self.isSeen)
      #expect(commands(try part.json).intersection(all) == shown, "\(target)")
      #expect(try sample.send(method, target, body, headers: tokens.own).text == whole.text)
    }
  }

  @Test func `T1, K6: conflicts have no key commands of responders`() throws {
    let put = try sample.send(
      .put, "/sessions/own/responders/photoGrid/key-commands",
      #"{"keyCommands":[{"input":"5","modifiers":["command"],"action":"secret:"}]}"#,
      headers: tokens.own)
    #expect(put.status == .ok, "\(put.text)")
    let target = "/keys/conflicts?session=own"
    #expect(try sample.send(.get, target, headers: tokens.own).text.contains("secret:"))
    let part = try sample.send(.get, target, headers: limited([.items], to: #"["apply*"]"#))
    #expect(try part.value("/conflicts") == [], "\(part.text)")
  }

  @Test func `T1 another command is as one that nobody declared`() throws {
    let fields = try limited([.read, .perform], to: #"["copy:"]"#)
    let requests: [(MicroHTTP.Method, String, String?)] = [
      (.get, "/commands/delete:", nil),
      (.post, "/commands/validate", #"{"session":"own","commands":["delete:"]}"#),
      (.post, "/commands/perform", #"{"session":"own","command":"delete:"}"#),
      (.post, "/commands/perform", #"{"session":"own","command":"delete:","from":"nobody"}"#),
      (.post, "/sessions/own/mutations", #"{"mutations":[{"op":"perform","command":"delete:"}]}"#),
      (.get, "/sessions/own/changes?commands=delete:", nil),
    ]
    for (method, target, body) in requests {
      let hidden = try sample.send(method, target, body, headers: fields)
      let unknown = try sample.send(
        method, target.replacing("delete:", with: "absent"),
        body?.replacing("delete:", with: "absent"), headers: fields)
      #expect(hidden.status == unknown.status, "\(target)")
      #expect(hidden.text.replacing("delete:", with: "absent") == unknown.text, "\(target)")
    }
  }

  @Test(arguments: [
    #"{"op":"perform","action":"delete:"}"#, #"{"op":"undo"}"#,
    #"{"op":"invoke","invocation":{"selector":"delete:","target":"photoGrid"}}"#,
    #"{"op":"pressKey","key":{"input":"c","modifiers":["command"]}}"#,
  ])
  func `T1 what no command names is not for a token that is limited to some`(
    mutation: String
  ) throws {
    let fields = try limited([.items, .perform], to: #"["*"]"#)
    let response = try sample.send(
      .post, "/sessions/own/mutations", #"{"mutations":[\#(mutation)]}"#, headers: fields)
    #expect(
      try response.problem == """
        /problems/forbidden
        /mutations/0
        The token is limited to commands, and this names none: it may perform commands only.
        """)
  }

  @Test func `T1 a message of another command is as one of a command that nobody declared`() throws
  {
    let fields = try limited([.items, .perform], to: #"["copy:"]"#)
    func send(_ id: String) throws -> Response {
      try sample.send(
        .post, "/sessions/own/mutations",
        #"{"mutations":[{"op":"invoke","invocation":{"selector":"copy:","target":"photoGrid","command":"\#(id)"}}]}"#,
        headers: fields)
    }
    let (hidden, unknown) = (try send("delete:"), try send("absent:"))
    #expect(hidden.status == unknown.status)
    #expect(hidden.text.replacing("delete:", with: "absent:") == unknown.text)
  }

  @Test func `T1 a touch bar has the items of the token's commands`() throws {
    let place =
      #"{"op":"putResponder","responder":"bar","value":{"kind":"view","touchBar":{"items":["#
      + #"{"command":"copy:"},{"command":"delete:"}]}}}"#
    let placed = try sample.send(
      .post, "/sessions/own/mutations", #"{"mutations":[\#(place)]}"#, headers: tokens.own)
    try #require(placed.status == .ok, "\(placed.text)")
    let fields = try limited([.items], to: #"["copy:"]"#)
    let whole = try sample.send(.get, "/sessions/own/touch-bar?from=bar", headers: tokens.own)
    let part = try sample.send(.get, "/sessions/own/touch-bar?from=bar", headers: fields)
    #expect(whole.text.contains("delete:"))
    #expect(part.text.contains("copy:"))
    #expect(!part.text.contains("delete:"))
  }

  @Test func `T1 a key performs the command of a token, and no other`() throws {
    let fields = try limited([.items, .perform], to: #"["copy:"]"#)
    func press(_ input: String, _ fields: TokenSample.Fields, _ path: String) throws -> Response {
      try sample.send(
        .post, path,
        #"{"session":"own","key":{"input":"\#(input)","modifiers":["command"]}}"#, headers: fields)
    }
    for path in ["/keys/resolve", "/keys/press"] {
      let hidden = try press("5", fields, path)
      let unknown = try press("9", fields, path)
      #expect(hidden.status == unknown.status)
      #expect(
        hidden.text.replacing("5", with: "9") == unknown.text)
    }
    let whole = try press("c", tokens.own, "/keys/press?dryRun")
    let part = try press("c", fields, "/keys/press?dryRun")
    #expect(part.status == whole.status)
    #expect(try part.value("/command") == whole.value("/command"))
    #expect(try part.value("/target") == whole.value("/target"))
  }

  @Test
  func `T1, K9 a limited token's key performs its command, though the keymap gives it to another`()
    throws
  {
    let put = try sample.send(
      .put, "/keymaps/mine",
      #"{"entries":[{"key":"cmd+c","command":"delete:"}]}"#, headers: SampleService.administrator)
    try #require(put.status.rawValue < 300, "\(put.text)")
    let used = try sample.send(
      .put, "/sessions/own/keymap", #"{"keymap":"mine"}"#, headers: tokens.own)
    try #require(used.status == .ok, "\(used.text)")
    let fields = try limited([.items, .perform], to: #"["copy:"]"#)
    let key = #"{"session":"own","key":{"input":"c","modifiers":["command"]}}"#
    let own = try sample.send(.post, "/keys/resolve", key, headers: tokens.own)
    #expect(try own.value("/matches/0/command") == "delete:", "\(own.text)")
    let resolved = try sample.send(.post, "/keys/resolve", key, headers: fields)
    #expect(try resolved.value("/matches/0/command") == "copy:", "\(resolved.text)")
    let pressed = try sample.send(.post, "/keys/press?dryRun", key, headers: fields)
    #expect(try pressed.value("/command") == "copy:", "\(pressed.text)")
  }

  @Test func `T1 a responder's key is taken for a token of commands, and means nothing`() throws {
    let put = try sample.send(
      .put, "/sessions/own/responders/photoGrid/key-commands",
      #"{"keyCommands":[{"input":"c","modifiers":["command","numericPad"],"action":"paste:","enabled":true},{"input":"x","action":"nobody:"}]}"#,
      headers: tokens.own)
    try #require(put.status == .ok, "\(put.text)")
    let token = try tokens.make([.items, .perform], more: #","commands":["copy:"]"#)
    let keys = try sample.send(
      .get, "/sessions/own/keys?from=photoGrid", headers: token.fields)
    let all = try sample.send(.get, "/sessions/own/keys?from=photoGrid", headers: tokens.own)
    let isTaken = all.text.contains(#""action":"paste:","enabled":true"#)
    let taken: JSON = ["strokes": [["input": "c", "modifiers": ["command", "numericPad"]]]]
    #expect(try keys.value("/keys/0") == (isTaken ? taken : keys.value("/keys/0")))
    #expect(!keys.text.contains("paste:") && !keys.text.contains("nobody:"))
    #expect(keys.text.contains(#""command":"copy:""#))
  }

  @Test func `T1 tools are those of the token's commands, and no other can be called`() throws {
    let fields = try limited([.items, .perform], to: #"["applyF*"]"#)
    func ask(_ method: String, _ params: String) throws -> Response {
      try sample.send(
        .post, "/sessions/own/mcp?tools=all",
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#, headers: fields)
    }
    let tools = try ask("tools/list", "{}").value("/result/tools")?.items ?? []
    #expect(
      tools.compactMap { $0[JSONPointer(["name"])] } == [
        "applyFourStarRating-", "applyFiveStarRating-",
      ])
    let hidden = try ask("tools/call", #"{"name":"copy-"}"#)
    let unknown = try ask("tools/call", #"{"name":"none-"}"#)
    #expect(hidden.text.replacing("copy-", with: "none-") == unknown.text)
    let resources = try ask("resources/list", "{}").value("/result/resources")?.items ?? []
    #expect(resources.compactMap { $0[JSONPointer(["name"])] } == ["menu"])
    let read = try ask("resources/read", #"{"uri":"menud://sessions/own/menu"}"#)
    #expect(!read.text.contains("delete:"))
    let document = try ask("resources/read", #"{"uri":"menud://sessions/own"}"#)
    #expect(document.status == .forbidden)
  }

  @Test func `T3 an answer has no documents and traces for who may not read`() throws {
    let token = try tokens.make([.items, .perform])
    let body = #"{"session":"own","command":"applyFiveStarRating:","explain":true}"#
    let response = try sample.send(.post, "/commands/perform", body, headers: token.fields)
    #expect(response.status == .ok, "\(response.text)")
    for name in ["changes", "events", "trace"] { #expect(try response.value("/\(name)") == nil) }
    #expect(try response.value("/performed") == true)
    let items = try sample.send(
      .post, "/commands/validate", #"{"session":"own","commands":["copy:"],"explain":true}"#,
      headers: token.fields)
    #expect(try items.value("/items/0/command") == "copy:")
    #expect(try items.value("/items/0/trace") == nil)
    for (target, body) in [
      ("/commands/validate", #"{"session":"own","commands":["copy:"],"expl\u0061in":true}"#),
      ("/keys/resolve", #"{"session":"own","explain":true,"key":{"input":"c"}}"#),
    ] {
      let whole = try sample.send(.post, target, body, headers: tokens.own)
      #expect(whole.text.contains(#""trace":"#))
      let part = try sample.send(.post, target, body, headers: token.fields)
      #expect(part.status == .ok && !part.text.contains("trace"), "\(part.text)")
    }
    let menu = try sample.send(.get, "/sessions/own/menu?explain", headers: token.fields)
    #expect(menu.status == .ok && !menu.text.contains("trace"))
    let refusal = #"{"session":"own","command":"paste:","explain":true}"#
    let refused = try sample.send(.post, "/commands/perform", refusal, headers: token.fields)
    #expect(refused.status == .conflict)
    #expect(try refused.value("/trace") == nil)
    let told = try sample.send(.post, "/commands/perform", refusal, headers: tokens.own)
    #expect(try told.value("/trace") != nil)
    let read = try tokens.make([.read, .perform])
    let whole = try sample.send(.post, "/commands/perform", body, headers: read.fields)
    for name in ["changes", "events", "trace"] { #expect(try whole.value("/\(name)") != nil) }
  }

  @Test func `T3 who may not read sees no values of a delivery`() throws {
    let made = try sample.send(
      .put, "/sessions/own/responders/clerk",
      #"{"kind":"view","handlers":{"copy:":{"perform":[{"op":"deliver","value":"state.secret"}]}}}"#,
      headers: tokens.own)
    try #require(made.status == .created, "\(made.text)")
    _ = try sample.send(
      .patch, "/sessions/own/state", #"{"secret":"s3cret"}"#, type: "application/merge-patch+json",
      headers: tokens.own)
    for (rights, isShown) in [([Right.items, .perform], false), ([.perform, .work], true)] {
      let performed = try sample.send(
        .post, "/commands/perform", #"{"session":"own","command":"copy:","from":"clerk"}"#,
        headers: tokens.make(rights).fields)
      #expect(try performed.value("/deliveries/0/id") != nil, "\(performed.text)")
      #expect(performed.text.contains("s3cret") == isShown)
      #expect((try performed.value("/deliveries/0/invocation") != nil) == isShown)
      let id = try #require(try performed.value("/deliveries/0/id"))
      let cancelled = try sample.send(
        .post, "/sessions/own/deliveries/\(id.text())/cancel?dryRun=true",
        headers: tokens.make(rights).fields)
      #expect(cancelled.status == .ok && cancelled.text.contains("s3cret") == isShown)
    }
  }

  @Test(arguments: [
    ([Right.perform], false), ([.items, .perform], false), ([.work], true), ([.read], true),
  ])
  func `D3 who performs asks for the delivery at its address`(rights: [Right], isValueShown: Bool)
    throws
  {
    _ = try sample.send(
      .put, "/sessions/own/responders/clerk",
      #"{"kind":"view","handlers":{"copy:":{"perform":[{"op":"deliver","value":"'s3cret'"}]}}}"#,
      headers: tokens.own)
    let performed = try sample.send(
      .post, "/commands/perform", #"{"session":"own","command":"copy:","from":"clerk"}"#,
      headers: tokens.own)
    let id = try #require(try performed.value("/deliveries/0/id"), "\(performed.text)")
    let address = "/sessions/own/deliveries/\(id.text())"
    let asked = try sample.send(.get, address, headers: tokens.make(rights).fields)
    #expect(asked.status == .ok, "\(asked.text)")
    #expect(try asked.value("/delivery/state") == "open")
    #expect(asked.text.contains("s3cret") == isValueShown)
    let refused = try sample.send(.get, address, headers: tokens.make([.items]).fields)
    #expect(refused.status == .forbidden)
    #expect(try refused.value("/right") == "read")
  }

  @Test func `T3 events have what the token may see`() throws {
    let token = try tokens.make([.items])
    for part in ["document=true", "deliveries=open"] {
      let refused = try sample.send(.get, "/sessions/own/changes?\(part)", headers: token.fields)
      #expect(refused.status == .forbidden)
      #expect(try refused.value("/right") == "read")
      let selected = try sample.send(
        .get, "/events?sessions=own&select=a;\(part)", headers: token.fields)
      #expect(selected.status == .forbidden)
    }
    #expect(
      try sample.send(.get, "/sessions/own/changes?menu=root", headers: token.fields).status == .ok)
  }
}
