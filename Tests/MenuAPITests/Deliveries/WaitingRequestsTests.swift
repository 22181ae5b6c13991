import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// Requests that wait, as `Prefer: wait` asks for (D3).
struct WaitingRequestsTests {
  let desk: DeliveryService

  init() throws { desk = try DeliveryService() }

  private static let claim = "/sessions/desk/deliveries/claim"

  @Test(arguments: [
    ("wait=5", 5), ("WAIT = \"7\"", 7), ("respond-async, wait=10", 10), ("wait=1;x=2, wait=3", 1),
    ("wait=0", 0), ("return=minimal", nil), ("wait=-1", nil), ("wait=soon", nil), ("wait", nil),
    ("", nil), ("wait=99999999999999999999", nil), ("=,;=;,,wait==1", nil), ("\twait=2 ", 2),
  ])
  func `a preference is a number of seconds, or is ignored`(field: String, seconds: Int?) {
    #expect(WaitPreference(["Prefer": field])?.seconds == seconds)
  }

  @Test func `D3: who performs and waits gets the result`() throws {
    let answer = try desk.ask(.post, "/commands/perform", DeliveryService.performing())
    #expect(answer.status == nil)
    try desk.change("claim")
    #expect(answer.status == nil)
    try desk.change("reply", 1, #"{"claim":1,"result":"done"}"#)
    #expect(answer.status == 200)
    #expect(try answer.value("/performed") == true)
    #expect(try answer.value("/revision") == 1)
    #expect(try answer.value("/deliveries/0/result") == "done")
    #expect(answer["preference-applied"] == "wait=10")
    #expect(answer["location"] == nil)
    #expect(desk.waitingCount == 0)
  }

  @Test(arguments: ["fail", "cancel"])
  func `D3: a delivery that fails or is cancelled is settled, too`(word: String) throws {
    let answer = try desk.ask(.post, "/commands/perform", DeliveryService.performing())
    try desk.change("claim")
    try desk.change(word, 1, #"{"claim":1\#(word == "fail" ? #","problem":{"a":1}"# : "")}"#)
    #expect(answer.status == 200)
    #expect(try answer.value("/deliveries/0/state")?.text().hasPrefix("\"\(word)") == true)
  }

  @Test func `D3: when it takes longer, the answer says where to ask`() throws {
    let answer = try desk.ask(.post, "/commands/perform", DeliveryService.performing())
    try desk.change("claim")
    desk.wait(9_999)
    #expect(answer.status == nil)
    desk.wait(1)
    #expect(answer.status == 202)
    #expect(answer["location"] == "/sessions/desk/deliveries/1")
    #expect(answer["preference-applied"] == "wait=10")
    #expect(try answer.value("/deliveries/0/state") == "claimed")
    #expect(try answer.value("/changes/0/change") == "delivery")
  }

  @Test func `D3: with several deliveries all are waited for`() throws {
    let answer = try desk.ask(.post, "/commands/perform", DeliveryService.performing("paste:"))
    try desk.change("cancel", 1)
    #expect(answer.status == nil)
    desk.wait(10_000)
    #expect(answer.status == 202)
    #expect(answer["location"] == "/sessions/desk/deliveries/2")
    let other = try desk.ask(.post, "/commands/perform", DeliveryService.performing("paste:"))
    try desk.change("cancel", 4)
    try desk.change("cancel", 3)
    #expect(other.status == 200)
  }

  @Test func `without the preference, or with nothing to wait for, the answer comes at once`()
    throws
  {
    let plain = try desk.ask(
      .post, "/commands/perform", DeliveryService.performing(), prefer: nil)
    #expect(plain.status == 200 && plain["preference-applied"] == nil)
    let dry = try desk.ask(
      .post, "/commands/perform?dryRun=true", DeliveryService.performing())
    #expect(dry.status == 200 && dry["preference-applied"] == nil)
    let refused = try desk.ask(
      .post, "/commands/perform", DeliveryService.performing("applyFiveStarRating:"))
    #expect(refused.status == 409)
    let other = try desk.ask(
      .post, "/commands/validate", #"{"session":"desk","commands":["copy:"]}"#)
    #expect(other.status == 200 && other["preference-applied"] == nil)
  }

  @Test func `D3: not to wait at all is a preference as well`() throws {
    let answer = try desk.ask(
      .post, "/commands/perform", DeliveryService.performing(), prefer: "wait=0")
    #expect(answer.status == 202 && answer["preference-applied"] == "wait=0")
  }

  @Test func `K2: a key that performs waits, too`() throws {
    let key = #"{"session":"desk","key":{"input":"c","modifiers":["command"]}}"#
    let answer = try desk.ask(.post, "/keys/press", key)
    #expect(answer.status == nil)
    try desk.change("cancel")
    #expect(answer.status == 200)
    #expect(try answer.value("/deliveries/0/state") == "cancelled")
  }

  @Test func `a delivery is waited for where it is asked for`() throws {
    try desk.perform()
    let answer = try desk.ask(.get, "/sessions/desk/deliveries/1")
    #expect(answer.status == nil)
    try desk.perform()
    #expect(answer.status == nil)
    try desk.change("cancel", 1)
    #expect(answer.status == 200)
    #expect(try answer.value("/delivery/state") == "cancelled")
    #expect(answer["preference-applied"] == "wait=10")
    let late = try desk.ask(.get, "/sessions/desk/deliveries/2")
    desk.wait(10_000)
    #expect(late.status == 200)
    #expect(try late.value("/delivery/state") == "open")
    #expect(try desk.ask(.get, "/sessions/desk/deliveries/9").status == 404)
  }

  @Test(.inOneProcess("Each process serves those in their order who wait there."))
  func `D2: who would claim something waits for it, and the first one gets it`() throws {
    let first = try desk.ask(.post, Self.claim, #"{"by":"ada"}"#)
    let other = try desk.ask(.post, Self.claim, #"{"commands":["paste:"]}"#)
    let second = try desk.ask(.post, Self.claim)
    #expect(first.status == nil && other.status == nil && second.status == nil)
    try desk.perform()
    #expect(first.status == 200 && other.status == nil && second.status == nil)
    #expect(try first.value("/delivery/claim/by") == "ada")
    try desk.perform()
    #expect(second.status == 200)
    #expect(try second.value("/delivery/id") == 2)
    desk.wait(10_000)
    #expect(other.status == 204)
    #expect(other["preference-applied"] == "wait=10")
    #expect(desk.waitingCount == 0)
  }

  @Test func `D2: who waits for something gets what expires`() throws {
    try desk.perform()
    try desk.change("claim")
    desk.wait(25_000)
    let answer = try desk.ask(.post, Self.claim)
    desk.wait(5_000)
    #expect(answer.status == 200)
    #expect(try answer.value("/delivery/claim/number") == 2)
  }

  @Test func `a wait has a bound`() throws {
    let answer = try desk.ask(.post, Self.claim, prefer: "wait=9000")
    desk.wait(25_000)
    #expect(answer.status == 204 && answer["preference-applied"] == "wait=25")
  }

  @Test(.inOneProcess("Each process has its own limit of waiting requests."))
  func `those who would be too many are answered at once`() throws {
    var limits = ServiceLimits()
    limits.waitingRequests = 1
    let desk = try DeliveryService(limits: limits)
    let first = try desk.ask(.post, Self.claim)
    let second = try desk.ask(.post, Self.claim)
    #expect(first.status == nil)
    #expect(second.status == 204 && second["preference-applied"] == nil)
    try desk.perform()
    #expect(first.status == 200)
  }

  @Test func `when the server is about to stop, all waits end`() throws {
    let claim = try desk.ask(.post, "/sessions/desk/deliveries/claim", #"{"commands":[]}"#)
    let perform = try desk.ask(.post, "/commands/perform", DeliveryService.performing())
    let ask = try desk.ask(.get, "/sessions/desk/deliveries/1")
    desk.replicas.each { $0.isDraining = true }
    #expect(claim.status == 204 && perform.status == 202 && ask.status == 200)
    let late = try desk.ask(.post, "/sessions/desk/deliveries/claim", #"{"commands":[]}"#)
    #expect(late.status == 204)
  }

  @Test func `when the session is closed, all waits end`() throws {
    let claim = try desk.ask(.post, "/sessions/desk/deliveries/claim", #"{"commands":[]}"#)
    let perform = try desk.ask(.post, "/commands/perform", DeliveryService.performing())
    let ask = try desk.ask(.get, "/sessions/desk/deliveries/1")
    _ = try desk.send(.delete, "/sessions/desk")
    #expect(claim.status == 404 && perform.status == 202 && ask.status == 404)
    #expect(desk.waitingCount == 0)
  }

  @Test func `a repetition waits as the first request did`() throws {
    let body = DeliveryService.performing()
    let first = try desk.ask(.post, "/commands/perform", body, key: "k")
    let again = try desk.ask(.post, "/commands/perform", body, key: "k")
    #expect(first.status == nil && again.status == nil)
    #expect(try desk.states() == [#""open""#])
    try desk.change("cancel")
    #expect(first.status == 200 && again.status == 200)
    #expect(again["idempotent-replayed"] == "true")
    let late = try desk.ask(.post, "/commands/perform", body, key: "k")
    #expect(late.status == 200)
    #expect(try late.value("/deliveries/0/state") == "cancelled")
  }

  @Test func `a claim that is repeated while it waits is made once`() throws {
    let first = try desk.ask(.post, Self.claim, key: "k")
    let again = try desk.ask(.post, Self.claim, key: "k")
    try desk.perform()
    try desk.perform()
    #expect(first.status == 200 && again.status == 200)
    #expect(try first.value("/delivery/id") == again.value("/delivery/id"))
    #expect(try desk.states() == [#""claimed""#, #""open""#])
  }
}
