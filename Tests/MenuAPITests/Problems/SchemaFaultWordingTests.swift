import JSONSchema
import JSONText
import Testing

@testable import MenuAPI

struct SchemaFaultWordingTests {
  static let reasons: [SchemaFault.Reason] = [
    .expected(.schema, found: 1), .expected(.schemas, found: 1),
    .expected(.schemasByName, found: 1), .expected(.string, found: 1), .expected(.bool, found: 1),
    .expected(.number, found: "1"), .expected(.positiveNumber, found: 0),
    .expected(.count, found: -1), .expected(.array, found: 1), .expected(.names, found: 1),
    .expected(.namesByName, found: 1), .expected(.types, found: 1), .expected(.anchor, found: 1),
    .expected(.fieldName, found: 1), .expected(.dialect, found: 1),
    .unknownKeyword("tipe", known: ["type"]), .unknownKeyword("x", known: ["type"]),
    .invalidPattern("missing )"), .repeatedName("a"), .remoteReference("other.json"),
    .unresolvedReference("#/$defs/a"), .endlessReference("#"), .innerIdentifier,
    .repeatedAnchor("a", other: JSONPointer(["x"])), .misplacedField, .fieldOfOtherType,
    .repeatedField("A", other: JSONPointer(["x"])), .tooLarge(limit: 9), .tooDeep(limit: 9),
    .tooManySubschemas(limit: 9), .tooManyPatterns,
  ]

  @Test(
    arguments: rows(
      reasons,
      """
      Expected a schema: an object, true or false, found the number 1.
      Expected a list of one or more schemas, found the number 1.
      Expected an object whose members are schemas, found the number 1.
      Expected a string, found the number 1.
      Expected true or false, found the number 1.
      Expected a number, found the string '1'.
      Expected a number greater than 0, found the number 0.
      Expected an integer that is at least 0, found the number -1.
      Expected an array, found the number 1.
      Expected a list of names, found the number 1.
      Expected an object whose members are lists of names, found the number 1.
      Expected 'null', 'boolean', 'object', 'array', 'number', 'integer', 'string', or a list of \
      different ones of them, found the number 1.
      Expected a name of letters, digits, '_', '-' and '.' that begins with a letter or '_', found \
      the number 1.
      Expected the name of a field: letters, digits and any of !#$%&'*+-.^_`|~, found the number \
      1.
      Expected 'https://json-schema.org/draft/2020-12/schema', found the number 1.
      The keyword 'tipe' is not supported; did you mean 'type'?
      The keyword 'x' is not supported; leave it out.
      The pattern does not compile: missing ).
      The name 'a' stands there twice.
      The reference 'other.json' leads to another document; only those within the schema do, such \
      as '#/$defs/name'.
      The reference '#/$defs/a' leads to no schema.
      The reference '#' leads back to itself without looking into the value.
      Only the whole schema can have '$id'; give this part an '$anchor'.
      The anchor 'a' stands at /x as well.
      Only a property of the whole schema, or of a property of that, can have 'x-mcp-header': the \
      value has one place in the arguments then.
      A property with 'x-mcp-header' has the type 'string', 'integer', 'number' or 'boolean'.
      The field 'A' stands at /x as well; names of fields differ by more than case.
      The schema is too large: it has more than 9 values and bytes of strings.
      The schema is nested more than 9 deep.
      There are more than 9 schemas in the schema.
      The patterns of the schema take too much to compile.
      """))
  func `P1: each mistake of a schema is a sentence`(fault: SchemaFault.Reason, row: String) {
    #expect(fault.sentence == row)
  }

  @Test func `every case of SchemaFault.Reason stands in the table`() throws {
    #expect(
      try declaredCases(of: "Reason", in: "../Kit/JSONSchema/SchemaFault.swift")
        == Set(Self.reasons.map { caseName($0) }))
  }
}
