import JSONText
import Testing

@Suite(Program.isBuilt) struct MalformedRequestTests {
  /// Two hundred messages that are wrong in many ways, each on a connection of its own, and after
  /// each of them a request that is answered.
  @Test func `two hundred malformed requests are refused and the next one is served`() throws {
    let server = try RunningProgram.serving()
    let port = try server.port()
    let messages = Self.framing + Self.targets + Self.bodies + Self.values
    let all = (0..<200).map { messages[$0 % messages.count] }
    for message in all {
      let connection = try Connection(port: port)
      connection.send(message)
      let answer = try connection.answer()
      #expect(
        (400...499).contains(answer.status) || [501, 505].contains(answer.status), "\(message)")
      #expect(try Connection(port: port).ask("GET", "/health").status == 200, "\(message)")
    }
    let session = try Connection(port: port).ask("GET", "/sessions/demo")
    #expect(session["/revision"] == .int(0))
    #expect(messages.count >= 60)
  }

  private static let host = "Host: localhost\r\n"

  private static let framing: [String] = [
    "GET /health HTTP/1.1\r\n\r\n",
    "GET /health HTTP/1.1\r\n\(host)\(host)\r\n",
    "GET /health HTTP/2.0\r\n\(host)\r\n",
    "BREW /health HTTP/1.1\r\n\(host)\r\n",
    "get /health HTTP/1.1\r\n\(host)\r\n",
    "GET health HTTP/1.1\r\n\(host)\r\n",
    "GET /health HTTP/1.1\r\n\(host)Bad Name: x\r\n\r\n",
    "GET /health HTTP/1.1\r\n\(host)X: a\u{01}b\r\n\r\n",
    "GET /health HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\nx",
    "POST /commands/validate HTTP/1.1\r\n\(host)\r\n",
    "POST /commands/validate HTTP/1.1\r\n\(host)Content-Length: x\r\n\r\n",
    "POST /commands/validate HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n",
    "POST /commands/validate HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    "POST /commands/validate HTTP/1.1\r\n\(host)Content-Length: 99999999\r\n\r\n",
    "POST /commands/validate HTTP/1.1\r\n\(host)Content-Length: 2\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n{}",
    "POST /commands/validate HTTP/1.1\r\n\(host)Transfer-Encoding: gzip\r\n\r\n",
    "POST /commands/validate HTTP/1.1\r\n\(host)Expect: cake\r\nContent-Length: 2\r\n\r\n{}",
    "GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\n\(host)\r\n",
    "GET /health HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 40_000))\r\n\r\n",
  ]

  private static let targets: [String] = [
    "/%", "/%0", "/%zz", "/%00", "/sessions/%2F", "/%ff", "/nothing", "/sessions/demo/", "//health",
    "/sessions/nobody", "/sessions/demo/responders/nobody", "/health?x=1",
    "/sessions/demo/menu?explain=2", "/commands/nobody:", "/menus/nobody",
  ].map { Connection.request("GET", $0) }

  private static let bodies: [String] = [
    "", " ", "[", "{", "[]", "null", "1e999", "{\"session\":\"demo\",}",
    "{\"session\":\"\\ud800\"}",
    "{\"session\":\"demo\",\"session\":\"demo\"}", "{'session':'demo'}", "{\"session\":\"demo\"} x",
    "\u{FEFF}{}", "NaN", String(repeating: "[", count: 100_000),
  ].map { Connection.request("POST", "/commands/validate", $0) }

  private static let values: [String] =
    [
      ("POST", "/commands/validate", "{}"),
      ("POST", "/commands/validate", #"{"session": 1}"#),
      ("POST", "/commands/validate", #"{"session": "nobody"}"#),
      ("POST", "/commands/validate", #"{"session": "demo", "comands": []}"#),
      ("POST", "/commands/validate", #"{"session": "demo", "commands": {}}"#),
      ("POST", "/commands/validate", #"{"session": "demo", "from": "nobody"}"#),
      ("POST", "/commands/perform", #"{"session": "demo"}"#),
      ("POST", "/commands/perform", #"{"session": "demo", "command": "nobody:"}"#),
      ("POST", "/commands/perform", #"{"session": "demo", "command": "zoomIn:"}"#),
      ("POST", "/commands/perform", #"{"session": "demo", "action": "no selector"}"#),
      ("PUT", "/sessions/demo/first-responder", #"{"responder": "nobody"}"#),
      ("PUT", "/commands/x", #"{"title": 1}"#),
      ("DELETE", "/health", nil),
      ("POST", "/health", "{}"),
      ("POST", "/rules/check", #"{"rule": "1 +"}"#.replacing("rule", with: "ruel")),
    ].map { Connection.request($0.0, $0.1, $0.2) } + [
      "POST /commands/validate HTTP/1.1\r\n\(host)Content-Type: text/plain\r\n"
        + "Content-Length: 2\r\n\r\n{}"
    ]
}
