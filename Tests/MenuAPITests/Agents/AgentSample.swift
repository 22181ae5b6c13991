import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

extension SampleService {
  /// Declares a command that is called as its action, with further members, and its handler in `demo`; nil for none.
  func declare(
    _ action: String, title: String = "T", _ members: String = "",
    handler: String? = #"{"perform":[]}"#, on responder: String = "photoGrid"
  ) throws {
    let declared = try send(
      .put, "/commands/\(action)", #"{"title":"\#(title)","action":"\#(action)"\#(members)}"#)
    try #require(declared.status == .created, "\(declared.text)")
    guard let handler else { return }
    _ = try send(.put, "/sessions/demo/responders/\(responder)/handlers/\(action)", handler)
  }

  /// The response to a message of an agent; by default to the session `demo`, by a client that began with a
  /// handshake.
  func post(
    _ message: String, to path: String = "/sessions/demo/mcp", revision: String? = "2025-11-25",
    headers: [(String, String)] = []
  ) throws -> Response {
    let version = revision.map { [("MCP-Protocol-Version", $0)] } ?? []
    return try send(.post, path, message, headers: version + headers)
  }

  /// The result of a method.
  func result(
    of method: String, _ params: String = "{}", to path: String = "/sessions/demo/mcp",
    headers: [(String, String)] = [], _ location: SourceLocation = #_sourceLocation
  ) throws -> JSON {
    let response = try post(
      #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":\#(params)}"#, to: path,
      headers: headers)
    #expect(response.status == .ok, sourceLocation: location)
    #expect(response.headers["content-type"] == "application/json", sourceLocation: location)
    #expect(try response.value("/jsonrpc") == "2.0", sourceLocation: location)
    #expect(try response.value("/id") == 7, sourceLocation: location)
    return try #require(
      try response.value("/result"), "\(response.text)", sourceLocation: location)
  }

  /// The result of a tool's call.
  func call(
    _ tool: String, _ arguments: String = "{}", to path: String = "/sessions/demo/mcp",
    headers: [(String, String)] = []
  ) throws -> JSON {
    try result(
      of: "tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#, to: path,
      headers: headers)
  }

  /// The response to a request of 2026-07-28, with the fields that agree with it unless others are given.
  func stateless(
    _ method: String, _ params: String = "", to path: String = "/sessions/demo/mcp",
    name: String? = nil,
    headers: [(String, String)] = []
  ) throws -> Response {
    let message =
      #"{"jsonrpc":"2.0","id":"a","method":"\#(method)","params":{\#(Self.meta)\#(params)}}"#
    let own = [("Mcp-Method", method)] + (name.map { [("Mcp-Name", $0)] } ?? [])
    return try post(message, to: path, revision: "2026-07-28", headers: own + headers)
  }

  /// The member `_meta` of a request of 2026-07-28.
  static let meta =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  /// The names of the tools that are listed.
  func tools(_ query: String = "") throws -> [String] {
    try result(of: "tools/list", to: "/sessions/demo/mcp" + query).names("tools")
  }
}

extension JSON {
  /// The names of the elements of a member.
  func names(_ member: String) -> [String] {
    guard case .array(let elements)? = self[JSONPointer([member])] else { return [] }
    return elements.compactMap { element in
      if case .string(let name)? = element[JSONPointer(["name"])] { name } else { nil }
    }
  }

  /// The text of the first content block.
  var firstText: String? {
    if case .string(let text)? = self[JSONPointer(["content", "0", "text"])] { text } else { nil }
  }
}

extension Response {
  /// The code of the error that it says.
  var errorCode: JSON? { get throws { try value("/error/code") } }
}
