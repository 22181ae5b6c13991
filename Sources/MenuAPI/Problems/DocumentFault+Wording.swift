import CEL
import JSONText
package import MenuEngine

extension DocumentFault.Problem {
  /// What is wrong, as a sentence that does not say where; the pointer beside it does.
  package var sentence: String {
    switch self {
    case .expected(.arguments(of: let selector), .array(let found)):
      "Expected \(DocumentFault.Expectation.arguments(of: selector).wording), found "
        + "\(found.isEmpty ? "none" : "\(found.count)")."
    case .expected(.oneOf(let words), .string(let found)):
      "Expected \(DocumentFault.Expectation.oneOf(words).wording), found the string "
        + quoted(found) + (suggestion(for: found, among: words) ?? ".")
    case .expected(let expectation, let found):
      "Expected \(expectation.wording), found \(found.shown)."
    case .missingMember(let name, orElse: let others):
      "The member \(quoted(name)) is missing"
        + (others.isEmpty
          ? "." : "; \(list(others.map { quoted($0) }, "or")) would do as well.")
    case .unknownMember(let name, let known):
      "There is no member \(quoted(name)) here; "
        + (known.isEmpty ? "nothing is read here." : "known are \(list(known)).")
    case .conflictingMembers(let one, let other):
      "\(quoted(one)) and \(quoted(other)) exclude each other; give one of them."
    case .memberOfOtherKind(let name, let kind, let kinds):
      "A responder of kind '\(kind)' has no \(quoted(name)); only those of kind "
        + "\(list(kinds.map { "'\($0)'" }, "or")) have one."
    case .memberOfOtherSegue(let name, let kind, let kinds):
      "A segue of kind '\(kind)' has no \(quoted(name)); only those of kind "
        + "\(list(kinds.map { "'\($0)'" }, "or")) can have one."
    case .repeatedItem(let name): "The touch bar has \(quoted(name)) already."
    case .repeatedModifiers(let modifiers, let other):
      "Two alternates have the modifiers \(modifiers.wording); the other one stands at \(other)."
    case .rule(let fault): fault.sentence
    case .patch(let sentence): sentence
    case .declaration(let fault, let other):
      fault.sentence + (other.map { " The other one stands at \($0)." } ?? "")
    case .mutation(let fault): fault.sentence
    }
  }

  /// The kind of problem that a request with this fault meets.
  var type: ProblemType {
    switch self {
    case .expected, .missingMember, .unknownMember, .conflictingMembers, .memberOfOtherKind,
      .memberOfOtherSegue, .repeatedItem, .repeatedModifiers,
      .rule, .patch:
      .invalidBody
    case .declaration(let fault, other: _): fault.type
    case .mutation(let fault): fault.type
    }
  }
}

extension DocumentFault.Expectation {
  fileprivate var wording: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .bool: "true or false"
    case .integer: "an integer"
    case .identifier:
      "an identifier (1 to 128 letters A to Z and a to z, digits and '_', '.', ':', '-')"
    case .selector: "a selector such as 'copy:', whose colons count its arguments"
    case .receiver:
      "the id of a responder, that of a host followed by '/forwarder', or that of a responder "
        + "followed by '/undoManager'"
    case .pointer: "a JSON Pointer, empty or beginning with '/'"
    case .rule: "a rule in a string"
    case .boolRule: "a rule in a string, true or false"
    case .category: "true, or the name of the class that the category adds to"
    case .menuElement: "the id of a command in a string, the place of a command, or a menu"
    case .touchBarItem: "an item, or the word 'otherItems'"
    case .keyInput: "one character or a named key such as 'UIKeyInputUpArrow'"
    case .time:
      "milliseconds since 1970, or a moment such as '2026-11-21T08:32:27.000Z'"
    case .modifiers: "one or more modifiers"
    case .systems: "one or more of 'main' and 'context'"
    case .oneOf(let words): list(words.map { "'\($0)'" }, "or")
    case .arguments(of: let selector):
      "as many arguments as \(quoted(selector)) has colons, \(selector.argumentCount)"
    }
  }
}

extension CompilationFault {
  /// What is wrong with the rule and where, as a sentence.
  package var sentence: String {
    let hint = hint.map { "; \($0)" } ?? ""
    let stop = hint.hasSuffix("?") ? "" : "."
    return "The rule does not compile: \(message) at offset \(offset) "
      + "(line \(line), column \(column))\(hint)\(stop)"
  }
}

extension CatalogDocument.Fault {
  /// Where and what, as a line of a report: `commands#/3/title: The member …`.
  package var line: String { "\(part.rawValue)#\(fault.pointer): \(fault.problem.sentence)" }
}
