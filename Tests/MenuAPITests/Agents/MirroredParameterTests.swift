import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// Arguments that fields of the request repeat (`x-mcp-header`, 2026-07-28).
struct MirroredParameterTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    let schema =
      #"{"type":"object","properties":{"#
      + #""region":{"type":"string","x-mcp-header":"Region"},"#
      + #""count":{"type":"integer","x-mcp-header":"Count"},"#
      + #""inner":{"type":"object","properties":{"on":{"type":"boolean","x-mcp-header":"On"}}}}}"#
    let command = #"{"title":"Go","action":"go:","parameters":\#(schema)}"#
    let declared = try sample.send(.put, "/commands/go:", command)
    #expect(declared.status == .created, "\(declared.text)")
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/go:", #"{"perform":[]}"#)
  }

  private func call(_ arguments: String, _ fields: [(String, String)]) throws -> Response {
    try sample.stateless(
      "tools/call", #","name":"go-","arguments":\#(arguments)"#, name: "go-", headers: fields)
  }

  @Test(
    arguments: [
      (#"{"region":"eu"}"#, [("Mcp-Param-Region", "eu")]),
      (#"{"region":"eu"}"#, [("mcp-param-region", "=?base64?ZXU=?=")]),
      (#"{"region":"é"}"#, [("Mcp-Param-Region", "=?base64?w6k=?=")]),
      (#"{"count":42}"#, [("Mcp-Param-Count", "42")]),
      (#"{"count":42}"#, [("Mcp-Param-Count", "42.0")]),
      (#"{"inner":{"on":true}}"#, [("Mcp-Param-On", "true")]),
      (#"{}"#, [("Mcp-Param-Other", "x")]),
      (#"{}"#, []),
    ] as [(String, [(String, String)])])
  func `a field that says what its argument does is accepted`(
    arguments: String, fields: [(String, String)]
  ) throws {
    let response = try call(arguments, fields)
    #expect(response.status == .ok, "\(response.text)")
    #expect(try response.value("/result/isError") == nil, "\(response.text)")
  }

  @Test(
    arguments: [
      (#"{"region":"eu"}"#, []),
      (#"{"region":"eu"}"#, [("Mcp-Param-Region", "us")]),
      (#"{"region":"eu"}"#, [("Mcp-Param-Region", "EU")]),
      (#"{"region":"eu"}"#, [("Mcp-Param-Region", "=?base64?ZXU?=")]),
      (#"{"region":"eu"}"#, [("Mcp-Param-Region", "eu"), ("Mcp-Param-Region", "eu")]),
      (#"{"count":42}"#, [("Mcp-Param-Count", "43")]),
      (#"{"count":42}"#, [("Mcp-Param-Count", "many")]),
      (#"{"inner":{"on":true}}"#, [("Mcp-Param-On", "True")]),
      (#"{}"#, [("Mcp-Param-Region", "eu")]),
      (#"{"region":null}"#, [("Mcp-Param-Region", "eu")]),
    ] as [(String, [(String, String)])])
  func `one that is missing or says something else is refused with -32020`(
    arguments: String, fields: [(String, String)]
  ) throws {
    let response = try call(arguments, fields)
    #expect(response.status == .badRequest, "\(response.text)")
    #expect(try response.errorCode == -32020)
    #expect(try sample.send(.get, "/sessions/demo").value("/revision") == 1)
  }

  @Test func `earlier revisions know no such fields`() throws {
    #expect(try sample.call("go-", #"{"region":"eu"}"#)[JSONPointer(["isError"])] == nil)
    #expect(try sample.result(of: "tools/list").text().contains(#""x-mcp-header":"Region""#))
  }
}
