public import JSONText

/// The declaration of an undo manager in a document: `{"levelsOfUndo": 20}`.
public struct UndoManagerDeclaration: Equatable, Sendable, Codable {
  /// The number of groups that it keeps. The default is 0, no limit.
  public internal(set) var levelsOfUndo = 0

  /// A manager without a limit.
  public init() {}

  /// The manager that a document describes, or nil and the faults.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    levelsOfUndo = reader.member("levelsOfUndo", Read.count) ?? 0
    reader.finish()
  }

  /// The manager as a document.
  public var json: JSON { ["levelsOfUndo": .int(Int64(levelsOfUndo))] }
}
