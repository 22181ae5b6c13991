import JSONText
import MicroHTTP
import Testing

struct AlternateRouteTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try sample.declareReject()
  }

  @Test func `M11: an item answers as its alternate while modifiers are held`() throws {
    let plain = try validate("")
    #expect(
      try plain.value("/items/0")?.text() == #"""
        {"command":"reject:","title":"Reject","enabled":true,"state":"off","attributes":[],\#
        "target":"photoGrid","reason":"enabled"}
        """#)
    let held = try validate(#","modifiers":["alternate"],"explain":true"#)
    #expect(try held.value("/items/0/title") == "Reject and Next")
    #expect(try held.value("/items/0/target") == "root")
    #expect(
      try held.value("/items/0/alternate")
        == .object(["modifiers": ["alternate"], "action": "rejectNext:"]))
    #expect(try held.value("/items/0/trace/0/rule") == "M11")
    #expect(try validate(#","modifiers":["shift"]"#).value("/items/0/title") == "Reject")
    #expect(held.headers["etag"] != plain.headers["etag"])
  }

  @Test func `M11: the menu answers with alternates, under tags of their own`() throws {
    _ = try sample.send(
      .post, "/menus/edits",
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"children":["reject:"]}}]}"#)
    let item = "/menu/children/2/children/0/title"
    var tags: Set<String> = []
    for (query, title) in [
      ("", "Reject"), ("&modifiers=alternate", "Reject and Next"),
      ("&modifiers=alternate,alphaShift", "Reject and Next"), ("&modifiers=shift", "Reject"),
    ] {
      let response = try sample.send(.get, "/sessions/demo/menu?menu=edit\(query)")
      #expect(try response.value(item) == .string(title))
      let tag = try #require(response.headers["etag"])
      #expect(tags.insert(tag).inserted)
    }
  }

  @Test func `M11: a menu can be drawn from one answer: its items have keys and alternates`() throws
  {
    _ = try sample.send(
      .post, "/menus/edits",
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"children":["reject:"]}}]}"#)
    let item = "/menu/children/2/children/0"
    let menu = try sample.send(.get, "/sessions/demo/menu?menu=edit")
    #expect(
      try menu.json[JSONPointer(parsing: item)]?.text() == #"""
        {"command":"reject:","title":"Reject","enabled":true,"state":"off","attributes":[],\#
        "target":"photoGrid","reason":"enabled","key":{"input":"x","modifiers":["command"]},\#
        "alternates":[{"command":"reject:","title":"Reject and Next","alternate":{\#
        "modifiers":["alternate"],"action":"rejectNext:"},"enabled":true,"state":"off",\#
        "attributes":[],"target":"root","reason":"enabled",\#
        "key":{"input":"x","modifiers":["command","alternate"]}}]}
        """#)
    let held = try sample.send(.get, "/sessions/demo/menu?menu=edit&modifiers=alternate")
    #expect(
      try held.json[JSONPointer(parsing: item)]
        == menu.json[JSONPointer(parsing: item + "/alternates/0")])
    #expect(try validate("").value("/items/0/key") == nil)
    #expect(try validate("").value("/items/0/alternates") == nil)
  }

  @Test func `M8: a context menu leaves out the alternates that cannot be performed`() throws {
    _ = try sample.send(
      .post, "/menus/edits",
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"children":["reject:"]}}]}"#)
    _ = try sample.send(.delete, "/sessions/demo/responders/root/handlers/rejectNext:")
    let main = try sample.send(.get, "/sessions/demo/menu?menu=edit")
    let item = try #require(try main.json.item("reject:"))
    #expect(try item[JSONPointer(parsing: "/alternates/0/enabled")] == .bool(false))
    let context = try sample.send(.get, "/sessions/demo/menu?menu=edit&kind=context")
    let shown = try #require(try context.json.item("reject:"))
    #expect(try shown[JSONPointer(parsing: "/alternates")] == nil)
  }

  @Test func `M11: performed with modifiers held, the alternate's action is sent`() throws {
    let response = try sample.send(
      .post, "/commands/perform",
      #"{"session":"demo","command":"reject:","modifiers":["alternate"]}"#)
    #expect(try response.value("/action") == "rejectNext:")
    #expect(try response.value("/target") == "root")
    #expect(try response.value("/invocation/modifiers") == ["alternate"])
    #expect(try response.value("/invocation/arguments/0/title") == "Reject and Next")
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == -1)
  }

  @Test func `M11: the alternate's key presses the alternate`() throws {
    let key = #"{"input":"x","modifiers":["command","alternate"]}"#
    let response = try sample.key("press", key)
    #expect(try response.value("/action") == "rejectNext:")
    #expect(try response.value("/matches/0/alternate") == ["alternate"])
  }

  @Test func `M11: modifiers beside an action are refused`() throws {
    try sample.refuses(
      .post, "/commands/perform",
      #"{"session":"demo","action":"reject:","modifiers":["alternate"]}"#,
      with: #"""
        422 /problems/invalid-body

        'action' and 'modifiers' exclude each other; give one of them.
        """#)
  }

  @Test func `M11: two alternates for the same modifiers are refused, and one for none`() throws {
    try sample.refuses(
      .put, "/commands/a:",
      #"""
      {"title":"A","action":"a:","alternates":[{"modifiers":["shift"],"title":"B","action":"b"},
       {"modifiers":["shift"],"title":"C","action":"c"}]}
      """#,
      with: #"""
        422 /problems/invalid-body
        /alternates/1/modifiers
        Two alternates have the modifiers 'shift'; give one of them others. The other one stands at \#
        /alternates/0.
        """#)
    try sample.refuses(
      .put, "/commands/a:",
      #"{"title":"A","action":"a:","alternates":[{"modifiers":[],"title":"B","action":"b"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /alternates/0/modifiers
        Expected one or more modifiers, found an empty array.
        """#)
  }

  @Test func `M11: an unknown modifier in the query is refused`() throws {
    try sample.refuses(
      .get, "/sessions/demo/menu?modifiers=shift,option",
      with: #"""
        400 /problems/invalid-query
        'modifiers' in the query is 'command', 'shift', 'alternate', 'control', 'alphaShift' or 'numericPad', not 'option'.
        """#)
  }

  private func validate(_ more: String) throws -> Response {
    try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":["reject:"]\#(more)}"#)
  }
}

extension JSON {
  /// The first item of a command in an answer.
  fileprivate func item(_ command: String) -> JSON? {
    switch self {
    case .object(let object):
      if object["command"] == .string(command) { return self }
      return object.members.lazy.compactMap { $0.value.item(command) }.first
    case .array(let elements): return elements.lazy.compactMap { $0.item(command) }.first
    case .null, .bool, .int, .double, .string: return nil
    }
  }
}
