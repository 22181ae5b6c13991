import JSONText
import MicroHTTP
import Testing

struct ValidationRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `items are answered in the order asked for, unknown ones among them`() throws {
    let response = try validate(
      #"{"session":"demo","commands":["applyFiveStarRating:","nothing","copy:"]}"#)
    #expect(
      response.text == #"""
        {"session":"demo","revision":0,"catalogRevision":0,"items":[\#
        {"command":"applyFiveStarRating:","title":"★★★★★","enabled":true,"state":"off",\#
        "checkable":true,"attributes":[],"target":"photoGrid","reason":"enabled"},\#
        {"command":"nothing","title":"","enabled":false,"state":"off","attributes":[],\#
        "target":null,"reason":"unknownCommand"},\#
        {"command":"copy:","title":"Copy Photo","enabled":true,"state":"off","attributes":[],\#
        "target":"photoGrid","reason":"enabled"}]}
        """#)
  }

  @Test func `without a list all commands are answered as declared`() throws {
    let response = try validate(#"{"session":"demo"}"#)
    #expect(try response.value("/items/0/command") == "copy:")
    #expect(try response.value("/items/7/command") == "separate")
    #expect(try response.value("/items/7/reason") == "noAction")
    #expect(try response.value("/items/8") == nil)
  }

  @Test func `an empty list has no items`() throws {
    let response = try validate(#"{"session":"demo","commands":[]}"#)
    #expect(try response.value("/items") == [])
  }

  @Test func `an item whose rule fails says where`() throws {
    let response = try validate(#"{"session":"demo","commands":["paste:"]}"#)
    #expect(
      try response.value("/items/0")?.text() == #"""
        {"command":"paste:","title":"Paste","enabled":false,"state":"off",\#
        "attributes":["disabled"],"target":"photoGrid","reason":"ruleError",\#
        "error":{"rule":"state.clipboard.isOpen",\#
        "message":"no such key \"clipboard\"; \#
        the keys are \"rating\", \"selection\", \"photos\", \"zoom\", \"sortedBy\"",\#
        "offset":0,"line":1,"column":1,"place":"validate/enabled",\#
        "hint":"has() and .? are for what may be missing; \#
        a merge patch with null removes a member (RFC 7396)"}}
        """#)
  }

  private func put(_ rule: String) throws {
    let handler: JSON = ["validate": ["enabled": .string(rule)]]
    let response = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/paste:", handler.text())
    #expect(response.status.rawValue < 300, "\(response.text)")
  }

  /// The message and the hint of the rule of `paste:`.
  private func fault() throws -> [JSON?] {
    let response = try validate(#"{"session":"demo","commands":["paste:"]}"#)
    return [
      try response.value("/items/0/error/message"), try response.value("/items/0/error/hint"),
    ]
  }

  @Test func `the fault of a rule that reads what a merge patch removed says so`() throws {
    try put("size(state.selection) > 0")
    #expect(try fault() == [nil, nil])
    let patched = try sample.send(
      .patch, "/sessions/demo/state", #"{"selection":null,"photos":null,"sortedBy":null}"#,
      type: "application/merge-patch+json")
    #expect(patched.status == .ok)
    #expect(
      try fault() == [
        #"no such key "selection"; the keys are "rating", "zoom""#,
        "has() and .? are for what may be missing; a merge patch with null removes a member (RFC 7396)",
      ])
    try put("state.ratng > 0")
    #expect(
      try fault()[1]
        == #"a merge patch with null removes a member (RFC 7396); did you mean "rating"?"#)
    try put("has(state.selection) && size(state.selection) > 0")
    #expect(try fault() == [nil, nil])
    // What is not of the state no patch removed.
    try put("command.missing == 1")
    #expect(try fault()[1] == "has() and .? are for what may be missing")
    try put("state.rating + '' == ''")
    #expect(try fault()[1] == nil)
  }

  @Test func `items are asked about from elsewhere`() throws {
    let body = #"{"session":"demo","commands":["applyFiveStarRating:"],"from":"photoHost"}"#
    #expect(try validate(body).value("/items/0/target") == "photoHost/forwarder")
  }

  @Test func `of a menu's items one keeps its check mark`() throws {
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"rating":5}"#, type: "application/merge-patch+json")
    let menu = try validate(#"{"session":"demo","menu":"rating"}"#)
    #expect(try menu.value("/items/0/state") == "on")
    #expect(try menu.value("/items/0/lostSingleSelection") == nil)
    #expect(try menu.value("/items/1/state") == "off")
    #expect(try menu.value("/items/1/lostSingleSelection") == true)
    let body = #"{"session":"demo","commands":["applyFourStarRating:","applyFiveStarRating:"]}"#
    #expect(try validate(body).value("/items/1/state") == "on")
  }

  @Test func `with explain an item carries what was asked`() throws {
    let body = #"""
      {"session":"demo","commands":["applyFiveStarRating:"],"from":"hostedView","explain":true}
      """#
    #expect(
      try validate(body).value("/items/0/trace")?.text() == #"""
        [{"asked":"hostedView","question":"respondsToSelector",\#
        "selector":"applyFiveStarRating:","answer":false,"rule":"R3","says":"R3: 'hostedView' does not respond to \#
        'applyFiveStarRating:': neither it nor its class has a handler."},\#
        {"asked":"hostedView","question":"next","answer":"photoHost","rule":"R2",\#
        "says":"R2: after 'hostedView' comes 'photoHost'."},\#
        {"asked":"photoHost","question":"redirect","selector":"applyFiveStarRating:",\#
        "answer":"photoHost/forwarder","rule":"F2","says":"F2: the coordinator of 'photoHost' has \#
        a handler for 'applyFiveStarRating:', so its forwarder answers."},\#
        {"asked":"photoHost/forwarder","question":"canPerformAction",\#
        "selector":"applyFiveStarRating:","answer":true,"rule":"F3",\#
        "says":"F3: 'photoHost/forwarder' can perform 'applyFiveStarRating:', since the coordinator \#
        has a handler."},\#
        {"asked":"photoHost/forwarder","question":"validate","answer":null,"rule":"F7",\#
        "says":"F7: 'photoHost/forwarder' has no validator, so the item is as declared."}]
        """#)
  }

  @Test func `with explain a rule that is false tells what made it so`() throws {
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoHost/handlers/print:",
      #"{"validate":{"enabled":"1 == 1 && size(arguments) > 0"}}"#)
    _ = try sample.send(.put, "/commands/print:", #"{"title":"Print","action":"print:"}"#)
    let body = #"""
      {"session":"demo","commands":["print:"],"from":"photoHost","explain":true}
      """#
    let answer = try validate(body)
    #expect(try answer.value("/items/0/reason") == "ruleFalse")
    #expect(
      answer.text.contains(
        #""explanation":["size(arguments) > 0 is false: size(arguments) is 0"]"#))
  }

  @Test func `asked again it answers the same, and anew when something has changed`() throws {
    let body = #"{"session":"demo"}"#
    let first = try validate(body)
    #expect(try validate(body).text == first.text)
    #expect(try validate(body).headers["etag"] == first.headers["etag"])
    _ = try sample.send(.put, "/commands/print:", #"{"title":"Print","action":"print:"}"#)
    #expect(try validate(body).value("/items/8/command") == "print:")
    _ = try sample.send(.put, "/sessions/demo/first-responder", #"{"responder":"photoHost"}"#)
    #expect(try validate(body).value("/items/0/target") == .null)
    _ = try sample.send(.delete, "/sessions/demo")
    #expect(try validate(body).status == .notFound)
    _ = try sample.send(.post, "/sessions", #"{"id":"demo","template":false}"#)
    #expect(try validate(body).value("/items/3/reason") == "noTarget")
  }

  @Test func `what it answered is not given to a body of another type`() throws {
    let body = #"{"session":"demo"}"#
    _ = try validate(body)
    let response = try sample.send(.post, "/commands/validate", body, type: "text/plain")
    #expect(response.status == .unsupportedMediaType)
  }

  @Test func `looking changes nothing`() throws {
    let before = try sample.send(.get, "/sessions/demo").text
    _ = try validate(#"{"session":"demo"}"#)
    #expect(try sample.send(.get, "/sessions/demo").text == before)
  }

  private func validate(_ body: String) throws -> Response {
    try sample.send(.post, "/commands/validate", body)
  }
}
