/// A row of the table of faults: everything that a problem tells of a fault.
///
/// The kind has the status and the title (`ProblemType`). The name and the place that a fault blames
/// are data, which the engine has beside the fault (`Blame`).
package struct FaultRow: Equatable, Sendable {
  /// The kind when a part of the body is to blame.
  package let type: ProblemType
  /// The kind when the path names something that does not exist. The default is `type`.
  package let typeInPath: ProblemType
  /// The mistake and the remedy, as whole sentences.
  package let sentence: String
  /// The number of seconds after which the request may be repeated; nil if that does not help.
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

  /// Returns the row of a fault that contains this one: the same kind, with the sentence in another.
  func within(_ sentence: (String) -> String = { $0 }) -> FaultRow {
    FaultRow(type, sentence(self.sentence), retryAfter: retryAfter)
  }
}

/// A fault that has a row of the table.
package protocol TabulatedFault {
  /// The row of the fault.
  var row: FaultRow { get }
}

extension TabulatedFault {
  /// The kind of problem when a part of the body is to blame.
  package var type: ProblemType { row.type }
  /// The mistake and the remedy, as whole sentences.
  package var sentence: String { row.sentence }
}
