import Dispatch
import JSONText
import MenuEngine
import MenuStore
import StoreSupport
import Synchronization
import Testing

@testable import MenuAPI
@testable import MicroHTTP

/// Questions to one of several services: each waits for a reading of the journal before it is answered, and for one only.
@Suite(
  PostgreSQLServer.isNeeded,
  .enabled(if: Replicas.count > 1, "MENUD_TEST_REPLICAS is not set; 'make test-replicas' sets it."))
struct ReplicaQuestionTests {
  /// Returns the response of the first service, and the number of readings that it waited for.
  private func ask(
    _ sample: SampleService, _ method: MicroHTTP.Method, _ target: String, _ body: String? = nil,
    _ fields: [(String, String)] = []
  ) throws -> (response: Response, readings: Int) {
    let service = sample.replicas.services[0]
    let figures = try #require(service.store.sharingFigures)
    let before = figures.confirmations.value
    var headers = Headers()
    if body != nil { headers.append("Content-Type", "application/json") }
    for (name, value) in fields { headers.append(name, value) }
    let request = try Request(method, target, headers: headers, body: Array((body ?? "").utf8))
    let response = Replicas.response(of: service.answer(to: request))
    return (response, figures.confirmations.value - before)
  }

  @Test(arguments: [
    ("GET", "/commands", nil), ("GET", "/sessions/demo", nil), ("GET", "/sessions/demo/menu", nil),
    ("GET", "/sessions/none", nil), ("GET", "/sessions/demo/events", nil),
    ("POST", "/commands/validate", #"{"session":"demo"}"#),
    ("POST", "/commands/search", #"{"session":"demo","query":"copy"}"#),
    ("POST", "/rules/check", #"{"rule":"1 == 1"}"#),
    ("POST", "/sessions/demo/mutations?dryRun=true", #"{"mutations":[]}"#),
    ("POST", "/sessions/demo/mutations?dryRun", #"{"mutations":[]}"#),
    ("POST", "/commands/perform?dryRun=true", #"{"session":"none","action":"noSuch:"}"#),
  ])
  func `a question waits for one reading`(
    _ method: String, _ target: String, _ body: String?
  ) throws {
    let sample = try SampleService()
    let (response, readings) = try ask(
      sample, method == "GET" ? .get : .post, target, body)
    #expect(readings == 1)
    let isOfNone = target == "/sessions/none" || body?.contains("none") == true
    #expect(response.status == (isOfNone ? .notFound : .ok), "\(response.text)")
  }

  @Test func `a refused opening without an id ends, whatever id it would have had`() throws {
    var limits = ServiceLimits()
    limits.sessions = 1
    let sample = try SampleService(limits: limits)
    let (response, readings) = try ask(sample, .post, "/sessions", "{}")
    #expect(response.text.contains("sessions are open"), "\(response.text)")
    #expect(readings == 1)
  }

  @Test func `a session that leaves the memory before the answer is made is read again`() throws {
    let sample = try SampleService()
    let store = sample.replicas.services[0].store
    let isOver = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: 2) { worker in
      guard worker == 0 else {
        while !isOver.load(ordering: .relaxed) { store.unloadIdle(forMoreThan: -1) }
        return
      }
      defer { isOver.store(true, ordering: .relaxed) }
      for _ in 1...50 {
        do {
          let status = try ask(sample, .get, "/sessions/demo").response.status
          guard status == .ok else {
            Issue.record("\(status)")
            return
          }
        } catch {
          Issue.record(error)
        }
      }
    }
  }

  @Test func `E2: a ticket is taken once, after the reading, by the service that made it`() throws {
    let sample = try SampleService(authorization: .closed)
    let own = try sample.openWithToken("own")
    for target in ["/sessions/own/events?", "/sessions/own/changes?", "/events?sessions=own&"] {
      let made = try ask(sample, .post, "/sessions/own/tickets", nil, own).response
      let ticket = try #require(made.value("/ticket")?.word)
      let (response, readings) = try ask(sample, .get, "\(target)ticket=\(ticket)")
      #expect(response.status == .ok, "\(target) \(response.text)")
      #expect(readings == 1)
      response.stream?.close()
      let again = try ask(sample, .get, "\(target)ticket=\(ticket)").response
      #expect(again.status == .unauthorized)
      // Without access no session is read.
      let store = sample.replicas.services[0].store
      store.unloadIdle(forMoreThan: -1)
      let place = target.replacing("own", with: "demo")
      #expect(try ask(sample, .get, "\(place)ticket=none").response.status == .unauthorized)
      #expect(store.read("demo").isUnloaded)
    }
  }

  @Test func `the token of a session that another service opened is known`() throws {
    let sample = try SampleService(authorization: .closed)
    for index in 0..<4 {
      let own = try sample.openWithToken("own\(index)")
      for target in ["/sessions/own\(index)", "/sessions/own\(index)/events"] {
        let response = try ask(sample, .get, target, nil, own).response
        #expect(response.status == .ok, "\(target) \(response.text)")
        response.stream?.close()
      }
    }
  }

  @Test func `a recent answer needs no reading, unless the client has seen a newer one`() throws {
    let sample = try SampleService(readsRecent: true)
    let store = sample.replicas.services[0].store
    // Reading it is what makes it recent.
    #expect(store.refresh(["demo"]).wait() == .durable)
    let first = try ask(sample, .get, "/sessions/demo")
    let tag = try #require(first.response.headers["etag"])
    #expect(first.readings <= 1)
    // Another revision, another incarnation, and no session at all: one reading each, and an answer.
    let words = tag.split(separator: "\"")[0].split(separator: ".")
    for newer in ["\(words[0]).\(words[1]).99", "\(words[0]).99999.0"] {
      for target in ["/sessions/demo", "/sessions/none"] {
        #expect(store.refresh(["demo"]).wait() == .durable)
        let (response, readings) = try ask(
          sample, .get, target, nil, [("If-None-Match", "\"\(newer)\"")])
        #expect(response.status == (target == "/sessions/demo" ? .ok : .notFound))
        #expect(readings == 1, "\(target) \(newer)")
      }
      let commands = try ask(
        sample, .get, "/commands", nil, [("If-None-Match", "\"\(words[0]).99999\"")])
      #expect(commands.response.status == .ok && commands.readings == 1)
    }
  }
}
