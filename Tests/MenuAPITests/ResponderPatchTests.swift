import JSONText
import MicroHTTP
import Testing

/// Changing members of a responder by a merge patch.
struct ResponderPatchTests {
  let sample: SampleService
  private let path = "/sessions/demo/responders"
  private let type = "application/merge-patch+json"

  init() throws { sample = try SampleService() }

  private func patch(_ id: String, _ body: String) throws -> Response {
    try sample.send(.patch, "\(path)/\(id)", body, type: type)
  }

  @Test func `one link is moved by one small request, and all else stays`() throws {
    let before = try sample.send(.get, "\(path)/hostedView").value("/responder")
    let response = try patch("hostedView", #"{"superview":"photoGrid"}"#)
    #expect(
      response.text == #"""
        {"session":"demo","revision":1,"changes":[{"change":"responder",\#
        "responder":"hostedView","value":{"kind":"view","class":"UIView",\#
        "superview":"photoGrid","properties":{},"handlers":{}}}]}
        """#)
    #expect(response.headers["etag"] == "\"run1.1.1\"")
    var expected = try #require(before)
    expected.merge(patch: ["superview": "photoGrid"])
    #expect(try sample.send(.get, "\(path)/hostedView").value("/responder") == expected)
  }

  @Test func `null removes a link, a handler and a property`() throws {
    _ = try patch("photoGrid", #"{"properties":{"zoom":2,"rows":3}}"#)
    _ = try patch(
      "photoGrid", #"{"superview":null,"handlers":{"copy:":null},"properties":{"rows":null}}"#)
    let response = try sample.send(.get, "\(path)/photoGrid")
    #expect(try response.value("/responder/superview") == nil)
    #expect(try response.value("/responder/handlers") == .object([:]))
    #expect(try response.value("/responder/properties") == .object(["zoom": 2]))
  }

  @Test func `F1: a host that is moved keeps its registrations under their tokens`() throws {
    _ = try patch("photoHost", #"{"parent":null}"#)
    let handlers = "\(path)/photoHost/coordinator/handlers"
    #expect(try sample.send(.get, handlers).value("/registrations/0/token") == 1)
    #expect(
      try sample.send(.delete, "\(handlers)/1").value("/changes")?.text() == #"""
        [{"change":"registrationRemoved","responder":"photoHost",\#
        "selector":"applyFiveStarRating:","token":1}]
        """#)
    #expect(try sample.send(.get, handlers).value("/registrations") == .array([]))
  }

  @Test func `null empties a list of children`() throws {
    _ = try patch("root", #"{"viewControllers":null}"#)
    #expect(try sample.send(.get, "\(path)/root").value("/responder/viewControllers") == nil)
    #expect(try sample.send(.get, "\(path)/photoHost").value("/responder/parent") == nil)
  }

  @Test func `another content type is refused, and the right one named`() throws {
    let response = try sample.send(
      .patch, "\(path)/hostedView", #"{"superview":"photoGrid"}"#, type: "application/json")
    #expect(response.status == .unsupportedMediaType)
    #expect(response.headers["accept-patch"] == type)
    #expect(
      try response.value("/detail")
        == .string(
          "The body has the content type 'application/json', but application/merge-patch+json is "
            + "read here; with curl, use -H 'content-type: application/merge-patch+json'."))
  }

  @Test func `a responder that is not there is not made`() throws {
    try sample.refuses(
      .patch, "\(path)/ghost", #"{"kind":"view"}"#, type: type,
      with: #"""
        404 /problems/unknown-responder
        The session 'demo' has no responder 'ghost'.
        """#)
  }

  @Test func `a link that leads nowhere is refused with its place`() throws {
    try sample.refuses(
      .patch, "\(path)/hostedView", #"{"superview":"ghost"}"#, type: type,
      with: #"""
        422 /problems/unresolved-reference
        /superview
        The link 'superview' of 'hostedView' leads to 'ghost', which the session does not have; put that responder first.
        """#)
  }

  @Test func `what is no member of a responder is refused with its place`() throws {
    try sample.refuses(
      .patch, "\(path)/hostedView", #"{"kind":null}"#, type: type,
      with: #"""
        422 /problems/invalid-body

        The member 'kind' is missing.
        """#)
    try sample.refuses(
      .patch, "\(path)/hostedView", #"[]"#, type: type,
      with: #"""
        422 /problems/invalid-body

        Expected an object, found an empty array.
        """#)
  }

  @Test func `a patch supposes what If-Match says`() throws {
    let response = try sample.send(
      .patch, "\(path)/hostedView", #"{"superview":"photoGrid"}"#, type: type,
      headers: [("If-Match", "\"other\"")])
    #expect(response.status == .preconditionFailed)
  }
}
