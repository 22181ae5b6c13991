import JSONText
import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

/// Messages that fail when they are undone (U4), and patches that cannot be registered (U6), over HTTP.
struct UndoRefusalRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func patch(_ query: String, _ body: String = #"{"typed":1}"#) throws -> Response {
    try sample.send(
      .patch, "/sessions/demo/state?\(query)", body, type: "application/merge-patch+json")
  }

  private func mutate(_ mutation: String) throws -> Response {
    try sample.send(.post, "/sessions/demo/mutations", #"{"mutations":[\#(mutation)]}"#)
  }

  @Test func `U4: the answer tells the messages that failed, and their rules are counted`() throws {
    _ = try patch("undo=Typing")
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/bad:",
      #"{"perform":[{"op":"add","path":"/bad","value":"1"},"#
        + #"{"op":"replace","path":"/rating","value":"1 / (state.rating - state.rating)"}]}"#)
    _ = try mutate(#"{"op":"registerUndo","target":"photoGrid","action":"bad:"}"#)
    let count = sample.service.metrics.ruleErrors.value
    let undone = try sample.send(.post, "/sessions/demo/undo", #"{"explain":true}"#)
    #expect(undone.status == .ok)
    #expect(try undone.value("/undone") == true)
    #expect(try undone.value("/actionName") == "Typing")
    #expect(try undone.value("/failed/0/target") == "photoGrid")
    #expect(try undone.value("/failed/0/action") == "bad:")
    #expect(
      try undone.value("/failed/0/detail") == """
        The message had no effect, since an effect of 'bad:' at 'photoGrid' failed. The rule at \
        'perform/1/value' failed: division by zero.
        """)
    #expect(try undone.value("/failed/0/error/place") == "perform/1/value")
    #expect(try undone.value("/failed/1") == nil)
    #expect(sample.service.metrics.ruleErrors.value == count + 1)
    let state = try sample.send(.get, "/sessions/demo").value("/state")
    #expect(state?[JSONPointer(["bad"])] == nil && state?[JSONPointer(["typed"])] == nil)
    #expect(try sample.send(.post, "/sessions/demo/undo").value("/undone") == false)
  }

  @Test func `U6: a key that is too long is refused at its place`() throws {
    let key = String(repeating: "k", count: 257)
    try sample.refuses(
      .post, "/sessions/demo/mutations",
      #"{"mutations":[{"op":"mergeState","patch":{"a":1},"undo":{"coalesce":"\#(key)"}}]}"#,
      with: """
        422 /problems/invalid-body
        /mutations/0/undo/coalesce
        Expected a string of at most 256 bytes, found the string '\(key.prefix(100))…'.
        """)
    let refused = try patch("coalesce=\(key)")
    #expect(
      try refused.problem == """
        /problems/invalid-query
        'coalesce' in the query has at most 256 bytes.
        """)
    #expect(try patch("coalesce=\(key.dropLast())").status == .ok)
  }

  @Test func `R11, U6: a patch names the window whose undo manager registers it`() throws {
    for (id, document) in [
      ("w2", #"{"kind":"window"}"#),
      ("two", #"{"kind":"view","superview":"w2","undoManager":{}}"#),
    ] {
      let put = try sample.send(.put, "/sessions/demo/responders/\(id)", document)
      #expect(put.status == .created)
    }
    let focus = try sample.send(
      .put, "/sessions/demo/first-responder", #"{"responder":"two","window":"w2"}"#)
    #expect(focus.status == .ok)
    #expect(try patch("undo=Typing&window=w2").status == .ok)
    let listed = try mutate(
      #"{"op":"mergeState","patch":{"typed":2},"undo":{"actionName":"Typing","window":"w2"}}"#)
    #expect(listed.status == .ok)
    let managers = try sample.send(.get, "/sessions/demo/undo")
    #expect(try managers.value("/undoManagers/0/undo") == [])
    #expect(try managers.value("/undoManagers/1/responder") == "two")
    #expect(try managers.value("/undoManagers/1/undo/1/actionName") == "Typing")
  }

  @Test func `R11: a window that there is not is refused at its place`() throws {
    #expect(
      try patch("undo=Typing&window=nobody").problem == """
        /problems/invalid-query
        The session has no responder 'nobody'.
        """)
    #expect(
      try patch("window=window").problem == """
        /problems/invalid-query
        'window' in the query needs 'undo' or 'coalesce'.
        """)
    let listed = try mutate(
      #"{"op":"mergeState","patch":{"typed":2},"undo":{"window":"photoGrid"}}"#)
    #expect(listed.status.rawValue == 422)
    #expect(try listed.value("/pointer") == "/mutations/0/undo/window")
  }

  @Test func `a value that is too large is refused with the limit`() throws {
    let text = String(repeating: "x", count: 270_000)
    #expect(
      try patch("undo=Typing", #"{"typed":"\#(text)"}"#).problem == """
        /problems/patch-conflict

        The value is nested deeper than 128 levels, or has more than 262144 values and bytes of \
        text; make it smaller.
        """)
  }
}
