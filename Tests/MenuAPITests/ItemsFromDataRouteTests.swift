import JSONText
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// Items from data over HTTP (M12).
struct ItemsFromDataRouteTests {
  let sample: SampleService

  init() throws {
    var limits = ServiceLimits()
    limits.itemsFromData = 3
    sample = try SampleService(limits: limits)
    let command =
      #"{"title":"Open Recent","action":"openRecent:","parameters":{"type":"object","#
      + #""properties":{"path":{"type":"string"}},"required":["path"]}}"#
    #expect(try sample.send(.put, "/commands/openRecent:", command).status == .created)
    let handler =
      #"{"validate":{"checked":"command.key == state.current","enabled":"#
      + #""parameters.path != 'locked'"},"perform":[{"op":"add","path":"/current","#
      + #""value":"parameters.path"}]}"#
    let place = "/sessions/demo/responders/photoGrid/handlers/openRecent:"
    #expect(try sample.send(.put, place, handler).status == .created)
    try patch(["a", "locked"])
    let edit =
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"identifier":"recent","#
      + #""title":"Recent","children":[{"forEach":"state.recent","key":"item.path","#
      + #""command":"openRecent:","title":"'File ' + item.path","parameters":"{'path': item.path}"}]}}]}"#
    let edited = try sample.send(.post, "/menus/edits", edit)
    #expect(edited.status == .ok, "\(edited.text)")
  }

  private func patch(_ paths: [String]) throws {
    let recent = JSON.array(paths.map { ["path": .string($0)] }).text()
    try FormRouteTests.patch(#"{"recent":\#(recent),"current":"a"}"#, sample)
  }

  private func perform(_ more: String) throws -> Response {
    try sample.send(.post, "/commands/perform", #"{"session":"demo"\#(more)}"#)
  }

  @Test func `M12: a menu has an item for each element, with its key`() throws {
    let menu = try sample.send(.get, "/sessions/demo/menu?menu=recent")
    #expect(
      menu.text.hasSuffix(
        #"""
        "children":[{"command":"openRecent:","itemKey":"a","title":"File a",\#
        "enabled":true,"state":"on","checkable":true,"attributes":[],\#
        "target":"photoGrid","reason":"enabled"},{"command":"openRecent:","itemKey":"locked",\#
        "title":"File locked","enabled":false,"state":"off",\#
        "checkable":true,"attributes":["disabled"],"target":"photoGrid","reason":"ruleFalse"}]}}
        """#), "\(menu.text)")
    let tree = try sample.send(.get, "/menus/recent")
    #expect(try tree.value("/children/0/forEach") == "state.recent")
  }

  @Test func `M12: an explained menu has a trace for each item`() throws {
    let menu = try sample.send(.get, "/sessions/demo/menu?menu=recent&explain=true")
    let place = "/menu/children/1/trace/2/rules/0/"
    #expect(try menu.value(place + "rule") == "parameters.path != 'locked'")
    #expect(try menu.value(place + "value") == "false")
  }

  @Test func `M12: performing names the command and the key, and tells them`() throws {
    let answer = try perform(#","command":"openRecent:","itemKey":"a","item":true"#)
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(try answer.value("/itemKey") == "a")
    #expect(try answer.value("/item/before/title") == "File a")
    #expect(try answer.value("/invocation/itemKey") == "a")
    #expect(try answer.value("/invocation/parameters") == ["path": "a"])
    #expect(try sample.send(.get, "/sessions/demo").value("/state/current") == "a")
    let history = try sample.send(.get, "/sessions/demo/history?limit=1")
    #expect(try history.value("/entries/0/itemKey") == "a", "\(history.text)")
    #expect(try history.value("/entries/0/title") == "File a", "\(history.text)")
  }

  @Test func `M12: an item that is not there is refused at its key`() throws {
    let gone = try perform(#","command":"openRecent:","itemKey":"b""#)
    #expect(gone.status == .conflict)
    #expect(try gone.value("/pointer") == "/itemKey")
    #expect(try gone.value("/reason") == "unknownItem")
    let sentence = "The menus have no item 'b' of the command 'openRecent:'; ask for them again."
    #expect(try gone.value("/detail") == .string(sentence))
    let locked = try perform(#","command":"openRecent:","itemKey":"locked""#)
    #expect(try locked.value("/reason") == "ruleFalse")
  }

  @Test(arguments: [
    (#","command":"openRecent:","itemKey":"a","parameters":{}"#, ""),
    (#","action":"openRecent:","itemKey":"a""#, ""),
    (#","command":"openRecent:","itemKey":"a","modifiers":["shift"]"#, ""),
    (#","command":"openRecent:","itemKey":"""#, "/itemKey"),
    (#","command":"openRecent:","itemKey":7"#, "/itemKey"),
  ])
  func `M12: a request that cannot be meant is refused`(more: String, pointer: String) throws {
    let answer = try perform(more)
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.value("/pointer") == .string(pointer))
  }

