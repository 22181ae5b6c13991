import JSONText
import MicroHTTP
import Testing

struct RegistrationRoutesTests {
  let sample: SampleService
  private let path = "/sessions/demo/responders/photoHost/coordinator/handlers"

  init() throws { sample = try SampleService() }

  @Test func `registrations are listed with their tokens`() throws {
    let response = try sample.send(.get, path)
    #expect(
      response.text == #"""
        {"session":"demo","revision":0,"responder":"photoHost","forwarding":"catchAll",\#
        "registrations":[{"token":1,"selector":"applyFiveStarRating:","handler":\#
        {"perform":[{"op":"replace","path":"/rating","value":"5"}]}}]}
        """#)
  }

  @Test func `a registration is answered by its token`() throws {
    let response = try sample.send(.get, "\(path)/1")
    #expect(try response.value("/token") == 1)
    #expect(try response.value("/selector") == "applyFiveStarRating:")
  }

  @Test func `a registration for a selector that is taken replaces the other`() throws {
    let body = #"{"selector":"applyFiveStarRating:","handler":{}}"#
    let response = try sample.send(.post, path, body)
    #expect(response.status == .created)
    #expect(response.headers["location"] == "\(path)/2")
    #expect(
      response.text == #"""
        {"session":"demo","revision":1,"token":2,"changes":[{"change":"registrationRemoved",\#
        "responder":"photoHost","selector":"applyFiveStarRating:","token":1},\#
        {"change":"registration","responder":"photoHost","selector":"applyFiveStarRating:",\#
        "token":2,"value":{"perform":[]}}]}
        """#)
    #expect(try sample.send(.get, "\(path)/1").status == .notFound)
  }

  @Test func `a registration that is changed has a new token`() throws {
    let response = try sample.send(.put, "\(path)/1", #"{"selector":"export:"}"#)
    #expect(response.status == .ok)
    #expect(response.headers["location"] == "\(path)/2")
    #expect(try response.value("/token") == 2)
    let changed = try sample.send(.get, "\(path)/2")
    #expect(try changed.value("/selector") == "export:")
    #expect(try changed.value("/handler/perform/0/path") == "/rating")
    #expect(try sample.send(.get, "\(path)/1").status == .notFound)
  }

  @Test(arguments: ["1", "99", "99999999999999999999", "what"])
  func `a registration is removed, and an unknown token is no mistake`(token: String) throws {
    let response = try sample.send(.delete, "\(path)/\(token)")
    #expect(response.status == .ok)
    #expect(response.headers["etag"] == (token == "1" ? "\"run1.1.1\"" : "\"run1.1.0\""))
    #expect(try response.value("/changes/0/change") == (token == "1" ? "registrationRemoved" : nil))
    let remaining = try sample.send(.get, path)
    #expect((try remaining.value("/registrations/0") == nil) == (token == "1"))
  }
}
