import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/adaptive-photos`, driven by a front end from launch to the last dismissal: on
/// a wide screen, on a narrow one, and from one to the other (A1–A9).
@Suite(Program.isBuilt) struct AdaptivePhotosTests {
  private let server: RunningProgram
  private let connection: Connection

  init() throws {
    server = try RunningProgram.serving("--application", "Config/adaptive-photos")
    connection = try Connection(port: server.port())
  }

  /// Sends a message to a responder, as a front end does when something is touched.
  @discardableResult
  private func send(
    _ action: String, to responder: String, _ argument: String, isDry: Bool = false
  ) throws -> Answer {
    let answer = try connection.ask(
      "POST", "/commands/perform",
      #"""
      {"session": "demo", "action": "\#(action)", "to": "\#(responder)", \#
      "arguments": ["\#(argument)"], "dryRun": \#(isDry)}
      """#)
    #expect(answer.status == 200, "\(action) \(argument)")
    return answer
  }

  @discardableResult
  private func perform(_ command: String, from: String) throws -> Answer {
    try connection.ask(
      "POST", "/commands/perform",
      #"{"session": "demo", "command": "\#(command)", "from": "\#(from)"}"#)
  }

  @discardableResult
  private func mutate(_ mutation: String) throws -> Answer {
    let answer = try connection.ask(
      "POST", "/sessions/demo/mutations", #"{"mutations": [\#(mutation)]}"#)
    #expect(answer.status == 200, "\(mutation)")
    return answer
  }

  private func collapse() throws -> Answer {
    try mutate(#"{"op": "collapse", "splitViewController": "split"}"#)
  }

  private func expand() throws -> Answer {
    try mutate(#"{"op": "expand", "splitViewController": "split"}"#)
  }

  private func children(_ container: String) throws -> JSON? {
    try connection.ask("GET", "/sessions/demo/responders/\(container)")[
      "/responder/viewControllers"]
  }

  /// The rows of both lists that have a disclosure indicator.
  private func disclosing() throws -> [String] {
    try [("list", "hike"), ("list", "lunch"), ("conversation", "lake")].filter {
      try send("hasDisclosureIndicator:", to: $0.0, $0.1, isDry: true)["/result"] == true
    }.map(\.1)
  }

  @Test func `from launch to the last dismissal, on screens of changing size`() throws {
    // Wide: a conversation is pushed, photos are shown beside it.
    #expect(try children("split") == ["master", "empty"])
    #expect(try disclosing() == ["hike"])
    try send("selectConversation:", to: "list", "hike")
    try send("selectPhoto:", to: "conversation", "lake")
    #expect(try children("master") == ["list", "conversation"])
    #expect(try children("split") == ["master", "photo"])

    // Narrow: the photo comes on top of the stack, and everything is pushed.
    let collapsed = try collapse()
    #expect(collapsed["/outcomes/0/events/0/event"] == "showDetailTargetDidChange")
    #expect(collapsed["/outcomes/0/events/1"] == nil)
    #expect(try children("master") == ["list", "conversation", "photo"])
    #expect(try disclosing() == ["hike", "lunch", "lake"])
    #expect(try perform("back:", from: "photoView")["/target"] == "master")
    try send("selectPhoto:", to: "conversation", "summit")
    #expect(try children("master") == ["list", "conversation", "photo"])

    // Wide again: the top of the stack is the photo, which goes back to its column.
    let expanded = try expand()
    #expect(expanded["/outcomes/0/events/0/event"] == "showDetailTargetDidChange")
    #expect(try children("split") == ["master", "photo"])
    #expect(try children("master") == ["list", "conversation"])
    #expect(try disclosing() == ["hike"])

    // A comment is written in a presented controller, which in the end is dismissed.
    try mutate(#"{"op": "becomeFirstResponder", "responder": "photoView"}"#)
    #expect(try perform("editComment:", from: "photoView").status == 200)
    #expect(try perform("editComment:", from: "photoView")["/reason"] == "ruleFalse")
    let editor = try connection.ask("GET", "/sessions/demo/responders/commentEditor")
    #expect(editor["/responder/presentingViewController"] == "photo")
    try mutate(#"{"op": "mergeState", "patch": {"draft": "What a view"}}"#)
    try mutate(#"{"op": "becomeFirstResponder", "responder": "commentView"}"#)
    let saved = try perform("saveComment:", from: "commentView")
    #expect(saved["/changes/1/change"] == "dismissed" && saved["/changes/2/responder"] == .null)
    let state = try connection.ask("GET", "/sessions/demo")
    #expect(state["/state/comments/summit"] == "What a view")
    #expect(state["/firstResponder"] == .null)
  }

  @Test func `with nothing shown, the empty column is left out and comes back`() throws {
    _ = try collapse()
    #expect(try children("split") == ["master"])
    #expect(try children("master") == ["list"])
    _ = try expand()
    #expect(try children("split") == ["master", "empty"])
  }

  @Test func `a conversation that is not of the photo is left out when they are merged`() throws {
    try send("selectConversation:", to: "list", "hike")
    try send("selectConversation:", to: "list", "lunch")
    #expect(try children("master") == ["list", "conversation"])
    _ = try collapse()
    #expect(try children("master") == ["list", "photo"])
    #expect(try perform("back:", from: "photoView").status == 200)
    #expect(try perform("back:", from: "listView")["/reason"] == "ruleFalse")
    _ = try expand()
    #expect(try children("split") == ["master", "empty"])
  }

  @Test func `a single photo is shown as the detail; narrow, it is pushed`() throws {
    try send("selectConversation:", to: "list", "lunch")
    #expect(try children("split") == ["master", "photo"])
    #expect(try children("master") == ["list"])
    _ = try collapse()
    #expect(try children("master") == ["list", "photo"])
  }

  @Test func `the profile is in a tab, and takes the screen from the photos`() throws {
    let shown = try perform("showProfile:", from: "listView")
    #expect(shown["/changes/0/viewController"] == "profileNavigation")
    #expect(
      shown["/changes/3/change"] == "firstResponder" && shown["/changes/3/responder"] == .null)
    let items = try connection.ask(
      "POST", "/commands/validate",
      #"{"session": "demo", "commands": ["showConversations:", "showProfile:"], "from": "profileView"}"#
    )
    #expect(items["/items/0/state"] == "off" && items["/items/1/state"] == "on")
    #expect(
      try perform("showConversations:", from: "profileView")["/changes/0/viewController"]
        == "split")
  }

  @Test func `who shows a detail is told with why the others do not (A9)`() throws {
    let answer = try connection.ask(
      "POST", "/targets/resolve",
      #"""
      {"session": "demo", "action": "willShowDetailPush:", "chain": "actor", "from": "list"}
      """#)
    #expect(answer["/target"] == "split")
    #expect(
      answer["/trace/3/says"]
        == "A9: 'list' is passed over for 'willShowDetailPush:', since it does not override it.")
  }

  @Test func `a dry run of a selection changes nothing`() throws {
    let before = try connection.ask("GET", "/sessions/demo")
    let dry = try send("selectConversation:", to: "list", "hike", isDry: true)
    #expect(dry["/changes/1/viewControllers"] == ["list", "conversation"])
    let after = try connection.ask("GET", "/sessions/demo")
    #expect(after["/revision"] == before["/revision"])
    #expect(after["/responders/master/viewControllers"] == ["list"])
  }

  @Test func `what there is not to select is refused, and changes nothing`() throws {
    let answer = try connection.ask(
      "POST", "/commands/perform",
      #"{"session": "demo", "action": "selectConversation:", "to": "list", "arguments": ["ghost"]}"#
    )
    #expect(answer.status == 409 && answer["/type"] == "/problems/effect-failed")
    #expect(try children("master") == ["list"])
  }
}

/// The same without the program.
@Suite struct AdaptivePhotosCatalogTests {
  @Test func `every command can be performed somewhere, and no rule ever fails`() throws {
    let catalog = try CatalogFolder(path: Program.path + "/Config/adaptive-photos").catalog()
    let template = try #require(catalog.template)
    var session = try Session("demo", opening: template, in: catalog)
    for (action, receiver) in [("selectConversation:", "list"), ("selectPhoto:", "conversation")] {
      _ = try session.apply(
        .perform(
          ActionRequest(
            .action(try #require(Selector(action))),
            to: .responder(try #require(ResponderID(receiver))),
            arguments: [action == "selectPhoto:" ? "lake" : "hike"])), in: catalog)
    }
    _ = try session.apply(.mergeState(["draft": "x"]), in: catalog)
    let places: [ResponderID] = ["photoView", "conversationView", "profileView", "commentView"]
    for command in catalog.commands.map(\.id) {
      var copies: [Session] = []
      for place in places {
        var copy = session
        let request = ActionRequest(.command(command), from: place)
        if (try? copy.apply(.perform(request), in: catalog)) != nil { copies.append(copy) }
      }
      #expect(!copies.isEmpty, "\(command)")
      for copy in copies { #expect(copy.diagnostics(in: catalog).failing.rules == []) }
    }
  }
}
