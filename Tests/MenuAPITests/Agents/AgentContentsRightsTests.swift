import JSONText
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// The rights that it takes to have resources and prompts of an application (T1, T3).
struct AgentContentsRightsTests {
  private let tokens: TokenSample

  init() throws {
    tokens = try TokenSample()
    try tokens.sample.replicas.commit {
      try $0.changeCatalog(by: .replace(AgentContentsTests.catalog()))
    }
    let state =
      #"[{"op":"add","path":"/count","value":0},{"op":"add","path":"/rows","value":["a","b"]}]"#
    _ = try tokens.sample.send(
      .patch, "/sessions/own/state", state, type: "application/json-patch+json",
      headers: tokens.own)
  }

  private func names(_ rights: [Right], more: String = "") throws -> [String] {
    let fields = try tokens.make(rights, kind: "agent", more: more).fields
    return try ["resources/list", "resources/templates/list", "prompts/list"].flatMap { method in
      let result = try tokens.sample.result(
        of: method, to: "/sessions/own/mcp", headers: fields)
      let lists = ["resources", "resourceTemplates", "prompts"].flatMap(result.names)
      let builtIn = ["document", "menu", "diagnostics", "deliveries", "command", "delivery"]
      return lists.filter { !builtIn.contains($0) }
    }
  }

  private func error(_ method: String, _ params: String, _ fields: TokenSample.Fields) throws
    -> String?
  {
    let response = try tokens.sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#,
      to: "/sessions/own/mcp", headers: fields)
    return try response.errorCode?.text()
  }

  @Test func `T3: what reads the session needs read, other texts what tools need`() throws {
    #expect(
      try names([.items]) == [
        "about", "image", "copies", "secret", "echo", "hello", "greet", "copy", "embed", "broken",
      ])
    #expect(
      try names([.read]) == [
        "about", "image", "count", "copies", "secret", "echo", "row", "hello", "greet", "rows",
        "copy", "embed", "broken",
      ])
  }

  @Test func `T3: what a token may not read is not there for it`() throws {
    let fields = try tokens.make([.items], kind: "agent").fields
    for (method, params, code) in [
      ("resources/read", #"{"uri":"app:count"}"#, "-32002"),
      ("resources/read", #"{"uri":"app:row/1"}"#, "-32002"),
      ("resources/subscribe", #"{"uri":"app:count"}"#, "-32002"),
      ("prompts/get", #"{"name":"rows","arguments":{"n":"1"}}"#, "-32602"),
      ("prompts/get", #"{"name":"embed","arguments":{"uri":"app:count"}}"#, "-32602"),
      (
        "completion/complete",
        #"{"ref":{"type":"ref/resource","uri":"app:row/{n}"},"argument":{"name":"n","value":""}}"#,
        "-32602"
      ),
    ] {
      #expect(try error(method, params, fields) == code, "\(method) \(params)")
      // A subscription needs the name of a client.
      guard method != "resources/subscribe" else { continue }
      #expect(try error(method, params, tokens.own) == nil, "\(method)")
    }
  }

  @Test func `T1: a token for some commands has what is about these alone`() throws {
    #expect(try names([.read], more: #","commands":["copy:"]"#) == ["copies", "copy"])
    #expect(try names([.read], more: #","commands":["none"]"#) == [])
    let fields = try tokens.make([.read], kind: "agent", more: #","commands":["copy:"]"#).fields
    #expect(try error("resources/read", #"{"uri":"app:copies"}"#, fields) == nil)
    #expect(try error("resources/read", #"{"uri":"app:about"}"#, fields) == "-32002")
    #expect(try error("prompts/get", #"{"name":"hello"}"#, fields) == "-32602")
  }
}
