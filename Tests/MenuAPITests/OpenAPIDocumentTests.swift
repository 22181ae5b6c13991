import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

struct OpenAPIDocumentTests {
  let sample: SampleService
  let document: JSON

  init() throws {
    sample = try SampleService()
    try sample.openPhone()
    try sample.openDesk()
    document = try sample.send(.get, "/openapi.json").json
  }

  @Test func `the document has every route and no other`() throws {
    let described = try members("/paths").flatMap { path in
      path.value.members.map { "\($0.name.uppercased()) \(path.name)" }
    }
    let routes = Service.routes.map { "\($0.method.rawValue) \($0.path.text)" }
    #expect(described.sorted() == routes.sorted())
    #expect(Set(routes).count == routes.count)
  }

  @Test func `the routes are those of this page`() {
    let routes = Service.routes.map { "\($0.method.rawValue) \($0.path.text)" }
    #expect(
      routes == [
        "GET /health", "GET /health/live", "GET /health/ready", "GET /metrics", "GET /openapi.json",
        "GET /commands", "GET /commands/{command}", "PUT /commands/{command}",
        "DELETE /commands/{command}", "GET /menus", "GET /menus/{menu}", "POST /menus/edits",
        "GET /sessions", "POST /sessions", "GET /sessions/{session}", "DELETE /sessions/{session}",
        "GET /sessions/{session}/responders", "GET /sessions/{session}/responders/{responder}",
        "PUT /sessions/{session}/responders/{responder}",
        "PATCH /sessions/{session}/responders/{responder}",
        "DELETE /sessions/{session}/responders/{responder}",
        "GET /sessions/{session}/responders/{responder}/handlers",
        "PUT /sessions/{session}/responders/{responder}/handlers/{selector}",
        "GET /sessions/{session}/responders/{responder}/handlers/{selector}",
        "DELETE /sessions/{session}/responders/{responder}/handlers/{selector}",
        "GET /sessions/{session}/history",
        "GET /sessions/{session}/responders/{responder}/coordinator/handlers",
        "POST /sessions/{session}/responders/{responder}/coordinator/handlers",
        "GET /sessions/{session}/responders/{responder}/coordinator/handlers/{token}",
        "PUT /sessions/{session}/responders/{responder}/coordinator/handlers/{token}",
        "DELETE /sessions/{session}/responders/{responder}/coordinator/handlers/{token}",
        "GET /sessions/{session}/first-responder", "PUT /sessions/{session}/first-responder",
        "PUT /sessions/{session}/key-window", "PUT /sessions/{session}/main-window",
        "PUT /sessions/{session}/modal-window", "PATCH /sessions/{session}/state",
        "POST /sessions/{session}/mutations", "GET /sessions/{session}/events",
        "GET /sessions/{session}/changes", "POST /sessions/{session}/tickets", "GET /events",
        "GET /sessions/{session}/menu", "POST /sessions/{session}/menu",
        "GET /sessions/{session}/diagnostics", "POST /targets/resolve",
        "POST /commands/validate", "POST /commands/search",
        "GET /sessions/{session}/commands/{command}/form", "POST /commands/perform",
        "POST /rules/check",
        "POST /keys/resolve", "POST /keys/press", "GET /sessions/{session}/keys",
        "POST /sessions/{session}/keys",
        "GET /keys/conflicts",
        "PUT /sessions/{session}/responders/{responder}/key-commands",
        "GET /sessions/{session}/responders/{responder}/key-commands",
        "GET /sessions/{session}/responders/{responder}/late-responders",
        "PUT /sessions/{session}/responders/{responder}/late-responders/{lateResponder}",
        "GET /sessions/{session}/responders/{responder}/late-responders/{lateResponder}",
        "PATCH /sessions/{session}/responders/{responder}/late-responders/{lateResponder}",
        "DELETE /sessions/{session}/responders/{responder}/late-responders/{lateResponder}",
        "GET /sessions/{session}/chain", "GET /sessions/{session}/chains",
        "GET /sessions/{session}/user-activity",
        "GET /sessions/{session}/touch-bar",
        "GET /classes", "GET /protocols", "GET /protocols/{protocol}", "PUT /protocols/{protocol}",
        "DELETE /protocols/{protocol}", "GET /storyboards", "GET /storyboards/warnings",
        "GET /storyboards/{storyboard}",
        "PUT /storyboards/{storyboard}", "DELETE /storyboards/{storyboard}",
        "POST /sessions/{session}/launch", "POST /sessions/{session}/segues/{identifier}",
        "POST /sessions/{session}/messages", "GET /sessions/{session}/messages",
        "DELETE /sessions/{session}/messages", "POST /sessions/{session}/messages/process",
        "POST /sessions/{session}/unwind",
        "GET /sessions/{session}/undo", "POST /sessions/{session}/undo",
        "POST /sessions/{session}/redo", "DELETE /sessions/{session}/undo",
        "POST /sessions/{session}/mcp", "GET /sessions/{session}/mcp", "POST /mcp",
        "GET /sessions/{session}/deliveries", "GET /sessions/{session}/deliveries/{delivery}",
        "POST /sessions/{session}/deliveries/claim", "POST /deliveries/claim",
        "POST /sessions/{session}/deliveries/{delivery}/claim",
        "POST /sessions/{session}/deliveries/{delivery}/renew",
        "POST /sessions/{session}/deliveries/{delivery}/reply",
        "POST /sessions/{session}/deliveries/{delivery}/fail",
        "POST /sessions/{session}/deliveries/{delivery}/cancel",
        "POST /sessions/{session}/tokens", "GET /sessions/{session}/tokens",
        "DELETE /sessions/{session}/tokens/{number}",
        "POST /tokens", "GET /tokens", "DELETE /tokens/{number}",
        "GET /keymaps", "GET /keymaps/{keymap}", "PUT /keymaps/{keymap}",
        "DELETE /keymaps/{keymap}", "PUT /sessions/{session}/keymap",
        "GET /locales", "PUT /sessions/{session}/locale",
      ])
  }

  @Test func `every reference leads somewhere`() throws {
    let references = references(in: document)
    #expect(references.count > 100)
    for reference in references {
      #expect(reference.hasPrefix("#/"))
      let place = try JSONPointer(parsing: String(reference.dropFirst()))
      #expect(document[place] != nil, "\(reference)")
    }
  }

  @Test func `every route that can be tried lists the answer to that`() {
    let tried = Service.routes.filter { route in route.query.contains { $0.name == "dryRun" } }
    #expect(tried.count > 25)
    for route in tried {
      #expect(route.answers.contains { $0.status == .ok }, "\(route.id)")
    }
  }

  @Test func `streams are described as texts and as events, as either is read`() throws {
    let place = JSONPointer(["get", "responses", "200", "content", "text/event-stream", "schema"])
    var streams: Set<String> = []
    for path in try members("/paths") {
      if let schema = path.value[place] { streams.formUnion(references(in: schema)) }
    }
    let prefix = "#/components/schemas/"
    #expect(streams == [prefix + "SessionEvents", prefix + "AgentEvents"])
    for stream in streams {
      let name = String(stream.dropFirst(prefix.count))
      let choice = document[JSONPointer(["components", "schemas", name, "oneOf"])]
      #expect(choice == [["type": "string"], ["$ref": .string(prefix + "StreamedEvent")]])
    }
    let fields = "/components/schemas/StreamedEvent/properties"
    #expect(try members(fields).map(\.name) == ["id", "event", "data", "retry"])
    #expect(document[try JSONPointer(parsing: fields + "/data/type")] == "string")
  }

  @Test func `every schema is referred to`() throws {
    let used = Set(references(in: document))
    for schema in try members("/components/schemas") {
      #expect(used.contains("#/components/schemas/\(schema.name)"), "\(schema.name)")
    }
  }

  @Test func `a session that is new has links to all that can be asked of it`() throws {
    let links = try members("/paths/~1sessions/post/responses/201/links")
    let routes = Service.routes.filter { $0.path.parameters.contains("session") }
    #expect(links.map(\.name) == routes.map(\.id))
    #expect(
      links.first?.value.text()
        == #"{"operationId":"getSession","parameters":{"session":"$response.body#/session"}}"#)
    let handler = try members(
      "/paths/~1sessions~1{session}~1responders~1{responder}~1handlers~1{selector}/put/responses/201/links"
    )
    #expect(handler.map(\.name) == ["putHandler", "getHandler", "removeHandler"])
  }

  @Test func `routes need a token where tokens are asked for`() throws {
    let place = try JSONPointer(parsing: "/paths/~1commands/get/security")
    #expect(document[place] == .array([]))
    let guarded = try SampleService(authorization: .closed).send(.get, "/openapi.json").json
    #expect(guarded[place] == .array([.object(["token": .array(["items"])])]))
    let health = try JSONPointer(parsing: "/paths/~1health/get/security")
    #expect(guarded[health] == .array([]))
  }

  @Test func `every kind of problem is listed`() throws {
    let listed = document[
      try JSONPointer(parsing: "/components/schemas/ProblemType/enum")]
    #expect(listed == .array(ProblemType.allCases.map { .string($0.uri) }))
  }

  @Test func `the examples are answered as described, in the order of the document`() throws {
    var requests = 0
    for path in try members("/paths") {
      for operation in path.value.members {
        for (position, content) in bodies(operation.value).enumerated() {
          let target = target(path.name, operation.value)
          let method = Method(rawValue: operation.name.uppercased()) ?? .options
          let response = try sample.send(method, target, content.body, type: content.type)
          try check(response, operation.value, content.name, isFirst: position == 0)
          requests += 1
        }
      }
    }
    // The state has two content types, and two routes have three examples each.
    #expect(requests == Service.routes.count + 5)
  }

  /// Expects that a response has the status, fields and, unless it is a later one, the body that its
  /// operation describes.
  private func check(
    _ response: Response, _ operation: JSON, _ named: String?, isFirst: Bool
  ) throws {
    let name = operation.member("operationId")?.text() ?? ""
    #expect(response.status.rawValue < 300, "\(name) \(response.text)")
    let status = JSONPointer(["responses", "\(response.status.rawValue)"])
    let described = try #require(operation[status], "\(name)")
    for header in described.member("headers")?.members ?? [] {
      #expect(response.headers[header.name] != nil, "\(name) \(header.name)")
    }
    let type = response.headers["content-type"] ?? "application/json"
    if !response.body.isEmpty {
      #expect(described[JSONPointer(["content", type])] != nil, "\(name)")
    }
    let place = ["content", "application/json"]
    let example =
      if let named {
        described[JSONPointer(place + ["examples", named, "value"])]
      } else {
        described[JSONPointer(place + ["example"])]
      }
    if isFirst || named != nil, !["\"openAPI\"", "\"metrics\""].contains(name) {
      #expect(response.text == example?.text() ?? "", "\(name)")
    }
  }

  /// The path with its names, and a query of what is required.
  private func target(_ path: String, _ operation: JSON) -> String {
    var target = path
    var query: [String] = []
    for case .object(let parameter) in operation.member("parameters")?.elements ?? [] {
      guard case .string(let name)? = parameter["name"],
        case .string(let example)? = parameter["example"]
      else { continue }
      if let range = target.firstRange(of: "{\(name)}") {
        target.replaceSubrange(range, with: example)
      } else if parameter["required"] == true {
        query.append("\(name)=\(example)")
      }
    }
    return query.isEmpty ? target : "\(target)?\(query.joined(separator: "&"))"
  }

  private func bodies(
    _ operation: JSON
  ) -> [(type: String?, body: String?, name: String?)] {
    guard let body = operation.member("requestBody") else { return [(nil, nil, nil)] }
    return (body.member("content")?.members ?? []).flatMap {
      content -> [(type: String?, body: String?, name: String?)] in
      let named = content.value.member("examples")?.members ?? []
      guard named.isEmpty else {
        return named.map { (content.name, $0.value.member("value")?.text(), $0.name) }
      }
      return [(content.name, content.value.member("example")?.text(), nil)]
    }
  }

  private func members(_ pointer: String) throws -> [JSONObject.Member] {
    try #require(document[JSONPointer(parsing: pointer)]).members
  }

  private func references(in json: JSON) -> [String] {
    switch json {
    case .array(let elements): elements.flatMap(references)
    case .object(let object):
      object.members.flatMap { member in
        guard member.name == "$ref", case .string(let reference) = member.value else {
          return references(in: member.value)
        }
        return [reference]
      }
    case .null, .bool, .int, .double, .string: []
    }
  }
}

extension JSON {
  /// The members of an object; of anything else, none.
  fileprivate var members: [JSONObject.Member] {
    if case .object(let object) = self { object.members } else { [] }
  }

  fileprivate var elements: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  fileprivate func member(_ name: String) -> JSON? {
    if case .object(let object) = self { object[name] } else { nil }
  }
}
