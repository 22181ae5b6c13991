import JSONText
import MenuEngine
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// The names of the fixed set in an application whose commands have them (T7).
struct FixedToolNameTests {
  private let tokens: TokenSample

  init() throws {
    tokens = try TokenSample()
    for name in FixedTool.allCases.map(\.rawValue) + ["zoom:"] {
      let declared = try tokens.sample.send(
        .put, "/commands/\(name)", #"{"title":"T","action":"\#(name)"}"#,
        headers: SampleService.administrator)
      try #require(declared.status == .created, "\(declared.text)")
    }
    let handled = try tokens.sample.send(
      .put, "/sessions/own/responders/hostedView/handlers/zoom:", "{}", headers: tokens.own)
    try #require(handled.status == .created, "\(handled.text)")
  }

  private func ask(
    _ method: String, _ params: String = "{}", by fields: TokenSample.Fields
  ) throws -> JSON {
    try tokens.sample.result(
      of: method, params, to: "/sessions/own/mcp?tools=listening",
      headers: fields + [("Mcp-Session-Id", "c")])
  }

  private func call(
    _ tool: String, _ arguments: String, by fields: TokenSample.Fields
  ) throws -> String {
    try ask(
      "tools/call", #"{"name":"menud_\#(tool)","arguments":\#(arguments)}"#, by: fields
    ).text()
  }

  @Test(.ofOneService) func `T7: every text names a tool as it is listed`() throws {
    let all = tokens.own
    let begun = try ask(
      "initialize", #"{"protocolVersion":"2025-11-25","capabilities":{}}"#, by: all)
    let focusing = try tokens.make([.read, .focus]).fields
    let texts = [
      try #require(begun.at("instructions")?.word), try ask("tools/list", by: all).text(),
      try call("describe_session", "{}", by: all),
      try call("find_commands", #"{"query":"zoom"}"#, by: all),
      try call("explain_command", #"{"command":"zoom:"}"#, by: all),
      try call("explain_command", #"{"command":"zoom:"}"#, by: focusing),
      try call("perform_command", #"{"command":"zoom:"}"#, by: all),
      try call("perform_command", #"{"command":"nobody"}"#, by: all),
      try call("focus", #"{"responder":"nobody"}"#, by: all),
    ]
    for name in FixedTool.allCases.map(\.rawValue).filter({ $0.contains("_") }) {
      for text in texts {
        #expect(!text.replacing("menud_" + name, with: "").contains(name), "\(name): \(text)")
      }
    }
    #expect(texts[0].contains("menud_undo takes back what was done last."))
    #expect(texts[5].contains("call menud_focus with 'hostedView' first"))
    #expect(texts[6].contains("call menud_perform_command with 'from'"))
    #expect(texts[8].contains(#""tool":"menud_focus""#))
  }
}
