import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/adaptive-photos`, driven by a front end from launch to the last dismissal: on
/// a wide screen, on a narrow one, and from one to the other (A1–A9). What rows lead to is made when
/// they are selected, and goes when nothing shows it any more (V2, V9).
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

  /// The first change of a kind that an answer tells.
  private static func change(_ kind: String, in answer: Answer) -> JSONObject? {
    guard case .array(let changes)? = answer["/changes"] else { return nil }
    for case .object(let change) in changes where change["change"] == .string(kind) {
      return change
    }
    return nil
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

  private func property(_ name: String, of responder: String) throws -> JSON? {
    try connection.ask("GET", "/sessions/demo/responders/\(responder)")[
      "/responder/properties/\(name)"]
  }

  /// The view controllers that there are, in the order in which they joined.
  private func viewControllers() throws -> [String] {
    let answer = try connection.ask("GET", "/sessions/demo/responders")
    guard case .object(let object)? = answer["/responders"] else { return [] }
    return object.members.map(\.name).filter {
      answer["/responders/\($0)/kind"] == "viewController"
    }
  }

  private static let launched = [
    "tabs", "split", "master", "list", "empty", "profileNavigation", "profile",
  ]

  /// The rows of the lists that have a disclosure indicator.
  private func disclosing(_ lists: [String] = ["list", "conversation"]) throws -> [String] {
    try [("list", "hike"), ("list", "lunch"), ("conversation", "lake")].filter {
      lists.contains($0.0)
    }.filter {
      try send("hasDisclosureIndicator:", to: $0.0, $0.1, isDry: true)["/result"] == true
    }.map(\.1)
  }

  @Test func `from launch to the last dismissal, on screens of changing size`() throws {
    // Launched on a wide screen: the list, and an empty column beside it.
    #expect(try viewControllers() == Self.launched)
    #expect(try connection.ask("GET", "/sessions/demo")["/keyWindow"] == "window")
    #expect(try children("split") == ["master", "empty"])
    #expect(try disclosing(["list"]) == ["hike"])

    // A row makes a conversation, which is pushed; a row of that makes a photo, which is shown beside
    // it, and the empty column is gone.
    let selected = try send("selectConversation:", to: "list", "hike")
    #expect(selected["/changes/0/responder"] == "conversation")
    #expect(try property("conversation", of: "conversation") == "hike")
    let shown = try send("selectPhoto:", to: "conversation", "lake")
    #expect(shown["/changes/0/responder"] == "photo")
    #expect(try property("photo", of: "photo") == "lake")
    #expect(try children("master") == ["list", "conversation"])
    #expect(try children("split") == ["master", "photo"])
    #expect(try !viewControllers().contains("empty"))
    #expect(try disclosing() == ["hike"])

    // Another photo is another view controller, in place of the first.
    try send("selectPhoto:", to: "conversation", "trail")
    #expect(try children("split") == ["master", "photo-2"])
    #expect(try property("photo", of: "photo-2") == "trail")
    #expect(try !viewControllers().contains("photo"))

    // Narrow: the photo comes on top of the stack, and everything is pushed.
    let collapsed = try collapse()
    #expect(collapsed["/outcomes/0/events/0/event"] == "showDetailTargetDidChange")
    #expect(try children("master") == ["list", "conversation", "photo-2"])
    #expect(try disclosing() == ["hike", "lunch", "lake"])
    #expect(try perform("back:", from: "photo-2.view")["/target"] == "master")
    #expect(try !viewControllers().contains("photo-2"))
    // No instance has the name of one that is gone (V2).
    try send("selectPhoto:", to: "conversation", "summit")
    #expect(try children("master") == ["list", "conversation", "photo-3"])

    // Wide again: the top of the stack is the photo, which goes back to its column.
    let expanded = try expand()
    #expect(expanded["/outcomes/0/events/0/event"] == "showDetailTargetDidChange")
    #expect(try children("split") == ["master", "photo-3"])
    #expect(try children("master") == ["list", "conversation"])
    #expect(try disclosing() == ["hike"])

    // A comment is written in a presented controller, whose delegate in the end dismisses it.
    try mutate(#"{"op": "becomeFirstResponder", "responder": "photo-3.view"}"#)
    #expect(try perform("editComment:", from: "photo-3.view").status == 200)
    #expect(try perform("editComment:", from: "photo-3.view")["/reason"] == "ruleFalse")
    let editor = try connection.ask("GET", "/sessions/demo/responders/commentEditor")
    #expect(editor["/responder/presentingViewController"] == "photo-3")
    #expect(editor["/responder/delegate"] == "photo-3")
    #expect(try perform("saveComment:", from: "commentEditor.view")["/reason"] == "ruleFalse")
    try mutate(#"{"op": "becomeFirstResponder", "responder": "commentEditor.view"}"#)
    try send("changeComment:", to: "commentEditor", "What a view")
    #expect(try perform("saveComment:", from: "commentEditor.view").status == 200)
    let state = try connection.ask("GET", "/sessions/demo")
    #expect(state["/state/comments/summit"] == "What a view")
    #expect(state["/firstResponder"] == "photo-3.view")

    // One that is cancelled only goes; then the user goes back, and only what was launched is there.
    #expect(try perform("editComment:", from: "photo-3.view").status == 200)
    #expect(try perform("cancelComment:", from: "commentEditor-2.view").status == 200)
    #expect(try connection.ask("GET", "/sessions/demo")["/state"] == state["/state"])
    #expect(try perform("back:", from: "conversation.view").status == 200)
    _ = try collapse()
    #expect(try perform("back:", from: "photo-3.view").status == 200)
    _ = try expand()
    #expect(try Set(viewControllers()) == Set(Self.launched))
  }

  @Test func `with nothing shown, the empty column goes, and another one is made`() throws {
    _ = try collapse()
    #expect(try children("split") == ["master"])
    #expect(try children("master") == ["list"])
    #expect(try !viewControllers().contains("empty"))
    _ = try expand()
    #expect(try children("split") == ["master", "empty"])
  }

  @Test func `a conversation that is not of the photo is left out when they are merged`() throws {
    try send("selectConversation:", to: "list", "hike")
    try send("selectConversation:", to: "list", "lunch")
    #expect(try children("master") == ["list", "conversation"])
    _ = try collapse()
    #expect(try children("master") == ["list", "photo"])
    #expect(try !viewControllers().contains("conversation"))
    #expect(try perform("back:", from: "photo.view").status == 200)
    #expect(try perform("back:", from: "list.view")["/reason"] == "ruleFalse")
    _ = try expand()
    #expect(try children("split") == ["master", "empty"])
  }

  @Test func `a single photo is shown as the detail; narrow, it is pushed`() throws {
    try send("selectConversation:", to: "list", "lunch")
    #expect(try children("split") == ["master", "photo"])
    #expect(try property("photo", of: "photo") == "sandwich")
    #expect(try children("master") == ["list"])
    _ = try collapse()
    #expect(try children("master") == ["list", "photo"])
  }

  @Test func `the profile is in a tab, and takes the screen from the photos`() throws {
    try mutate(#"{"op": "becomeFirstResponder", "responder": "list.view"}"#)
    let shown = try perform("showProfile:", from: "list.view")
    let selected = Self.change("selectedViewController", in: shown)
    #expect(selected?["viewController"] == "profileNavigation")
    #expect(try connection.ask("GET", "/sessions/demo")["/firstResponder"] == "profile.view")
    let items = try connection.ask(
      "POST", "/commands/validate",
      #"{"session": "demo", "commands": ["showConversations:", "showProfile:"], "from": "profile.view"}"#
    )
    #expect(items["/items/0/state"] == "off" && items["/items/1/state"] == "on")
    let back = try perform("showConversations:", from: "profile.view")
    #expect(Self.change("selectedViewController", in: back)?["viewController"] == "split")
  }

  @Test func `the sample has no mistake, and nothing odd`() throws {
    let outcome = try Program.run("check", "Config/adaptive-photos")
    #expect(
      outcome.output == """
        ok: Config/adaptive-photos has 7 commands, 2 menus, 8 classes, 0 responders, 1 storyboard

        """)
  }

  @Test func `the answer names who shows a detail, and why the others do not (A9)`() throws {
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
    #expect(
      Self.change("viewControllers", in: dry)?["viewControllers"] == ["list", "conversation"])
    let after = try connection.ask("GET", "/sessions/demo")
    #expect(after["/revision"] == before["/revision"])
    #expect(after["/responders"] == before["/responders"])
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
    var session = try Session("demo", opening: try #require(catalog.template), in: catalog)
    var sessions: [Session] = []
    for (action, receiver, arguments) in [
      ("selectConversation:", "list", ["hike"]), ("selectPhoto:", "conversation", ["lake"]),
      ("editComment:", "photo", nil), ("changeComment:", "commentEditor", ["Cold"]),
    ] as [(Selector, ResponderID, [JSON]?)] {
      _ = try session.apply(
        .perform(
          ActionRequest(.action(action), to: .responder(receiver), arguments: arguments)),
        in: catalog)
      sessions.append(session)
    }
    let places: [ResponderID] = [
      "photo.view", "conversation.view", "profile.view", "commentEditor.view",
    ]
    for command in catalog.commands.map(\.id) {
      var performed = 0
      for session in sessions {
        for place in places {
          var copy = session
          let request = ActionRequest(.command(command), from: place)
          guard (try? copy.apply(.perform(request), in: catalog)) != nil else { continue }
          performed += 1
          #expect(copy.diagnostics(in: catalog).failing.rules == [])
        }
      }
      #expect(performed > 0, "\(command)")
    }
  }
}
