import JSONText
import MicroHTTP
import Testing

struct KeyRoutesTests {
  let sample: SampleService
  private let five = #"{"input":"5","modifiers":["command"]}"#

  init() throws { sample = try SampleService() }

  @Test func `K1: a key is resolved to its matches in order, and nothing is done`() throws {
    try sample.listen(
      #"""
      {"input":"5","modifiers":["command"],"action":"nobody:","title":"N",
       "wantsPriorityOverSystemBehavior":true},
      {"input":"5","modifiers":["command"],"action":"applyFourStarRating:","when":"true"}
      """#)
    let response = try sample.key("resolve", five)
    #expect(
      response.text == #"""
        {"session":"demo","revision":1,"action":"applyFourStarRating:","target":"photoGrid",\#
        "key":{"input":"5","modifiers":["command"]},"matches":[\#
        {"outcome":"passedOver","rule":"K3","responder":"photoGrid","title":"N",\#
        "action":"nobody:","declared":{"input":"5","modifiers":["command"]},"priority":true,\#
        "target":null,"reason":"noTarget"},\#
        {"outcome":"chosen","rule":"K1","responder":"photoGrid",\#
        "action":"applyFourStarRating:","declared":{"input":"5","modifiers":["command"]},\#
        "conditional":true,"target":"photoGrid","reason":"enabled"},\#
        {"outcome":"shadowed","rule":"K1","command":"applyFiveStarRating:","title":"★★★★★",\#
        "action":"applyFiveStarRating:","declared":{"input":"5","modifiers":["command"]}}]}
        """#)
    #expect(try sample.send(.get, "/sessions/demo").value("/revision") == 1)
  }

  @Test func `M2: who presses a key says on which platform, by default Apple's`() throws {
    let key = #"{"apple":{"input":"m"},"other":{"input":"UIKeyInputF4","modifiers":["alternate"]}}"#
    _ = try sample.send(
      .put, "/commands/merge:", #"{"title":"Merge","action":"merge:","key":\#(key)}"#)
    _ = try sample.send(.put, "/sessions/demo/responders/photoGrid/handlers/merge:", "{}")
    let validated = try sample.send(.get, "/sessions/demo/menu")
    let declared = try sample.send(.get, "/commands/merge:").value("/key")
    #expect(
      declared?.text() == #"""
        {"apple":{"input":"m","modifiers":[]},\#
        "other":{"input":"UIKeyInputF4","modifiers":["alternate"]}}
        """#)
    #expect(validated.status == .ok)
    let apple = try sample.key("resolve", #"{"input":"M"}"#)
    #expect(try apple.value("/action") == "merge:")
    #expect(try apple.value("/matches/0/platform") == "apple")
    let other = #"{"input":"UIKeyInputF4","modifiers":["alternate"]}"#
    #expect(try sample.key("press", #"{"input":"m"}"#, #","platform":"other""#).status == .conflict)
    #expect(try sample.key("press", other).status == .conflict)
    let pressed = try sample.key("press", other, #","platform":"other""#)
    #expect(try pressed.value("/performed") == true)
    #expect(try pressed.value("/matches/0/declared/input") == "UIKeyInputF4")
    let conflicts = try sample.send(.get, "/keys/conflicts")
    #expect(try conflicts.value("/conflicts") == [])
  }

  @Test func `K1: a key without any match is an answer too`() throws {
    let response = try sample.key("resolve", #"{"input":"UIKeyInputF9"}"#)
    #expect(response.status == .ok)
    #expect(try response.value("/action") == .null)
    #expect(try response.value("/target") == .null)
    #expect(try response.value("/matches") == [])
    #expect(try response.value("/trace") == nil)
  }

  @Test func `K2: the key is declared in one place and handled in another`() throws {
    try sample.listen(#"{"input":"n","action":"next:"}"#)
    _ = try sample.send(.put, "/sessions/demo/responders/window/handlers/next:", "{}")
    let response = try sample.key("resolve", #"{"input":"N"}"#)
    #expect(try response.value("/matches/0/responder") == "photoGrid")
    #expect(try response.value("/target") == "window")
    let elsewhere = try sample.key("resolve", #"{"input":"n"}"#, #","from":"rootView""#)
    #expect(try elsewhere.value("/matches") == [])
  }

  @Test func `K3: with explain the trace names the rules, the passing over among them`() throws {
    try sample.listen(#"{"input":"5","modifiers":["command"],"action":"nobody:"}"#)
    let response = try sample.key("resolve", five, #","explain":true"#)
    guard case .array(let steps)? = try response.value("/trace") else {
      Issue.record("'steps' is not an array")
      return
    }
    let rules = try steps.map { step in
      let pair = try ["/question", "/rule"].map { try step[JSONPointer(parsing: $0)]?.text() ?? "" }
      return pair.joined(separator: " ")
    }
    #expect(rules.first == #""keyCommands" "K1""#)
    #expect(rules.contains(#""menuKeys" "K1""#))
    #expect(rules.contains(#""passOver" "K3""#))
    #expect(rules.last == #""validate" "M5""#)
  }

  @Test func `K1: a pressed key performs the command, with events and kind key`() throws {
    let response = try sample.key("press", five, #","sender":{"keyboard":"uk"}"#)
    #expect(response.status == .ok)
    #expect(response.headers["etag"] == "\"run1.1.1\"")
    #expect(try response.value("/command") == "applyFiveStarRating:")
    #expect(try response.value("/performed") == true)
    #expect(try response.value("/invocation/sender/kind") == "key")
    #expect(try response.value("/invocation/sender/keyboard") == "uk")
    #expect(try response.value("/invocation/when") == "2026-11-21T08:33:20.123Z")
    #expect(try response.value("/events/0/event") == "willSendAction")
    #expect(try response.value("/changes/0/path") == "/rating")
    #expect(try response.value("/matches/0/outcome") == "chosen")
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 5)
  }

  @Test func `K1: a pressed key of a responder sends its action`() throws {
    try sample.listen(
      #"{"input":"UIKeyInputUpArrow","action":"applyFourStarRating:","propertyList":{"by":1}}"#)
    let press = #"{"input":"UIKeyInputUpArrow","modifiers":["numericPad"]}"#
    let response = try sample.key("press", press, #","explain":true"#)
    #expect(try response.value("/command") == nil)
    #expect(try response.value("/action") == "applyFourStarRating:")
    #expect(
      try response.value("/invocation/sender")?.text() == #"""
        {"kind":"key","input":"UIKeyInputUpArrow","modifiers":[],\#
        "action":"applyFourStarRating:","propertyList":{"by":1},"declaredBy":"photoGrid"}
        """#)
    #expect(try response.value("/events") == [])
    #expect(try response.value("/trace/0/question") == "keyCommands")
  }

  @Test func `K5: key commands depend on rules, at each press`() throws {
    try sample.listen(#"{"input":"a","action":"copy:","when":"state.zoom > 100"}"#)
    #expect(try sample.key("resolve", #"{"input":"a"}"#).value("/matches") == [])
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"zoom":200}"#, type: "application/merge-patch+json")
    #expect(try sample.key("resolve", #"{"input":"a"}"#).value("/target") == "photoGrid")
  }

  @Test func `K1: a match has its present title`() throws {
    let handler = "/sessions/demo/responders/photoGrid/handlers/applyFiveStarRating:"
    _ = try sample.send(
      .put, handler, #"{"validate":{"title":"'Best: ' + string(state.zoom)"}}"#)
    let zoom = try sample.send(.get, "/sessions/demo").value("/state/zoom")?.text() ?? ""
    #expect(
      try sample.key("resolve", five).value("/matches/0/title") == .string("Best: \(zoom)"))
  }

  @Test func `K6: the conflicts of a session's chain, of another start, and of the catalogue`()
    throws
  {
    try sample.listen(#"{"input":"5","modifiers":["command"],"action":"copy:"}"#)
    let response = try sample.send(.get, "/keys/conflicts?session=demo")
    #expect(
      response.text == #"""
        {"session":"demo","revision":1,"catalogRevision":0,"conflicts":[\#
        {"key":{"input":"5","modifiers":["command"]},\#
        "winner":{"responder":"photoGrid","action":"copy:",\#
        "declared":{"input":"5","modifiers":["command"]}},\#
        "shadowed":[{"command":"applyFiveStarRating:","title":"★★★★★",\#
        "action":"applyFiveStarRating:","declared":{"input":"5","modifiers":["command"]},\#
        "why":"respondersFirst"}]}]}
        """#)
    let above = try sample.send(.get, "/keys/conflicts?session=demo&from=rootView")
    #expect(try above.value("/conflicts") == [])
    _ = try sample.send(
      .put, "/commands/pad:",
      #"{"title":"Pad","action":"pad:","key":{"input":"5","modifiers":["command","numericPad"]}}"#)
    let catalog = try sample.send(.get, "/keys/conflicts")
    #expect(try catalog.value("/session") == nil)
    #expect(try catalog.value("/conflicts/0/key/modifiers") == ["command", "numericPad"])
    #expect(try catalog.value("/conflicts/0/shadowed/0/why") == "menuOrder")
  }

  @Test func `K6: conflicts have a tag that covers what they depend on`() throws {
    var tags: Set<String> = []
    func ask(_ target: String) throws {
      let tag = try #require(try sample.send(.get, target).headers["etag"])
      #expect(tags.insert(tag).inserted, "\(target)")
      let again = try sample.send(.get, target, headers: [("If-None-Match", tag)])
      #expect(again.status == .notModified)
    }
    let targets = [
      "/keys/conflicts", "/keys/conflicts?session=demo", "/keys/conflicts?session=demo&from=root",
    ]
    for target in targets { try ask(target) }
    try sample.declareReject()
    for target in targets { try ask(target) }
  }

  @Test func `K5: a responder's own key commands are read as they were put`() throws {
    let path = "/sessions/demo/responders/photoGrid/key-commands"
    #expect(try sample.send(.get, path).value("/keyCommands") == [])
    let put = try sample.send(
      .put, path, #"{"keyCommands":[{"input":"a","action":"copy:","enabled":true}]}"#)
    #expect(
      put.text == #"""
        {"session":"demo","revision":1,"changes":[{"change":"keyCommands",\#
        "responder":"photoGrid","value":[{"input":"a","modifiers":[],"action":"copy:",\#
        "wantsPriorityOverSystemBehavior":false,"enabled":"true"}]}]}
        """#)
    let response = try sample.send(.get, path)
    #expect(
      response.text == #"""
        {"session":"demo","revision":1,"responder":"photoGrid","keyCommands":[{"input":"a",\#
        "modifiers":[],"action":"copy:","wantsPriorityOverSystemBehavior":false,\#
        "enabled":"true"}]}
        """#)
    let whole = try sample.send(.get, "/sessions/demo/responders/photoGrid")
    #expect(try whole.value("/responder/keyCommands/0/input") == "a")
  }

  @Test func `a key is pressed in a list of mutations`() throws {
    let response = try sample.send(
      .post, "/sessions/demo/mutations",
      #"{"mutations":[{"op":"pressKey","key":{"input":"5","modifiers":["command"]}}]}"#)
    #expect(try response.value("/outcomes/0/performed") == true)
    #expect(try response.value("/outcomes/0/events/1/event") == "didSendAction")
  }

  @Test(arguments: [
    (#"{"input":"C","modifiers":["command"]}"#, true),
    (#"{"input":"c","modifiers":["command","alphaShift","numericPad"]}"#, true),
    (#"{"input":"c","modifiers":["command","shift"]}"#, false), (#"{"input":"c"}"#, false),
    (#"{"input":"d","modifiers":["command"]}"#, false),
  ])
  func `K4: letters whatever their case, four modifiers exactly, the other two if declared`(
    key: String, isMatched: Bool
  ) throws {
    let action = try sample.key("resolve", key).value("/action")
    #expect(action == (isMatched ? "copy:" : .null))
  }
}
