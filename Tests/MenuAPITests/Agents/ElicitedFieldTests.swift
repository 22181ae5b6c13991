import JSONText
import Testing

@testable import MenuAPI

/// The fields by which a person is asked for parameters (P4).
struct ElicitedFieldTests {
  private func field(_ schema: JSON, _ revision: AgentRevision = .july2026) -> JSON? {
    ElicitedField("f", schema, in: revision)?.schema
  }

  @Test(
    arguments: [
      ["type": "string", "minLength": 1, "maxLength": 3, "title": "T", "description": "D"],
      ["type": "integer", "minimum": 1, "maximum": 3], ["type": "number"], ["type": "boolean"],
      ["type": "string", "format": "email"], ["type": "string", "enum": ["a", "b"]],
    ] as [JSON])
  func `what forms have is asked as it is`(schema: JSON) {
    for revision in AgentRevision.allCases { #expect(field(schema, revision) == schema) }
  }

  @Test func `what forms have not is left to the check of the answer`() {
    let schema: JSON = [
      "type": ["string", "null"], "pattern": "a+", "format": "ipv4", "examples": ["a"],
    ]
    #expect(field(schema) == ["type": "string"])
    #expect(field(["type": "integer", "multipleOf": 2]) == ["type": "integer"])
  }

  @Test func `choices have titles, in the words of the revision`() {
    let schema: JSON = ["oneOf": [["const": "a", "title": "A"], ["const": "b"]]]
    let titled: JSON = [["const": "a", "title": "A"], ["const": "b", "title": "b"]]
    #expect(field(schema) == ["type": "string", "oneOf": titled])
    #expect(field(schema, .november2025) == ["type": "string", "oneOf": titled])
    #expect(
      field(schema, .june2025) == [
        "type": "string", "enum": ["a", "b"], "enumNames": ["A", "b"],
      ])
    let several: JSON = ["type": "array", "items": schema, "minItems": 1, "uniqueItems": true]
    #expect(field(several) == ["type": "array", "minItems": 1, "items": ["anyOf": titled]])
    #expect(field(several, .june2025) == nil)
    #expect(
      field(["type": "array", "items": ["enum": ["a"]]])
        == ["type": "array", "items": ["type": "string", "enum": ["a"]]])
  }

  @Test func `numbers to choose from are told`() {
    #expect(
      field(["enum": [1, 2.5]]) == ["type": "number", "description": "1 or 2.5."])
    let titled: JSON = ["oneOf": [["const": 1, "title": "One"], ["const": 2]]]
    #expect(field(titled) == ["type": "integer", "description": "1 (One) or 2 (2)."])
  }

  @Test func `a value to begin with is kept where forms have one`() {
    #expect(field(["type": "string", "default": "a"]) == ["type": "string", "default": "a"])
    #expect(field(["type": "string", "default": "a"], .june2025) == ["type": "string"])
    #expect(
      field(["type": "boolean", "default": true], .june2025)
        == ["type": "boolean", "default": true])
    #expect(field(["type": "integer", "default": "a"]) == ["type": "integer"])
  }

  @Test(
    arguments: [
      [:], ["type": "object"], ["type": "null"], ["type": "array"],
      ["type": "array", "items": ["type": "string"]], ["$ref": "#/$defs/a", "type": "string"],
      ["not": [:]], ["enum": []], ["enum": ["a", 1]], ["enum": [true]],
      ["oneOf": [["type": "string"]]], ["anyOf": [["type": "string"]], "type": "string"],
      ["const": 1], true, ["type": "string", "writeOnly": true],
      ["type": "string", "format": "password"], ["enum": ["a"], "writeOnly": true],
      ["type": ["string", "integer"]], ["type": ["string", "integer", "null"]],
      ["type": "array", "items": ["enum": ["a"], "writeOnly": true]],
    ] as [JSON])
  func `what no form can hold is not asked`(schema: JSON) {
    #expect(field(schema) == nil)
  }
}
