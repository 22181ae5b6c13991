import JSONSchema
import JSONText

/// The arguments of a tool that clients repeat in header fields, for intermediaries that route requests: the
/// properties whose schemas have `x-mcp-header` (2026-07-28).
struct MirroredParameters {
  /// A property, and the field that repeats it.
  private struct Parameter {
    let field: String
    let path: [String]
  }

  private var parameters: [Parameter] = []

  /// Creates the parameters of a schema; none without one.
  init(_ schema: Schema?) {
    if let schema { add(schema.document, at: []) }
  }

  /// Adds the properties that are nested only in properties; the depth of schemas is bounded.
  private mutating func add(_ schema: JSON, at path: [String]) {
    guard case .object(let object) = schema else { return }
    if !path.isEmpty, case .string(let name)? = object["x-mcp-header"] {
      parameters.append(Parameter(field: "Mcp-Param-" + name, path: path))
    }
    guard case .object(let properties)? = object["properties"] else { return }
    for property in properties { add(property.value, at: path + [property.name]) }
  }

  /// Refuses a request whose fields differ from its arguments.
  ///
  /// Values that a field cannot represent are ignored here; the schema refuses them.
  func check(_ arguments: JSONObject, against fields: AgentHeaders) throws(JSONRPCError) {
    for parameter in parameters {
      let place = "'/arguments\(JSONPointer(parameter.path))'"
      let field = try fields.decodedValue(of: parameter.field)
      guard let value = JSON.object(arguments)[JSONPointer(parameter.path)], value != .null else {
        guard field == nil else {
          throw JSONRPCError(
            .headerMismatch,
            "The field '\(parameter.field)' is there, but no argument is at \(place).")
        }
        continue
      }
      guard value.canBeRepeated else { continue }
      guard let field else {
        throw JSONRPCError(
          .headerMismatch,
          "The field '\(parameter.field)' is missing; it repeats \(place).")
      }
      guard value.isRepeated(by: field) else {
        throw JSONRPCError(
          .headerMismatch,
          "The field '\(parameter.field)' is \(quoted(field)), but \(place) is \(value.shown).")
      }
    }
  }
}

extension JSON {
  fileprivate var canBeRepeated: Bool {
    switch self {
    case .string, .int, .double, .bool: true
    case .null, .array, .object: false
    }
  }

  /// True if a field with this text has the same value. Numbers are compared as numbers.
  fileprivate func isRepeated(by text: String) -> Bool {
    switch self {
    case .string(let string): return string.hasSameBytes(as: text)
    case .bool(let bool): return text.hasSameBytes(as: bool ? "true" : "false")
    case .int, .double:
      switch (self, try? JSON(parsing: Array(text.utf8))) {
      case (.int(let mine), .int(let other)?): return mine == other
      case (let mine, let other?): return mine.number != nil && mine.number == other.number
      case (_, nil): return false
      }
    case .null, .array, .object: return false
    }
  }

  private var number: Double? {
    switch self {
    case .int(let int): Double(int)
    case .double(let double): double
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
