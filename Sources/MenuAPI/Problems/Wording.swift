import CEL
import JSONText

// The rendering of a client's text in the sentences of problems: bounded, and in single quotes.

/// Returns a client's text in single quotes, truncated to 100 characters.
func quoted(_ text: String) -> String {
  let scalars = text.unicodeScalars
  let shown = String(String.UnicodeScalarView(scalars.prefix(100)))
  return scalars.count > 100 ? "'\(shown)…'" : "'\(shown)'"
}

func quoted(_ name: some CustomStringConvertible) -> String { quoted(name.description) }

/// Returns a name in single quotes, not truncated, for a reader that sends it back; as JSON if it has control
/// characters.
func quotedWhole(_ name: String) -> String {
  let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  return isPlain ? "'\(name)'" : JSON.string(name).text()
}

/// Returns words as a list: `a`, `a and b`, `a, b and c`.
package func list(_ words: [String], _ conjunction: String = "and") -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}

/// Returns the end of a sentence that suggests a similar name: `; did you mean 'send'?`; nil if there is none.
func suggestion(for name: String, among names: [String]) -> String? {
  CEL.nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" }
}

/// Returns a question that suggests another name of a command or an action: ` did you mean 'copy:'?`, with a
/// sentence about the colon if that is the difference.
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
