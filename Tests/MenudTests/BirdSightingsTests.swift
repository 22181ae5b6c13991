import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/bird-sightings`, from its launch to the last dismissal, over HTTP: a list,
/// details that its segue fills, and a form that talks to its delegate (V1–V7).
@Suite(Program.isBuilt) struct BirdSightingsTests {
  private let server: RunningProgram
  private let connection: Connection

  init() throws {
    server = try RunningProgram.serving("--application", "Config/bird-sightings")
    connection = try Connection(port: server.port())
  }

  private func perform(_ command: String) throws -> Answer {
    try connection.ask(
      "POST", "/commands/perform", #"{"session": "demo", "command": "\#(command)"}"#)
  }

  private func focus(_ view: String) throws {
    let focused = try connection.ask(
      "PUT", "/sessions/demo/first-responder", #"{"responder": "\#(view)"}"#)
    #expect(focused.status == 200, "\(focused.json)")
  }

  private func state(_ pointer: String) throws -> JSON? {
    try connection.ask("GET", "/sessions/demo")["/state" + pointer]
  }

  private func responders() throws -> [String] {
    let answer = try connection.ask("GET", "/sessions/demo/responders")
    guard case .object(let object)? = answer["/responders"] else { return [] }
    return object.members.map(\.name)
  }

  private static let launched = [
    "appDelegate", "application", "window", "navigation", "birds", "navigation.view",
    "navigation.navigationBar", "birds.table",
  ]

  @Test func `V1: the session is launched when it is opened`() throws {
    #expect(try responders() == Self.launched)
    let opened = try connection.ask("POST", "/sessions", #"{"id": "second"}"#)
    #expect(opened.status == 201 && opened["/steps/7/name"] == "windowMadeKeyAndVisible")
    #expect(opened["/keyWindow"] == "window")
    #expect(opened["/responders/appDelegate/properties/window"] == "window")
    #expect(opened["/responders/birds/properties/dataController"] == "sightings")
    let refused = try connection.ask("POST", "/sessions/second/launch", "{}")
    #expect(refused.status == 409 && refused["/type"] == "/problems/launched-already")
  }

  @Test func `the details of a row are pushed, filled by the list, and gone when popped`() throws {
    let shown = try connection.ask(
      "POST", "/sessions/demo/segues/ShowSightingDetails",
      #"{"source": "birds", "sender": {"kind": "cell", "row": 1}}"#)
    #expect(shown["/performed"] == true && shown["/destination"] == "sighting")
    #expect(try state("/shown") == "Owl")
    let stack = try connection.ask("GET", "/sessions/demo/responders/navigation")
    #expect(stack["/responder/viewControllers"] == ["birds", "sighting"])
    let popped = try connection.ask(
      "POST", "/sessions/demo/mutations",
      #"{"mutations": [{"op": "popViewController", "navigationController": "navigation"}]}"#)
    #expect(popped.status == 200, "\(popped.json)")
    #expect(try state("/shown") == .null)
    #expect(try responders() == Self.launched)
  }

  @Test func `adding goes through the delegate, which dismisses`() throws {
    try focus("birds.table")
    let presented = try perform("addSighting:")
    #expect(presented["/target"] == "birds")
    let form = try connection.ask("GET", "/sessions/demo/responders/addSighting")
    #expect(form["/responder/delegate"] == "birds")
    try focus("addSighting.birdNameInput")
    let entered = try connection.ask(
      "POST", "/commands/perform",
      #"{"session": "demo", "action": "enterName:location:", "arguments": ["Heron", "The pond"]}"#)
    #expect(entered["/target"] == "addSighting")
    let done = try perform("done:")
    #expect(done["/target"] == "addSighting" && done["/performed"] == true)
    #expect(try state("/sightings/0") == ["name": "Heron", "location": "The pond"])
    #expect(try responders() == Self.launched)
    let focused = try connection.ask("GET", "/sessions/demo/first-responder")
    #expect(focused["/responder"] == "birds.table")
  }

  @Test func `a command enters name and location, without which there is nothing to be done`()
    throws
  {
    try focus("birds.table")
    _ = try perform("addSighting:")
    try focus("addSighting.table")
    let refused = try perform("done:")
    #expect(refused["/type"] == "/problems/not-performed")
    #expect(refused["/explanation"] == "Enter the sighting first.")
    let entered = try connection.ask(
      "POST", "/commands/perform",
      #"{"session":"demo","command":"enterSighting:","parameters":{"name":"Heron","location":"The pond"}}"#
    )
    #expect(entered["/target"] == "addSighting" && entered["/performed"] == true)
    #expect(try perform("done:")["/performed"] == true)
    #expect(try state("/sightings/0") == ["name": "Heron", "location": "The pond"])
  }

  @Test func `cancelling only dismisses`() throws {
    try focus("birds.table")
    _ = try perform("addSighting:")
    try focus("addSighting.table")
    let cancelled = try perform("cancel:")
    #expect(cancelled["/performed"] == true)
    #expect(try state("/sightings/0/name") == "Pigeon")
    #expect(try responders() == Self.launched)
  }

  @Test func `without sightings there are no details to show`() throws {
    try focus("birds.table")
    for _ in 0..<2 { #expect(try perform("deleteSighting:").status == 200) }
    let refused = try connection.ask(
      "POST", "/sessions/demo/segues/ShowSightingDetails", #"{"source": "birds"}"#)
    #expect(refused["/performed"] == false && refused["/reason"] == "refused")
    #expect(try responders() == Self.launched)
  }

  @Test func `what the form tells its delegate beside goes nowhere, and says so`() throws {
    try focus("birds.table")
    _ = try perform("addSighting:")
    let told = try connection.ask(
      "POST", "/sessions/demo/messages",
      #"{"message": "addSightingViewControllerDidEdit:", "from": "addSighting", "to": "delegate"}"#)
    #expect(told["/delivered"] == false && told["/reason"] == "notImplemented")
    #expect(told["/receiver"] == "birds")
  }

  @Test func `the sample has no mistake, and nothing odd`() throws {
    let outcome = try Program.run("check", "Config/bird-sightings")
    #expect(
      outcome.output == """
        ok: Config/bird-sightings has 7 commands, 3 menus, 5 classes, 0 responders, 1 storyboard

        """)
  }
}
