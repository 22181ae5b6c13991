import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/master-detail`: focus is in the detail, and the list is moved all the same,
/// by a late responder that stands for it (L8).
@Suite struct MasterDetailTests {
  private let catalog: Catalog
  private var session: Session

  init() throws {
    catalog = try CatalogFolder(path: Program.path + "/Config/master-detail").catalog()
    session = try Session(
      "demo", opening: try #require(catalog.template), in: catalog)
  }

  @Test mutating func `with focus in the detail the list's selection moves`() throws {
    let outcome = try perform("selectPreviousRow:")
    #expect(outcome.performance?.target.description == "listProxy")
    #expect(outcome.performance?.proxied?.rawValue == "taskList")
    #expect(session.state.value(at: JSONPointer(["row"])) == 0)
    _ = try perform("selectNextRow:")
    #expect(session.state.value(at: JSONPointer(["row"])) == 1)
  }

  @Test mutating func `at its ends the selection stays, since the list itself validates`() throws {
    _ = try perform("selectPreviousRow:")
    #expect(throws: MutationFault.self) { try perform("selectPreviousRow:") }
    let items = try validated(["selectPreviousRow:", "selectNextRow:"])
    #expect(items.map(\.isEnabled) == [false, true])
    #expect(items.map(\.reason) == [.ruleFalse, .enabled])
  }

  @Test func `what the filter keeps out is not found from the detail`() throws {
    let item = try #require(try validated(["delete:"]).first)
    #expect(item.reason == .noTarget)
    let list: ResponderID = "taskList"
    let fromList = try #require(try validated(["delete:"], from: list).first)
    #expect(fromList.target?.description == "taskList")
    #expect(fromList.title == "Delete Row")
  }

  @Test func `the touch bar has items of both sides`() throws {
    let bar = try session.touchBar(in: catalog)
    #expect(
      bar.items.map { "\($0.responder) \($0.item.title ?? $0.validated?.title ?? "")" } == [
        "listProxy Select Previous Row", "listProxy Select Next Row", "listFilter Search",
        "taskDetail Done",
      ])
    #expect(try session.userActivity().responder?.rawValue == "detail")
  }

  @Test mutating func `every command can be performed somewhere, and no rule ever fails`() throws {
    let places = try ["taskDetail", "taskList"].map { try #require(ResponderID($0)) }
    for command in catalog.commands.map(\.id) {
      for place in places where try validated([command], from: place)[0].isEnabled {
        let request = ActionRequest(.command(command), from: place)
        _ = try session.apply(.perform(request), in: catalog)
        let failed = try validated(catalog.commands.map(\.id), from: place)
          .filter { $0.reason == .ruleError }
        #expect(failed.isEmpty, "after \(command)")
      }
    }
    let diagnostics = session.diagnostics(in: catalog)
    #expect(diagnostics.unhandled.commands.isEmpty && diagnostics.failing.rules.isEmpty)
    #expect(diagnostics.keyConflicts?.isEmpty == true && diagnostics.deadProxies.isEmpty)
  }

  private mutating func perform(_ command: String) throws -> Outcome {
    let id = try #require(CommandID(command))
    return try session.apply(.perform(ActionRequest(.command(id))), in: catalog)
  }

  private func validated(
    _ commands: [String], from: ResponderID? = nil
  ) throws -> [ValidatedItem] {
    try validated(commands.map { try #require(CommandID($0)) }, from: from)
  }

  private func validated(
    _ commands: [CommandID], from: ResponderID?
  ) throws -> [ValidatedItem] {
    var request = ValidationRequest()
    request.commands = commands
    request.from = from
    return try session.validate(request, in: catalog)
  }
}

/// The same over HTTP, against the running program.
@Suite(Program.isBuilt) struct MasterDetailServiceTests {
  private let server: RunningProgram
  private let connection: Connection

  init() throws {
    server = try RunningProgram.serving("--application", "Config/master-detail")
    connection = try Connection(port: server.port())
  }

  @Test func `the list is moved from the detail until its filter changes`() throws {
    let body = #"{"session": "demo", "command": "selectPreviousRow:"}"#
    let moved = try connection.ask("POST", "/commands/perform", body)
    #expect(moved["/target"] == "listProxy" && moved["/proxied"] == "taskList")
    #expect(moved["/changes/0/path"] == "/row" && moved["/changes/0/value"] == 0)
    let path = "/sessions/demo/responders/taskDetail/late-responders/listProxy"
    let gone = try connection.ask("DELETE", path)
    #expect(gone["/changes/0/lateResponders"] == ["listFilter"])
    let refused = try connection.ask(
      "POST", "/commands/perform", #"{"session": "demo", "command": "selectNextRow:"}"#)
    #expect(refused.status == 409 && refused["/reason"] == "noTarget")
    let again = try connection.ask("PUT", path, "{}")
    #expect(again.status == 201)
    #expect(again["/changes/0/lateResponders"] == ["listProxy", "listFilter"])
  }

  @Test func `with focus in the detail the arrow keys move the list's selection`() throws {
    let focus = try connection.ask("GET", "/sessions/demo/first-responder")
    #expect(focus["/responder"] == "taskDetail")
    for (key, row) in [("UpArrow", 0), ("DownArrow", 1), ("DownArrow", 2)] as [(String, JSON)] {
      let pressed = try connection.ask(
        "POST", "/keys/press", #"{"session": "demo", "key": {"input": "UIKeyInput\#(key)"}}"#)
      #expect(pressed["/target"] == "listProxy" && pressed["/proxied"] == "taskList")
      #expect(pressed["/changes/0/path"] == "/row" && pressed["/changes/0/value"] == row)
    }
    let refused = try connection.ask(
      "POST", "/keys/press", #"{"session": "demo", "key": {"input": "UIKeyInputDownArrow"}}"#)
    #expect(refused.status == 409)
  }

  @Test func `the trace of an arrow key says how the list is found from the detail`() throws {
    let pressed = try connection.ask(
      "POST", "/keys/press",
      #"{"session": "demo", "key": {"input": "UIKeyInputUpArrow"}, "explain": true}"#)
    let sentences = (0..<60).compactMap { pressed["/trace/\($0)/says"]?.text() }
    for sentence in [
      "L8: 'listProxy' stands for 'taskList'.",
      "L8: 'listProxy' lets 'selectPreviousRow:' through.",
      "R4: 'taskList' can perform 'selectPreviousRow:'.",
      "F4: 'taskList' runs its method 'selectPreviousRow:'.",
    ] {
      #expect(sentences.contains("\"\(sentence)\""))
    }
  }

  @Test func `the touch bar is composed of both sides`() throws {
    let bar = try connection.ask("GET", "/sessions/demo/touch-bar")
    #expect(bar["/items/0/item/target"] == "listProxy")
    #expect(bar["/items/3/identifier"] == "markAsDone:")
    let responders = (0..<4).map { bar["/items/\($0)/responder"]?.text() }
    #expect(
      responders == [#""listProxy""#, #""listProxy""#, #""listFilter""#, #""taskDetail""#])
    #expect(bar["/items/4"] == nil)
    let activity = try connection.ask("GET", "/sessions/demo/user-activity")
    #expect(activity["/responder"] == "detail")
  }
}
