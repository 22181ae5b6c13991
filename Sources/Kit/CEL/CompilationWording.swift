/// Messages for people whose source is no program.
extension CompilationFault.Reason {
  var wording: String {
    switch self {
    case .sourceTooLong(let limit):
      "the source is longer than \(limit) bytes (maximumSourceLength)"
    case .nestedTooDeeply(let limit):
      "the program is nested more than \(limit) levels deep (maximumNesting)"
    case .tooManyNodes(let limit):
      "the program has more than \(limit) parts (maximumNodes)"
    case .tooManySteps(let steps, let limit):
      "evaluating this takes at least \(steps) steps, more than \(limit) (maximumSteps)"
    case .stringTooLong(let limit): Wording.stringTooLong(limit)
    case .tooManyElements(let limit): Wording.tooManyElements(limit)
    case .unexpectedCharacter(let scalar):
      "unexpected character \(Self.name(of: scalar))"
    case .unterminatedString:
      "the string does not end"
    case .invalidEscape(let text):
      "invalid escape sequence '\(text)'"
    case .invalidNumber(let text):
      "invalid number '\(text)'"
    case .numberOutOfRange(let text):
      "the number '\(text)' is out of range"
    case .unexpected(let found, let expected):
      "expected \(expected), found \(found)"
    case .reservedWord(let word):
      "'\(word)' is a reserved word"
    case .unknownVariable(let name):
      "unknown variable '\(name)'"
    case .unknownFunction(let name):
      "unknown function '\(name)'"
    case .wrongArgumentCount(let function, let expected, let found):
      "'\(function)' takes \(Self.counts(expected)), not \(found)"
    case .invalidMacro(let macro, let expected):
      "'\(macro)' takes \(expected)"
    case .noSuchOverload(let function, let types):
      Wording.undefined(function, for: types.map(\.description))
    case .unsupportedKey(let type):
      Wording.unsupportedKey(type.description)
    case .invalidPattern(let message):
      "invalid pattern: \(message)"
    case .message(let name):
      "'\(name){…}' would be a message; programs here know JSON values only"
    case .wrongType(let type, let wanted):
      "the value is \(Wording.noun(type.description)), never "
        + Wording.alternatives(wanted.map { Wording.noun($0.shortName) })
    case .noJSONForm(let type):
      "the value is \(Wording.noun(type.description)), which has no form in JSON"
    }
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    let code = String(scalar.value, radix: 16, uppercase: true)
    let isPrintable = scalar.value > 0x20 && !(0x7F...0x9F).contains(scalar.value)
    let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
    return isPrintable ? "'\(scalar)'" : "U+\(padded)"
  }

  private static func counts(_ expected: [Int]) -> String {
    let text = expected.map(String.init).joined(separator: " or ")
    return expected == [1] ? "1 argument" : "\(text) arguments"
  }
}

extension Slip {
  var wording: String {
    switch self {
    case .assignment: "did you mean '=='?"
    case .singleAmpersand: "did you mean '&&'?"
    case .singleBar: "did you mean '||'?"
    case .wordForOperator(let word, let means): "'\(word)' is written '\(means)'"
    case .missingQuote: "a quote is missing"
    case .typographicQuote: "strings stand in ' or \""
    case .lineBreakInString: "a quote is missing, or three of them for a string of several lines"
    case .strictEquality(let means): "did you mean '\(means)'?"
    case .misspelled(let nearest): "did you mean '\(nearest)'?"
    case .functionOfMember(let name): "write '\(name)(x)' instead of 'x.\(name)()'"
    case .memberOfFunction(let name): "write 'x.\(name)(…)' instead of '\(name)(x, …)'"
    case .statement: "a program is one expression"
    case .comment: "comments begin with '//'"
    case .inequality: "did you mean '!='?"
    case .comparison(let means): "did you mean '\(means)'?"
    case .conditional: "write 'condition ? a : b'"
    case .variables(let names):
      names.count == 1
        ? "the only variable is \(names[0])"
        : "the variables are \(Wording.list(names, separator: ", "))"
    case .unquotedKey(let name): "did you mean '\(name)' in quotes?"
    case .reservedField(let name): "write ['\(name)'] instead of .\(name)"
    case .overloads(let signatures): Wording.overloads(signatures)
    case .wanted(let type):
      type.name == "optional_type"
        ? "an optional is wanted" : "\(Wording.noun(type.description)) is wanted"
    case .conversion(let type, let wanted): type.conversion(to: wanted)
    case .range(let kind):
      "\(kind == .optMap || kind == .optFlatMap ? "an optional" : "a list or map") is wanted"
    }
  }
}
