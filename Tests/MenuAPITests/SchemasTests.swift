import Foundation
import JSONText
import MenuEngine
import MenuStore
import RandomSessions
import StoreSupport
import Testing

@testable import MenuAPI

/// The needs of generators of clients.
struct SchemasTests {
  private static let named = Schemas.named(in: OpenAPIFiles())

  @Test func `every schema has a name of its own`() {
    let names = Self.named.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `every enumeration of the program has its schema, without words there`() throws {
    for name in Schemas.enumerations.keys {
      let written = try #require(OpenAPIFiles().schemas.first { $0.name == name }, "\(name)").value
      #expect(written[JSONPointer(["enum"])] == nil, "\(name)")
      #expect(written[JSONPointer(["type"])] == "string", "\(name)")
    }
  }

  @Test func `every file of the folder is in the table`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/CEmbeddedFiles").standardized.path
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { !$0.hasSuffix(".c") && !$0.hasPrefix("include") && $0.contains(".") }
    #expect(EmbeddedFile.all.map(\.path).sorted() == files.sorted())
    for file in EmbeddedFile.all {
      let path = "\(folder)/\(file.path)"
      #expect(try file.text == String(contentsOfFile: path, encoding: .utf8), "\(path)")
    }
  }

  @Test func `no schema is written so that generators fail, number it or pass over it`() {
    #expect(Self.named.flatMap { Self.faults(of: $0.schema, at: $0.name) } == [])
  }

