import JSONText
import MicroHTTP
import Testing

struct RuleRouteTests {
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

  private func check(_ body: String) throws -> Response {
    try sample.send(.post, "/rules/check", body)
  }
}
