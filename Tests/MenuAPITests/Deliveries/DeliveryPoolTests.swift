import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// Claiming from the deliveries of all sessions (D5).
struct DeliveryPoolTests {
  private let desk: DeliveryService

  init() throws { desk = try DeliveryService() }

  private static let route = "/deliveries/claim"

  /// Opens another session with the handlers of the desk.
  private func open(_ id: String) throws {
    guard case .object(var document) = try desk.send(.get, "/sessions/desk").json else {
      Issue.record("'document' is not an object")
      return
    }
    for name in ["session", "revision", "deliveries"] { document[name] = nil }
    document["id"] = .string(id)
    let response = try desk.send(.post, "/sessions", JSON.object(document).text())
    try #require(response.status == .created, "\(response.text)")
  }

  private func perform(_ command: String = "copy:", in session: String) throws {
    let body = #"{"session":"\#(session)","command":"\#(command)"}"#
    let response = try desk.send(.post, "/commands/perform", body)
    try #require(response.status == .ok, "\(response.text)")
    desk.learn()
  }

  /// Claims the next delivery, and returns its session and number; nil if there is none.
  @discardableResult
  private func claim(_ body: String? = nil) throws -> String? {
    let response = try desk.send(.post, Self.route, body)
    if response.status == .noContent { return nil }
    try #require(response.status == .ok, "\(response.text)")
    return
      "\(try response.value("/session")?.text() ?? "") \(try response.value("/delivery/id")?.text() ?? "")"
  }

