import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// The promises of every route that changes something; the routes are taken from the table, so that
/// none is forgotten.
struct MutatingRouteTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try sample.openPhone()
    try sample.openDesk()
  }

  @Test func `every mutation heeds If-Match, and is done once under its key`() throws {
    var mutations = 0
    for request in Service.routes.flatMap(Example.all) {
      if request.route.isQuestion {
        _ = try request.send(to: sample)
        continue
      }
      try sample.refusesStale(request)
      try sample.doesOnce(request, key: "\"k\(mutations)\"")
      mutations += 1
    }
    // The state has two content types, and messages have three examples.
    #expect(mutations == Service.routes.count { !$0.isQuestion } + 3)
  }

  @Test func `questions change nothing, and read no key`() throws {
    var questions: [String] = []
    for request in Service.routes.flatMap(Example.all)
    where request.route.isQuestion && request.route.method == .post {
      let before = sample.everything
      for key in ["\"k\"", "\"k\"", "not one\""] {
        let response = try request.send(to: sample, [("Idempotency-Key", key)])
        #expect(response.status == .ok, "\(request)")
        #expect(response.headers["idempotent-replayed"] == nil)
      }
      #expect(sample.everything == before, "\(request)")
      questions.append(request.route.path.text)
    }
    #expect(
      Set(questions) == [
        "/commands/validate", "/commands/search", "/keys/resolve", "/targets/resolve",
        "/rules/check", "/sessions/{session}/menu", "/sessions/{session}/keys",
        "/sessions/{session}/tickets", "/mcp", "/sessions/{session}/mcp",
      ])
    #expect(sample.service.store.answerCount == 0)
  }

  @Test func `every mutation is described with what it heeds`() throws {
    let document = try sample.send(.get, "/openapi.json").json
    for route in Service.routes {
      let place = JSONPointer([
        "paths", route.path.text, route.method.rawValue.lowercased(), "parameters",
      ])
      guard case .array(let parameters)? = document[place] else {
        #expect(route.isQuestion, "\(route.path.text) has no parameters")
        continue
      }
      let text = JSON.array(parameters).text()
      #expect(text.contains("parameters/IfMatch\"") == !route.isQuestion, "\(route.path.text)")
      #expect(text.contains("parameters/IdempotencyKey\"") == !route.isQuestion)
      #expect(
        text.contains("parameters/IdempotencyKeyOfQuestion\"")
          == (route.isQuestion && route.method == .post && route.fields.isEmpty))
    }
  }

  @Test func `every route that puts something refuses to replace it when nothing may be there`()
    throws
  {
    var replaced = 0
    for request in Service.routes.flatMap(Example.all) where !request.route.isQuestion {
      #expect(try request.send(to: sample).status.rawValue < 300, "\(request)")
      guard request.route.method == .put else { continue }
      let before = sample.everything
      let response = try request.send(to: sample, [("If-None-Match", "*")])
      #expect(response.status == .preconditionFailed, "\(request)")
      #expect(response.headers["etag"] != nil, "\(request)")
      #expect(sample.everything == before, "\(request)")
      replaced += 1
    }
    #expect(replaced == Service.routes.count { $0.method == .put })
  }
}

extension SampleService {
  fileprivate func refusesStale(_ request: Example) throws {
    let before = everything
    for tag in ["\"other\"", "W/\"other\""] {
      let response = try request.send(to: self, [("If-Match", tag)])
      #expect(response.status == .preconditionFailed, "\(request) \(response.text)")
      #expect(try response.value("/type") == "/problems/precondition-failed")
    }
    #expect(everything == before, "\(request)")
  }

  fileprivate func doesOnce(_ request: Example, key: String) throws {
    let before = everything
    let fields = [("Idempotency-Key", key)]
    let first = try request.send(to: self, fields)
    #expect(first.status.rawValue < 300, "\(request) \(first.text)")
    #expect(first.headers["idempotent-replayed"] == nil)
    let after = everything
    #expect(after.difference(from: before) <= 1, "\(request)")
    // What changes nothing is asked again: it has no answer that is kept.
    guard after != before else {
      let second = try request.send(to: self, fields)
      #expect(second.body == first.body && second.headers["idempotent-replayed"] == nil)
      return
    }
    // What it supposes is no longer so: the repetition is none the less the same request.
    let second = try request.send(to: self, fields + [("If-Match", "\"other\"")])
    #expect(second.isReplay(of: first), "\(request) \(second.text)")
    #expect(everything == after, "\(request)")
  }

  /// All that requests can change.
  fileprivate var everything: Everything {
    let store = service.store
    return Everything(
      catalog: store.catalog.revision,
      sessions: store.sessionIDs.map { "\($0) \(store.session($0)?.revision ?? -1)" })
  }
}

private struct Everything: Equatable {
  let catalog: Int
  let sessions: [String]

  /// Returns the number of things that happened since then.
  func difference(from other: Everything) -> Int {
    catalog - other.catalog + Set(sessions).subtracting(other.sessions).count
  }
}

extension Response {
  /// Returns true if it is the same answer, marked as a replay; only the name of the request may
  /// differ.
  func isReplay(of first: Response) -> Bool {
    func others(_ response: Response) -> [String] {
      response.headers.fields.filter { $0.name != "X-Request-Id" }.map { "\($0.name): \($0.value)" }
    }
    return status == first.status && body == first.body
      && others(self) == others(first) + ["Idempotent-Replayed: true"]
  }
}

/// A request as the description of its route has it.
struct Example: CustomStringConvertible {
  let route: Route
  let target: String
  let content: (type: String, body: String)?

  /// The examples of a route, in the order in which they can be sent.
  static func all(_ route: Route) -> [Example] {
    var target = route.path.text
    for name in route.path.parameters {
      let example = route.parameters[name] ?? SampleService.exampleOfPathParameter(name) ?? ""
      target = target.split(separator: "{\(name)}", omittingEmptySubsequences: false)
        .joined(separator: example)
    }
    guard let body = route.body else {
      return [Example(route: route, target: target, content: nil)]
    }
    let named = body.named.map { ("application/json", $0.example) }
    let contents = named.isEmpty ? body.contents.map { ($0.type, $0.example) } : named
    return contents.map { Example(route: route, target: target, content: $0) }
  }

  var description: String { "\(route.method.rawValue) \(target)" }

  func send(to sample: SampleService, _ headers: [(String, String)] = []) throws -> Response {
    try sample.send(
      route.method, target, content?.body, type: content?.type ?? "application/json",
      headers: headers)
  }
}
