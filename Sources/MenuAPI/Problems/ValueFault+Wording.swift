import JSONSchema
import JSONText
import MenuEngine

extension ValueFault.Reason {
  /// The fault of a value that does not meet its schema, as a sentence that does not say where (P2).
  package var sentence: String {
    switch self {
    case .type(let types, let found):
      "Expected \(list(types.map(\.wording), "or")), found \(found.shown)."
    case .notEqual(let value, let found): "Expected \(value.literal), found \(found.shown)."
    case .notListed(let values, let found): notListed(values, found)
    case .number(let bound, let limit, let found):
      "Expected \(bound.wording) \(limit), found \(found.shown)."
    case .count(let bound, let limit, let counted, let found):
      "Expected \(bound.wording) \(counted.wording(limit)), found \(found)."
    case .noMatch(let pattern, let found):
      "Expected a string that matches \(quoted(pattern)), found the string \(quoted(found))."
    case .repeatedElement(let first):
      "The element is equal to the one at index \(first), and each may be there only once."
    case .missingMember(let name, because: nil): "The member \(quoted(name)) is missing."
    case .missingMember(let name, because: let other?):
      "The member \(quoted(name)) is missing, which must be there beside \(quoted(other))."
    case .unknownMember(let name, let known) where known.count > Self.maximumListedValues:
      "There is no member \(quoted(name)) here"
        + (suggestion(for: name, among: known) ?? "; the schema names \(known.count) others.")
    case .unknownMember(let name, let known):
      DocumentFault.Reason.unknownMember(name, known: known).sentence
    case .nothingAllowed: "Nothing may be here."
    case .name(let name, let reason):
      "The name \(quoted(name)) is not allowed. \(reason.sentence)"
    case .contained(let bound, let limit, let found):
      "Expected \(bound.wording) \(Counted.elements.wording(limit)) that 'contains' describes, "
        + "found \(found)."
    case .noneOf(let count): "The value meets none of the \(count) schemas in 'anyOf'."
    case .notOneOf(let count, found: 0):
      "The value meets none of the \(count) schemas in 'oneOf'."
    case .notOneOf(let count, let found):
      "The value meets \(found) of the \(count) schemas in 'oneOf', and must meet exactly one."
    case .excluded: "The value meets the schema in 'not', which it must not."
    case .tooMuchWork(.steps(let limit)):
      "Checking the value takes more than \(limit) steps; make it smaller, or its schema simpler."
    case .tooMuchWork(.depth(let limit)):
      "The value is nested too deeply: checking it takes more than \(limit) schemas inside each "
        + "other."
    }
  }

  private func notListed(_ values: [JSON], _ found: JSON) -> String {
    let names = values.compactMap { if case .string(let name) = $0 { name } else { nil } }
    let hint: String? =
      if case .string(let name) = found { suggestion(for: name, among: names) } else { nil }
    let shown =
      values.count > Self.maximumListedValues
      ? "one of \(values.count) values" : list(values.map(\.literal), "or")
    let expected = values.isEmpty ? "nothing" : shown
    return "Expected \(expected), found \(found.shown)\(hint ?? ".")"
  }

  /// The most values or names that a sentence lists.
  private static let maximumListedValues = 24
}

extension ValueTypeName {
  fileprivate var wording: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .object: "an object"
    case .array: "an array"
    case .number: "a number"
    case .integer: "an integer"
    case .string: "a string"
    }
  }
}

extension NumberBound {
  fileprivate var wording: String {
    switch self {
    case .minimum: "a number that is at least"
    case .maximum: "a number that is at most"
    case .exclusiveMinimum: "a number greater than"
    case .exclusiveMaximum: "a number less than"
    case .multipleOf: "a multiple of"
    }
  }
}

extension CountBound {
  fileprivate var wording: String {
    switch self {
    case .atLeast: "at least"
    case .atMost: "at most"
    }
  }
}

extension Counted {
  fileprivate func wording(_ count: Int) -> String {
    let noun =
      switch self {
      case .characters: "character"
      case .elements: "element"
      case .members: "member"
      }
    return "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension JSON {
  /// The value as a sentence shows one that is expected: arrays and objects as they are written.
  fileprivate var literal: String {
    switch self {
    case .null, .bool, .int, .double: "\(self)"
    case .string(let string): quoted(string)
    case .array, .object: quoted(text())
    }
  }
}
