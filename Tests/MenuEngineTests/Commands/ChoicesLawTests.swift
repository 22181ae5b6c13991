import JSONSchema
import JSONText
import Randomness
import Testing

@testable import MenuEngine

/// The law of forms (P4): performing accepts the parameters that the form's schema accepts, and no others.
@Suite struct ChoicesLawTests {
  private static let names = ["a", "b", "c"]

  /// A command with random parameters, choices and first values, and the state that its rules read.
  private struct Case {
    let command: JSON
    let state: JSON

    init(_ random: inout SeededGenerator) {
      var (properties, choices, defaults) = (JSONObject(), JSONObject(), JSONObject())
      var values = JSONObject()
      for name in ChoicesLawTests.names {
        properties[name] = Self.properties.randomElement(using: &random)
        if Int.random(in: 0..<4, using: &random) > 0 {
          choices[name] = .string("state.\(name)")
          values[name] = Self.choices(&random)
        }
        if Bool.random(using: &random) { defaults[name] = .string("state.\(name)[0]") }
      }
      var schema: JSONObject = [
        "type": "object", "properties": .object(properties),
        "$defs": [
          "short": ["maxLength": 1], "many": ["type": "array", "items": ["maxLength": 1]],
        ],
      ]
      if let whole = Self.wholes.randomElement(using: &random) {
        for member in whole.members { schema[member.name] = member.value }
      }
      var command: JSONObject = [
        "title": "A", "action": "a:", "parameters": .object(schema),
      ]
      command["choices"] = .object(choices)
      command["defaults"] = .object(defaults)
      self.command = .object(command)
      state = .object(values)
    }

    private static let wholes: [JSONObject] = [
      [:], ["required": ["a"]], ["additionalProperties": false], ["minProperties": 2],
      ["not": ["properties": ["b": ["$ref": "#/properties/a"]], "required": ["b"]]],
      ["anyOf": [["required": ["c"]], ["properties": ["b": ["$ref": "#/properties/c"]]]]],
    ]

    private static let properties: [JSON] = [
      true, false, [:], ["type": "string"], ["type": "integer", "minimum": 2],
      ["type": ["string", "null"], "default": "x"], ["enum": ["x", 1, "z"]], ["const": "x"],
      ["oneOf": [["const": "x"], ["const": "y", "title": "Y"]]], ["$ref": "#/$defs/short"],
      ["$ref": "#/$defs/many"], ["$ref": "#/properties/a"], ["type": "array"],
      ["type": "array", "items": ["type": "string"], "uniqueItems": true],
      ["type": "array", "prefixItems": [["type": "integer"]], "minItems": 1],
      ["type": "array", "items": false], ["type": ["array", "null"], "contains": ["const": "x"]],
      ["type": ["array", "string"]], ["not": ["const": "y"]], ["type": "object"],
    ]

    /// Mostly a list of values, some of them with titles, repeated, or of another type.
    private static func choices(_ random: inout SeededGenerator) -> JSON {
      if Int.random(in: 0..<8, using: &random) == 0 { return "no list" }
      return .array(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in
          let value = scalars.randomElement(using: &random) ?? "x"
          switch Int.random(in: 0..<3, using: &random) {
          case 0: return ["const": value, "title": "T"]
          default: return value
          }
        })
    }

    private static let scalars: [JSON] = [
      "x", "y", "zz", 1, 2, 2.0, 3, .null, true, ["x"], ["k": 1],
    ]

    /// Random parameters.
    static func parameters(_ random: inout SeededGenerator) -> JSONObject {
      var object = JSONObject()
      for name in ChoicesLawTests.names + ["other"] {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: object[name] = scalars.randomElement(using: &random)
        case 2:
          object[name] = .array(
            (0..<Int.random(in: 0..<3, using: &random)).compactMap { _ in
              scalars.randomElement(using: &random)
            })
        default: break
        }
      }
      return object
    }
  }

  @Test(arguments: Seeds.first(60))
  func `P4: performing accepts exactly what the form's schema accepts`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (accepted, refused) = (0, 0)
    for _ in 0..<20 {
      let one = Case(&random)
      guard
        let stage = try? Stage(
          commands: [one.command],
          responders: ["v": ["kind": "view", "handlers": ["a:": [:]]]], focus: "v", state: one.state
        )
      else { continue }
      let form = try stage.session.form(of: "a:", ValidationRequest(), in: stage.catalog)
      let schema = try Schema(form.schema)
      for _ in 0..<20 {
        let parameters = Case.parameters(&random)
        let isValid = schema.faults(of: .object(parameters)).isEmpty
        var session = stage.session
        let request = ActionRequest(.command("a:"), parameters: parameters)
        do throws(MutationFault) {
          _ = try session.apply(.perform(request), in: stage.catalog)
          #expect(isValid, "\(one.command) \(one.state) accepts \(parameters)")
          accepted += 1
        } catch {
          guard case .command(.invalidParameters) = error else {
            Issue.record("\(error)")
            return
          }
          #expect(!isValid, "\(one.command) \(one.state) refuses \(parameters)")
          refused += 1
        }
      }
      try check(form.schema, schema)
    }
    #expect(accepted > 0 && refused > 0)
  }

  /// A form begins with values that it accepts, and offers none that it refuses.
  private func check(_ document: JSON, _ schema: Schema) throws {
    for name in Self.names {
      guard let property = document[JSONPointer(["properties", name])] else { continue }
      var own: JSONObject = ["$ref": .string("#/properties/\(name)")]
      own["properties"] = document[JSONPointer(["properties"])]
      own["$defs"] = document[JSONPointer(["$defs"])]
      let alone = try Schema(.object(own))
      if let start = property[JSONPointer(["default"])] {
        #expect(alone.faults(of: start).isEmpty, "\(document) begins with \(start)")
      }
      if case .array(let values)? = property[JSONPointer(["enum"])] {
        for value in values { #expect(alone.faults(of: value).isEmpty, "\(document): \(value)") }
      }
    }
  }
}