  @Test func `D5: the next delivery of any session is claimed`() throws {
    #expect(try claim() == nil)
    try open("other")
    try perform(in: "other")
    let response = try desk.send(.post, Self.route, #"{"by":"ada"}"#)
    #expect(try response.value("/session") == "other")
    #expect(try response.value("/revision") == 2)
    #expect(try response.value("/delivery/claim/by") == "ada")
    #expect(try response.value("/changes/0/change") == "deliveryState")
    #expect(response.headers["etag"] != nil)
    #expect(try claim() == nil)
  }

  @Test func `D5: the session that has waited longest comes first, not the one with most`() throws {
    for id in ["a", "b", "c"] { try open(id) }
    for _ in 1...3 { try perform(in: "b") }
    desk.wait(10)
    try perform(in: "a")
    desk.wait(10)
    try perform(in: "c")
    desk.wait(10)
    // `b` waits anew from its last claim on.
    var claimed: [String?] = []
    for _ in 1...5 {
      claimed.append(try claim())
      desk.wait(10)
    }
    #expect(claimed == [#""b" 1"#, #""a" 1"#, #""c" 1"#, #""b" 2"#, #""b" 3"#])
    #expect(try claim() == nil)
  }

  @Test func `D5: a session whose worker tells progress is not served by that`() throws {
    for id in ["a", "b"] { try open(id) }
    for id in ["a", "a", "b", "b"] {
      try perform(in: id)
      desk.wait(10)
    }
    #expect(try claim() == #""a" 1"#)
    desk.wait(10)
    #expect(try claim() == #""b" 1"#)
    for progress in [0.1, 0.2] {
      desk.wait(10)
      let path = "/sessions/a/deliveries/1/renew"
      let renewed = try desk.send(.post, path, #"{"claim":1,"progress":\#(progress)}"#)
      #expect(renewed.status == .ok, "\(renewed.text)")
    }
    #expect(try claim() == #""a" 2"#)
  }

  @Test func `D5: what a worker has replied to is work for its session, too`() throws {
    for id in ["a", "b"] { try open(id) }
    for _ in 1...2 { try perform(in: "a") }
    try claim()
    desk.wait(10)
    try perform(in: "b")
    desk.wait(10)
    #expect(
      try desk.send(.post, "/sessions/a/deliveries/1/reply", #"{"claim":1}"#).status == .ok)
    #expect(try claim() == #""b" 1"#)
    #expect(try claim() == #""a" 2"#)
  }

  @Test func `D5: only the commands that it names`() throws {
    try open("other")
    try perform("paste:", in: "other")
    try perform(in: "desk")
    #expect(try claim(#"{"commands":["paste:"]}"#) == #""other" 1"#)
    #expect(try claim(#"{"commands":["cut:"]}"#) == nil)
    #expect(try claim(#"{"commands":["copy:"]}"#) == #""desk" 1"#)
  }

  @Test func `D5: an expired claim is taken again, unless it is to be cancelled`() throws {
    for _ in 1...2 { try perform(in: "desk") }
    for _ in 1...2 { try claim() }
    try desk.change("cancel", 2)
    // Nobody has tended deliveries meanwhile.
    desk.wait(30_000, tending: false)
    #expect(try claim() == #""desk" 1"#)
    #expect(try claim() == nil)
    #expect(try desk.states() == [#""claimed""#, #""cancelled""#])
  }

  @Test func `D5: a dry run claims nothing`() throws {
    try perform(in: "desk")
    let response = try desk.send(.post, Self.route, #"{"dryRun":true}"#)
    #expect(try response.value("/delivery/state") == "claimed")
    #expect(try desk.states() == [#""open""#])
  }

  @Test func `D5: a repetition under its key claims nothing more`() throws {
    for _ in 1...2 { try perform(in: "desk") }
    let first = try desk.send(.post, Self.route, "{}", key: "k")
    let again = try desk.send(.post, Self.route, "{}", key: "k")
    #expect(first.text == again.text && again.headers["idempotent-replayed"] == "true")
    #expect(try desk.states() == [#""claimed""#, #""open""#])
  }

  @Test func `D5: it waits until any session has one, in the order of arrival`() throws {
    try open("other")
    let first = try desk.ask(.post, Self.route, #"{"by":"first"}"#)
    let second = try desk.ask(.post, Self.route, #"{"by":"second"}"#)
    #expect(first.status == nil && desk.waitingCount == 2)
    try perform(in: "other")
    #expect(first.status == 200)
    #expect(try first.value("/session") == "other")
    #expect(first["preference-applied"] == "wait=10")
    #expect(second.status == nil)
    try perform(in: "desk")
    #expect(second.status == 200)
    #expect(try second.value("/session") == "desk")
    #expect(desk.waitingCount == 0)
  }

  @Test func `D5: a waiting claim is answered when a claim ends, and when time is over`() throws {
    try perform(in: "desk")
    try claim()
    desk.wait(25_000)
    let waiting = try desk.ask(.post, Self.route)
    desk.wait(4_999)
    #expect(waiting.status == nil)
    desk.wait(1)
    #expect(waiting.status == 200)
    #expect(try waiting.value("/delivery/claim/number") == 2)
    let late = try desk.ask(.post, Self.route)
    desk.wait(10_000)
    #expect(late.status == 204)
  }

  @Test func `D5: a closed session has nothing to claim`() throws {
    try perform(in: "desk")
    #expect(try desk.send(.delete, "/sessions/desk").status == .noContent)
    #expect(try claim() == nil)
  }

  @Test func `D5: a token of a session does not open the pool, one for work does`() throws {
    let tokens = try TokenSample()
    let own = try tokens.make([.work])
    let refused = try tokens.sample.send(.post, Self.route, "{}", headers: own.fields)
    #expect(refused.status == .forbidden)
    #expect(
      try refused.problem == """
        /problems/forbidden
        The token is that of a session; this needs one with the right 'work' for all sessions.
        """)
    let worker = try tokens.sample.send(
      .post, "/tokens", #"{"label":"w"}"#, headers: SampleService.administrator)
    #expect(worker.status == .created, "\(worker.text)")
    let fields = try TokenSample.made(worker).fields
    #expect(try tokens.sample.send(.post, Self.route, "{}", headers: fields).status == .noContent)
    #expect(
      try tokens.sample.send(.post, Self.route, "{}", headers: SampleService.administrator).status
        == .noContent)
  }

  @Test func `D6: a token for work gives up what it has claimed, and cancels nothing else`() throws
  {
    let tokens = try TokenSample()
    let worker = try TokenSample.made(
      tokens.sample.send(
        .post, "/tokens", #"{"label":"w"}"#, headers: SampleService.administrator))
    func change(
      _ word: String, _ body: String = "{}",
      as fields: [(String, String)] = SampleService.administrator
    ) throws -> Response {
      try tokens.sample.send(
        .post, "/sessions/own/deliveries/1/\(word)", body, headers: fields)
    }
    let clerk =
      #"{"op":"putResponder","responder":"clerk","value":{"kind":"view","handlers":{"#
      + #""copy:":{"perform":[{"op":"deliver"}]}}}}"#
    let performing = #"{"op":"perform","command":"copy:","from":"clerk"}"#
    let performed = try tokens.sample.send(
      .post, "/sessions/own/mutations", #"{"mutations":[\#(clerk),\#(performing)]}"#,
      headers: SampleService.administrator)
    try #require(performed.status == .ok, "\(performed.text)")
    #expect(try change("cancel", as: worker.fields).value("/right") == "perform")
    #expect(try change("claim", as: worker.fields).status == .ok)
    #expect(try change("cancel", as: worker.fields).value("/right") == "perform")
    #expect(try change("cancel").value("/delivery/state") == "cancelling")
    let agreed = try change("cancel", #"{"claim":1}"#, as: worker.fields)
    #expect(try agreed.value("/delivery/state") == "cancelled", "\(agreed.text)")
  }
}
