/// A function or initializer as a source file declares it.
struct FunctionDeclaration {
  /// Its name, or `init`.
  let name: String
  /// Its parameters as they are written.
  let parameters: [String]
  /// True if it stands outside of any type.
  let isOfFile: Bool

  /// The number of parameters that a call does not name.
  var unlabelledCount: Int {
    parameters.count { $0.contains(/^\s*(@\w+\s+)*_\s/) }
  }

  /// True if a C library calls it, which gives it the pointer that it was told, and names nothing.
  var isCalledByC: Bool {
    isOfFile && parameters.first?.contains(/:\s*UnsafeMutableRawPointer\??\s*$/) == true
  }

  /// The declarations of a source file.
  static func all(in text: String) -> [FunctionDeclaration] {
    text.matches(of: /(?m)^( *)(?:[\w@()]+ )*?(?:func ([^\s(<]+)|(init)[?]?)(?:<[^>(]*>)?\(/)
      .map { match in
        FunctionDeclaration(
          name: String(match.output.2 ?? match.output.3 ?? ""),
          parameters: parameters(of: text[match.range.upperBound...]),
          isOfFile: match.output.1.isEmpty)
      }
  }

  /// The parameters in a text that begins behind their parenthesis.
  private static func parameters(of text: Substring) -> [String] {
    var parameters = [""]
    var (depth, last): (Int, Character) = (0, "(")
    for character in text {
      switch character {
      case "(", "[", "{", "<": depth += 1
      case ")" where depth == 0: return parameters
      case ")", "]", "}": depth -= 1
      case ">" where last != "-": depth -= 1
      default: break
      }
      last = character
      if character == ",", depth == 0 {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    return parameters
  }
}
