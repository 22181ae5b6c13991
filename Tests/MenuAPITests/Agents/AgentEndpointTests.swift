import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// The messages of both eras, and the exact answers to what is none.
struct AgentEndpointTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  // MARK: The handshake

  @Test(
    arguments: [
      ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25"),
      ("2026-07-28", "2025-11-25"), ("whatever", "2025-11-25"),
    ])
  func `a handshake agrees on the revision that the client speaks, else on the latest`(
    wanted: String, agreed: String
  ) throws {
    let response = try sample.post(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(wanted)","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
      revision: nil)
    #expect(response.status == .ok)
    #expect(try response.value("/result/protocolVersion") == .string(agreed))
    #expect(try response.value("/result/capabilities/tools/listChanged") == true)
    #expect(try response.value("/result/capabilities/resources/subscribe") == true)
    #expect(try response.value("/result/serverInfo/name") == "menud")
    #expect(response.headers["mcp-session-id"] == "token-of-first")
  }

  @Test func `an agent is told the name of the application`() throws {
    let named = try SampleService(application: "photos")
    let response = try named.post(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
      revision: nil)
    let info: JSON = ["name": "photos", "title": "photos", "version": "0"]
    #expect(try response.value("/result/serverInfo") == info)
    let later = try named.stateless("tools/list")
    let meta = try later.value("/result/_meta")
    #expect(meta?[JSONPointer(["io.modelcontextprotocol/serverInfo"])] == info)
    let administrators = try named.post(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
      to: "/mcp", revision: nil)
    #expect(try administrators.value("/result/serverInfo/name") == "photos")
  }

  @Test func `a handshake without a revision is refused`() throws {
    let response = try sample.post(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#, revision: nil)
    #expect(try response.errorCode == -32602)
    #expect(response.status == .ok)
  }

  @Test func `notifications are accepted without a body`() throws {
    for message in [
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/whatever"}"#,
    ] {
      let response = try sample.post(message)
      #expect(response.status == .accepted, "\(message)")
      #expect(response.body.isEmpty)
    }
  }

  @Test(arguments: ["/sessions/demo/mcp", "/mcp"])
  func `an answer to nothing is refused`(path: String) throws {
    for message in [
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      #"{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"no"}}"#,
    ] {
      let response = try sample.post(message, to: path)
      #expect(response.status == .badRequest)
      #expect(try response.errorCode == -32600)
    }
  }

  @Test func `a ping is answered, whatever revision is told`() throws {
    for revision in ["2025-06-18", "2025-11-25", nil] {
      let response = try sample.post(
        #"{"jsonrpc":"2.0","id":"p","method":"ping"}"#, revision: revision)
      #expect(response.text == #"{"jsonrpc":"2.0","id":"p","result":{}}"#)
    }
  }

  // MARK: Malformed messages

  @Test(
    arguments: [
      (#"{"#, -32700, JSON.null), (#"[]"#, -32600, .null),
      (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, .null), (#"7"#, -32600, .null),
      (#"{"id":1,"method":"ping"}"#, -32600, 1),
      (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, 1),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32600, .null),
      (#"{"jsonrpc":"2.0","id":1}"#, -32600, 1),
      (#"{"jsonrpc":"2.0","id":"x","method":7}"#, -32600, "x"),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32600, 1),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, -32600, 1),
      (#"{"jsonrpc":"2.0","method":7}"#, -32600, .null),
    ] as [(String, Int, JSON)])
  func `what is no message is refused with 400`(message: String, code: Int, id: JSON) throws {
    for revision in ["2025-06-18", "2025-11-25", "2026-07-28", nil] {
      let response = try sample.post(message, revision: revision)
      #expect(response.status == .badRequest, "\(message)")
      #expect(try response.errorCode == .int(Int64(code)), "\(message)")
      #expect(try response.value("/id") == id, "\(message)")
    }
  }

  @Test func `a method that is not there is an error, and 404 since 2026-07-28`() throws {
    let old = try sample.post(#"{"jsonrpc":"2.0","id":1,"method":"tasks/list"}"#)
    #expect(old.status == .ok)
    #expect(try old.errorCode == -32601)
    for method in [
      "tasks/list", "initialize", "ping", "resources/subscribe", "logging/setLevel", "tools",
    ] {
      let new = try sample.stateless(method)
      #expect(new.status == .notFound, "\(method)")
      #expect(try new.errorCode == -32601)
    }
    for method in ["server/discover", "subscriptions/listen"] {
      let old = try sample.post(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"#)
      #expect(try old.errorCode == -32601, "\(method)")
    }
  }

  @Test func `a body that is not JSON by its type is refused as everywhere`() throws {
    let response = try sample.send(.post, "/sessions/demo/mcp", "{}", type: "text/plain")
    #expect(response.status == .unsupportedMediaType)
  }

  @Test func `a session that is not open is not there`() throws {
    let response = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, to: "/sessions/nobody/mcp")
    #expect(response.status == .notFound)
    #expect(try response.value("/type") == "/problems/unknown-session")
  }

  @Test func `GET is for clients of a handshake, and DELETE for nobody`() throws {
    let get = try sample.send(
      .get, "/sessions/demo/mcp", headers: [("MCP-Protocol-Version", "2026-07-28")])
    #expect(get.status == .methodNotAllowed)
    #expect(get.headers["allow"] == "POST, OPTIONS")
    #expect(try sample.send(.delete, "/sessions/demo/mcp").status == .methodNotAllowed)
    #expect(try sample.send(.get, "/mcp").status == .methodNotAllowed)
    let unknown = try sample.send(
      .get, "/sessions/demo/mcp", headers: [("MCP-Protocol-Version", "1999-01-01")])
    #expect(unknown.status == .badRequest)
  }

  // MARK: 2026-07-28

  @Test func `discovery tells what an error of the version tells`() throws {
    let found = try sample.stateless("server/discover")
    let supported: JSON = ["2026-07-28", "2025-11-25", "2025-06-18"]
    #expect(try found.value("/result/supportedVersions") == supported)
    #expect(try found.value("/result/resultType") == "complete")
    #expect(try found.value("/result/cacheScope") == "private")
    #expect(try found.value("/result/ttlMs") == 60_000)
    #expect(
      try found.value("/result/_meta")
        == [
          "io.modelcontextprotocol/serverInfo": ["name": "menud", "title": "menud", "version": "0"]
        ])
    let other = Self.request("1900-01-01", "server/discover")
    let refused = try sample.post(
      other, revision: "1900-01-01", headers: [("Mcp-Method", "server/discover")])
    #expect(refused.status == .badRequest)
    #expect(try refused.errorCode == -32022)
    #expect(
      try refused.value("/error/data") == ["supported": supported, "requested": "1900-01-01"])
  }

  private static func request(_ version: String, _ method: String, _ params: String = "") -> String
  {
    #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params)"_meta":{"io.modelcontextprotocol/protocolVersion":"\#(version)","io.modelcontextprotocol/clientCapabilities":{}}}}"#
  }

  @Test func `an unknown revision in the field alone is refused, too`() throws {
    let response = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, revision: "2024-11-05")
    #expect(response.status == .badRequest)
    #expect(try response.errorCode == -32022)
  }

  @Test func `without its members _meta is no parameter`() throws {
    for params in [
      "{}", #"{"_meta":{}}"#, #"{"_meta":7}"#,
      #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#,
      #"{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}"#,
      #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":7}}"#,
    ] {
      let response = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":\#(params)}"#,
        revision: "2026-07-28", headers: [("Mcp-Method", "tools/list")])
      #expect(response.status == .badRequest, "\(params)")
      #expect(try response.errorCode == -32602, "\(params)")
    }
  }

  @Test func `fields that contradict the body are refused`() throws {
    let call = Self.request("2026-07-28", "tools/call", #""name":"copy-","#)
    let (version, method, name) = (
      ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "copy-")
    )
    #expect(try sample.post(call, revision: nil, headers: [version, method, name]).status == .ok)
    for headers in [
      [method, name], [version, name], [version, method],
      [("MCP-Protocol-Version", "2025-11-25"), method, name],
      [version, ("Mcp-Method", "tools/list"), name], [version, ("Mcp-Method", "Tools/Call"), name],
      [version, method, ("Mcp-Name", "paste-")], [version, method, ("Mcp-Name", "=?base64?!!?=")],
      [version, method, ("Mcp-Name", "=?base64?cGFzdGUt?=")],
      [version, version, method, name], [version, method, method, name],
      [version, method, name, name],
    ] {
      let response = try sample.post(call, revision: nil, headers: headers)
      #expect(response.status == .badRequest, "\(headers)")
      #expect(try response.errorCode == -32020, "\(headers)")
      #expect(try response.value("/id") == 1)
    }
    let encoded = [version, method, ("mcp-name", "=?base64?Y29weS0=?=")]
    #expect(try sample.post(call, revision: nil, headers: encoded).status == .ok)
  }

  @Test(
    arguments: [
      ("plain", "plain"), ("=?base64?SGVsbG8sIOS4lueVjA==?=", "Hello, 世界"),
      ("=?base64?IHBhZGRlZCA=?=", " padded "),
      ("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=", "=?base64?literal?="),
      ("=?BASE64?IHBhZGRlZCA=?=", "=?BASE64?IHBhZGRlZCA=?="), ("=?base64?", "=?base64?"),
      ("=?base64?IHBhZGRlZCB=?=", nil), ("=?base64?IHBhZGRlZCA?=", nil), ("=?base64?/w==?=", nil),
    ] as [(String, String?)])
  func `a value may be encoded`(value: String, decoded: String?) {
    #expect(AgentHeaders.decoded(value) == decoded)
  }

  @Test func `no state is kept between requests of 2026-07-28`() throws {
    let response = try sample.stateless("tools/list", headers: [("Mcp-Session-Id", "whatever")])
    #expect(response.status == .ok)
    #expect(response.headers["mcp-session-id"] == nil)
    let answer = try sample.post(#"{"jsonrpc":"2.0","id":1,"result":{}}"#, revision: "2026-07-28")
    #expect(answer.status == .badRequest)
    let notification = #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#
    #expect(try sample.post(notification, revision: "2026-07-28").status == .accepted)
  }

  // MARK: Who may

  @Test func `pages of elsewhere are refused, whether they ask or change`() throws {
    for origin in ["https://attacker.example", "null"] {
      let response = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, headers: [("Origin", origin)])
      #expect(response.status == .forbidden)
      let stream = try sample.send(.get, "/sessions/demo/mcp", headers: [("Origin", origin)])
      #expect(stream.status == .forbidden)
    }
    let own = [("Origin", "http://localhost:8080"), ("Host", "localhost:8080")]
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    #expect(try sample.post(ping, headers: own).status == .ok)
    let rebound = try sample.post(ping, headers: [("Host", "attacker.example")])
    #expect(rebound.status == .misdirectedRequest)
  }

  @Test func `a page needs to be listed, although it has a token`() throws {
    let closed = try SampleService(authorization: .closed)
    let headers = SampleService.administrator + [("Origin", "https://attacker.example")]
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    #expect(try closed.post(ping, headers: headers).status == .forbidden)
    #expect(try closed.post(ping, headers: SampleService.administrator).status == .ok)
  }

  @Test func `a token opens its session alone, and not the administrator's side`() throws {
    let closed = try SampleService(authorization: .closed)
    let token = try closed.openWithToken("tablet")
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    #expect(try closed.post(ping).status == .unauthorized)
    #expect(try closed.post(ping).headers["www-authenticate"]?.hasPrefix("Bearer") == true)
    #expect(try closed.post(ping, headers: token).status == .notFound)
    #expect(try closed.post(ping, to: "/sessions/tablet/mcp", headers: token).status == .ok)
    #expect(try closed.post(ping, to: "/mcp", headers: token).status == .forbidden)
    #expect(try closed.post(ping, to: "/mcp", headers: SampleService.administrator).status == .ok)
    let listed = try closed.result(of: "tools/list", to: "/sessions/tablet/mcp", headers: token)
    #expect(listed.names("tools").contains("copy-"))
    let called = try closed.call("copy-", to: "/sessions/tablet/mcp", headers: token)
    #expect(called[JSONPointer(["structuredContent", "performed"])] == true)
  }
}
