import JSONText
import Logging
import MenuAPI
import MenuEngine
import MenuStore

extension Setting {
  /// The JSON Schema of a configuration file, derived from the table of settings.
  static var schema: JSON {
    var properties: JSONObject = [JSON.schemaReference: FileSchemas.reference]
    for setting in all {
      guard let name = setting.path.last else { continue }
      guard setting.path.count > 1, let section = setting.path.first else {
        properties[name] = setting.schema
        continue
      }
      var members = JSONObject()
      if case .object(let present)? = properties[section],
        case .object(let known)? = present["properties"]
      {
        members = known
      }
      members[name] = setting.schema
      properties[section] = [
        "type": "object", "description": .string(meaning(ofSection: section)),
        "additionalProperties": false, "properties": .object(members),
      ]
    }
    return [
      "$schema": FileSchemas.dialect, "title": "menud.json",
      "description": "The configuration of menud.", "type": "object",
      "additionalProperties": false, "properties": .object(properties),
    ]
  }

  /// The schema of its values, with the description and the default.
  private var schema: JSON {
    var schema = form.schema
    schema["description"] = .string(about)
    schema["default"] = form.value(in: Configuration())
    return .object(schema)
  }
}

extension Setting.Form {
  fileprivate var schema: JSONObject {
    switch self {
    case .text: ["type": "string"]
    case .integer(let range, _): Self.integers(range)
    case .port: ["type": ["integer", "null"], "minimum": 0, "maximum": 65_535]
    case .seconds: ["type": "number", "minimum": 0, "maximum": 86_400]
    case .flag: ["type": "boolean"]
    case .level: Self.words(Logger.Level.self)
    case .format: Self.words(LogFormat.self)
    case .journalStore: Self.words(JournalStore.self)
    case .durability: Self.words(Durability.self)
    case .reads: Self.words(ReplicaConfiguration.Reads.self)
    case .consent: Self.words(AgentConsent.self)
    case .tools: Self.words(AskedTools.self)
    case .requirement: Self.words(AuthConfiguration.Requirement.self)
    case .sessions:
      Self.list(
        "^([A-Za-z0-9_:-]|[.][A-Za-z0-9_:-]|[.][.][A-Za-z0-9_.:-])[A-Za-z0-9_.:-]{0,127}$")
    case .hosts: Self.list(#"^(\*|[a-z0-9_.-]+)$"#)
    case .origins: Self.list(#"^[a-z0-9+.-]+://[a-z0-9_.:\[\]-]+$"#)
    case .token:
      [
        "type": ["string", "null"], "minLength": 16, "maxLength": 1024,
        "pattern": "^[A-Za-z0-9._~+/-]+=*$",
      ]
    case .address: ["type": ["string", "null"]]
    case .decision: ["type": ["boolean", "null"]]
    case .consolePath: ["type": "string", "pattern": "^(/[A-Za-z0-9_-]+)+$"]
    }
  }

  private static func integers(_ range: ClosedRange<Int>) -> JSONObject {
    [
      "type": "integer", "minimum": .int(Int64(range.lowerBound)),
      "maximum": .int(Int64(range.upperBound)),
    ]
  }

  private static func words<Word: RawRepresentable<String> & CaseIterable>(
    _ type: Word.Type
  ) -> JSONObject {
    ["type": "string", "enum": .array(type.allCases.map { .string($0.rawValue) })]
  }

  private static func list(_ pattern: String) -> JSONObject {
    ["type": "array", "items": ["type": "string", "pattern": .string(pattern)]]
  }

  /// Returns the value in a configuration as JSON; null for a secret.
  fileprivate func value(in configuration: Configuration) -> JSON {
    switch self {
    case .text(let target), .consolePath(let target): .string(configuration[keyPath: target])
    case .integer(_, let target): .int(Int64(configuration[keyPath: target]))
    case .port(let target): configuration[keyPath: target].map { .int(Int64($0)) } ?? .null
    case .seconds(let target): configuration[keyPath: target].json
    case .flag(let target): .bool(configuration[keyPath: target])
    case .level(let target): .string(configuration[keyPath: target].rawValue)
    case .format(let target): .string(configuration[keyPath: target].rawValue)
    case .journalStore(let target): .string(configuration[keyPath: target].rawValue)
    case .durability(let target): .string(configuration[keyPath: target].rawValue)
    case .reads(let target): .string(configuration[keyPath: target].rawValue)
    case .consent(let target): .string(configuration[keyPath: target].rawValue)
    case .tools(let target): .string(configuration[keyPath: target].rawValue)
    case .requirement(let target): .string(configuration[keyPath: target].rawValue)
    case .sessions(let target):
      .array(configuration[keyPath: target].map { .string($0.rawValue) })
    case .hosts(let target), .origins(let target):
      .array(configuration[keyPath: target].map(JSON.string))
    case .decision(let target): configuration[keyPath: target].map(JSON.bool) ?? .null
    case .token, .address: .null
    }
  }
}

extension Duration {
  /// The seconds, as an integer if possible.
  fileprivate var json: JSON {
    components.attoseconds == 0 ? .int(components.seconds) : .double(self / .seconds(1))
  }
}
