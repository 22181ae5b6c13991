/// A row of the table of faults: everything that a problem states about a fault.
///
/// The kind determines the status and the title (`ProblemType`). The name and the place at fault are data of the
/// engine (`Blame`).
package struct FaultRow: Equatable, Sendable {
  /// The kind if a part of the body is at fault.
  package let type: ProblemType
  /// The kind if the path names something that does not exist. The default is `type`.
  package let typeInPath: ProblemType
  /// The mistake and the remedy, as full sentences.
  package let sentence: String
  /// The number of seconds after which a retry is useful; nil if it is not.
  package let retryAfter: Int?

  init(
    _ type: ProblemType, inPath typeInPath: ProblemType? = nil, _ sentence: String,
    retryAfter: Int? = nil
  ) {
    self.type = type
    self.typeInPath = typeInPath ?? type
    self.sentence = sentence
    self.retryAfter = retryAfter
  }

  /// Returns the row of a fault that contains this one: the same kind, with the sentence inside another.
  func within(_ sentence: (String) -> String = { $0 }) -> FaultRow {
    FaultRow(type, sentence(self.sentence), retryAfter: retryAfter)
  }
}

/// A fault with a row in the table.
package protocol TabulatedFault {
  /// The row; its sentence names both sides.
  var row: FaultRow { get }
}

extension TabulatedFault {
  /// The kind of problem if a part of the body is at fault.
  package var type: ProblemType { row.type }
  /// The mistake and the remedy, as full sentences.
  package var sentence: String { row.sentence }
}
