import JSONText
import MicroHTTP
import Synchronization
import Testing

@testable import MenuAPI

/// Performing exactly what a dry run showed, or nothing (T6).
struct PlanRouteTests {
  private let clock = Clock()

  /// A clock that a test sets, in milliseconds.
  private final class Clock: Sendable {
    let now = Atomic<Int64>(1_795_250_000_123)
    var nanoseconds: Int { Int(now.load(ordering: .relaxed) - 1_795_250_000_123) * 1_000_000 }
    func pass(_ milliseconds: Int64) { now.add(milliseconds, ordering: .relaxed) }
  }

  private func sample(_ authorization: Authorization = Authorization()) throws -> SampleService {
    let clock = clock
    let sample = try SampleService(
      authorization: authorization, now: { clock.now.load(ordering: .relaxed) },
      nanoseconds: { clock.nanoseconds })
    if authorization.administrators == nil {
      #expect(try sample.send(.post, "/sessions", #"{"id":"tried"}"#).status == .created)
      try handle("rotate:", in: sample)
    }
    return sample
  }

  /// Handles an action: it adds to a number, and delivers it.
  private func handle(
    _ action: String, in sample: SampleService, _ validate: String = "{}",
    headers: [(String, String)] = []
  ) throws {
    _ = try sample.send(
      .put, "/commands/\(action)", #"{"title":"Rotate","action":"\#(action)"}"#, headers: headers)
    _ = try sample.send(
      .patch, "/sessions/tried/state", #"{"angle":1}"#, type: "application/merge-patch+json",
      headers: headers)
    let handled = try sample.send(
      .put, "/sessions/tried/responders/photoGrid/handlers/\(action)",
      #"""
      {"validate":\#(validate),"perform":[
        {"op":"replace","path":"/angle","value":"state.angle * 2"},
        {"op":"deliver","value":"state.angle"}]}
      """#, headers: headers)
    #expect(handled.status == .created || handled.status == .ok)
  }

  private func tried(
    _ sample: SampleService, _ more: String = "", headers: [(String, String)] = []
  ) throws -> Response {
    try sample.send(
      .post, "/commands/perform",
      #"{"session":"tried","command":"rotate:","dryRun":true\#(more)}"#, headers: headers)
  }

  private func plan(_ response: Response) throws -> String {
    try #require(try response.value("/plan")?.word)
  }

  private func perform(
    _ plan: String, _ sample: SampleService, session: String = "tried", _ more: String = "",
    headers: [(String, String)] = []
  ) throws -> Response {
    try sample.send(
      .post, "/commands/perform", #"{"session":"\#(session)","plan":"\#(plan)"\#(more)}"#,
      headers: headers)
  }

  private func state(_ sample: SampleService) throws -> String {
    try sample.send(.get, "/sessions/tried").text
  }

  private func turn(_ sample: SampleService, to angle: Int, spare: Int = 0) throws {
    _ = try sample.send(
      .patch, "/sessions/tried/state", #"{"angle":\#(angle),"spare":\#(spare)}"#,
      type: "application/merge-patch+json")
  }

  @Test func `T6: a plan does what the dry run showed, to the byte, and once`() throws {
    let sample = try sample()
    let shown = try tried(sample)
    #expect(try shown.value("/planExpires") == "2026-11-21T08:38:20.123Z")
    clock.pass(5000)
    let done = try perform(plan(shown), sample)
    #expect(done.status == .ok)
    #expect(try done.value("/changes")?.text() == shown.value("/changes")?.text())
    #expect(try done.value("/plan") == nil)
    let after = try state(sample)
    let again = try perform(plan(shown), sample)
    #expect(again.body == done.body && again.headers["idempotent-replayed"] == "true")
    let keyed = try perform(plan(shown), sample, headers: [("Idempotency-Key", "other")])
    #expect(keyed.body == done.body)
    let elsewhere = try perform(plan(shown), sample, session: "demo")
    #expect(try elsewhere.value("/type") == "/problems/foreign-plan")
    #expect(try state(sample) == after)
  }

  @Test func `T6: other changes do not matter, unless the plan would do something else`() throws {
    let sample = try sample()
    let shown = try tried(sample)
    try turn(sample, to: 1, spare: 5)
    #expect(try perform(plan(shown), sample).status == .ok)
    let next = try tried(sample)
    try turn(sample, to: 7)
    let before = try state(sample)
    let refused = try perform(plan(next), sample)
    #expect(refused.status == .preconditionFailed)
    #expect(try refused.value("/type") == "/problems/plan-changed")
    #expect(try refused.value("/changes/0/value") == 14)
    #expect(try state(sample) == before)
    let done = try perform(plan(refused), sample)
    #expect(done.status == .ok)
    #expect(try done.value("/changes")?.text() == refused.value("/changes")?.text())
  }

  @Test func `T6: a plan whose command is disabled is refused with the reason`() throws {
    let sample = try sample()
    try handle(
      "rotate:", in: sample, #"{"requires":[{"if":"state.angle < 5","else":"It is round."}]}"#)
    let shown = try tried(sample)
    try turn(sample, to: 9)
    let refused = try perform(plan(shown), sample)
    #expect(refused.status == .conflict)
    #expect(try refused.value("/explanation") == "It is round.")
    #expect(try refused.value("/pointer") == "/plan")
  }

  @Test func `T6: a plan that is cut or altered by a bit does nothing`() throws {
    let sample = try sample()
    let plan = try plan(try tried(sample))
    let before = try state(sample)
    var altered = [String(plan.dropLast()), String(plan.dropFirst()), "", ".", "plan", plan + "A"]
    let bytes = Array(plan.utf8)
    for place in bytes.indices {
      var copy = bytes
      copy[place] = copy[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      altered.append(String(decoding: copy, as: UTF8.self))
    }
    for text in altered {
      let answer = try perform(text, sample)
      let type = try answer.value("/type")
      #expect(
        type == "/problems/unknown-plan" || type == "/problems/foreign-plan", "\(answer.text)")
    }
    #expect(try state(sample) == before)
    #expect(try perform(plan, sample).status == .ok)
  }

  @Test func `T6: expired plans and those of another session are told apart`() throws {
    let sample = try sample()
    let shown = try plan(try tried(sample))
    let elsewhere = try perform(shown, sample, session: "demo")
    #expect(elsewhere.status == .forbidden)
    #expect(try elsewhere.value("/type") == "/problems/foreign-plan")
    clock.pass(300_000)
    let last = try plan(try tried(sample))
    #expect(try perform(shown, sample, #","dryRun":true"#).status == .ok)
    clock.pass(1)
    let late = try perform(shown, sample)
    #expect(late.status == .gone)
    #expect(try late.value("/type") == "/problems/expired-plan")
    _ = try sample.send(.delete, "/sessions/tried")
    _ = try sample.send(.post, "/sessions", #"{"id":"tried"}"#)
    #expect(try perform(last, sample).value("/type") == "/problems/unknown-plan")
  }

  @Test func `T6: a plan is good for its token alone`() throws {
    let sample = try sample(.closed)
    let own = try sample.openWithToken("tried")
    try handle("rotate:", in: sample, headers: SampleService.administrator)
    let shown = try plan(try tried(sample, headers: own))
    let foreign = try perform(shown, sample, headers: SampleService.administrator)
    #expect(foreign.status == .forbidden)
    #expect(try foreign.value("/type") == "/problems/foreign-plan")
    #expect(try perform(shown, sample, headers: own).status == .ok)
  }

  @Test func `T6: a plan excludes what it says itself, and does not confirm`() throws {
    let sample = try sample()
    try handle("rotate:", in: sample, #"{"confirmation":{"title":"'Turn?'"}}"#)
    let shown = try plan(try tried(sample))
    for more in [#","command":"rotate:""#, #","parameters":{}"#, #","window":"w""#] {
      #expect(try perform(shown, sample, more).status == .unprocessableContent)
    }
    #expect(try perform(shown, sample).value("/type") == "/problems/needs-confirmation")
    #expect(try perform(shown, sample, #","confirmed":true"#).status == .ok)
  }

  @Test func `T6: a plan covers the question that its command asks`() throws {
    let sample = try sample()
    try handle(
      "rotate:", in: sample,
      #"{"confirmation":{"if":"state.spare > 0","title":"'Turn ' + string(state.spare) + '?'"}}"#)
    try turn(sample, to: 1)
    let shown = try plan(try tried(sample))
    try turn(sample, to: 1, spare: 2)
    let refused = try perform(shown, sample, #","confirmed":true"#)
    #expect(try refused.value("/type") == "/problems/plan-changed")
    #expect(try refused.value("/confirmation") == ["title": "Turn 2?"])
    #expect(try perform(plan(refused), sample, #","confirmed":true"#).status == .ok)
  }
}
