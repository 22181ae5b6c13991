import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// Whatever changes a session can be tried, and tells who was asked (A9).
struct DryRunTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try sample.openPhone()
    try sample.openDesk()
  }

  /// Members that differ between an answer and the answer to a dry run.
  private static let other = ["revision", "dryRun", "trace", "plan", "planExpires"]

  private func trying(_ request: Example) -> Example {
    Example(
      route: request.route, target: request.target + "?dryRun=true&explain=true",
      content: request.content)
  }

  private func isChange(of route: Route) -> Bool {
    let isPart = route.path.parameters.first == "session" && route.path.segments.count > 2
    // A dry run makes no token, so that its answer has none.
    return !route.isQuestion && route.id != "makeToken"
      && (isPart || ["/commands/perform", "/keys/press"].contains(route.path.text))
  }

  @Test func `A9: every change of a session can be tried, and is answered as it would be`() throws {
    var tried = 0
    for request in Service.routes.flatMap(Example.all) {
      guard isChange(of: request.route) else {
        if !request.route.isQuestion, request.route.id != "closeSession" {
          _ = try request.send(to: sample)
        }
        continue
      }
      let before = try sessions()
      let answer = try trying(request).send(to: sample)
      #expect(answer.status == .ok, "\(request) \(answer.text)")
      #expect(try answer.value("/dryRun") == true, "\(request)")
      guard
        case .array? = try answer.value("/trace") ?? answer.value("/outcomes/0/trace")
          ?? answer.value("/processed/0/trace") ?? answer.value("/processed")
      else {
        Issue.record("\(request) has no trace: \(answer.text)")
        continue
      }
      #expect(answer.headers["location"] == nil)
      #expect(try sessions() == before, "\(request)")
      let real = try request.send(to: sample)
      #expect(try plain(answer.json) == plain(real.json), "\(request)")
      tried += 1
    }
    #expect(tried > 30)
  }

  private func sessions() throws -> [String] {
    try ["demo", "phone"].map { try sample.send(.get, "/sessions/\($0)").text }
  }

  /// The answer without what a tried one has of its own.
  private func plain(_ json: JSON) -> String {
    guard case .object(var object) = json else { return json.text() }
    for name in Self.other { object[name] = nil }
    guard case .array(let outcomes)? = object["outcomes"] else { return JSON.object(object).text() }
    object["outcomes"] = .array(
      outcomes.map { outcome in
        guard case .object(var members) = outcome else { return outcome }
        members["trace"] = nil
        return .object(members)
      })
    return JSON.object(object).text()
  }

  @Test func `A9: a list of mutations is tried, each explained`() throws {
    let body = #"""
      {"dryRun":true,"explain":true,"mutations":[
        {"op":"mergeState","patch":{"rating":1}},
        {"op":"perform","command":"applyFourStarRating:","from":"photoGrid"}]}
      """#
    let answer = try sample.send(.post, "/sessions/demo/mutations", body)
    #expect(try answer.value("/revision") == 0)
    #expect(try answer.value("/dryRun") == true)
    #expect(try answer.value("/outcomes/0/trace") == [])
    #expect(try answer.value("/outcomes/1/command") == "applyFourStarRating:")
    #expect(try answer.value("/outcomes/1/performed") == true)
    #expect(try answer.value("/outcomes/1/trace/0/question") != nil)
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") != 1)
  }

  @Test(
    arguments: [
      (
        #"{"op":"becomeFirstResponder","responder":"photoGrid"}"#,
        ["R8: 'photoGrid' has focus already."]
      ),
      (
        #"{"op":"becomeFirstResponder","responder":"rootView"}"#,
        [
          "R8: 'rootView' can become first responder.", "R8: 'photoGrid' can give up focus.",
        ]
      ),
      (#"{"op":"resignFirstResponder"}"#, ["R8: 'photoGrid' can give up focus."]),
      (
        #"{"op":"message","message":"go:","from":"root","queue":true}"#,
        ["C6: the message 'go:' of 'root' waits until messages are processed."]
      ),
      (
        #"{"op":"perform","command":"applyFourStarRating:"},{"op":"undo"}"#,
        ["U1: 'photoGrid/undoManager' changes '/rating' in the state back."]
      ),
    ])
  func `A9: plain mutations tell who was asked, and why`(
    mutations: String, says: [String]
  ) throws {
    let answer = try sample.send(
      .post, "/sessions/demo/mutations",
      #"{"dryRun":true,"explain":true,"mutations":[\#(mutations)]}"#)
    guard case .array(let outcomes)? = try answer.value("/outcomes"),
      case .array(let trace)? = outcomes.last?[JSONPointer(["trace"])]
    else {
      Issue.record("\(answer.text)")
      return
    }
    let said = trace.compactMap { $0[JSONPointer(["says"])] }
    for sentence in says { #expect(said.contains(.string(sentence)), "\(answer.text)") }
  }

  @Test func `A9: a launch tells its steps in its trace, with who was asked`() throws {
    _ = try sample.send(.post, "/sessions", #"{"id":"bare","template":false}"#)
    let answer = try sample.send(
      .post, "/sessions/bare/launch?dryRun=true&explain=true", #"{"delegate":{"id":"d"}}"#)
    guard case .array(let trace)? = try answer.value("/trace") else {
      Issue.record("\(answer.text)")
      return
    }
    let said = trace.compactMap { $0[JSONPointer(["says"])] }
    let isNotTold =
      "V1: the delegate 'd' has no method 'application:didFinishLaunchingWithOptions:' and is not told."
    #expect(said.contains(.string("V1: the delegate 'd' is instantiated.")))
    #expect(said.contains(.string(isNotTold)), "\(answer.text)")
  }

  @Test func `A9: what would be refused is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/caption?dryRun=true",
      #"{"kind":"view","superview":"ghost"}"#,
      with: """
        422 /problems/unresolved-reference
        /superview
        The link 'superview' of 'caption' leads to 'ghost', which the session does not have; put that \
        responder first.
        """)
  }

  @Test func `R8: what changes nothing keeps the tag and no answer under its key`() throws {
    let tag = try sample.send(.get, "/sessions/demo").headers["etag"]
    for _ in 0..<2 {
      let response = try sample.send(
        .put, "/sessions/demo/first-responder", #"{"responder":"photoGrid"}"#,
        headers: [("Idempotency-Key", "\"once\"")])
      #expect(response.headers["etag"] == tag)
      #expect(response.headers["idempotent-replayed"] == nil)
    }
    #expect(sample.service.store.answerCount == 0)
  }
}
