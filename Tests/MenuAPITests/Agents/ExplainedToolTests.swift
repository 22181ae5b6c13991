import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// Explanations of commands with the arguments that they would be performed with.
struct ExplainedToolTests {
  private let sample: SampleService

  init() throws {
    sample = try SampleService()
    let schema =
      #"{"type":"object","properties":{"by":{"type":"integer"}},"required":["by"],"additionalProperties":false}"#
    for (action, more) in [
      ("turn:", #","parameters":\#(schema)"#), ("stuck:", #","parameters":\#(schema)"#),
      ("bare:", ""),
      (
        "pick:",
        #","parameters":{"type":"object","properties":{"to":{}}},"choices":{"to":"['a','b']"}"#
      ),
    ] {
      if action == "stuck:" {
        try sample.declare(action, more, handler: nil)
      } else {
        try sample.declare(action, more)
      }
    }
  }

  private func call(_ tool: String, _ arguments: String) throws -> JSON {
    try sample.call(tool, arguments, to: "/sessions/demo/mcp?tools=find")
  }

  @Test(arguments: [
    #""command":"turn:","arguments":{"by":"x"}"#, #""command":"turn:","arguments":{}"#,
    #""command":"bare:","arguments":{"by":1}"#, #""command":"pick:","arguments":{"to":"c"}"#,
  ])
  func `P2: arguments that do not fit are told as performing tells them`(arguments: String) throws {
    let explained = try call("explain_command", "{\(arguments)}")
    let refused = try call("perform_command", "{\(arguments)}")
    let fault = try #require(refused.firstText?.split(separator: "\n").last)
    let lines = try #require(explained.firstText?.split(separator: "\n"))
    #expect(lines[0].hasSuffix("can be performed now, but not with these arguments:"))
    #expect(lines[1] == fault)
    #expect(
      explained.at("structuredContent", "errors", "0", "pointer")
        == refused.at("structuredContent", "pointer"))
    #expect(explained.at("structuredContent", "errors", "1") == nil)
  }

  @Test func `P2: a disabled command is explained with the faults of its arguments`() throws {
    let told = try call("explain_command", #"{"command":"stuck:","arguments":{"by":"x"}}"#)
    #expect(told.firstText?.hasPrefix("'stuck:' (“T”) cannot be performed now") == true)
    #expect(told.firstText?.contains("\n/arguments/arguments/by: Expected an integer") == true)
  }

  @Test(arguments: [
    #""command":"turn:""#, #""command":"turn:","arguments":{"by":1}"#,
    #""command":"pick:","arguments":{"to":"a"}"#,
  ])
  func `nothing is said of arguments that fit, or that are not given`(arguments: String) throws {
    let told = try call("explain_command", "{\(arguments)}")
    #expect(told.firstText?.contains("(“T”) can be performed now.\n") == true, "\(told)")
    #expect(told.at("structuredContent", "errors") == nil)
  }

  @Test func `M12: an item is explained without arguments, since it brings its own`() throws {
    let edit =
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"identifier":"turns","title":"Turns","#
      + #""children":["turn:",{"forEach":"[1,2]","key":"string(item)","command":"turn:","title":"string(item)","parameters":"{'by': item}"}]}}]}"#
    let edited = try sample.send(.post, "/menus/edits", edit)
    try #require(edited.status == .ok, "\(edited.text)")
    let told = try call("explain_command", #"{"command":"turn:","itemKey":"1"}"#)
    #expect(
      told.at("structuredContent", "arguments")
        == ["type": "object", "additionalProperties": false])
    #expect(told.firstText?.contains("The schema of its arguments") == false, "\(told)")
    let both = #"{"command":"turn:","itemKey":"1","arguments":{"by":1}}"#
    let refused = try call("perform_command", both)
    #expect(refused.at("isError") == true)
    #expect(
      try call("explain_command", both).at("structuredContent", "detail")
        == refused.at("structuredContent", "detail"))
  }
}
