import JSONText
import Testing

@testable import JSONSchema

/// The choices that are offered for properties of a schema.
@Suite struct SchemaChoicesTests {
  private static func schema(_ properties: JSON, more: JSONObject = [:]) throws -> Schema {
    var object: JSONObject = ["type": "object", "properties": properties]
    for member in more.members { object[member.name] = member.value }
    return try Schema(.object(object))
  }

  private static func choices(
    _ values: [JSON], titles: [String?] = [], start: JSON? = nil
  ) -> PropertyOffer {
    var offer = PropertyOffer(of: "a")
    offer.choices = .values(
      values.enumerated().map { index, value in
        PropertyOffer.Choice(value, title: index < titles.count ? titles[index] : nil)
      })
    offer.start = start
    return offer
  }

  /// The property `a` of a schema with an offer.
  private func property(_ schema: JSON, _ offer: PropertyOffer, more: JSONObject = [:]) throws
    -> JSON?
  {
    var steps = 0
    let whole = try Self.schema(["a": schema], more: more)
    return try whole.offering([offer], addingStepsTo: &steps)
      .document[JSONPointer(["properties", "a"])]
  }

  @Test func `choices without titles are an enum, and with titles a oneOf of constants`() throws {
    #expect(
      try property(["type": "string"], Self.choices(["x", "y"]))
        == ["type": "string", "enum": ["x", "y"]])
    #expect(
      try property(["type": "string"], Self.choices(["x", "y"], titles: [nil, "Y"]))
        == ["type": "string", "oneOf": [["const": "x"], ["const": "y", "title": "Y"]]])
    #expect(try property(true, Self.choices([1])) == ["enum": [1]])
  }

  @Test func `no choices are a schema that excludes everything`() throws {
    #expect(
      try property(["type": "string"], Self.choices([])) == ["type": "string", "not": [:]])
    #expect(try property(false, Self.choices([1])) == ["not": [:]])
    var offer = PropertyOffer(of: "a")
    offer.choices = .unknown("why")
    #expect(try property(["enum": [1]], offer) == ["not": [:]])
  }

  @Test func `choices that the schema refuses are left out, and a value stands there once`() throws
  {
    #expect(
      try property(["type": "integer", "minimum": 2], Self.choices([1, 2, "3", 2.0, 4]))
        == ["type": "integer", "minimum": 2, "enum": [2, 4]])
    let twice = Self.choices([1, 1], titles: ["first", "second"])
    #expect(try property([:], twice) == ["oneOf": [["const": 1, "title": "first"]]])
  }

  @Test(
    arguments: [["enum": [1, 2]], ["const": 2], ["oneOf": [["const": 1], ["const": 2]]]] as [JSON])
  func `choices take the place of declared lists of values`(schema: JSON) throws {
    #expect(try property(schema, Self.choices([2, 3])) == ["enum": [2]])
  }

  @Test(
    arguments: [
      (["type": "array"], ["type": "array", "items": ["enum": ["x"]]]),
      (["type": ["array", "null"]], ["type": ["array", "null"], "items": ["enum": ["x"]]]),
      (
        ["type": "array", "items": ["minLength": 1]],
        ["type": "array", "items": ["minLength": 1, "enum": ["x"]]]
      ),
      (
        ["type": "array", "items": false], ["type": "array", "items": ["not": [:]]]
      ),
      (
        ["type": "array", "prefixItems": [true]],
        ["type": "array", "prefixItems": [true], "items": ["enum": ["x", ""]]]
      ),
      (["$ref": "#/$defs/names"], ["$ref": "#/$defs/names", "items": ["enum": ["x"]]]),
      (["type": ["array", "string"]], ["type": ["array", "string"], "enum": ["x", ""]]),
    ] as [(JSON, JSON)])
  func `the choices of an array are those of its elements`(schema: JSON, expected: JSON) throws {
    let isBare = schema == ["type": "array"] || schema == ["type": ["array", "null"]]
    let offer = Self.choices(isBare ? ["x"] : ["x", ""])
    let names: JSON = ["type": "array", "items": ["minLength": 1]]
    #expect(try property(schema, offer, more: ["$defs": ["names": names]]) == expected)
  }

  @Test func `a value to begin with is the default, if it is possible`() throws {
    func start(_ schema: JSON, _ offer: PropertyOffer) throws -> JSON? {
      try property(schema, offer)?[JSONPointer(["default"])]
    }
    #expect(try start([:], Self.choices([1, 2], start: 2)) == 2)
    #expect(try start(["default": 1], Self.choices([1, 2], start: 3)) == 1)
    #expect(try start(["default": 4], Self.choices([1, 2], start: 3)) == nil)
    #expect(try start(["default": 4], Self.choices([1, 2])) == nil)
    #expect(try start(["type": "array"], Self.choices([1, 2], start: [2, 1])) == [2, 1])
    #expect(try start(["type": "array"], Self.choices([1, 2], start: [3])) == nil)
    #expect(try start(["type": ["string", "null"]], Self.choices([.null], start: .null)) == .null)
    var offer = PropertyOffer(of: "a")
    offer.start = "now"
    #expect(try start(["type": "string", "default": "then"], offer) == "now")
  }

  @Test func `what is offered is what is valid, and the choices are named`() throws {
    var steps = 0
    let schema = try Self.schema(["a": ["type": "string"]]).offering(
      [Self.choices(["x", "y"], titles: ["X"])], addingStepsTo: &steps)
    #expect(steps > 0)
    #expect(schema.faults(of: ["a": "y"]).isEmpty)
    #expect(schema.faults(of: [:]).isEmpty)
    #expect(
      schema.faults(of: ["a": "z"]).map(\.text) == [#"#/a: notListed(["x", "y"], found: "z")"#])
    var offer = PropertyOffer(of: "a")
    offer.choices = .unknown("why")
    let unknown = try Self.schema(["a": [:]]).offering([offer], addingStepsTo: &steps)
    #expect(unknown.faults(of: ["a": "z"]).map(\.text) == [#"#/a: unknownChoices("why")"#])
  }

  @Test func `a property that is not there has no choices`() throws {
    var steps = 0
    let schema = try Self.schema(["b": [:]])
    #expect(try schema.offering([Self.choices([1], start: 1)], addingStepsTo: &steps) == schema)
    #expect(schema.propertyNames == ["b"])
    #expect(try Schema(["type": "object"]).propertyNames == [])
  }

  @Test func `finding out takes no more than validating one value`() throws {
    let pattern: JSON = ["pattern": "^(a|b)*c$"]
    let long = String(repeating: "ab", count: 2000)
    let offer = Self.choices((0..<1000).map { .string(long + "\($0)c") })
    var steps = 0
    #expect(throws: ValueFault.Exhaustion.steps(limit: 200_000)) {
      try Self.schema(["a": pattern]).offering([offer], addingStepsTo: &steps)
    }
    #expect(steps == 200_000)
  }
}
