import JSONText
import MicroHTTP
import Testing

/// Late responders over HTTP (L1–L12).
struct LateResponderRoutesTests {
  let sample: SampleService
  private let path = "/sessions/demo/responders/hostedView/late-responders"

  init() throws { sample = try SampleService() }

  private func register(_ id: String, _ document: String? = nil) throws {
    if let document { _ = try sample.send(.put, "/sessions/demo/responders/\(id)", document) }
    let response = try sample.send(.put, "\(path)/\(id)")
    #expect(response.status == .created)
  }

  private func target(_ action: String, from: String) throws -> JSON? {
    let body = #"{"session":"demo","action":"\#(action)","from":"\#(from)"}"#
    return try sample.send(.post, "/targets/resolve", body).json
  }

  @Test func `L3: late responders are listed in their order, with their weights`() throws {
    try register("gridProxy")
    try register("light", #"{"kind":"responder","weight":-1}"#)
    #expect(
      try sample.send(.get, path).text == #"""
        {"session":"demo","revision":3,"host":"photoHost","hooksLast":true,"lateResponders":[\#
        {"responder":"light","weight":-1},\#
        {"responder":"gridProxy","weight":5,"proxied":"photoGrid","proxiedSelectors":["copy:"]}]}
        """#)
  }

  @Test func `L6: a dry run names the host that the request names`() throws {
    try register("gridProxy")
    let own = "/sessions/demo/responders/gridProxy/late-responders/gridProxy"
    let dry = try sample.send(.delete, own + "?dryRun=true")
    let real = try sample.send(.delete, own)
    #expect(try dry.value("/host") == "photoHost")
    #expect(try real.value("/host") == "photoHost")
    #expect(try dry.value("/changes") == real.value("/changes"))
  }

  @Test func `L4: registering is told and located, the same again is silent`() throws {
    let first = try sample.send(.put, "\(path)/gridProxy")
    #expect(first.status == .created)
    #expect(first.headers["location"] == "\(path)/gridProxy")
    #expect(
      try first.told() == [
        [
          "change": "lateResponders", "responder": "photoHost", "lateResponders": ["gridProxy"],
        ]
      ])
    let second = try sample.send(.put, "\(path)/gridProxy")
    #expect(second.status == .ok)
    #expect(try second.value("/changes") == [])
  }

  @Test func `L4: a move is told by both registries`() throws {
    try register("gridProxy")
    _ = try sample.send(
      .put, "/sessions/demo/responders/panel", #"{"kind":"view","lateResponders":{}}"#)
    let moved = try sample.send(
      .put, "/sessions/demo/responders/panel/late-responders/gridProxy")
    #expect(try moved.value("/changes/0/responder") == "photoHost")
    #expect(try moved.value("/changes/0/lateResponders") == [])
    #expect(try moved.value("/changes/1/responder") == "panel")
    #expect(try moved.value("/host") == "panel")
  }

  @Test func `L5: deregistering is told once`() throws {
    try register("gridProxy")
    let first = try sample.send(.delete, "\(path)/gridProxy")
    #expect(
      try first.told() == [
        ["change": "lateResponders", "responder": "photoHost", "lateResponders": []]
      ])
    let second = try sample.send(.delete, "\(path)/gridProxy")
    #expect(second.status == .ok)
    #expect(try second.value("/changes") == [])
  }

  @Test func `L5: the document of a removed responder names its next, and can be sent back`()
    throws
  {
    try register("gridProxy")
    _ = try sample.send(.delete, "\(path)/gridProxy")
    let responder = "/sessions/demo/responders/gridProxy"
    let document = try #require(try sample.send(.get, responder).value("/responder"))
    #expect(document[JSONPointer(["next"])] == "photoHost/late-last")
    #expect(try sample.send(.put, responder, document.text()).status == .ok)
  }

  @Test func `L6: the registry is found from below, its host is named`() throws {
    #expect(try sample.send(.get, path).value("/host") == "photoHost")
  }

  @Test func `L8: a proxy is the target, the proxied responder stands beside it`() throws {
    try register("gridProxy")
    let answer = try target("copy:", from: "hostedView")
    #expect(answer?[JSONPointer(["target"])] == "gridProxy")
    #expect(answer?[JSONPointer(["proxied"])] == "photoGrid")
  }

  @Test func `L11: items and performances name both, too`() throws {
    try register("gridProxy")
    _ = try sample.send(
      .put, "/sessions/demo/first-responder", #"{"responder":"hostedView"}"#)
    let item = try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":["copy:"]}"#)
    #expect(
      try item.value("/items/0") == [
        "command": "copy:", "title": "Copy Photo", "enabled": true, "state": "off",
        "attributes": [], "target": "gridProxy", "proxied": "photoGrid", "reason": "enabled",
      ])
    let performed = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:"}"#)
    #expect(try performed.value("/target") == "gridProxy")
    #expect(try performed.value("/proxied") == "photoGrid")
    let mutated = try sample.send(
      .post, "/sessions/demo/mutations", #"{"mutations":[{"op":"perform","command":"copy:"}]}"#)
    #expect(try mutated.value("/outcomes/0/proxied") == "photoGrid")
  }

  @Test func `L8: the filter is changed by a merge patch, without an event`() throws {
    try register("gridProxy")
    let changed = try sample.send(
      .patch, "\(path)/gridProxy", #"{"proxiedSelectors":[]}"#,
      type: "application/merge-patch+json")
    #expect(changed.status == .ok)
    #expect(
      try changed.value("/changes")?.text() == #"""
        [{"change":"document","op":"replace",\#
        "path":"/responders/gridProxy/proxiedSelectors","value":[]}]
        """#)
    #expect(try target("copy:", from: "hostedView")?[JSONPointer(["target"])] == .null)
    _ = try sample.send(
      .patch, "\(path)/gridProxy", #"{"proxiedSelectors":null}"#,
      type: "application/merge-patch+json")
    #expect(try sample.send(.get, "\(path)/gridProxy").value("/proxiedSelectors") == nil)
    #expect(try target("delete:", from: "hostedView")?[JSONPointer(["target"])] == "gridProxy")
  }

  @Test func `L8: a kept answer knows of a new filter, and of the proxied one's state`() throws {
    try register("gridProxy")
    _ = try sample.send(
      .put, "/sessions/demo/first-responder", #"{"responder":"hostedView"}"#)
    let path = "\(path)/gridProxy"
    func reason() throws -> JSON? {
      let body = #"{"session":"demo","commands":["delete:"]}"#
      return try sample.send(.post, "/commands/validate", body).value("/items/0/reason")
    }
    let merge = "application/merge-patch+json"
    #expect(try reason() == "noTarget")
    _ = try sample.send(.patch, path, #"{"proxiedSelectors":null}"#, type: merge)
    #expect(try reason() == "ruleFalse")
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"selection":["lake","owl"]}"#, type: merge)
    #expect(try reason() == "enabled")
    _ = try sample.send(.patch, path, #"{"proxiedSelectors":[]}"#, type: merge)
    #expect(try reason() == "noTarget")
  }

  @Test func `L8: the trace says what the filter keeps out`() throws {
    try register("gridProxy")
    let trace = try target("delete:", from: "hostedView")?.text() ?? ""
    #expect(
      trace.contains(
        #"""
        {"asked":"gridProxy","question":"proxiedSelectors","selector":"delete:",\#
        "answer":false,"rule":"L8",\#
        "says":"L8: 'gridProxy' filters 'delete:' out by proxiedSelectors."}
        """#))
  }

  @Test func `L9: a message sent to a proxy arrives whatever the filter says`() throws {
    let body = #"{"session":"demo","action":"applyFiveStarRating:","to":"gridProxy"}"#
    let response = try sample.send(.post, "/commands/perform", body)
    #expect(try response.value("/performed") == true)
    #expect(try response.value("/changes/0/path") == "/rating")
  }

  @Test func `L10: a message to a proxy whose responder is gone does nothing, and says why`() throws
  {
    _ = try sample.send(.delete, "/sessions/demo/responders/photoGrid")
    let body = #"{"session":"demo","action":"copy:","to":"gridProxy"}"#
    let response = try sample.send(.post, "/commands/perform", body)
    #expect(response.status == .ok)
    #expect(try response.value("/performed") == false)
    #expect(try response.value("/reason") == "proxiedGone")
  }

  @Test func `L2: diagnostics name what an unhooked registry keeps out of reach`() throws {
    let panel = #"{"kind":"view","superview":"rootView","lateResponders":{"hooksLast":false}}"#
    _ = try sample.send(.put, "/sessions/demo/responders/panel", panel)
    let response = try sample.send(.get, "/sessions/demo/diagnostics")
    #expect(
      try response.value("/unhooked") == [
        ["host": "panel", "unreachable": ["rootView", "root", "window", "application"]]
      ])
  }

  @Test func `L1: a trace shows both ends of a registry`() throws {
    let trace = try target("print:", from: "photoHost")?.text() ?? ""
    #expect(trace.contains(#""question":"next","answer":"photoHost/late-initial","rule":"R2""#))
    #expect(trace.contains(#""asked":"photoHost/late-last","question":"next","answer":"rootView""#))
  }

  @Test func `L7: a late responder's own handler is found`() throws {
    try register("tools", #"{"kind":"responder","handlers":{"print:":{}}}"#)
    let answer = try target("print:", from: "hostedView")
    #expect(answer?[JSONPointer(["target"])] == "tools")
    #expect(answer?[JSONPointer(["proxied"])] == nil)
  }

  @Test func `L12: the trace names the forwarder that a proxy does not find`() throws {
    try register("hostProxy", #"{"kind":"responder","proxied":"photoHost"}"#)
    let answer = try target("applyFiveStarRating:", from: "hostProxy")
    #expect(answer?[JSONPointer(["target"])] == .null)
    #expect(
      answer?.text().contains(
        #"""
        {"asked":"photoHost","question":"unaskedRedirect","selector":"applyFiveStarRating:",\#
        "answer":"photoHost/forwarder","rule":"L12","says":"L12: the coordinator of 'photoHost' \#
        has a handler for 'applyFiveStarRating:', but a proxy does not ask for its redirect."}
        """#) == true)
  }

  @Test func `the ends of registries are not listed among the responders`() throws {
    let text = try sample.send(.get, "/sessions/demo/responders").text
    #expect(!text.contains("late-"))
  }
}
