import CEL
import JSONText

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
    FaultRow(type, sentence(self.sentence))
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

// How the sentences of problems show what a client sent: bounded, and in single quotes.

/// A client's text in single quotes, at most 100 characters of it.
func quoted(_ text: String) -> String {
  let scalars = text.unicodeScalars
  let shown = String(String.UnicodeScalarView(scalars.prefix(100)))
  return scalars.count > 100 ? "'\(shown)…'" : "'\(shown)'"
}

/// A name in single quotes.
func quoted(_ name: some CustomStringConvertible) -> String { quoted(name.description) }

/// Words as people list them: `a`, `a and b`, `a, b and c`.
func list(_ words: [String], _ conjunction: String = "and") -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// The end of a sentence that asks whether another name was meant: `; did you mean 'send'?`; nil when
/// none of them is like it.
func suggestion(for name: String, among names: [String]) -> String? {
  CEL.nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" }
}

/// A question that asks for another name of a command or an action: ` did you mean 'copy:'?`, and a sentence on the
/// colon if that is the difference.
package func didYouMean(_ meant: String, for name: String) -> String {
  func withoutColons(_ text: String) -> [UInt8] { text.utf8.filter { $0 != UInt8(ascii: ":") } }
  let differsByColons = withoutColons(meant) == withoutColons(name)
  return " did you mean \(quoted(meant))?"
    + (differsByColons
      ? " A colon stands for an argument, such as the sender; write both alike." : "")
}

extension JSON {
  /// The value as a sentence shows it.
  var shown: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .int(let int): "the number \(int)"
    case .double(let double): "the number \(double)"
    case .string(let string): "the string \(quoted(string))"
    case .array(let elements): elements.isEmpty ? "an empty array" : "an array"
    case .object(let object): object.isEmpty ? "an empty object" : "an object"
    }
  }
}
