import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

struct SessionListRouteTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    for name in ["b", "a", "c"] {
      _ = try sample.send(.post, "/sessions", #"{"id":"\#(name)","template":false}"#)
    }
  }

  @Test func `the sessions are listed in alphabetical order, with what an operator asks for`()
    throws
  {
    let response = try sample.send(.get, "/sessions")
    #expect(try names(response) == ["a", "b", "c", "demo"])
    #expect(try response.value("/total") == 4)
    #expect(try response.value("/next") == nil)
    #expect(response.headers["link"] == nil)
    let first = try response.json[JSONPointer(parsing: "/sessions/0")]
    #expect(
      first?.text() == #"""
        {"session":"a","revision":0,"firstResponder":null,"search":"uikit","queuedMessages":0,\#
        "holdings":{"responders":0,"handlers":0,"rules":0,"keyCommands":0,"undoManagers":0,\#
        "stateSize":3,"responderSize":0,"deliveries":0,"deliverySize":0}}
        """#)
    #expect(try response.value("/sessions/3/firstResponder") == "photoGrid")
  }

  @Test func `pages follow one another, also when a session between them was closed`() throws {
    let first = try sample.send(.get, "/sessions?limit=2")
    #expect(try names(first) == ["a", "b"])
    #expect(try first.value("/next") == "/sessions?limit=2&after=b")
    #expect(first.headers["link"] == #"</sessions?limit=2&after=b>; rel="next""#)
    _ = try sample.send(.delete, "/sessions/b")
    let second = try sample.send(.get, "/sessions?limit=2&after=b")
    #expect(try names(second) == ["c", "demo"])
    #expect(try second.value("/next") == nil)
    #expect(try names(try sample.send(.get, "/sessions?after=demo")) == [])
  }

  @Test(arguments: [
    ("limit=0", "'limit' in the query is from 1 to 1000, not 0."),
    ("limit=1001", "'limit' in the query is from 1 to 1000, not 1001."),
    ("limit=x", "'limit' in the query is an integer from 0, not 'x'."),
    ("after=a%20b", "'a b' as 'after' in the query is not a name."),
  ])
  func `a page that is none is refused`(query: String, detail: String) throws {
    let response = try sample.send(.get, "/sessions?\(query)")
    #expect(response.status == .badRequest)
    #expect(try response.value("/detail") == .string(detail))
  }

  @Test func `a session's token lists its own session, and no other`() throws {
    let guarded = try SampleService(authorization: .closed)
    let own = try guarded.openWithToken("own")
    let listed = try guarded.send(.get, "/sessions", headers: own)
    #expect(try names(listed) == ["own"])
    #expect(try listed.value("/total") == 1)
    #expect(try names(try guarded.send(.get, "/sessions?after=own", headers: own)) == [])
    #expect(try guarded.send(.get, "/sessions", headers: []).status == .unauthorized)
  }

  private func names(_ response: Response) throws -> [String] {
    guard case .array(let sessions)? = try response.json[JSONPointer(parsing: "/sessions")] else {
      return []
    }
    return sessions.compactMap { session in
      guard case .object(let object) = session, case .string(let name)? = object["session"] else {
        return nil
      }
      return name
    }
  }
}
