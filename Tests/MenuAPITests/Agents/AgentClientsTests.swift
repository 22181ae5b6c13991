import JSONText
import MenuEngine
import MenuStore
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// The clients of agents' streams: who is known, and whose streams end.
struct AgentClientsTests {
  private enum Failure: Error { case noStream }

  @Test func `a revoked administrator's streams end`() throws {
    let closed = try SampleService(authorization: .closed)
    let token = try closed.openWithToken("tablet")
    func open(_ fields: [(String, String)]) throws -> AgentReader {
      var headers: Headers = [:]
      for field in fields { headers.append(field.0, field.1) }
      let request = try Request(.get, "/sessions/tablet/mcp", headers: headers)
      guard case .response(let response) = closed.replicas.answer(to: request),
        let stream = response.stream
      else { throw Failure.noStream }
      return AgentReader(stream: stream, headers: response.headers)
    }
    let (administrator, own) = (try open(SampleService.administrator), try open(token))
    _ = (administrator.read(), own.read())
    closed.replicas.each {
      #expect($0.replaceAdministrators(by: [TokenDigest(of: "adminadminadmin0")]) == 1)
    }
    #expect(administrator.read() == nil)
    #expect(own.read() == "")
    #expect(closed.replicas.sum(\.agents.streamCount) == 2)
    administrator.stream.close()
    #expect(closed.replicas.sum(\.agents.streamCount) == 1)
  }

  @Test func `a client's name is that of its token`() throws {
    let closed = try SampleService(authorization: .closed)
    let token = try closed.openWithToken("tablet")
    let name = [("Mcp-Session-Id", "same")]
    func open(_ fields: [(String, String)]) throws -> AgentReader {
      var headers: Headers = [:]
      for field in fields + name { headers.append(field.0, field.1) }
      return try closed.listener(to: Request(.get, "/sessions/tablet/mcp", headers: headers))
    }
    let own = try open(token)
    _ = own.read()
    let administrator = try open(SampleService.administrator)
    _ = administrator.read()
    #expect(own.read() == "")
    own.stream.close()
    let again = try open(token)
    #expect(administrator.read() == "")
    _ = again
  }

  @Test func `clients are evicted, those with streams last`() throws {
    let clients = AgentClients(maximumCount: 8)
    let sample = try SampleService()
    let snapshot = try #require(sample.service.snapshot("demo"))
    func client(_ name: String) throws -> AgentClient {
      try AgentClient(named: name, of: snapshot.sessionEdition.opening.number)
    }
    clients.begin(stream: 1, of: try client("streaming"), topics: [.menu]) {}
    for number in 0..<20 {
      clients.change(try client("c\(number)")) { $0.insert(.document) }
    }
    #expect(clients.topics(of: try client("c0")) == nil)
    #expect(clients.topics(of: try client("c19")) == [.document])
    #expect(clients.topics(of: try client("streaming")) == [.menu])
    #expect(clients.count <= 8)
  }
}
