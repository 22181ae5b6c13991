import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// The members that answers always have, as generated clients see them: one that is not required is
/// optional in their models.
struct RequiredMemberTests {
  /// Members that happen to be in all examples, and that other answers lack.
  private static let optional: [String: Set<String>] = [
    "AgentAnswer": ["result"], "ComposedTouchBarItem": ["title", "item"],
    "DiagnosticsFailingItem": ["action", "command"], "ExplainedRule": ["type", "value"],
    "FoundItem": ["checkable"], "HistoryEntry": ["changes", "operations"],
    "HistoryOperation": ["responder"],
    "KeyMatch": ["command", "title", "action", "declared", "target", "reason"],
    "KeyPressed": ["command"], "PerformAnswer": ["command", "trace"],
    "LateResponderAnswer": ["proxied", "proxiedSelectors"],
    "RuleAnswer": ["value", "type", "cost", "paths"], "RuleError": ["hint"],
    "RulePart": ["type", "value"],
    "SessionKey": ["action", "command", "enabled", "reason", "target", "title"],
    "Token": ["commands"],
    "TokenMade": ["commands", "expires", "token"],
  ]

  @Test func `a member that all examples of an answer have is required in its schema`() throws {
    let document = try SampleService().send(.get, "/openapi.json").json
    let ofRequests = Self.references(
      in: .array(Self.operations(of: document).compactMap { $0[JSONPointer(["requestBody"])] }))
    var found = Found()
    for operation in Self.operations(of: document) {
      for (schema, example) in Self.examples(of: operation) { found.note(example, as: schema) }
    }
    #expect(found.members.count > 60)
    for (name, members) in found.members where !ofRequests.contains(name) {
      let required = try #require(Self.schemas[name]).names(in: "required")
      let lacking = members.subtracting(required).subtracting(Self.optional[name] ?? [])
      #expect(lacking.isEmpty, "\(name): \(lacking.sorted())")
    }
  }

  @Test func `a request that is one of several has one complete schema`() throws {
    for name in ["PerformRequest", "TargetRequest", "Coordinating"] {
      let schema = try #require(Self.schemas[name])
      #expect(schema[JSONPointer(["type"])] == "object", "\(name)")
      #expect(schema[JSONPointer(["oneOf"])] == nil, "\(name)")
    }
  }

  /// The members that all values of a schema have that were met so far.
  private struct Found {
    private(set) var members: [String: Set<String>] = [:]

    mutating func note(_ value: JSON, as schema: JSON) {
      let (name, schema) = RequiredMemberTests.resolved(schema)
      for union in ["oneOf", "anyOf"] {
        guard case .array(let branches)? = schema[JSONPointer([union])] else { continue }
        if let branch = branches.first(where: { RequiredMemberTests.fits(value, $0) }) {
          note(value, as: branch)
        }
        return
      }
      switch value {
      case .object(let object):
        let names = Set(object.members.map(\.name))
        if let name, schema[JSONPointer(["properties"])] != nil {
          members[name] = members[name]?.intersection(names) ?? names
        }
        for member in object.members {
          let inner =
            schema[JSONPointer(["properties", member.name])]
            ?? schema[JSONPointer(["additionalProperties"])]
          if let inner { note(member.value, as: inner) }
        }
      case .array(let elements):
        guard let items = schema[JSONPointer(["items"])] else { return }
        for element in elements { note(element, as: items) }
      case .null, .bool, .int, .double, .string: return
      }
    }
  }

  private static let schemas = Dictionary(
    uniqueKeysWithValues: Schemas.named(in: OpenAPIFiles()).map { ($0.name, $0.schema) })

  /// A schema behind references, with its name.
  private static func resolved(_ schema: JSON) -> (name: String?, schema: JSON) {
    guard case .string(let reference)? = schema[JSONPointer(["$ref"])],
      let name = reference.split(separator: "/").last.map(String.init), let schema = schemas[name]
    else { return (nil, schema) }
    let (inner, resolved) = resolved(schema)
    return (inner ?? name, resolved)
  }

  /// True if a value is of the kind of a branch, with all members that it requires.
  private static func fits(_ value: JSON, _ schema: JSON) -> Bool {
    let schema = resolved(schema).schema
    if case .array(let branches)? = schema[JSONPointer(["oneOf"])] {
      return branches.contains { fits(value, $0) }
    }
    let type = schema[JSONPointer(["type"])]
    switch value {
    case .object(let object):
      return type == "object" && schema.names(in: "required").allSatisfy { object[$0] != nil }
    case .array: return type == "array"
    case .string: return type == "string"
    case .bool: return type == "boolean"
    case .null: return type == "null"
    case .int, .double: return type == "integer" || type == "number"
    }
  }

  private static func operations(of document: JSON) -> [JSON] {
    document.values(in: "paths").flatMap { path in path.object?.members.map(\.value) ?? [] }
  }

  /// The examples of what an operation answers when it succeeds, each with its schema.
  private static func examples(of operation: JSON) -> [(schema: JSON, example: JSON)] {
    let responses = operation[JSONPointer(["responses"])]?.object?.members ?? []
    return responses.filter { $0.name.hasPrefix("2") }.flatMap { response in
      response.value.values(in: "content").flatMap { content -> [(schema: JSON, example: JSON)] in
        guard let schema = content[JSONPointer(["schema"])] else { return [] }
        let named = content.values(in: "examples").compactMap { $0[JSONPointer(["value"])] }
        let examples = named + [content[JSONPointer(["example"])]].compactMap(\.self)
        return examples.map { (schema, $0) }
      }
    }
  }

  /// The names of the schemas that a value refers to, and those that these refer to.
  private static func references(in json: JSON) -> Set<String> {
    var names: Set<String> = []
    func visit(_ json: JSON) {
      switch json {
      case .array(let elements): elements.forEach(visit)
      case .object(let object):
        if case .string(let reference)? = object["$ref"],
          let name = reference.split(separator: "/").last.map(String.init),
          names.insert(name).inserted, let schema = schemas[name]
        {
          visit(schema)
        }
        object.members.map(\.value).forEach(visit)
      case .null, .bool, .int, .double, .string: return
      }
    }
    visit(json)
    return names
  }
}

extension JSON {
  /// The values of the members of a member.
  fileprivate func values(in member: String) -> [JSON] {
    self[JSONPointer([member])]?.object?.members.map(\.value) ?? []
  }

  /// The strings of a list in a member.
  fileprivate func names(in member: String) -> [String] {
    guard case .array(let elements)? = self[JSONPointer([member])] else { return [] }
    return elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }
}
