import MicroHTTP
import Testing

struct ValidationRouteTests {
  @Test func `items are answered in the order asked for`() throws {
    let sample = try SampleService()
    let body = #"{"session":"demo","commands":["applyFiveStarRating:","copy:","nothing"]}"#
    let response = try sample.send(.post, "/commands/validate", body)
    #expect(response.status == .ok)
    print(response.text, response.headers.fields)
    print(try sample.send(.post, "/commands/perform", #"{"session":"demo","command":"applyFiveStarRating:","explain":true}"#).text)
    print(try sample.send(.put, "/sessions/demo/first-responder", #"{"responder":"photoHost"}"#).text)
    print(try sample.send(.post, "/commands/perform", #"{"session":"demo","command":"applyFiveStarRating:","explain":true}"#).text)
    print(try sample.send(.post, "/commands/perform", #"{"session":"demo","command":"sortByDate","from":"photoGrid"}"#).text)
    print(try sample.send(.get, "/sessions/demo/menu").text)
    print(try sample.send(.get, "/sessions/demo").text)
    print(try sample.send(.get, "/sessions/demo/diagnostics").text)
    print(try sample.send(.post, "/rules/check", #"{"rule":"stat.x == 1"}"#).text)
    print(try sample.send(.post, "/commands/validate", #"{"session":"demo","modifiers":[]}"#).text)
  }
}
