import JSONText
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI

/// Claiming and settling deliveries by requests (D1 to D3).
struct DeliveryRoutesTests {
  let desk: DeliveryService

  init() throws { desk = try DeliveryService() }

  @Test func `D1: who performs is told what was delivered`() throws {
    let response = try desk.perform()
    #expect(
      try response.value("/deliveries")?.text() == #"""
        [{"id":1,"command":"copy:","title":"Copy","value":"paper","when":"2026-11-21T08:33:20.000Z",\#
        "invocation":{"target":"clerk","selector":"copy:","originalSelector":"copy:",\#
        "arguments":[\#(try response.value("/invocation/arguments/0")?.text() ?? "")],\#
        "command":"copy:","when":"2026-11-21T08:33:20.000Z"},"state":"open","claims":0,"claim":null,\#
        "settled":null,"settledBy":null,"result":null,"problem":null}]
        """#)
    #expect(try response.value("/result") == 1)
    #expect(try response.value("/changes/0/change") == "delivery")
    let document = try desk.send(.get, "/sessions/desk")
    #expect(try document.value("/deliveries") == response.value("/deliveries"))
    let several = try desk.perform("paste:")
    #expect(try several.value("/deliveries/1/id") == 3)
  }

  @Test func `D2: claim, renew, reply`() throws {
    try desk.perform()
    let claimed = try desk.change("claim", 1, #"{"by":"ada"}"#)
    #expect(
      try claimed.value("/delivery/claim")?.text()
        == #"""
        {"number":1,"by":"ada","until":"2026-11-21T08:33:50.000Z",\#
        "progress":null,"message":null}
        """#)
    #expect(try claimed.value("/revision") == 2)
    #expect(try claimed.value("/changes/0/change") == "deliveryState")
    desk.wait(20_000)
    let renewed = try desk.change("renew", 1, #"{"claim":1}"#)
    #expect(try renewed.value("/delivery/claim/until") == "2026-11-21T08:34:10.000Z")
    let reply = try desk.change(
      "reply", 1,
      #"{"claim":1,"result":[1],"mutations":[{"op":"mergeState","patch":{"done":true}}]}"#)
    #expect(try reply.value("/delivery/state") == "replied")
    #expect(try reply.value("/delivery/result")?.text() == "[1]")
    #expect(try reply.value("/delivery/settled") == "2026-11-21T08:33:40.000Z")
    #expect(try reply.value("/revision") == 4)
    let undone = try desk.send(.post, "/sessions/desk/undo")
    #expect(try undone.value("/actionName") == "Copy")
    #expect(try desk.states() == [#""replied""#])
  }

  @Test func `T5, D6: progress is no entry of the history, and leaves no gap`() throws {
    func revisions(since: JSON = 0, _ query: String = "") throws -> [JSON?] {
      let history = try desk.send(.get, "/sessions/desk/history\(query)")
      #expect(try history.value("/since") == since, "\(history.text)")
      return try history.value("/entries")?.items.map { $0[JSONPointer(["revision"])] } ?? []
    }
    func tell(_ progress: Double) throws {
      desk.wait(1)
      try desk.change("renew", 1, #"{"claim":1,"progress":\#(progress)}"#)
    }
    try desk.perform()
    try desk.change("claim")
    for progress in [0.1, 0.2, 0.3] { try tell(progress) }
    #expect(try revisions() == [2, 1])
    #expect(try desk.perform().value("/revision") == 6)
    try tell(0.4)
    #expect(try revisions() == [6, 2, 1])
    #expect(try revisions("?after=0&limit=1") == [6])
    try desk.change("reply", 1, #"{"claim":1,"result":1}"#)
    #expect(try revisions() == [8, 6, 2, 1])
  }

  @Test func `D6: a renewal tells the progress, and hears that it is to end`() throws {
    try desk.perform()
    try desk.change("claim")
    let told = try desk.change("renew", 1, #"{"claim":1,"progress":0.5,"message":"1 of 2"}"#)
    #expect(try told.value("/delivery/claim/progress") == 0.5)
    #expect(try told.value("/delivery/claim/message") == "1 of 2")
    #expect(try told.value("/delivery/state") == "claimed")
    let asked = try desk.change("cancel")
    #expect(try asked.value("/delivery/state") == "cancelling")
    #expect(try asked.value("/delivery/claim/message") == "1 of 2")
    let renewed = try desk.change("renew", 1, #"{"claim":1,"progress":1}"#)
    #expect(try renewed.value("/delivery/state") == "cancelling")
    #expect(try renewed.value("/delivery/claim/progress")?.text() == "1.0")
    let again = try desk.change("cancel")
    #expect(try again.value("/changes")?.text() == "[]")
    let agreed = try desk.change("cancel", 1, #"{"claim":1}"#)
    #expect(try agreed.value("/delivery/state") == "cancelled")
    #expect(try agreed.value("/delivery/claim") == .null)
  }

  @Test func `D6: what a claimer does not give up is cancelled when its claim ends`() throws {
    try desk.perform()
    try desk.change("claim")
    try desk.change("cancel")
    #expect(try desk.change("claim").value("/reason") == "alreadyClaimed")
    desk.wait(29_999)
    #expect(try desk.states() == [#""cancelling""#])
    desk.wait(1)
    #expect(try desk.states() == [#""cancelled""#])
    #expect(try desk.send(.post, "/sessions/desk/deliveries/claim").status == .noContent)
  }

  @Test(arguments: [
    (#""progress":1.5"#, "/progress", "Expected a number from 0 to 1, found the number 1.5."),
    (#""progress":-0.1"#, "/progress", "Expected a number from 0 to 1, found the number -0.1."),
    (#""progress":"1""#, "/progress", "Expected a number from 0 to 1, found the string '1'."),
    (#""progress":null"#, "/progress", "Expected a number from 0 to 1, found null."),
    (
      #""message":1"#, "/message", "Expected a string of at most 1024 bytes, found the number 1."
    ),
    (
      #""message":"\#(String(repeating: "é", count: 513))""#, "/message",
      "Expected a string of at most 1024 bytes, found the string '"
    ),
  ])
  func `D6: progress that is none is refused, and nothing is renewed`(
    member: String, pointer: String, detail: String
  ) throws {
    try desk.perform()
    try desk.change("claim")
    desk.wait(10)
    let refused = try desk.change("renew", 1, #"{"claim":1,\#(member)}"#)
    #expect(refused.status.rawValue == 422)
    #expect(try refused.problem.contains("\n\(pointer)\n"), "\(refused.text)")
    #expect(try refused.value("/detail")?.text().dropFirst().hasPrefix(detail) == true)
    let claim = try desk.send(.get, "/sessions/desk/deliveries/1").value("/delivery/claim/until")
    #expect(claim == "2026-11-21T08:33:50.000Z")
  }

  @Test(arguments: [true, false])
  func `U5: the mutations of a reply can be undone, unless it says that they cannot`(
    isUndoable: Bool
  ) throws {
    try desk.perform()
    try desk.change("claim")
    let undo = isUndoable ? "" : #","undo":false"#
    let reply = try desk.change(
      "reply", 1,
      #"{"claim":1,"mutations":[{"op":"mergeState","patch":{"done":true}}]\#(undo)}"#)
    #expect(reply.status == .ok, "\(reply.text)")
    let manager = try desk.send(.get, "/sessions/desk/undo").value("/undoManagers/0")
    #expect(manager?[JSONPointer(["canUndo"])] == .bool(isUndoable))
    #expect(
      manager?[JSONPointer(["undo"])]
        == (isUndoable ? [["actionName": "Copy", "actions": 1]] : []))
    let undone = try desk.send(.post, "/sessions/desk/undo")
    #expect(try undone.value("/undone") == .bool(isUndoable))
    let done = try desk.send(.get, "/sessions/desk").value("/state/done")
    #expect(done == (isUndoable ? nil : true))
  }

  @Test func `D2: a claim alone has no name, and a reply null as its result`() throws {
    try desk.perform()
    #expect(try desk.change("claim").value("/delivery/claim/by") == .null)
    #expect(try desk.change("reply", 1, #"{"claim":1}"#).value("/delivery/result") == .null)
  }

  @Test func `D2: who failed says why`() throws {
    try desk.perform()
    try desk.change("claim")
    let failed = try desk.change("fail", 1, #"{"claim":1,"problem":{"title":"No paper"}}"#)
    #expect(try failed.value("/delivery/state") == "failed")
    #expect(try failed.value("/delivery/problem")?.text() == #"{"title":"No paper"}"#)
  }

  @Test func `D2: later replies, and those of others, are refused with a reason`() throws {
    try desk.perform()
    let reply = #"{"claim":1}"#
    try desk.refuses(
      desk.change("reply", 1, reply),
      with: """
        409 /problems/delivery-conflict
        /claim
        The delivery 1 has no claim 1 yet; claim it first, and give the number in the answer. "notClaimed"
        """)
    try desk.change("claim", 1, #"{"by":"ada"}"#)
    try desk.refuses(
      desk.change("claim"),
      with: """
        409 /problems/delivery-conflict
        The delivery 1 is claimed by 'ada' until 2026-11-21T08:33:50.000Z; claim another one, or this one \
        if it is open again then. "alreadyClaimed"
        """)
    desk.wait(30_000)
    try desk.refuses(
      desk.change("reply", 1, reply),
      with: """
        409 /problems/delivery-conflict
        /claim
        The claim 1 of the delivery 1 has expired; what was done under it does not count. Claim the \
        delivery again if it is open, and renew the claim in time. "claimLost"
        """)
    try desk.change("cancel")
    let settled = """
      409 /problems/delivery-conflict
      The delivery 1 is settled already: it is cancelled. Nothing more can become of it. "alreadySettled"
      """
    for (word, body) in [
      ("reply", reply), ("renew", reply), ("fail", #"{"claim":1,"problem":{}}"#), ("claim", nil),
      ("cancel", nil),
    ] {
      let response = try desk.change(word, 1, body)
      try desk.refuses(response, with: settled)
      #expect(try response.value("/state") == "cancelled")
      #expect(try response.value("/delivery") == 1)
    }
  }

  @Test func `what is not there is not found`() throws {
    let unknown = """
      404 /problems/unknown-delivery
      The session has no delivery 1; there never was one, or it was settled and is kept no longer.
      """
    for (word, body) in [
      ("claim", nil), ("reply", #"{"claim":1}"#), ("cancel", nil), ("renew", #"{"claim":1}"#),
    ] {
      try desk.refuses(
        desk.change(word, 1, body), with: unknown + #" "unknownDelivery""#)
    }
    try desk.refuses(
      desk.send(.get, "/sessions/desk/deliveries/1"), with: unknown + #" "unknownDelivery""#)
    try desk.refuses(
      desk.send(.get, "/sessions/desk/deliveries/one"),
      with: """
        404 /problems/unknown-delivery
        'one' is no number of a delivery; these count from 1.
        """)
    #expect(try desk.send(.get, "/sessions/nobody/deliveries").status == .notFound)
    #expect(
      try desk.send(.get, "/sessions/desk/deliveries?state=late").status == .badRequest)
  }

  @Test(arguments: [
    ("renew", "{}", "The member 'claim' is missing."),
    ("reply", #"{"claim":"1"}"#, "Expected an integer, found the string '1'."),
    ("fail", #"{"claim":1}"#, "The member 'problem' is missing."),
    ("fail", #"{"claim":1,"problem":"no"}"#, "Expected an object, found the string 'no'."),
    ("claim", #"{"for":3}"#, "There is no member 'for' here"),
    ("reply", #"{"claim":1,"mutations":[{"op":"replyToDelivery"}]}"#, "found the string"),
    ("reply", #"{"claim":1,"mutations":{}}"#, "Expected an array, found an empty object."),
  ])
  func `bodies say what is wrong with them`(word: String, body: String, detail: String) throws {
    try desk.perform()
    let response = try desk.change(word, 1, body)
    #expect(response.status == .unprocessableContent, "\(response.text)")
    #expect(try response.value("/detail")?.text().contains(detail) == true, "\(response.text)")
  }

  @Test func `D2: a name of who claims that is too long is refused with its place`() throws {
    try desk.perform()
    let name = String(repeating: "a", count: 256)
    for (path, place) in [("deliveries/1/claim", "/by"), ("deliveries/claim", "/by")] {
      let response = try desk.send(
        .post, "/sessions/desk/\(path)", #"{"by":"\#(name)b"}"#)
      #expect(response.status == .unprocessableContent, "\(response.text)")
      #expect(try response.value("/pointer") == .string(place))
      #expect(
        try response.value("/detail")?.text().contains("Expected a string of at most 256 bytes")
          == true)
    }
    #expect(try desk.change("claim", 1, #"{"by":"\#(name)"}"#).status == .ok)
  }

  @Test func `D2: a mutation that is refused is told with its place, and nothing is settled`()
    throws
  {
    try desk.perform()
    try desk.change("claim")
    let response = try desk.change(
      "reply", 1,
      #"{"claim":1,"mutations":[{"op":"undo"},{"op":"becomeFirstResponder","responder":"x"}]}"#)
    #expect(response.status == .unprocessableContent)
    #expect(try response.value("/pointer") == "/mutations/1/responder")
    #expect(try desk.states() == [#""claimed""#])
    let reply =
      #"{"op":"replyToDelivery","delivery":1,"claim":1,"mutations":[{"op":"undo"},{"op":"becomeFirstResponder","responder":"x"}]}"#
    let listed = try desk.send(
      .post, "/sessions/desk/mutations",
      #"{"mutations":[{"op":"mergeState","patch":{}},\#(reply)]}"#)
    #expect(try listed.value("/pointer") == "/mutations/1/mutations/1/responder")
  }

  @Test func `D2: the first open delivery is claimed, of the commands that are wanted`() throws {
    let claim = { (body: String?) in
      try desk.send(.post, "/sessions/desk/deliveries/claim", body)
    }
    let nothing = try claim(nil)
    #expect(nothing.status == .noContent && nothing.body.isEmpty)
    try desk.perform()
    try desk.perform("paste:")
    #expect(try claim(#"{"commands":["paste:"],"by":"ada"}"#).value("/delivery/id") == 2)
    #expect(try claim(nil).value("/delivery/id") == 1)
    #expect(try claim(#"{"commands":["copy:"]}"#).status == .noContent)
    #expect(try claim(#"{"commands":[]}"#).status == .noContent)
    #expect(try claim(nil).value("/delivery/id") == 3)
    #expect(try claim(nil).status == .noContent)
  }

  @Test func `D2: who claims finds what has expired, before anybody looks for that`() throws {
    var limits = ServiceLimits()
    limits.claim = 0
    let desk = try DeliveryService(limits: limits)
    try desk.perform()
    for number in 1...3 {
      let claimed = try desk.send(.post, "/sessions/desk/deliveries/claim")
      #expect(try claimed.value("/delivery/claim/number") == .int(Int64(number)))
    }
    #expect(try desk.change("claim").value("/delivery/claims") == 4)
  }

  @Test func `deliveries are listed by state and command`() throws {
    try desk.perform()
    try desk.perform("paste:")
    try desk.change("cancel", 2)
    let list = { (query: String) in
      try desk.send(.get, "/sessions/desk/deliveries\(query)").value("/deliveries")
    }
    let ids = { (query: String) -> [JSON?] in
      guard case .array(let all)? = try list(query) else { return [] }
      return all.map { $0[JSONPointer(["id"])] }
    }
    #expect(try ids("") == [1, 2, 3])
    #expect(try ids("?state=open") == [1, 3])
    #expect(try ids("?command=paste:") == [2, 3])
    #expect(try ids("?command=paste:&state=cancelled") == [2])
    let first = try desk.send(.get, "/sessions/desk/deliveries/3")
    let tag = try #require(first.headers["etag"])
    let again = desk.replicas.respond(
      to: try Request(.get, "/sessions/desk/deliveries/3", headers: ["If-None-Match": tag]))
    #expect(again.status == .notModified)
  }

  @Test func `D2: claims expire, and D3: what was settled is forgotten, when it is time`() throws {
    try desk.perform()
    try desk.perform()
    try desk.change("claim")
    try desk.change("cancel", 2)
    desk.wait(29_999)
    #expect(try desk.states() == [#""claimed""#, #""cancelled""#])
    desk.wait(1)
    #expect(try desk.states() == [#""open""#, #""cancelled""#])
    desk.wait(3_570_001)
    #expect(try desk.states() == [#""open""#])
    let revision = try desk.send(.get, "/sessions/desk").value("/revision")
    desk.wait(10_000_000)
    #expect(try desk.send(.get, "/sessions/desk").value("/revision") == revision)
  }

  @Test func `D2: claims expire, although there was nothing before that could`() throws {
    desk.wait(1)
    try desk.perform()
    #expect(try desk.states() == [#""open""#])
    try desk.change("claim")
    #expect(try desk.states() == [#""claimed""#])
    desk.wait(30_000)
    #expect(try desk.states() == [#""open""#])
  }

  @Test func `D4: an item says how many are open`() throws {
    let item = {
      try desk.send(.post, "/commands/validate", #"{"session":"desk","commands":["copy:"]}"#)
        .value("/items/0/subtitle")
    }
    #expect(try item() == "0")
    try desk.perform()
    try desk.perform()
    #expect(try item() == "2")
    try desk.change("cancel", 2)
    #expect(try item() == "1")
  }

  @Test func `a copy of a session's document is opened without its deliveries`() throws {
    try desk.perform()
    guard case .object(var document) = try desk.send(.get, "/sessions/desk").json else {
      Issue.record("'document' is not an object")
      return
    }
    document["session"] = nil
    document["revision"] = nil
    document["id"] = "copy"
    let opened = try desk.send(.post, "/sessions", JSON.object(document).text())
    #expect(opened.status == .created, "\(opened.text)")
    #expect(try opened.value("/deliveries") == [])
  }

  @Test func `a limit says what to do`() throws {
    var limits = ServiceLimits()
    limits.session[.deliveries] = 1
    let desk = try DeliveryService(limits: limits)
    try desk.perform()
    try desk.refuses(
      desk.send(.post, "/commands/perform", DeliveryService.performing()),
      with: """
        409 /problems/limit-reached
        More than 1 deliveries of the session would be open (limits.deliveries); reply to some first, or \
        cancel them.
        """)
  }

  @Test func `a request is carried out once under its key`() throws {
    try desk.perform()
    try desk.perform()
    let claim = { try desk.send(.post, "/sessions/desk/deliveries/claim", key: "k") }
    #expect(try claim().value("/delivery/id") == 1)
    let again = try claim()
    #expect(try again.value("/delivery/id") == 1)
    #expect(again.headers["idempotent-replayed"] == "true")
    let reply = {
      try desk.send(.post, "/sessions/desk/deliveries/1/reply", #"{"claim":1}"#, key: "r")
    }
    #expect(try reply().status == .ok)
    #expect(try reply().status == .ok)
    #expect(try desk.states() == [#""replied""#, #""open""#])
  }

  @Test(.inOneProcess("Counters are of one process."))
  func `what happened to deliveries is measured`() throws {
    try desk.perform()
    try desk.perform()
    try desk.perform()
    try desk.change("claim")
    desk.wait(2000)
    try desk.change("reply", 1, #"{"claim":1}"#)
    try desk.change("claim", 2)
    desk.wait(30_000)
    try desk.change("claim", 2)
    let page = try desk.send(.get, "/metrics").text.split(separator: "\n")
    for line in [
      "menud_deliveries_open 1", "menud_deliveries_claimed 1", "menud_deliveries_oldest_seconds 32",
      "menud_deliveries_total 3", #"menud_deliveries_settled_total{state="replied"} 1"#,
      #"menud_deliveries_settled_total{state="failed"} 0"#,
      "menud_deliveries_expired_claims_total 1", "menud_delivery_duration_seconds_count 1",
      #"menud_delivery_duration_seconds_bucket{le="1"} 0"#,
      #"menud_delivery_duration_seconds_bucket{le="5"} 1"#, "menud_http_waiting_requests 0",
    ] {
      #expect(page.contains(Substring(line)), "\(line)")
    }
  }
}
