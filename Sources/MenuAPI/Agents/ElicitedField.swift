import JSONText

/// A parameter as a form field for the user. Schemas of elicitation are flat and have few types.
struct ElicitedField {
  let name: String
  /// The schema of the field.
  let schema: JSON

  /// Creates the field of a property; nil if forms of this revision do not support it.
  ///
  /// - Parameter property: The present schema of the parameter (P4).
  init?(_ name: String, _ property: JSON?, in revision: AgentRevision) {
    guard case .object(let property)? = property, property["$ref"] == nil, property["not"] == nil,
      !Self.isSecret(property), var schema = Self.shape(of: property, in: revision)
    else { return nil }
    for word in ["title", "description"] {
      guard schema[word] == nil, case .string? = property[word] else { continue }
      schema[word] = property[word]
    }
    if let start = property["default"], revision.hasDefaults || schema["type"] == "boolean",
      start.fits(schema)
    {
      schema["default"] = start
    }
    (self.name, self.schema) = (name, .object(schema))
  }

  /// Returns the members that describe the field's value; nil if forms do not support it.
  private static func shape(of property: JSONObject, in revision: AgentRevision) -> JSONObject? {
    if let choices = ElicitedChoices(of: property) {
      return choices.isOfNumbers ? choices.numbers : choices.single(in: revision)
    }
    guard property["anyOf"] == nil, property["allOf"] == nil, property["const"] == nil,
      property["enum"] == nil, property["oneOf"] == nil, let type = type(of: property)
    else { return nil }
    var schema: JSONObject = ["type": .string(type)]
    switch type {
    case "string":
      for word in ["minLength", "maxLength"] { schema[word] = property[word] }
      if let format = property["format"], Self.formats.contains(format) {
        schema["format"] = format
      }
    case "integer", "number":
      for word in ["minimum", "maximum"] { schema[word] = property[word] }
    case "boolean": break
    default:
      guard revision.hasDefaults, case .object(let items)? = property["items"],
        let choices = ElicitedChoices(of: items), !choices.isOfNumbers
      else { return nil }
      for word in ["minItems", "maxItems"] { schema[word] = property[word] }
      schema["items"] = choices.several
    }
    return schema
  }

  /// True for a secret, which the protocol forbids in forms.
  private static func isSecret(_ property: JSONObject) -> Bool {
    if case .object(let items)? = property["items"], isSecret(items) { return true }
    return property["writeOnly"] == true || property["format"] == "password"
  }

  private static let formats: [JSON] = ["email", "uri", "date", "date-time"]

  /// Returns the type of a form field, ignoring null; nil if there are several types.
  private static func type(of property: JSONObject) -> String? {
    var types = [property["type"] ?? .null]
    if case .array(let several)? = property["type"] { types = several.filter { $0 != "null" } }
    guard types.count == 1, case .string(let type) = types[0] else { return nil }
    return ["string", "integer", "number", "boolean", "array"].contains(type) ? type : nil
  }
}

/// The values from which the user chooses.
private struct ElicitedChoices {
  private let values: [JSON]
  /// The titles of all of them; nil without.
  private let titles: [String]?
  let isOfNumbers: Bool

  /// Reads the choices of a schema: an `enum`, or a `oneOf` of constants, all of strings or all of numbers.
  init?(of schema: JSONObject) {
    if case .array(let values)? = schema["enum"] {
      (self.values, titles) = (values, nil)
    } else if case .array(let choices)? = schema["oneOf"] {
      let values = choices.compactMap { $0[JSONPointer(["const"])] }
      guard values.count == choices.count else { return nil }
      self.values = values
      titles = zip(choices, values).map { choice, value in
        if case .string(let title)? = choice[JSONPointer(["title"])] { return title }
        return value.asText
      }
    } else {
      return nil
    }
    let strings = values.count { if case .string = $0 { true } else { false } }
    let numbers = values.count { $0.isNumber }
    guard !values.isEmpty, max(strings, numbers) == values.count else { return nil }
    isOfNumbers = numbers > 0
  }

  /// The titled constants.
  private var constants: JSON? {
    titles.map { titles in
      .array(zip(values, titles).map { ["const": $0, "title": .string($1)] })
    }
  }

  /// Returns the schema of a single choice.
  func single(in revision: AgentRevision) -> JSONObject {
    var schema: JSONObject = ["type": "string"]
    if revision.hasDefaults, let constants {
      schema["oneOf"] = constants
    } else {
      schema["enum"] = .array(values)
      schema["enumNames"] = titles.map { .array($0.map(JSON.string)) }
    }
    return schema
  }

  /// The schema of the elements of a multiple choice.
  var several: JSON {
    constants.map { ["anyOf": $0] } ?? ["type": "string", "enum": .array(values)]
  }

  /// The schema of a number, with the choices in its description, because choices in forms are strings.
  var numbers: JSONObject {
    let isInteger = values.allSatisfy { if case .int = $0 { true } else { false } }
    let names = titles.map { zip($0, values).map { "\($1.asText) (\($0))" } }
    let told = list(names ?? values.map(\.asText), "or").cut(to: 1024)
    return ["type": isInteger ? "integer" : "number", "description": .string(told + ".")]
  }
}

extension AgentRevision {
  /// True if fields support initial values, titled choices, and multiple titled choices.
  fileprivate var hasDefaults: Bool { self != .june2025 }
}

extension JSON {
  fileprivate var isNumber: Bool {
    switch self {
    case .int, .double: true
    case .null, .bool, .string, .array, .object: false
    }
  }

  fileprivate var asText: String { if case .string(let text) = self { text } else { text() } }

  /// True if the value is of a field's type.
  fileprivate func fits(_ schema: JSONObject) -> Bool {
    switch self {
    case .string: schema["type"] == "string"
    case .int: schema["type"] == "integer" || schema["type"] == "number"
    case .double: schema["type"] == "number"
    case .bool: schema["type"] == "boolean"
    case .array(let values):
      schema["type"] == "array"
        && values.allSatisfy { if case .string = $0 { true } else { false } }
    case .null, .object: false
    }
  }
}
