import JSONText
import MenuEngine
package import MicroHTTP

extension OpenAPIWriter {
  /// An example of a body, with its name.
  private typealias NamedExample = (name: String, example: JSON)

  private struct MediaExamples {
    /// The unnamed example.
    var only: JSON?
    /// The named examples; empty if there is only the unnamed one.
    var named: [NamedExample] = []
  }

  mutating func value(_ route: Route, under tag: RouteTag) {
    json.beginObject()
    json.member("operationId", route.id)
    json.member("tags", [.string(tag.rawValue)])
    json.member("summary", route.summary)
    parameters(of: route)
    security(of: route)
    if let body = route.body { member(body) }
    json.member("responses")
    json.beginObject()
    let problems = route.problems
    for answer in route.answers {
      let types = problems.first { $0.status == answer.status }?.types ?? []
      member(answer, besides: types, to: route)
    }
    for (status, types) in problems
    where !route.answers.contains(where: { $0.status == status }) {
      member(status, types)
    }
    json.endObject()
    json.endObject()
  }

  /// Writes the access that a route requires.
  private mutating func security(of route: Route) {
    let schemes: JSON =
      switch route.requiredAccess {
      case _ where !asksForTokens: []
      case .open: []
      case .right(let right): [["token": [.string(right.rawValue)]]]
      case .workInAll: [["token": [.string(Right.work.rawValue)]]]
      case .token, .administrator, .monitoring: [["token": []]]
      }
    json.member("security", schemes)
  }

  private mutating func member(_ body: Route.RequestBody) {
    json.member("requestBody")
    json.beginObject()
    json.member("required", body.isRequired)
    json.member("content")
    json.beginObject()
    for content in body.contents {
      json.member(content.type)
      let named = body.named.map { (name: $0.name, example: Self.json($0.example)) }
      media(of: content.schema, MediaExamples(only: Self.json(content.example), named: named))
    }
    json.endObject()
    json.endObject()
  }

  /// Writes an answer, with the problems of the same status.
  private mutating func member(
    _ answer: Route.Answer, besides types: [ProblemType], to route: Route
  ) {
    json.member(String(answer.status.rawValue))
    json.beginObject()
    json.member(
      "description", ([answer.summary] + types.map(\.described)).joined(separator: " "))
    if !answer.headers.isEmpty {
      json.member("headers")
      json.beginObject()
      for header in answer.headers {
        json.member(header)
        reference(to: header, in: "headers")
      }
      json.endObject()
    }
    if let schema = answer.schema {
      json.member("content")
      json.beginObject()
      json.member(answer.type)
      media(of: schema, examples(of: answer, to: route))
      if let type = types.first { media(of: type) }
      json.endObject()
    }
    links(route.links(from: answer, to: routes))
    json.endObject()
  }

  private func examples(of answer: Route.Answer, to route: Route) -> MediaExamples {
    let named = (route.body?.named ?? []).compactMap { body -> NamedExample? in
      files.answers[route.id(ofExample: body.name)].map { (body.name, $0) }
    }
    return MediaExamples(
      only: answer.example.map(Self.json) ?? files.answers[route.id], named: named)
  }

  private static func json(_ text: String) -> JSON {
    do throws(JSONFault) {
      return try JSON(parsing: text)
    } catch {
      preconditionFailure("An example is not JSON: \(text)")
    }
  }

  private mutating func media(of schema: String, _ examples: MediaExamples) {
    json.beginObject()
    json.member("schema")
    reference(to: schema, in: "schemas")
    if !examples.named.isEmpty {
      json.member("examples")
      json.beginObject()
      for (name, example) in examples.named { json.member(name, ["value": example]) }
      json.endObject()
    } else if let example = examples.only {
      json.member("example", example)
    }
    json.endObject()
  }

  /// Writes the problems of one status; its description lists them.
  private mutating func member(_ status: Status, _ types: [ProblemType]) {
    json.member(String(status.rawValue))
    json.beginObject()
    json.member("description", types.map(\.described).joined(separator: " "))
    json.member("content")
    json.beginObject()
    media(of: types.first)
    json.endObject()
    json.endObject()
  }

  /// Writes the content of a problem, with an example of this kind.
  private mutating func media(of type: ProblemType?) {
    json.member("application/problem+json")
    json.beginObject()
    json.member("schema")
    reference(to: "Problem", in: "schemas")
    if let type {
      json.member("example")
      json.value(encoded: Problem(type, "\(type.title).").response.body)
    }
    json.endObject()
  }
}

extension ProblemType {
  /// The problem type as the description of a status lists it.
  fileprivate var described: String { "`\(uri)`: \(title)." }
}

extension OpenAPIWriter {
  /// Writes the parameters of a route in path, query and header fields.
  mutating func parameters(of route: Route) {
    json.member("parameters")
    json.beginArray()
    for name in route.path.parameters {
      var parameter = files.pathParameters.object(name)
      if let example = route.parameters[name] {
        parameter["example"] = .string(example)
      }
      json.value(.object(parameter))
    }
    for query in route.query { json.value(.object(files.queryParameters.object(query.key))) }
    for name in Self.fields(of: route) { reference(to: name, in: "parameters") }
    json.endArray()
  }

  /// Returns the names of the header fields that a route reads, as in the components.
  private static func fields(of route: Route) -> [String] {
    var names: [String] = []
    if !route.isQuestion {
      names += ["IfMatch", "IdempotencyKey", "Actor"]
      if route.method == .put || route.path.text == "/sessions" { names.append("IfNoneMatchAny") }
    } else if route.method == .post, route.fields.isEmpty {
      names.append("IdempotencyKeyOfQuestion")
    }
    if route.heedsWait { names.append("Prefer") }
    if route.answers.contains(where: { $0.status == .notModified }) {
      names.append("IfNoneMatch")
    }
    return names + route.fields
  }
}

extension Route {
  /// The problems of the route by status, in the order of statuses: those in its description, and those implied
  /// by the parts of a request that it reads.
  package var problems: [(status: Status, types: [ProblemType])] {
    let named = ownProblems + implied
    let types = ProblemType.allCases.filter { named.contains($0) }
    let statuses = Set(types.map(\.status.rawValue)).sorted().map(Status.init(rawValue:))
    return statuses.map { status in (status, types.filter { $0.status == status }) }
  }

  private var implied: [ProblemType] {
    var types: [ProblemType] = [.invalidQuery, .malformedRequest, .misdirectedRequest]
    switch requiredAccess {
    case .open: break
    case .token, .right, .workInAll, .administrator, .monitoring:
      types += [.unauthorized, .forbidden]
    }
    if !isAboutService { types += [.recovering, .sessionDamaged] }
    if method != .get { types.append(.originRefused) }
    if requiredAccess == .administrator, method != .get, path.parameters.first != "session" {
      types.append(.limitReached)
    }
    if !isQuestion { types += [.limitReached, .idempotencyKeyReused] }
    if path.parameters.contains("session") { types.append(.unknownSession) }
    if types.contains(.unknownSession) || ownProblems.contains(.unknownSession) {
      types.append(.overBudget)
    }
    if !isQuestion { types.append(.preconditionFailed) }
    if method != .get { types += [.noRoom, .notKept, .outcomeUnknown] }
    if body != nil {
      types += [
        .malformedJSON, .invalidBody, .unsupportedMediaType, .contentTooLarge, .lengthRequired,
        .overBudget, .overloaded,
      ]
    }
    return types
  }
}
