import JSONText
import MicroHTTP
import Testing

struct RuleRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a rule is evaluated on the values given`() throws {
    let response = try check(
      #"{"rule":"state.photos[0] == sender.name","variables":{"#
        + #""state":{"photos":["lake"]},"sender":{"name":"lake"}}}"#)
    #expect(
      response.text == #"""
        {"ok":true,"value":true,"type":"bool","cost":6,"paths":["state.photos.0","sender.name"]}
        """#)
  }

  @Test func `values that are not given are empty`() throws {
    let response = try check(#"{"rule":"[size(state), size(arguments), command]"}"#)
    #expect(try response.value("/value") == [0, 0, nil])
    #expect(try response.value("/type") == "list")
  }

  @Test func `a value that JSON does not have is answered by its type`() throws {
    let response = try check(#"{"rule":"type(1)"}"#)
    #expect(response.text == #"{"ok":true,"type":"type","cost":2,"paths":[]}"#)
  }

  @Test func `a rule that does not compile is answered with place, hint and caret`() throws {
    let response = try check(#"{"rule":"stat.rating == 5"}"#)
    #expect(response.status == .ok)
    #expect(
      response.text == #"""
        {"ok":false,"fault":{"phase":"compilation","message":"unknown variable 'stat'",\#
        "offset":0,"line":1,"column":1,"hint":"did you mean 'state'?",\#
        "excerpt":"stat.rating == 5\n^^^^"}}
        """#)
  }

  @Test func `a rule that fails is answered with its place`() throws {
    let response = try check(#"{"rule":"1 / size(state)"}"#)
    #expect(
      response.text == #"""
        {"ok":false,"fault":{"phase":"evaluation","message":"division by zero","offset":0,\#
        "line":1,"column":1,"excerpt":"1 / size(state)\n^^^^^^^^^^^^^^^"},"cost":4,"paths":["state"]}
        """#)
  }

  @Test func `other variables have whatever names and values are given`() throws {
    let response = try check(
      #"{"rule":"list.all(x, x > low)","variables":{"list":[2,3],"app.low":1},"container":"app"}"#)
    #expect(try response.value("/value") == true)
    #expect(try response.value("/paths") == ["list", "app.low"])
  }

  @Test func `a request may ask for lower bounds`() throws {
    let response = try check(
      #"{"rule":"list.map(x, x)","variables":{"list":[1,2]},"options":{"limits":{"maximumSteps":3}}}"#
    )
    #expect(
      try response.value("/fault/message")
        == "the evaluation takes more than 3 steps (maximumSteps)")
  }

  @Test func `what made a rule false is explained`() throws {
    let response = try check(
      #"{"rule":"a > 1 && b","variables":{"a":1,"b":true},"options":{"explain":true}}"#)
    #expect(
      try response.value("/explanation")?.text() == #"""
        {"complete":true,"parts":[\#
        {"text":"a","start":0,"end":1,"value":"1","type":"int","decisive":true},\#
        {"text":"a > 1","start":0,"end":5,"value":"false","type":"bool","decisive":true},\#
        {"text":"b","start":9,"end":10,"value":"true","type":"bool","decisive":false},\#
        {"text":"a > 1 && b","start":0,"end":10,"value":"false","type":"bool","decisive":true}],\#
        "reasons":[{"text":"a > 1","start":0,"end":5,"value":"false","type":"bool",\#
        "operands":[{"text":"a","start":0,"end":1,"value":"1","type":"int","decisive":true}]}]}
        """#)
  }

  @Test func `a value that would be too long in JSON is answered by its type`() throws {
    let doubled = String(repeating: ".map(x, [x, x])", count: 40)
    let response = try check(#"{"rule":"[[]]\#(doubled)"}"#)
    #expect(try response.value("/ok") == true)
    #expect(try response.json[JSONPointer(parsing: "/value")] == nil)
  }

  private func check(_ body: String) throws -> Response {
    try sample.send(.post, "/rules/check", body)
  }
}
