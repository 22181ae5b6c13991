import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// Undo over HTTP (U1 to U3).
struct UndoRoutesTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func perform(_ body: String) throws -> Response {
    try sample.send(.post, "/commands/perform", body)
  }

  private func mutate(_ mutations: String) throws -> Response {
    try sample.send(.post, "/sessions/demo/mutations", #"{"mutations":[\#(mutations)]}"#)
  }

  private func manager(_ index: Int = 0) throws -> JSON? {
    try sample.send(.get, "/sessions/demo/undo").value("/undoManagers/\(index)")
  }

  @Test func `U2: what can be undone is listed, the next first`() throws {
    for command in ["applyFourStarRating:", "applyFiveStarRating:"] {
      _ = try perform(#"{"session":"demo","command":"\#(command)"}"#)
    }
    _ = try sample.send(.post, "/sessions/demo/undo")
    let response = try sample.send(.get, "/sessions/demo/undo")
    #expect(
      response.text == #"""
        {"session":"demo","revision":3,"responder":null,"undoManagers":[{"responder":null,\#
        "levelsOfUndo":0,"canUndo":true,"undoMenuItemTitle":"Undo ★★★★","canRedo":true,\#
        "redoMenuItemTitle":"Redo ★★★★★","groupingLevel":0,"isUndoRegistrationEnabled":true,\#
        "preparedTarget":null,"undo":[{"actionName":"★★★★","actions":1}],\#
        "redo":[{"actionName":"★★★★★","actions":1}]}]}
        """#)
    let tag = try #require(response.headers["etag"])
    let again = try sample.send(.get, "/sessions/demo/undo", headers: [("If-None-Match", tag)])
    #expect(again.status == .notModified)
  }

  @Test func `U1: undo and redo say what changed`() throws {
    _ = try perform(#"{"session":"demo","command":"applyFiveStarRating:"}"#)
    #expect(
      try sample.send(.post, "/sessions/demo/undo").text == #"""
        {"session":"demo","revision":2,"responder":null,"undone":true,"actionName":"★★★★★",\#
        "changes":[{"change":"state","op":"replace","path":"/rating","value":0},\#
        {"change":"undoManager","responder":null},\#
        {"change":"document","op":"replace","path":"/undo/session/canUndo","value":false},\#
        {"change":"document","op":"replace","path":"/undo/session/undoMenuItemTitle",\#
        "value":"Undo"},{"change":"document","op":"replace","path":"/undo/session/canRedo",\#
        "value":true},{"change":"document","op":"replace",\#
        "path":"/undo/session/redoMenuItemTitle","value":"Redo ★★★★★"},\#
        {"change":"document","op":"remove","path":"/undo/session/undo/0"},\#
        {"change":"document","op":"add","path":"/undo/session/redo/0",\#
        "value":{"actionName":"★★★★★","actions":1}}],\#
        "events":[{"event":"willUndoChange","responder":null,"actionName":"★★★★★"},\#
        {"event":"didUndoChange","responder":null,"actionName":"★★★★★"}]}
        """#)
    let redo = try sample.send(.post, "/sessions/demo/redo", #"{"explain":true}"#)
    #expect(try redo.value("/redone") == true)
    #expect(try redo.value("/events/1/event") == "didRedoChange")
    #expect(try redo.value("/trace/1/says") == "U2: 'photoGrid/undoManager' does '★★★★★' again.")
  }

  @Test func `U2: with nothing to undo nothing is undone`() throws {
    #expect(
      try sample.send(.post, "/sessions/demo/undo", "{}").text == #"""
        {"session":"demo","revision":0,"responder":null,"undone":false,"changes":[],"events":[]}
        """#)
    #expect(try sample.send(.post, "/sessions/demo/redo").value("/redone") == false)
  }

  /// The title of `undo:`, and whether it is enabled, as the item and the undo manager say.
  private func undoItem() throws -> [JSON?] {
    let items = try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":["undo:"]}"#)
    let (enabled, title) = (try items.value("/items/0/enabled"), try items.value("/items/0/title"))
    // Looking and acting agree (R6).
    #expect(try manager()?[JSONPointer(["canUndo"])] == enabled)
    #expect(try manager()?[JSONPointer(["undoMenuItemTitle"])] == title)
    return [title, enabled]
  }

  private func rate(_ value: Int) throws {
    let patched = try sample.send(
      .patch, "/sessions/demo/state", #"{"rating":\#(value)}"#,
      type: "application/merge-patch+json")
    #expect(patched.status == .ok)
  }

  @Test func `U4: what was patched since is kept, and the item says what would be undone`() throws {
    let declared = try sample.send(.put, "/commands/undo:", #"{"title":"Undo","action":"undo:"}"#)
    #expect(declared.status == .created)
    _ = try perform(#"{"session":"demo","command":"applyFiveStarRating:"}"#)
    #expect(try undoItem() == ["Undo ★★★★★", true])
    try rate(1)
    #expect(try undoItem() == ["Undo", false])
    #expect(try perform(#"{"session":"demo","command":"undo:"}"#).status == .conflict)
    let undone = try sample.send(.post, "/sessions/demo/undo", "{}")
    #expect(undone.status == .ok)
    #expect(try undone.value("/undone") == false)
    try rate(5)
    #expect(try undoItem() == ["Undo ★★★★★", true])
    #expect(try sample.send(.post, "/sessions/demo/undo", "{}").value("/undone") == true)
    #expect(try undoItem() == ["Undo", false])
  }

  @Test func `U4: the answer lists the places that are kept`() throws {
    _ = try perform(#"{"session":"demo","command":"applyFiveStarRating:"}"#)
    _ = try sample.send(
      .patch, "/sessions/demo/state?undo=Typing", #"{"typed":1,"other":1}"#,
      type: "application/merge-patch+json")
    _ = try sample.send(
      .patch, "/sessions/demo/state", #"{"typed":2}"#, type: "application/merge-patch+json")
    let undone = try sample.send(.post, "/sessions/demo/undo", "{}")
    #expect(try undone.value("/actionName") == "Typing")
    #expect(try undone.value("/kept") == ["/typed"])
    #expect(try undone.value("/events/1/kept") == ["/typed"])
    #expect(try sample.send(.get, "/sessions/demo").value("/state/other") == nil)
  }

  @Test func `U6: patches of one key are one group`() throws {
    for text in ["a", "ab"] {
      let response = try sample.send(
        .patch, "/sessions/demo/state?undo=Typing&coalesce=line-1", #"{"typed":"\#(text)"}"#,
        type: "application/merge-patch+json")
      #expect(response.status == .ok)
    }
    let listed = try mutate(
      #"{"op":"mergeState","patch":{"typed":"abc"},"undo":{"actionName":"Typing","coalesce":"line-1"}}"#
    )
    #expect(listed.status == .ok)
    let stacks = try sample.send(.get, "/sessions/demo/undo")
    #expect(try stacks.value("/undoManagers/0/undo") == [["actionName": "Typing", "actions": 1]])
    #expect(try stacks.value("/undoManagers/0/undoMenuItemTitle") == "Undo Typing")
  }

  @Test func `U2: groups stay open from one request to the next`() throws {
    _ = try mutate(#"{"op":"beginUndoGrouping"}"#)
    for command in ["applyFourStarRating:", "applyFiveStarRating:"] {
      _ = try perform(#"{"session":"demo","command":"\#(command)"}"#)
    }
    #expect(try manager()?[JSONPointer(["groupingLevel"])] == 1)
    _ = try mutate(
      #"{"op":"setUndoActionName","name":"Rating"},{"op":"endUndoGrouping"},{"op":"undo"}"#)
    #expect(try manager()?[JSONPointer(["redoMenuItemTitle"])] == "Redo Rating")
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 0)
  }

  @Test func `U2: what the undo manager refuses is a 409`() throws {
    let refusals = [
      (
        #"{"op":"endUndoGrouping"}"#,
        "No undo group is open that was opened by 'beginUndoGrouping'; open one first."
      ),
      (
        #"{"op":"enableUndoRegistration"}"#,
        "Undo registration is enabled; only what was disabled can be enabled."
      ),
    ]
    for (mutation, detail) in refusals {
      try sample.refuses(
        .post, "/sessions/demo/mutations", #"{"mutations":[\#(mutation)]}"#,
        with: """
          409 /problems/undo-refused
          /mutations/0
          Mutation 0 is refused, and with it all of them. \(detail)
          """)
    }
    _ = try mutate(#"{"op":"beginUndoGrouping"},{"op":"beginUndoGrouping"}"#)
    try sample.refuses(
      .post, "/sessions/demo/undo",
      with: """
        409 /problems/undo-refused
        Nothing is undone or done again while 2 undo groups are open; close them by \
        'endUndoGrouping' until one is left at most.
        """)
  }

  @Test func `U3: the next message to the undo manager is recorded and not run`() throws {
    _ = try mutate(#"{"op":"prepareWithInvocationTarget","target":"photoGrid"}"#)
    #expect(try manager()?[JSONPointer(["preparedTarget"])] == "photoGrid")
    let message = #"""
      {"session":"demo","action":"applyFiveStarRating:","to":"photoGrid/undoManager"}
      """#
    let response = try perform(message)
    #expect(try response.value("/performed") == false)
    #expect(try response.value("/reason") == "recorded")
    #expect(try response.told() == [["change": "undoManager", "responder": nil]])
    try sample.refuses(
      .post, "/commands/perform", message,
      with: """
        409 /problems/does-not-recognize-selector
        'photoGrid/undoManager' is not prepared to record 'applyFiveStarRating:'; send \
        'prepareWithInvocationTarget' before each message to it.
        """)
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 0)
    #expect(try sample.send(.post, "/sessions/demo/undo").value("/undone") == true)
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 5)
    #expect(try sample.send(.post, "/sessions/demo/redo").value("/redone") == true)
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 0)
  }

  @Test func `U1: a responder has an undo manager of its own when its document says so`() throws {
    let grid = #"""
      {"kind":"view","class":"PhotoGrid","superview":"rootView","undoManager":{"levelsOfUndo":1}}
      """#
    _ = try sample.send(.put, "/sessions/demo/responders/photoGrid", grid)
    #expect(
      try sample.send(.get, "/sessions/demo/responders/photoGrid")
        .value("/responder/undoManager") == ["levelsOfUndo": 1])
    for command in ["applyFourStarRating:", "applyFiveStarRating:"] {
      _ = try perform(#"{"session":"demo","command":"\#(command)"}"#)
    }
    #expect(try manager(0)?[JSONPointer(["canUndo"])] == false)
    #expect(try manager(1)?[JSONPointer(["responder"])] == "photoGrid")
    #expect(try manager(1)?[JSONPointer(["undo"])] == [["actionName": "★★★★★", "actions": 1]])
    let other = try sample.send(.post, "/sessions/demo/undo", #"{"responder":"window"}"#)
    #expect(try other.value("/undone") == false)
    let own = try sample.send(.post, "/sessions/demo/undo")
    #expect(try own.value("/responder") == "photoGrid")
    #expect(try own.value("/undone") == true)
    _ = try sample.send(.delete, "/sessions/demo/undo?responder=photoGrid")
    #expect(try manager(1)?[JSONPointer(["canRedo"])] == false)
  }

  @Test func `U2: a session is opened with levels of undo`() throws {
    let opened = try sample.send(
      .post, "/sessions", #"{"id":"short","undoManager":{"levelsOfUndo":1}}"#)
    #expect(try opened.value("/undoManager") == ["levelsOfUndo": 1])
    for command in ["applyFourStarRating:", "applyFiveStarRating:"] {
      _ = try perform(#"{"session":"short","command":"\#(command)"}"#)
    }
    #expect(
      try sample.send(.get, "/sessions/short/undo").value("/undoManagers/0/undo/1") == nil)
  }

  @Test func `who is asked to undo must be there, and what is not read is refused`() throws {
    try sample.refuses(
      .post, "/sessions/demo/undo", #"{"responder":"nobody"}"#,
      with: """
        422 /problems/unresolved-reference
        /responder
        The session has no responder 'nobody'.
        """)
    try sample.refuses(
      .post, "/sessions/demo/redo", #"{"name":1}"#,
      with: """
        422 /problems/invalid-body
        /name
        There is no member 'name' here; known are responder, explain and dryRun.
        """)
    try sample.refuses(
      .post, "/sessions/other/undo",
      with: """
        404 /problems/unknown-session
        No session 'other' is open; POST /sessions opens one.
        """)
    try sample.refuses(
      .put, "/sessions/demo/responders/a", #"{"kind":"view","undoManager":{"levelsOfUndo":-1}}"#,
      with: """
        422 /problems/invalid-body
        /undoManager/levelsOfUndo
        Expected an integer that is at least 0, found the number -1.
        """)
  }

  @Test func `undo heeds If-Match`() throws {
    let response = try sample.send(
      .post, "/sessions/demo/undo", headers: [("If-Match", "\"run1.1.7\"")])
    #expect(response.status == .preconditionFailed)
  }
}
