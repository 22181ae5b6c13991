import JSONText

/// Tells from the text of a rule for a place what can be told.
enum StatePlace {
  /// The place that every place lies in that a rule can answer, as far as it begins with literals: `/o` of
  /// `'/o/' + state.id` and of `['o', state.id]`. The root if it begins otherwise.
  static func beginning(of rule: String) -> JSONPointer {
    var rest = rule[...].drop(while: \.isWhitespace)
    guard rest.first == "[" else {
      let literal = literal(&rest) ?? ""
      guard rest.isEmpty || rest.first == "+", !rule.contains("?") else { return .root }
      // The last token may go on.
      let tokens = literal.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      return (try? JSONPointer(parsing: tokens.joined(separator: "/"))) ?? .root
    }
    var tokens: [String] = []
    while rest.first == "[" || rest.first == "," {
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      guard let token = literal(&rest), rest.first == "," || rest.first == "]" else { break }
      tokens.append(token)
    }
    return JSONPointer(tokens)
  }

  /// Takes a string literal without escapes, and the space after it.
  private static func literal(_ rest: inout Substring) -> String? {
    guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
    let text = rest.dropFirst().prefix { $0 != quote }
    guard !text.contains("\\"), !text.isEmpty else { return nil }
    rest = rest.dropFirst(text.count + 2).drop(while: \.isWhitespace)
    return String(text)
  }
}

extension JSONPointer {
  var json: JSON { .string(description) }
}
