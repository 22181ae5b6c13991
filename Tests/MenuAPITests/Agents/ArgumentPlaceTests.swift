import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// The places of faults, which are those of arguments: a client corrects what it has sent.
struct ArgumentPlaceTests {
  private let sample: SampleService

  init() throws {
    sample = try SampleService()
    let schema =
      #"{"type":"object","properties":{"by":{"type":"integer"}},"additionalProperties":false}"#
    for (action, more) in [
      ("turn:", #","parameters":\#(schema)"#), ("stuck:", ""),
      ("go:", #","parameters":{"type":"object","properties":{"to":{"type":"string"}}}"#),
    ] {
      if action == "stuck:" {
        try sample.declare(action, more, handler: nil)
      } else {
        try sample.declare(action, more)
      }
    }
    let edit =
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"identifier":"places","title":"Places","#
      + #""children":[{"forEach":"['a']","key":"item","command":"go:","title":"item","parameters":"{'to': item}"}]}}]}"#
    let edited = try sample.send(.post, "/menus/edits", edit)
    try #require(edited.status == .ok, "\(edited.text)")
  }

  /// The kind of a problem, and the place of its fault.
  private func refusal(_ tool: String, _ arguments: String, _ query: String = "") throws -> [JSON] {
    let told = try sample.call(tool, arguments, to: "/sessions/demo/mcp" + query)
    #expect(told.at("isError") == true, "\(told)")
    return [
      told.at("structuredContent", "type") ?? .null,
      told.at("structuredContent", "pointer") ?? .null,
    ]
  }

  @Test(arguments: [
    ("turn-", #"{"by":"x"}"#, "invalid-body", "/arguments/by"),
    ("turn-", #"{"plan":"x"}"#, "unknown-plan", "/arguments/plan"),
    ("go-", "{}", "invalid-body", "/arguments/key"),
    ("go-", #"{"key":"zz"}"#, "not-performed", "/arguments/key"),
    ("go-", #"{"key":"a","to":"b"}"#, "invalid-body", "/arguments/key"),
    ("stuck-", "{}", "not-performed", nil),
  ])
  func `a command's own tool blames its arguments`(
    tool: String, arguments: String, type: String, place: String?
  ) throws {
    #expect(
      try refusal(tool, arguments)
        == [.string("/problems/\(type)"), place.map(JSON.string) ?? .null])
  }

  @Test(arguments: [
    ("focus", #"{"responder":"nope"}"#, "unresolved-reference", "/arguments/responder"),
    ("focus", "{}", "invalid-body", "/arguments"),
    ("find_commands", #"{"from":"nope"}"#, "unresolved-reference", "/arguments/from"),
    ("find_commands", #"{"limit":0}"#, "invalid-body", "/arguments/limit"),
    ("find_commands", #"{"querry":"a"}"#, "invalid-body", "/arguments/querry"),
    ("describe_session", #"{"path":"rows"}"#, "invalid-body", "/arguments/path"),
    ("describe_session", #"{"path":"/none"}"#, "unresolved-reference", "/arguments/path"),
    ("explain_command", #"{"command":"nope"}"#, "unknown-command", "/arguments/command"),
    (
      "explain_command", #"{"command":"turn:","from":"nope"}"#, "unresolved-reference",
      "/arguments/from"
    ),
    ("explain_command", #"{"command":"go:","itemKey":""}"#, "invalid-body", "/arguments/itemKey"),
    ("perform_command", #"{"command":"nope"}"#, "unknown-command", "/arguments/command"),
    (
      "perform_command", #"{"command":"turn:","from":"nope"}"#, "unresolved-reference",
      "/arguments/from"
    ),
    ("perform_command", #"{"command":"go:"}"#, "invalid-body", "/arguments/itemKey"),
    (
      "perform_command", #"{"command":"go:","itemKey":"zz"}"#, "not-performed",
      "/arguments/itemKey"
    ),
    ("perform_command", #"{"command":"turn:","plan":"x"}"#, "unknown-plan", "/arguments/plan"),
    ("perform_command", #"{"command":"turn:","plan":5}"#, "invalid-body", "/arguments/plan"),
    (
      "perform_command", #"{"command":"turn:","arguments":{"by":"x"}}"#, "invalid-body",
      "/arguments/arguments/by"
    ),
    ("perform_command", #"{"command":"stuck:"}"#, "not-performed", "/arguments/command"),
  ])
  func `a tool of the fixed set blames its own`(
    tool: String, arguments: String, type: String, place: String
  ) throws {
    #expect(
      try refusal(tool, arguments, "?tools=find")
        == [.string("/problems/\(type)"), .string(place)])
  }

  @Test func `T3: a token that may not read names no responder to ask`() throws {
    let tokens = try TokenSample()
    let fields = try tokens.make([.items, .perform]).fields
    for tool in ["find_commands", "explain_command", "perform_command"] {
      let command = tool == "find_commands" ? "" : #""command":"copy:","#
      let told = try tokens.sample.call(
        tool, #"{\#(command)"from":"photoGrid"}"#, to: "/sessions/own/mcp?tools=find",
        headers: fields)
      #expect(told.at("structuredContent", "pointer") == "/arguments/from", "\(told)")
      #expect(told.firstText?.contains("There is no member 'from' here") == true)
    }
  }
}
