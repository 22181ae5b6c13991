import JSONSchema
import JSONText
import Testing

@Suite struct SchemaTests {
  @Test(
    arguments: [
      ("3", "#: expected(schema, found: 3)"),
      (#"{"properties": {"a": 3}}"#, "#/properties/a: expected(schema, found: 3)"),
      (#"{"properties": []}"#, "#/properties: expected(schemasByName, found: [])"),
      (#"{"allOf": []}"#, "#/allOf: expected(schemas, found: [])"),
      (#"{"items": [true]}"#, "#/items: expected(schema, found: [true])"),
      (#"{"type": "float"}"#, #"#/type: expected(types, found: "float")"#),
      (#"{"type": []}"#, "#/type: expected(types, found: [])"),
      (#"{"type": ["null", "null"]}"#, #"#/type: expected(types, found: ["null","null"])"#),
      (#"{"enum": 1}"#, "#/enum: expected(array, found: 1)"),
      (#"{"minimum": "1"}"#, #"#/minimum: expected(number, found: "1")"#),
      (#"{"multipleOf": 0}"#, "#/multipleOf: expected(positiveNumber, found: 0)"),
      (#"{"multipleOf": -0.5}"#, "#/multipleOf: expected(positiveNumber, found: -0.5)"),
      (#"{"minLength": -1}"#, "#/minLength: expected(count, found: -1)"),
      (#"{"maxItems": 1.5}"#, "#/maxItems: expected(count, found: 1.5)"),
      (#"{"minContains": null}"#, "#/minContains: expected(count, found: null)"),
      (#"{"uniqueItems": 1}"#, "#/uniqueItems: expected(bool, found: 1)"),
      (#"{"required": "a"}"#, #"#/required: expected(names, found: "a")"#),
      (#"{"required": ["a", 1]}"#, "#/required/1: expected(string, found: 1)"),
      (#"{"required": ["a", "a"]}"#, #"#/required/1: repeatedName("a")"#),
      (#"{"dependentRequired": []}"#, "#/dependentRequired: expected(namesByName, found: [])"),
      (
        #"{"dependentRequired": {"a": "b"}}"#,
        #"#/dependentRequired/a: expected(names, found: "b")"#
      ),
      (
        #"{"pattern": "(?=a)"}"#,
        #"#/pattern: invalidPattern("look-around such as \'(?=\' is not supported, since RE2 has none")"#
      ),
      (
        #"{"patternProperties": {"(": {}}}"#,
        #"#/patternProperties/(: invalidPattern("missing ): (")"#
      ),
      (#"{"title": 1}"#, "#/title: expected(string, found: 1)"),
      (#"{"readOnly": "yes"}"#, #"#/readOnly: expected(bool, found: "yes")"#),
      (#"{"examples": {}}"#, "#/examples: expected(array, found: {})"),
      (
        #"{"$schema": "http://json-schema.org/draft-07/schema#"}"#,
        #"#/$schema: expected(dialect, found: "http://json-schema.org/draft-07/schema#")"#
      ),
      (#"{"items": {"$id": "a"}}"#, "#/items/$id: innerIdentifier"),
      (
        #"{"properties": {"a": {"type": "string", "x-mcp-header": 1}}}"#,
        "#/properties/a/x-mcp-header: expected(fieldName, found: 1)"
      ),
      (
        #"{"properties": {"a": {"type": "string", "x-mcp-header": "A b"}}}"#,
        #"#/properties/a/x-mcp-header: expected(fieldName, found: "A b")"#
      ),
      (
        #"{"items": {"type": "string", "x-mcp-header": "A"}}"#,
        "#/items/x-mcp-header: misplacedField"
      ),
      (
        #"{"properties": {"a": {"type": "array", "x-mcp-header": "A"}}}"#,
        "#/properties/a/x-mcp-header: fieldOfOtherType"
      ),
      (
        #"{"properties": {"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "integer", "x-mcp-header": "a"}}}"#,
        #"#/properties/b/x-mcp-header: repeatedField("a", other: /properties/a/x-mcp-header)"#
      ),
      (#"{"$anchor": "1"}"#, ##"#/$anchor: expected(anchor, found: "1")"##),
      (
        #"{"$defs": {"a": {"$anchor": "a"}, "b": {"$anchor": "a"}}}"#,
        #"#/$defs/b/$anchor: repeatedAnchor("a", other: /$defs/a/$anchor)"#
      ),
      (#"{"$ref": "other.json"}"#, #"#/$ref: remoteReference("other.json")"#),
      (##"{"$ref": "#/$defs/a"}"##, ##"#/$ref: unresolvedReference("#/$defs/a")"##),
      (##"{"$ref": "#a"}"##, ##"#/$ref: unresolvedReference("#a")"##),
      (##"{"$ref": "#/%zz"}"##, ##"#/$ref: unresolvedReference("#/%zz")"##),
      // What is no schema cannot be one by reference.
      (
        ##"{"default": {}, "items": {"$ref": "#/default"}}"##,
        ##"#/items/$ref: unresolvedReference("#/default")"##
      ),
    ] as [(String, String)])
  func `a schema with a mistake is refused, with its place`(source: String, expected: String) throws
  {
    let faults = try #require(throws: SchemaFaults.self) { try Schema(JSON(parsing: source)) }
    #expect(faults.faults.map(\.text) == [expected])
  }

  @Test(arguments: ["unevaluatedProperties", "$dynamicRef", "definitions", "minimun", "Type"])
  func `a keyword that is not known is refused by name`(keyword: String) throws {
    let source = JSON.object(try #require(JSONObject([.init(name: keyword, value: true)])))
    let faults = try #require(throws: SchemaFaults.self) {
      try Schema(["properties": ["a": source]])
    }
    let fault = try #require(faults.faults.first)
    #expect(fault.pointer == JSONPointer(["properties", "a", keyword]))
    guard case .unknownKeyword(keyword, let known) = fault.reason else {
      Issue.record("\(fault)")
      return
    }
    #expect(known.contains("minimum"))
  }

  @Test func `all mistakes are told together`() throws {
    let faults = try #require(throws: SchemaFaults.self) {
      try Schema(["minLength": "1", "items": ["type": "x"], "pattern": ")"])
    }
    #expect(
      faults.faults.map(\.pointer.description) == ["/minLength", "/pattern", "/items/type"])
  }

  @Test(
    arguments: [
      (##"{"$ref": "#"}"##, "/$ref"),
      (##"{"$ref": "#", "type": "object"}"##, "/$ref"),
      (##"{"allOf": [{"$ref": "#"}]}"##, "/allOf/0/$ref"),
      (
        ##"{"$defs": {"a": {"not": {"$ref": "#/$defs/b"}}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}}"##,
        "/$defs/a/not/$ref"
      ),
      (##"{"if": true, "then": {"$ref": "#"}}"##, "/then/$ref"),
      (##"{"dependentSchemas": {"a": {"$ref": "#"}}}"##, "/dependentSchemas/a/$ref"),
      // The loop is met from its middle first.
      (
        ##"{"$ref": "#/$defs/a/allOf/0", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}}"##,
        "/$defs/a/allOf/0/$ref"
      ),
    ] as [(String, String)])
  func `references in a loop are refused`(source: String, place: String) throws {
    let faults = try #require(throws: SchemaFaults.self) { try Schema(JSON(parsing: source)) }
    #expect(faults.faults.map(\.pointer.description) == [place])
    guard case .endlessReference = faults.faults[0].reason else {
      Issue.record("\(faults)")
      return
    }
  }

  @Test func `a schema is written as it was`() throws {
    let document: JSON = ["type": "object", "title": "A", "$comment": "B"]
    #expect(try Schema(document).document.isWritten(as: document))
    #expect(try Schema(document) == Schema(document))
    #expect(try Schema(["minimum": 1]) != Schema(["minimum": 1.0]))
  }
}

extension SchemaFault {
  /// The place and the mistake in a line.
  fileprivate var text: String {
    let text =
      switch reason {
      case .expected(let expectation, let found): "expected(\(expectation), found: \(found))"
      default: "\(reason)"
      }
    return "#\(pointer): \(text)"
  }
}
