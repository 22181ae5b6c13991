import JSONSchema
import JSONText
import Testing

@Suite struct ValidationTests {
  private func reasons(_ schema: String, _ value: String) throws -> [String] {
    try Schema(JSON(parsing: schema)).faults(of: JSON(parsing: value)).map(\.text)
  }

  @Test(
    arguments: [
      (#"{"type": ["integer", "null"]}"#, "1.5", ["#: type([integer, null], found: 1.5)"]),
      (#"{"const": 1}"#, "1.0", []),
      (#"{"const": {"a": [1, 2.0]}}"#, #"{"a": [1.0, 2]}"#, []),
      (#"{"const": 1}"#, "true", ["#: notEqual(1, found: true)"]),
      (#"{"enum": ["a", 1]}"#, "2", [#"#: notListed(["a", 1], found: 2)"#]),
      (#"{"minimum": 2}"#, "1", ["#: number(minimum, 2, found: 1)"]),
      (#"{"maximum": 2}"#, "2.5", ["#: number(maximum, 2, found: 2.5)"]),
      (#"{"exclusiveMinimum": 2}"#, "2.0", ["#: number(exclusiveMinimum, 2, found: 2.0)"]),
      (#"{"exclusiveMaximum": 2}"#, "2", ["#: number(exclusiveMaximum, 2, found: 2)"]),
      (#"{"multipleOf": 0.1}"#, "0.25", ["#: number(multipleOf, 0.1, found: 0.25)"]),
      (#"{"minLength": 2}"#, #""😀""#, ["#: count(atLeast, 2, of: characters, found: 1)"]),
      (#"{"maxLength": 1}"#, #""e\u0301""#, ["#: count(atMost, 1, of: characters, found: 2)"]),
      (#"{"minItems": 1}"#, "[]", ["#: count(atLeast, 1, of: elements, found: 0)"]),
      (#"{"maxProperties": 0}"#, #"{"a": 1}"#, ["#: count(atMost, 0, of: members, found: 1)"]),
      (#"{"pattern": "^a+$"}"#, #""b""#, [#"#: noMatch("^a+$", found: "b")"#]),
      (
        #"{"uniqueItems": true}"#, "[1, 2, 1.0, 2]",
        ["#/2: repeatedElement(0)", "#/3: repeatedElement(1)"]
      ),
      (
        #"{"required": ["a", "b"]}"#, "{}",
        [#"#: missingMember("a", because: nil)"#, #"#: missingMember("b", because: nil)"#]
      ),
      (
        #"{"dependentRequired": {"a": ["b"]}}"#, #"{"a": 1}"#,
        [#"#: missingMember("b", because: Optional("a"))"#]
      ),
      (
        #"{"properties": {"a": {"type": "null"}}, "additionalProperties": false}"#,
        #"{"a": 1, "b": 2, "c/d": 3}"#,
        [
          "#/a: type([null], found: 1)", #"#/b: unknownMember("b", known: ["a"])"#,
          #"#/c~1d: unknownMember("c/d", known: ["a"])"#,
        ]
      ),
      (
        #"{"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": {"minimum": 5}}"#,
        #"{"x": 1, "y": 2, "z": 5}"#,
        ["#/x: type([null], found: 1)", "#/y: number(minimum, 5, found: 2)"]
      ),
      (#"{"properties": {"a": false}}"#, #"{"a": 1}"#, ["#/a: nothingAllowed"]),
      (
        #"{"propertyNames": {"maxLength": 1}}"#, #"{"ab": 1, "c": 1}"#,
        [#"#/ab: name("ab", count(atMost, 1, of: characters, found: 2))"#]
      ),
      (
        #"{"prefixItems": [{"type": "null"}], "items": {"type": "string"}}"#, "[1, 2, \"a\"]",
        ["#/0: type([null], found: 1)", "#/1: type([string], found: 2)"]
      ),
      (#"{"contains": {"const": 1}}"#, "[2]", ["#: contained(atLeast, 1, found: 0)"]),
      (
        #"{"contains": {"const": 1}, "maxContains": 1}"#, "[1, 1]",
        ["#: contained(atMost, 1, found: 2)"]
      ),
      (#"{"contains": {"const": 1}, "minContains": 0}"#, "[]", []),
      (
        #"{"contains": {"const": 1}, "minContains": 3, "maxContains": 2}"#, "[1, 1, 1]",
        ["#: contained(atMost, 2, found: 3)"]
      ),
      (
        #"{"allOf": [{"minimum": 3}, {"maximum": 1}]}"#, "2",
        ["#: number(minimum, 3, found: 2)", "#: number(maximum, 1, found: 2)"]
      ),
      (#"{"anyOf": [{"minimum": 3}, {"type": "string"}]}"#, "2", ["#: noneOf(2)"]),
      (#"{"anyOf": [{"minimum": 3}]}"#, "2", ["#: number(minimum, 3, found: 2)"]),
      (#"{"oneOf": [{"minimum": 1}, {"maximum": 3}]}"#, "2", ["#: notOneOf(2, found: 2)"]),
      (#"{"oneOf": [{"minimum": 3}]}"#, "2", ["#: number(minimum, 3, found: 2)"]),
      (#"{"not": {"type": "integer"}}"#, "2", ["#: excluded"]),
      (
        #"{"if": {"minimum": 2}, "then": {"maximum": 2}, "else": {"const": 0}}"#, "3",
        ["#: number(maximum, 2, found: 3)"]
      ),
      (
        #"{"if": {"minimum": 2}, "then": {"maximum": 2}, "else": {"const": 0}}"#, "1",
        ["#: notEqual(0, found: 1)"]
      ),
      (
        #"{"dependentSchemas": {"a": {"required": ["b"]}}}"#, #"{"a": 1}"#,
        [#"#: missingMember("b", because: nil)"#]
      ),
      (
        ##"{"$defs": {"a b": {"minimum": 1}}, "items": {"$ref": "#/$defs/a%20b"}}"##, "[0]",
        ["#/0: number(minimum, 1, found: 0)"]
      ),
      (
        ##"{"$defs": {"x": {"$anchor": "low", "minimum": 1}}, "$ref": "#low"}"##, "0",
        ["#: number(minimum, 1, found: 0)"]
      ),
    ] as [(String, String, [String])])
  func `faults are told with their places`(schema: String, value: String, expected: [String]) throws
  {
    #expect(try reasons(schema, value) == expected)
  }

  @Test(
    arguments: [
      ("9007199254740993", "9007199254740992.0", false), ("9223372036854775807", "1e19", true),
      ("-9223372036854775808", "-1e19", false), ("-1e19", "-9223372036854775808", true),
      ("9223372036854775807", "9223372036854775808.0", true), ("1", "1.5", true),
      ("1.5", "1", false), ("-1.5", "-1", true), ("-0.0", "0", false), ("1.5", "2", true),
    ] as [(String, String, Bool)])
  func `numbers are compared exactly`(left: String, right: String, isLess: Bool) throws {
    let schema = try Schema(["exclusiveMaximum": JSON(parsing: right)])
    #expect(try schema.faults(of: JSON(parsing: left)).isEmpty == isLess)
  }

  @Test(
    arguments: [
      ("0.3", "0.1", true), ("1e308", "1e-308", true), ("1e308", "7", false), ("0", "1e308", true),
      ("5e-324", "5e-324", true), ("1e-7", "1e-6", false), ("-9223372036854775808", "2", true),
      ("9223372036854775807", "9.223372036854775807e18", false), ("19.99", "0.01", true),
      ("4.35", "0.01", true), ("1.1", "1e300", false),
    ] as [(String, String, Bool)])
  func `a multiple is one of the decimals as they are written`(
    number: String, divisor: String, isMultiple: Bool
  ) throws {
    let schema = try Schema(["multipleOf": JSON(parsing: divisor)])
    #expect(try schema.faults(of: JSON(parsing: number)).isEmpty == isMultiple)
  }

  @Test func `names are compared by bytes`() throws {
    // The same to Unicode.
    let schema = try Schema(["properties": ["\u{E9}": false], "required": ["e\u{301}"]])
    #expect(schema.faults(of: ["e\u{301}": 1]).isEmpty)
    #expect(schema.faults(of: ["\u{E9}": 1]).count == 2)
  }

  @Test func `a schema without a type demands nothing of values of other types`() throws {
    let schema = try Schema(["minLength": 3, "required": ["a"], "minItems": 2, "multipleOf": 5])
    for value: JSON in [nil, true, 10, "abc", [1, 2], ["a": 1]] {
      #expect(schema.faults(of: value).isEmpty)
    }
  }
}

extension ValueFault {
  /// The place and the fault in a line.
  var text: String { "#\(pointer): \(reason.text)" }
}

extension ValueFault.Reason {
  var text: String {
    switch self {
    case .type(let types, let found):
      "type([\(types.map(\.rawValue).joined(separator: ", "))], found: \(found))"
    case .notEqual(let value, let found): "notEqual(\(value), found: \(found))"
    case .number(let bound, let limit, let found):
      "number(\(bound.rawValue), \(limit), found: \(found))"
    case .count(let bound, let limit, let counted, let found):
      "count(\(bound), \(limit), of: \(counted), found: \(found))"
    case .contained(let bound, let limit, let found):
      "contained(\(bound), \(limit), found: \(found))"
    case .name(let name, let reason): "name(\"\(name)\", \(reason.text))"
    default: "\(self)".replacing("JSONSchema.", with: "")
    }
  }
}
