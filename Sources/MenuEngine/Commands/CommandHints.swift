public import JSONText

/// Hints about a command for agents, which the engine believes and never checks.
public struct CommandHints: Equatable, Sendable, Codable {
  /// True if performing it changes nothing. The default is false.
  public let isReadOnly: Bool
  /// True if performing it again with the same parameters changes nothing more. The default is false.
  public let isIdempotent: Bool
  /// True if performing it may destroy something, false if it only adds; nil, the default, if nobody
  /// says.
  public let isDestructive: Bool?
}

extension CommandHints {
  /// The hints that a document describes: `{"readOnly": true}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    isReadOnly = reader.member("readOnly", Read.bool) ?? false
    isIdempotent = reader.member("idempotent", Read.bool) ?? false
    isDestructive = reader.member("destructive", Read.bool)
    reader.finish()
  }

  /// The hints as a document.
  public var json: JSON {
    var object: JSONObject = [
      "readOnly": .bool(isReadOnly), "idempotent": .bool(isIdempotent),
    ]
    object["destructive"] = isDestructive.map(JSON.bool)
    return .object(object)
  }
}