  @Test func `M12: a plan performs the item, or nothing`() throws {
    let dry = try perform(#","command":"openRecent:","itemKey":"a","dryRun":true"#)
    guard case .string(let plan) = try dry.value("/plan") else { throw Missing() }
    try patch(["b"])
    let refused = try perform(#","plan":"\#(plan)""#)
    #expect(try refused.value("/reason") == "unknownItem", "\(refused.text)")
  }

  private struct Missing: Error {}

  @Test func `M12: searches find the items, and not their command alone`() throws {
    let found = try sample.send(
      .post, "/commands/search", #"{"session":"demo","query":"file","disabled":true}"#)
    #expect(try found.value("/items/0/itemKey") == "a", "\(found.text)")
    #expect(try found.value("/items/1/itemKey") == "locked")
    #expect(try found.value("/items/0/menus") == ["Edit", "Recent"])
    let all = try sample.send(
      .post, "/commands/search", #"{"session":"demo","query":"open recent","disabled":true}"#)
    #expect(!all.text.contains(#""title":"Open Recent""#))
  }

  @Test func `M12: agents have one tool, with the keys that can be chosen now`() throws {
    func tool(_ query: String = "") throws -> JSON? {
      let tools = try sample.result(of: "tools/list", to: "/sessions/demo/mcp" + query)
      guard case .array(let all)? = tools[JSONPointer(["tools"])] else { return nil }
      let mine = all.filter { $0[JSONPointer(["name"])] == "openRecent-" }
      #expect(mine.count < 2)
      return mine.first?[JSONPointer(["inputSchema"])]
    }
    #expect(
      try tool() == [
        "type": "object", "additionalProperties": false,
        "properties": [
          "key": [
            "type": "string", "enum": ["a"],
            "description": "The key of an item, which brings its own arguments. 'a' is “File a”.",
          ]
        ], "required": ["key"],
      ])
    #expect(try tool("?tools=all")?[JSONPointer(["properties", "key", "enum"])] == nil)
    try patch([])
    #expect(try tool() == nil)
    try patch(["b", "c"])
    #expect(try tool()?[JSONPointer(["properties", "key", "enum"])] == ["b", "c"])
    let called = try sample.call("openRecent-", #"{"key":"c"}"#)
    #expect(called[JSONPointer(["isError"])] == nil, "\(called)")
    #expect(try sample.send(.get, "/sessions/demo").value("/state/current") == "c")
    let explained = try sample.call(
      "explain_command", #"{"command":"openRecent:"}"#, to: "/sessions/demo/mcp?tools=find")
    let first = explained[JSONPointer(["structuredContent", "items", "0", "itemKey"])]
    #expect(first == "b")
    let performed = try sample.call(
      "perform_command", #"{"command":"openRecent:","itemKey":"b"}"#,
      to: "/sessions/demo/mcp?tools=find")
    #expect(performed[JSONPointer(["isError"])] == nil, "\(performed)")
    let refused = try sample.call("openRecent-", #"{"key":"gone"}"#)
    #expect(refused[JSONPointer(["isError"])] == true)
    #expect(refused.firstText?.contains("no item 'gone'") == true, "\(refused)")
    for arguments in ["{}", #"{"key":7}"#, #"{"key":""}"#] {
      let refused = try sample.call("openRecent-", arguments)
      #expect(refused[JSONPointer(["isError"])] == true, "\(refused)")
      #expect(refused.firstText?.contains("the key of an item") == true, "\(refused)")
    }
  }

  @Test func `M12: a menu has at most the service's number of items`() throws {
    try patch(["a", "b", "c", "d", "a"])
    let menu = try sample.send(.get, "/sessions/demo/menu?menu=recent")
    #expect(try menu.value("/menu/children/2/itemKey") == "c")
    #expect(!menu.text.contains(#""itemKey":"d""#))
    let diagnostics = try sample.send(.get, "/sessions/demo/diagnostics")
    #expect(
      try diagnostics.value("/itemsFromData") == [
        ["menu": "recent", "command": "openRecent:", "excess": 2]
      ])
  }

  @Test func `M12: a rule that fails is told by the menu and by the diagnostics`() throws {
    try FormRouteTests.patch(#"{"recent":[{"path":"a"},7]}"#, sample)
    let menu = try sample.send(.get, "/sessions/demo/menu?menu=recent")
    #expect(try menu.value("/menu/children") == [])
    #expect(try menu.value("/menu/enabled") == false)
    #expect(try menu.value("/menu/errors/0/place") == "key")
    let diagnostics = try sample.send(.get, "/sessions/demo/diagnostics")
    #expect(try diagnostics.value("/itemsFromData/0/error/place") == "key")
    #expect(try diagnostics.value("/itemsFromData/0/error/index") == 1)
    let answer = try perform(#","command":"openRecent:","itemKey":"a""#)
    #expect(try answer.value("/reason") == "ruleError")
  }

  @Test func `M12: a token that may not see the command sees no items`() throws {
    let text = try sample.send(.get, "/menus").text
    #expect(text.contains("openRecent:"))
    let limited = sample.service.store.catalog.limited(to: [try #require(CommandPattern("copy:"))])
    #expect(limited.menus.itemsFromData() == [])
  }

  @Test func `M12: an item whose parameters the command does not take is disabled`() throws {
    try FormRouteTests.patch(#"{"recent":[{"path":7}]}"#, sample)
    let command = #"{"title":"Go","action":"go:"}"#
    #expect(try sample.send(.put, "/commands/go:", command).status == .created)
    let handler = "/sessions/demo/responders/photoGrid/handlers/go:"
    #expect(try sample.send(.put, handler, "{}").status == .created)
    let edit =
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"identifier":"go","#
      + #""children":[{"forEach":"state.recent","key":"string(item.path)","command":"go:","#
      + #""title":"'Go'","parameters":"item"}]}}]}"#
    #expect(try sample.send(.post, "/menus/edits", edit).status == .ok)
    let menu = try sample.send(.get, "/sessions/demo/menu?menu=go")
    #expect(try menu.value("/menu/children/0/reason") == "ruleError", "\(menu.text)")
    #expect(try menu.value("/menu/children/0/error/place") == "parameters")
    #expect(try menu.value("/menu/children/0/error/rule") == "item")
    #expect(try menu.value("/menu/children/0/error/message") == "the command takes no parameters")
    let answer = try perform(#","command":"go:","itemKey":"7""#)
    #expect(try answer.value("/reason") == "ruleError", "\(answer.text)")
    #expect(try answer.value("/item/error/rule") == "item", "\(answer.text)")
  }

  @Test func `R6, M12: an item that is not among the present choices is disabled`() throws {
    let command =
      #"{"title":"Show","action":"show:","parameters":{"type":"object","properties":{"album":"#
      + #"{"type":"string"}},"required":["album"]},"choices":{"album":"state.albums"}}"#
    #expect(try sample.send(.put, "/commands/show:", command).status == .created)
    let handler = "/sessions/demo/responders/photoGrid/handlers/show:"
    #expect(try sample.send(.put, handler, "{}").status == .created)
    let edit =
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"identifier":"show","#
      + #""children":[{"forEach":"state.names","key":"item","command":"show:","#
      + #""title":"item","parameters":"{'album': item}"}]}}]}"#
    #expect(try sample.send(.post, "/menus/edits", edit).status == .ok)
    try FormRouteTests.patch(#"{"albums":["Alps"],"names":["Alps","Gone"]}"#, sample)
    let menu = try sample.send(.get, "/sessions/demo/menu?menu=show")
    #expect(try menu.value("/menu/children/0/enabled") == true)
    #expect(try menu.value("/menu/children/1/enabled") == false)
    let message =
      "the command does not take the parameter 'album': Expected 'Alps', found the string 'Gone'"
    #expect(try menu.value("/menu/children/1/error/message") == .string(message))
    let answer = try perform(#","command":"show:","itemKey":"Gone""#)
    #expect(answer.status == .conflict)
    #expect(try answer.value("/item/error/message") == .string(message))
    #expect(try perform(#","command":"show:","itemKey":"Alps""#).status == .ok)
    let keymap =
      #"{"entries":[{"key":"cmd+8","command":"copy:"},{"key":"cmd+9","command":"show:","parameters":{"album":"Gone"}}]}"#
    #expect(try sample.send(.put, "/keymaps/ada", keymap).status == .created)
    _ = try sample.send(.put, "/sessions/demo/keymap", #"{"keymap":"ada"}"#)
    let nine = #"{"input":"9","modifiers":["command"]}"#
    let refused = try sample.key("press", nine)
    #expect(
      try refused.value("/detail")
        == .string(
          "The key 'cmd+9' does nothing here: passed over is the entry 1 of the keymap 'ada' for "
            + "'show:' (ruleError, \(message))."))
    #expect(try refused.value("/matches/0/error/place") == "entries/1/parameters")
    #expect(try refused.value("/matches/0/error/rule") == #"{"album":"Gone"}"#)
    try sample.listen(#"{"input":"9","modifiers":["command"],"action":"copy:"}"#)
    #expect(try sample.key("press", nine).value("/action") == "copy:")
    let keys = try sample.send(.get, "/sessions/demo/keys").text
    #expect(keys.contains(#""place":"entries/1/parameters""#))
  }
}