  @Test(arguments: [
    (#"{"properties":{"a":false}}"#, "S/properties/a: write {\"not\": {}} in place of a boolean"),
    (#"{"type":"array"}"#, "S: an array needs 'items'"),
    (#"{"const":true}"#, "S: write a boolean constant as an enumeration"),
    (#"{"properties":{},"oneOf":[]}"#, "S: 'oneOf' beside 'properties'; write whole schemas"),
    (
      #"{"oneOf":[{"properties":{}}]}"#,
      "S/oneOf/0: an object without a name; give it a title or make it a schema of its own"
    ),
    (#"{"type":["integer","string"]}"#, "S: several types; write 'oneOf'"),
    (
      #"{"properties":{"a":{"properties":{}}}}"#,
      "S/properties/a: a part without a name; make it a schema of its own"
    ),
    (
      #"{"type":"array","items":{"enum":["a"]}}"#,
      "S/items: a part without a name; make it a schema of its own"
    ),
    (
      #"{"additionalProperties":{"enum":["a"]}}"#,
      "S/additionalProperties: a part without a name; make it a schema of its own"
    ),
    (#"{"enum":["a"]}"#, "S: an enumeration of strings needs 'type'"),
  ])
  func `each such fault is named`(text: String, fault: String) throws {
    #expect(Self.faults(of: try JSON(parsing: text), at: "S") == [fault])
  }

  @Test func `every mutation and every effect has a schema of its own, told apart by op`() throws {
    for (union, words) in [
      ("Mutation", Mutation.ops),
      ("Effect", Self.words { Effect(reading: ["op": "?"], at: .root, log: $0) }),
    ] {
      let mapping = try Self.schema(union)[JSONPointer(["discriminator", "mapping"])]
      guard case .object(let schemas)? = mapping else {
        Issue.record("\(union) has no discriminator")
        continue
      }
      #expect(schemas.members.map(\.name).sorted() == words.sorted(), "\(union)")
    }
  }

  /// A value for each schema that members of effects have.
  private static let values: [String: JSON] = [
    "Rule": "dyn(1)", "PlaceRule": "dyn([1])", "JSONPointer": "/a",
    "Answers": true, "Queued": false, "PopTrigger": "user",
    "MessageDestination": "delegate", "CoordinatedHandler": ["perform": []],
    "Handler": ["perform": []], "KeyCommandArray": [], "Identifier": "a",
    "Responder": ["kind": "view"], "Launch": [:], "CancelledSwipe": true,
    "SegueTrigger": "code",
  ]

  /// Members that replace another member.
  private static let alternatives = ["class", "pathRule", "fromRule", "action", "itemKey"]

  @Test(arguments: Effect.ops)
  func `an effect takes the members that its schema has, and no other`(op: String) throws {
    let form = try #require(OperationDescription.effects.first { $0.op == op })
    var document = JSONObject()
    document["op"] = .string(op)
    let required = form.members.filter(\.isRequired)
    for member in form.members
    where member.isRequired || !Self.alternatives.contains(member.name) {
      document[member.name] = Self.values[member.schema]
    }
    document["when"] = "true"
    #expect(Self.faults { Effect(reading: .object(document), at: .root, log: $0) } == [])
    for member in required {
      var lacking = document
      lacking[member.name] = nil
      #expect(
        Self.faults { Effect(reading: .object(lacking), at: .root, log: $0) }.count == 1,
        "\(member.name)")
    }
    document["other"] = 1
    #expect(Self.faults { Effect(reading: .object(document), at: .root, log: $0) }.count == 1)
  }

  @Test func `outcomes of mutations have all that answers to the same requests have`() throws {
    let outcome = try Self.members("MutatedOutcome")
    for name in ["SegueAnswer", "MessageAnswer", "ProcessAnswer", "PerformAnswer"] {
      // The answer to one command has its item if that is asked for, and a plan after a dry run.
      let own = ["session", "revision", "dryRun", "item", "plan", "planExpires"]
      for member in try Self.members(name) where !own.contains(member) {
        #expect(outcome.contains(member), "\(name) \(member)")
      }
    }
  }

  @Test func `the schema of problems has what is said of handlers`() throws {
    let members = try Self.members("Problem")
    for name in ["handler", "mutation", "effect"] { #expect(members.contains(name), "\(name)") }
  }

  /// A client that follows a session by its changes puts members where this schema has them (E1).
  @Test func `members of responders stand in the order of their schema`() throws {
    let order = try Self.members("Responder")
    let session = try #require(try SampleService().service.store.session("demo"))
    var documents = session.graph.ids.compactMap { session.graph[$0]?.json }
    for text in [
      #"""
      {"kind":"view","touchBar":{"items":[]},"observes":[],"weight":1,"userActivity":{"activityType":"a"},
       "undoManager":{},"catchAll":{"selector":"a:"},"coordinator":{},"canPerform":{"b:":"true"},
       "keyCommands":[{"input":"n","action":"a:"}],"handlers":{"a:":{"perform":[]}},
       "canResignFirstResponder":"true","canBecomeFirstResponder":"true","properties":{"a":1},
       "lateResponders":{},"forwardingTarget":"f","supplementalTarget":"s","delegate":"d",
       "superview":"v","next":"n","class":"UIView"}
      """#,
      #"""
      {"kind":"viewController","class":"UISplitViewController","isCollapsed":true,
       "viewControllers":["a"],"canPerform":{"b:":"true"},"selectedViewController":"a",
       "presentingViewController":"p","parent":"p","view":"v","parentCoordinator":"c"}
      """#,
      #"""
      {"kind":"responder","proxied":"p","proxiedSelectors":[],"weight":2,"handlers":{},"next":"n"}
      """#,
      #"""
      {"kind":"responder","coordinating":{"identifier":"c"},"continuation":"x","weight":3,
       "parentCoordinator":"p","coordinator":{}}
      """#,
      #"{"kind":"window","firstResponder":"v","windowScene":"s","rootViewController":"r"}"#,
    ] {
      let json = try JSON(parsing: text)
      let responder = try FaultLog.collecting {
        Responder("x", reading: json, at: .root, log: $0)
      }
      documents.append(responder.json)
    }
    #expect(documents.count > 8)
    for case .object(let document) in documents {
      let places = document.members.map { order.firstIndex(of: $0.name) ?? -1 }
      #expect(places == places.sorted() && places.first != -1, "\(document.members.map(\.name))")
    }
  }

  /// The names of the members of a schema, in their order.
  private static func members(_ name: String) throws -> [String] {
    let properties = try schema(name)[JSONPointer(["properties"])]
    guard case .object(let properties)? = properties else { return [] }
    return properties.members.map(\.name)
  }

  private static func schema(_ name: String) throws -> JSON {
    try #require(named.first { $0.name == name }).schema
  }

  private static func faults(_ read: (FaultLog) -> Any?) -> [DocumentFault.Reason] {
    do throws(DocumentFaults) {
      _ = try FaultLog.collecting { log in
        _ = read(log)
        return true
      }
      return []
    } catch {
      return error.faults.map(\.reason)
    }
  }

  /// The words that would have been accepted.
  private static func words(_ read: (FaultLog) -> Any?) -> [String] {
    faults(read).flatMap { fault in
      guard case .expected(.oneOf(let words), found: _) = fault else { return [String]() }
      return words
    }
  }

  /// Returns the parts of a schema of which generators make wrong or ugly code.
  private static func faults(of schema: JSON, at place: String) -> [String] {
    if case .bool = schema { return ["\(place): write {\"not\": {}} in place of a boolean"] }
    guard case .object(let object) = schema else { return [] }
    var faults: [String] = []
    if object["type"] == "array", object["items"] == nil {
      faults.append("\(place): an array needs 'items'")
    }
    if case .bool? = object["const"] {
      faults.append("\(place): write a boolean constant as an enumeration")
    }
    if case .array? = object["type"] { faults.append("\(place): several types; write 'oneOf'") }
    let unions = ["oneOf", "anyOf", "allOf"].filter { object[$0] != nil }
    if object["properties"] != nil {
      faults += unions.map { "\(place): '\($0)' beside 'properties'; write whole schemas" }
    }
    for union in unions {
      guard case .array(let branches)? = object[union] else { continue }
      for (index, branch) in branches.enumerated() {
        let place = "\(place)/\(union)/\(index)"
        if case .object(let branch) = branch, branch["properties"] != nil {
          faults.append(
            "\(place): an object without a name; give it a title or make it a schema of its own")
        }
        faults += Self.faults(of: branch, at: place)
      }
    }
    if object["type"] == nil, object["enum"] != nil {
      faults.append("\(place): an enumeration of strings needs 'type'")
    }
    if case .object(let properties)? = object["properties"] {
      faults += properties.members.flatMap {
        Self.faults(ofPart: $0.value, at: "\(place)/properties/\($0.name)")
      }
    }
    for keyword in ["items", "additionalProperties"] {
      guard let part = object[keyword], part != true, part != false else { continue }
      faults += Self.faults(ofPart: part, at: "\(place)/\(keyword)")
    }
    return faults
  }

  /// Generators of clients number the parts that have no name.
  private static func faults(ofPart part: JSON, at place: String) -> [String] {
    if case .object(let object) = part, object["properties"] != nil || object["enum"] != nil {
      return ["\(place): a part without a name; make it a schema of its own"]
    }
    return faults(of: part, at: place)
  }
}
