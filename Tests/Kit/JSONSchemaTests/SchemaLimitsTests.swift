import JSONText
import Testing

@testable import JSONSchema

@Suite struct SchemaLimitsTests {
  private func refusal(of document: JSON) throws -> [SchemaFault.Reason] {
    try #require(throws: SchemaFaults.self) { try Schema(document) }.faults.map(\.reason)
  }

  @Test func `a schema has a size`() throws {
    let text = String(repeating: "a", count: 1 << 14)
    #expect(try refusal(of: ["description": .string(text)]) == [.tooLarge(limit: 1 << 14)])
  }

  @Test func `a schema has a depth`() throws {
    var document: JSON = [:]
    for _ in 0..<64 { document = ["not": document] }
    #expect(try refusal(of: document) == [.tooDeep(limit: 64)])
  }

  @Test func `a schema has so many schemas`() throws {
    let all = JSON.array(Array(repeating: true, count: 1000))
    #expect(try refusal(of: ["allOf": all]) == [.tooManySubschemas(limit: 1000)])
  }

  @Test func `the patterns of a schema have a cost`() throws {
    let patterns = (0..<40).map { JSON.object(["pattern": .string("a{\(200 + $0)}")]) }
    #expect(try refusal(of: ["allOf": .array(patterns)]).first == .tooManyPatterns)
    #expect(throws: Never.self) { try Schema(["allOf": .array(Array(patterns.prefix(10)))]) }
    let pattern: JSON = ["pattern": #"(\pL\pN\pS){9}"#]
    #expect(try refusal(of: pattern) == [.invalidPattern("it is too large")])
  }

  /// Returns a ladder of schemas; each applies the next one twice.
  private func ladder(_ steps: Int) throws -> Schema {
    var definitions = JSONObject()
    for step in 0..<steps {
      let next: JSON = ["$ref": .string("#/$defs/\(step + 1)")]
      definitions["\(step)"] = ["allOf": [next, next]]
    }
    definitions["\(steps)"] = ["type": "null"]
    return try Schema(["$ref": "#/$defs/0", "$defs": .object(definitions)])
  }

  @Test func `a check that doubles with each step ends`() throws {
    #expect(try ladder(5).faults(of: nil).isEmpty)
    let faults = try ladder(60).faults(of: nil)
    #expect(faults == [ValueFault(.tooMuchWork(.steps(limit: 200_000)), at: .root)])
  }

  @Test func `a check takes no more steps than it may`() throws {
    var steps = 0
    _ = try ladder(60).faults(of: nil, addingStepsTo: &steps)
    #expect(steps == 200_000)
    steps = 0
    _ = try Schema(["type": "null"]).faults(of: nil, addingStepsTo: &steps)
    #expect(steps == 2)
  }

  @Test func `a check that goes deep ends before the stack does`() throws {
    let schema = try Schema(["properties": ["a": ["allOf": [["$ref": "#"]]]], "maxProperties": 1])
    var value: JSON = [:]
    for _ in 0..<80 { value = ["a": value] }
    #expect(schema.faults(of: value).isEmpty)
    for _ in 0..<10 { value = ["a": value] }
    #expect(
      schema.faults(of: value) == [ValueFault(.tooMuchWork(.depth(limit: 256)), at: .root)])
  }

  /// A schema and a large value, of which no more is printed than the name.
  struct Costly: CustomTestStringConvertible {
    let testDescription: String
    let schema: JSON
    let value: JSON

    init(_ name: String, _ schema: JSON, of value: JSON) {
      (testDescription, self.schema, self.value) = (name, schema, value)
    }
  }

  @Test(
    arguments: [
      Costly(
        "a pattern", ["pattern": "(x+x+)+y"], of: .string(String(repeating: "x", count: 1 << 20))),
      Costly(
        "comparisons", ["items": ["const": .string(String(repeating: "x", count: 8000))]],
        of: .array(Array(repeating: "x", count: 100_000))),
      Costly(
        "unique items", ["uniqueItems": true],
        of: .array(
          (0..<1000).map { .string("\($0)" + String(repeating: "x", count: 10_000)) })),
      Costly(
        "many words",
        ["enum": .array((0..<5000).map { .int($0) }), "items": ["$ref": "#"]],
        of: .array(Array(repeating: 1, count: 100_000))),
    ])
  func `what costs is counted`(costly: Costly) throws {
    let faults = try Schema(costly.schema).faults(of: costly.value)
    #expect(faults == [ValueFault(.tooMuchWork(.steps(limit: 200_000)), at: .root)])
  }

  @Test func `the first hundred faults are told`() throws {
    let schema = try Schema(["items": ["type": "null"], "maxItems": 3])
    let faults = schema.faults(of: .array(Array(repeating: 1, count: 1000)))
    #expect(faults.count == 100)
    #expect(faults.last?.pointer == JSONPointer(["98"]))
  }

  /// A name with more faults than are told.
  @Test func `a value is at fault however many faults a name has`() throws {
    let all = JSON.array(Array(repeating: ["maxLength": 1], count: 200))
    let schema = try Schema(["propertyNames": ["allOf": all]])
    #expect(schema.faults(of: ["ab": 1]).count == 100)
  }
}
