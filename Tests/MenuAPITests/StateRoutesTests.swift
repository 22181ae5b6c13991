import JSONText
import MicroHTTP
import Testing

struct StateRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a JSON Patch changes the state`() throws {
    let response = try sample.send(
      .patch, "/sessions/demo/state",
      #"[{"op":"add","path":"/selection/-","value":"owl"},{"op":"remove","path":"/zoom"}]"#,
      type: "application/json-patch+json")
    #expect(
      response.text == #"""
        {"session":"demo","revision":1,"changes":[\#
        {"change":"state","op":"add","path":"/selection/-","value":"owl"},\#
        {"change":"state","op":"remove","path":"/zoom"}]}
        """#)
    #expect(response.headers["etag"] == "\"run1.1.1\"")
    let session = try sample.send(.get, "/sessions/demo")
    #expect(try session.value("/state/selection") == ["lake", "owl"])
    #expect(try session.value("/state/zoom") == nil)
  }

  @Test func `a JSON Merge Patch changes the state`() throws {
    let response = try sample.send(
      .patch, "/sessions/demo/state", #"{"zoom":null,"rating":2}"#,
      type: "application/merge-patch+json")
    #expect(
      try response.value("/changes/0")
        == .object(["change": "mergedState", "patch": .object(["zoom": nil, "rating": 2])]))
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 2)
    #expect(try sample.send(.get, "/sessions/demo").value("/state/zoom") == nil)
  }
}
