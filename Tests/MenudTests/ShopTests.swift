import JSONText
import MenuEngine
import Testing

@testable import menud

/// The sample in `Config/shop`, driven over HTTP from the start of its topmost coordinator to an order:
/// a coordinator for each flow, all of them on one navigation controller (C4, C5).
@Suite(Program.isBuilt) struct ShopTests {
  private let server: RunningProgram
  private let connection: Connection

  init() throws {
    server = try RunningProgram.serving("--application", "Config/shop")
    connection = try Connection(port: server.port())
    try mutate(#"{"op": "startCoordinator", "coordinator": "appCoordinator"}"#)
  }

  @discardableResult
  private func mutate(_ mutation: String) throws -> Answer {
    let answer = try connection.ask(
      "POST", "/sessions/demo/mutations", #"{"mutations": [\#(mutation)]}"#)
    #expect(answer.status == 200, "\(mutation) \(answer.json)")
    return answer
  }

  /// Goes back as the user does, and answers what coordinators hear: `event coordinator`.
  private func goBack(_ members: String) throws -> [String] {
    let answer = try mutate(#"{\#(members), "by": "user"}"#)
    guard case .array(let events)? = answer["/outcomes/0/events"] else { return [] }
    return events.map { event in
      let names = ["event", "coordinator"].map { event[JSONPointer([$0])]?.text() ?? "" }
      return names.joined(separator: " ").filter { $0 != "\"" }
    }
  }

  @discardableResult
  private func send(_ action: String, to responder: String, _ argument: String) throws -> Answer {
    let answer = try connection.ask(
      "POST", "/commands/perform",
      #"""
      {"session": "demo", "action": "\#(action)", "to": "\#(responder)", \#
      "arguments": ["\#(argument)"]}
      """#)
    #expect(answer.status == 200, "\(action) \(answer.json)")
    return answer
  }

  @discardableResult
  private func perform(
    _ command: String, from responder: String, _ more: String = "", answers status: Int = 200
  ) throws -> Answer {
    let answer = try connection.ask(
      "POST", "/commands/perform",
      #"{"session": "demo", "command": "\#(command)", "from": "\#(responder)"\#(more)}"#)
    #expect(answer.status == status, "\(command) \(answer.json)")
    return answer
  }

  private func responder(_ id: String, _ place: String) throws -> JSON? {
    try connection.ask("GET", "/sessions/demo/responders/\(id)")[place]
  }

  private func stack() throws -> JSON? { try responder("navigation", "/responder/viewControllers") }

  private func owner() throws -> JSON? {
    try responder("navigation", "/responder/parentCoordinator")
  }

  private func list(_ coordinator: String) throws -> JSON? {
    try responder(coordinator, "/responder/coordinating/viewControllers")
  }

  /// Goes on from the products to the form in which users sign in.
  private func proceed() throws {
    try send("openProduct:", to: "products", "kettle")
    #expect(try perform("buy:", from: "product")["/target"] == "product")
    try perform("proceed:", from: "cart")
    #expect(try stack() == ["products", "product", "cart", "signIn"])
  }

  @Test func `C4: the topmost coordinator starts the first flow, which shows its root`() throws {
    #expect(try stack() == ["products"])
    #expect(try owner() == "catalogCoordinator")
    #expect(
      try responder("appCoordinator", "/childCoordinators") == ["catalog": "catalogCoordinator"])
  }

  @Test func `C4: from the first page to the order, each flow leaves the stack when it finishes`()
    throws
  {
    try proceed()
    #expect(
      try responder("checkoutCoordinator", "/childCoordinators/signIn") == "signInCoordinator")
    let signedIn = try send("signIn:", to: "signIn", "ada")
    #expect(signedIn["/performed"] == true)
    #expect(try stack() == ["products", "product", "cart", "address"])
    #expect(try owner() == "checkoutCoordinator")
    #expect(try responder("checkoutCoordinator", "/childCoordinators") == [:])
    try perform("order:", from: "address", #", "confirmed": true"#)
    let after = try connection.ask("GET", "/sessions/demo")
    #expect(after["/state/orders"] == [["user": "ada", "cart": ["kettle"]]])
    #expect(try stack() == ["products", "product"])
    #expect(try owner() == "catalogCoordinator")
    let diagnostics = try connection.ask("GET", "/sessions/demo/diagnostics")
    #expect(diagnostics["/coordinating/dead"] == [])
  }

  @Test func `W4: an order, which cannot be taken back, asks how many products it is`() throws {
    try proceed()
    try send("signIn:", to: "signIn", "ada")
    let asked = try perform("order:", from: "address", answers: 409)
    #expect(
      asked["/confirmation"] == [
        "title": "Order 1 product?", "message": "You pay for it, and cannot take it back.",
        "button": "Place Order",
      ])
    #expect(try connection.ask("GET", "/sessions/demo")["/state/orders"] == [])
    try mutate(#"{"op": "mergeState", "patch": {"cart": ["kettle", "teapot"]}}"#)
    let more = try perform("order:", from: "address", answers: 409)
    #expect(more["/confirmation/title"] == "Order 2 products?")
  }

  @Test func `C5: the back button ends the flow that it leaves, a cancelled swipe does not`() throws
  {
    try proceed()
    let pop = #""op": "popViewController", "navigationController": "navigation""#
    #expect(try goBack("\(pop), \"isCancelled\": true") == [])
    #expect(try stack() == ["products", "product", "cart", "signIn"])
    #expect(
      try goBack(pop) == [
        "coordinatorDidStop signInCoordinator", "coordinatorDidActivate checkoutCoordinator",
        "coordinatorDidFinish signInCoordinator", "coordinatorDidActivate checkoutCoordinator",
        "handlePopBack checkoutCoordinator",
      ])
    #expect(try owner() == "checkoutCoordinator" && list("checkoutCoordinator") == ["cart"])
  }

  @Test func `C5: a long press to the root unwinds both flows at once`() throws {
    try proceed()
    let events = try goBack(
      #""op": "popToRootViewController", "navigationController": "navigation""#)
    #expect(
      events.filter { $0.hasPrefix("coordinatorDidStop") } == [
        "coordinatorDidStop signInCoordinator", "coordinatorDidStop checkoutCoordinator",
      ])
    #expect(events.last == "handlePopBack catalogCoordinator")
    #expect(try stack() == ["products"] && list("catalogCoordinator") == ["products"])
    #expect(try responder("catalogCoordinator", "/responder/properties/cameBackTo") == "products")
    #expect(try owner() == "catalogCoordinator")
  }

  @Test func `the sample has no mistake`() throws {
    let outcome = try Program.run("check", "Config/shop")
    #expect(
      outcome.output == """
        ok: Config/shop has 5 commands, 1 menu, 9 classes, 12 responders

        """)
  }
}
