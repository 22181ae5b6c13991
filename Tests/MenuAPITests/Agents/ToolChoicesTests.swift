import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// The choices that tools of agents have for their arguments (P4).
struct ToolChoicesTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try FormRouteTests.prepare(sample)
  }

  private func schema(_ query: String = "") throws -> JSON? {
    let tools = try sample.result(of: "tools/list", to: "/sessions/demo/mcp" + query)
    guard case .array(let all)? = tools[JSONPointer(["tools"])] else { return nil }
    let tool = all.first { $0[JSONPointer(["name"])] == "add-" }
    return tool?[JSONPointer(["inputSchema", "properties", "album"])]
  }

  @Test func `P4: the tools have the present choices, and the list of all tools the schema`() throws
  {
    #expect(
      try schema() == [
        "type": "string", "oneOf": [["const": "alps", "title": "Alps"], ["const": "coast"]],
        "default": "coast",
      ])
    #expect(try schema("?tools=all") == ["type": "string"])
    try FormRouteTests.patch(#"{"albums":["owls"]}"#, sample)
    #expect(try schema() == ["type": "string", "enum": ["owls"]])
  }

  @Test func `P4: a tool that is explained has the present choices`() throws {
    let result = try sample.call(
      "explain_command", #"{"command":"add:"}"#, to: "/sessions/demo/mcp?tools=find")
    let place = ["structuredContent", "arguments", "properties", "tags", "items"]
    #expect(result[JSONPointer(place)] == ["enum": ["a", "b"]])
  }

  @Test func `P4: a call with another choice names the choices, at its argument`() throws {
    let result = try sample.call("add-", #"{"album":"owls"}"#)
    #expect(result[JSONPointer(["isError"])] == true)
    #expect(result.firstText?.contains("Expected 'alps' or 'coast'") == true)
    #expect(
      result[JSONPointer(["structuredContent", "pointer"])] == "/arguments/album",
      "\(result)")
    #expect(try sample.call("add-", #"{"album":"alps"}"#)[JSONPointer(["isError"])] == nil)
  }

  @Test func `P4: a tool that is planned has the choices beside its plan`() throws {
    let command = FormRouteTests.command.replacing(#"{"title""#, with: #"{"agents":"plan","title""#)
      .replacing(#""action":"add:""#, with: #""action":"add:","propertyList":1"#)
      .replacing(#","key":{"input":"a"}"#, with: "")
    #expect(try sample.send(.put, "/commands/planned", command).status == .created)
    let tools = try sample.result(of: "tools/list").text()
    #expect(tools.contains(#"{"const":"coast"}],"default":"coast"},"tags""#))
    #expect(tools.contains(#""items":{"enum":["a","b"]}},"plan":{"type":"string""#))
  }

  @Test(arguments: [("album", "c", ["coast"]), ("tags", "", ["a", "b"])])
  func `P4: arguments are completed from the present choices`(
    name: String, start: String, values: [String]
  ) throws {
    let result = try sample.result(
      of: "completion/complete",
      #"{"ref":{"type":"ref/prompt","name":"add-"},"argument":{"name":"\#(name)","value":"\#(start)"}}"#
    )
    #expect(
      result[JSONPointer(["completion", "values"])] == .array(values.map(JSON.string)))
  }
}
