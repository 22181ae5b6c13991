import Testing

@testable import MicroHTTP

struct MethodTests {
  @Test(arguments: Method.allCases)
  func `a method is found by its name as written`(_ method: Method) {
    #expect(Method(name: method.rawValue.utf8.span) == method)
    #expect(Method(name: method.rawValue.lowercased().utf8.span) == nil)
    #expect(Method(name: (method.rawValue + "S").utf8.span) == nil)
  }

  @Test(arguments: ["TRACE", "QUERY"], ["", "Content-Length: 2\r\n"])
  func `a method that no path has reaches the answer, with content or without`(
    _ name: String, field: String
  ) throws {
    let server = try Server.start(handler: { Response(text: $0.method.rawValue) })
    let client = try RawClient(port: server.port)
    client.send("\(name) / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\(field.isEmpty ? "" : "{}")")
    #expect(try client.readResponse() == plain(name))
  }
}
