public import JSONText

/// The declaration of an undo manager in a document: `{"levelsOfUndo": 20, "ignores": ["/selection"]}`.
public struct UndoManagerDeclaration: Equatable, Sendable, Codable {
  /// The number of groups that it keeps. The default is 0, no limit.
  public internal(set) var levelsOfUndo = 0
  /// The places of the state that are no part of the document (U5): nothing is registered at or below them, and
  /// nothing conflicts there. The default is none.
  public internal(set) var ignores: [JSONPointer] = []

  /// A manager without a limit.
  public init() {}

  /// The manager that a document describes, or nil and the faults.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    levelsOfUndo = reader.member("levelsOfUndo", Read.count) ?? 0
    ignores = reader.list("ignores", Read.pointer) ?? []
    if ignores.count > Limits.ignoredPlaces {
      log.note(.mutation(.tooLarge), at: pointer.appending("ignores"))
    }
    reader.finish()
  }

  /// The manager as a document.
  public var json: JSON {
    var object: JSONObject = ["levelsOfUndo": .int(Int64(levelsOfUndo))]
    if !ignores.isEmpty { object["ignores"] = .array(ignores.map { .string($0.description) }) }
    return .object(object)
  }
}
