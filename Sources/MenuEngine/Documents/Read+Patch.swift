public import JSONText

extension Read {
  /// A JSON Patch (RFC 6902).
  public static func patch(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> JSONPatch? {
    do throws(JSONPatchDecodingFault) {
      return try JSONPatch(json)
    } catch {
      let place = JSONPointer(pointer.tokens + error.pointer.tokens)
      log.note(.patch(error.description), at: place)
      return nil
    }
  }

  /// An integer.
  public static func int(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Int? {
    if case .int(let int) = json { return Int(int) }
    return refuse(.integer, json, at: pointer, log: log)
  }

  /// An identifier, or null for none, which is a `.some(nil)`.
  public static func optionalIdentifier<Subject>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Identifier<Subject>?? {
    if json == .null { return .some(nil) }
    let identifier: Identifier<Subject>? = identifier(json, at: pointer, log: log)
    return identifier.map { .some($0) }
  }
}

extension JSONPatch {
  /// The patch as a document.
  public var json: JSON { .array(operations.map(\.json)) }
}

extension JSONPatch.Operation {
  /// The operation as a document.
  public var json: JSON {
    switch self {
    case .add(let path, let value): document("add", ("path", path.json), ("value", value))
    case .remove(let path): document("remove", ("path", path.json))
    case .replace(let path, let value): document("replace", ("path", path.json), ("value", value))
    case .move(let from, let path): document("move", ("from", from.json), ("path", path.json))
    case .copy(let from, let path): document("copy", ("from", from.json), ("path", path.json))
    case .test(let path, let value): document("test", ("path", path.json), ("value", value))
    }
  }

  private func document(_ op: String, _ members: (String, JSON)...) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op)
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}
