import JSONText
import MicroHTTP
import Testing

struct FocusRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `the first responder is answered`() throws {
    let response = try sample.send(.get, "/sessions/demo/first-responder")
    #expect(response.text == #"{"session":"demo","revision":0,"responder":"photoGrid"}"#)
  }

  @Test func `focus moves, and is given up with null`() throws {
    let moved = try put(#"{"responder":"photoHost"}"#)
    #expect(
      moved.text == #"""
        {"session":"demo","revision":1,"responder":"photoHost","changes":[\#
        {"change":"firstResponder","responder":"photoHost"}]}
        """#)
    let given = try put(#"{"responder":null}"#)
    #expect(try given.value("/responder") == .null)
    #expect(try given.value("/changes/0/responder") == .null)
  }

  @Test func `who has focus already keeps it`() throws {
    let response = try put(#"{"responder":"photoGrid"}"#)
    #expect(response.status == .ok)
    #expect(try response.value("/changes") == [])
  }

  @Test func `a responder that will not resign is named`() throws {
    let body = #"{"kind":"view","superview":"rootView","canResignFirstResponder":false}"#
    _ = try sample.send(.put, "/sessions/demo/responders/form", body)
    _ = try put(#"{"responder":"form"}"#)
    try sample.refuses(
      .put, "/sessions/demo/first-responder", #"{"responder":"photoGrid"}"#,
      with: """
        409 /problems/first-responder-refused
        /responder
        The first responder cannot become 'photoGrid': 'form' answers 'canResignFirstResponder' \
        with no.
        """)
    let refusal = try put(#"{"responder":"photoGrid"}"#)
    #expect(try refusal.value("/refusedBy") == "form")
    #expect(try refusal.value("/because") == ["false is false"])
    #expect(try put(#"{"responder":null}"#).status == .conflict)
  }

  @Test func `the key window changes, and is none with null`() throws {
    let none = try sample.send(.put, "/sessions/demo/key-window", #"{"window":null}"#)
    #expect(try none.value("/changes/0") == .object(["change": "keyWindow", "window": nil]))
    let window = try sample.send(.put, "/sessions/demo/key-window", #"{"window":"window"}"#)
    #expect(try window.value("/window") == "window")
    #expect(try sample.send(.get, "/sessions/demo").value("/keyWindow") == "window")
  }

  private func put(_ body: String) throws -> Response {
    try sample.send(.put, "/sessions/demo/first-responder", body)
  }

  @Test(arguments: [
    ("photoGrid", #"{"kind":"view"}"#), ("rootView", nil), ("root", #"{"kind":"viewController"}"#),
    ("window", nil), ("photoGrid", nil),
  ])
  func `R8: focus ends when its responder is deleted, or leaves the window with what it is in`(
    responder: String, document: String?
  ) throws {
    let path = "/sessions/demo/responders/\(responder)"
    _ = try sample.send(
      .put, "/sessions/demo/first-responder", #"{"responder":"photoGrid"}"#)
    let response = try sample.send(document == nil ? .delete : .put, path, document)
    guard case .array(let changes)? = try response.told() else {
      Issue.record("\(response.text)")
      return
    }
    #expect(changes.contains(["change": "firstResponder", "responder": .null]))
    #expect(
      try sample.send(.get, "/sessions/demo/first-responder").value("/responder") == .null)
  }
}
