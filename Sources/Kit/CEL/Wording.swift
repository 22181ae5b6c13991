/// Phrases that the messages about sources and those about evaluations share.
enum Wording {
  /// That `function` takes no arguments of these types; a field is written with its dot.
  static func undefined(_ function: String, for types: [String]) -> String {
    if function.hasPrefix("."), let type = types.first {
      return "\(noun(type)) has no field '\(function.dropFirst())'"
    }
    return "'\(function)' is not defined for \(types.isEmpty ? "no arguments" : list(types))"
  }

  static func unsupportedKey(_ type: String) -> String {
    "a key of a map is a string, an int, a uint or a bool, not \(noun(type))"
  }

  static func stringTooLong(_ limit: Int) -> String {
    "the string has more than \(limit) bytes (maximumStringLength)"
  }

  static func tooManyElements(_ limit: Int) -> String {
    "the list or map has more than \(limit) elements (maximumElements)"
  }

  /// Returns the forms in which a function can be called.
  static func overloads(_ signatures: [Signature]) -> String {
    if signatures.first?.name == "==" || signatures.first?.name == "!=" {
      return "both sides must have the same type"
    }
    let isOperator = signatures.first.map { $0.name.utf8.first?.isLetter == false } ?? false
    let isInfix = isOperator || signatures.first?.name == "in"
    let texts = signatures.map { isInfix ? $0.operation : $0.description }
    let shown = texts.prefix(8) + (texts.count > 8 ? ["\(texts.count - 8) more"] : [])
    return "there \(texts.count == 1 ? "is" : "are") \(list(Array(shown), separator: ", "))"
  }

  /// `type` with its article: "an int", "a list(int)", "null".
  static func noun(_ type: String) -> String {
    if type == "null_type" { return "null" }
    let isVowel = ["int", "optional_type"].contains { type.hasPrefix($0) }
    return (isVowel ? "an " : "a ") + type
  }

  /// "a", or "a or b".
  static func alternatives(_ parts: [String]) -> String { parts.joined(separator: " or ") }

  /// "a and b", or with a separator "a, b and c".
  static func list(_ parts: [String], separator: String = " and ") -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: separator) + " and " + last
  }
}
