/// A form of a text for some numbers (UTS 35, part 3, "Language Plural Rules").
package enum PluralCategory: String, CaseIterable, Sendable {
  case zero
  case one
  case two
  case few
  case many
  case other
}

/// The cardinal plural rules of a language, from CLDR.
package struct PluralRules: Sendable {
  private let rules: [(category: PluralCategory, condition: PluralCondition)]

  /// The categories that the language needs, `other` last.
  package var categories: [PluralCategory] { rules.map(\.category) + [.other] }

  /// Returns the category of a number.
  package func category(of number: PluralNumber) -> PluralCategory {
    rules.first { $0.condition.holds(for: number) }?.category ?? .other
  }

  /// Returns the rules of a language, of what its tag is truncated to, or without categories besides `other`.
  package static func cardinal(of language: LanguageTag) -> PluralRules {
    language.truncations.lazy.compactMap { byLanguage[$0] }.first ?? PluralRules(rules: [])
  }

  private init(rules: [(category: PluralCategory, condition: PluralCondition)]) {
    self.rules = rules
  }

  /// The rules by language.
  package static let byLanguage: [LanguageTag: PluralRules] = {
    var all: [LanguageTag: PluralRules] = [:]
    var languages: [Substring] = []
    var rules: [(category: PluralCategory, condition: PluralCondition)] = []
    func finish() {
      for language in languages {
        LanguageTag(String(language)).map { all[$0] = PluralRules(rules: rules) }
      }
    }
    for line in cardinalRules.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      if let category = PluralCategory(rawValue: String(words[0])), words.count == 2 {
        PluralCondition(String(words[1])).map { rules.append((category, $0)) }
      } else {
        finish()
        (languages, rules) = (line.split(separator: " "), [])
      }
    }
    finish()
    return all
  }()
}

/// The condition of a plural rule, in CLDR's syntax: `v = 0 and i % 10 = 2..4 or n = 1`.
struct PluralCondition: Sendable {
  /// A comparison of an operand, or its remainder, with ranges.
  private struct Relation: Sendable {
    let operand: PluralNumber.Operand
    let divisor: UInt64?
    let ranges: [ClosedRange<UInt64>]
    let isEqual: Bool

    func holds(for number: PluralNumber) -> Bool {
      let value = number[operand]
      let remainder = divisor.map { value % $0 } ?? value
      // `n` equals an integer only if it has no fraction.
      let isFraction = operand == .n && number.trimmedFraction != 0
      return (!isFraction && ranges.contains { $0.contains(remainder) }) == isEqual
    }
  }

  /// One of these is true if all its relations are.
  private let alternatives: [[Relation]]

  /// Reads a condition; nil if it is not one.
  init?(_ text: String) {
    var alternatives: [[Relation]] = [[]]
    var words = text.split(separator: " ")[...]
    while !words.isEmpty {
      guard let relation = Self.relation(&words) else { return nil }
      alternatives[alternatives.count - 1].append(relation)
      switch words.popFirst() {
      case "and": if words.isEmpty { return nil }
      case "or": alternatives.append([])
      case nil: break
      default: return nil
      }
    }
    guard alternatives.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.alternatives = alternatives
  }

  func holds(for number: PluralNumber) -> Bool {
    alternatives.contains { $0.allSatisfy { $0.holds(for: number) } }
  }

  private static func relation(_ words: inout ArraySlice<Substring>) -> Relation? {
    guard let name = words.popFirst(), let operand = PluralNumber.Operand(rawValue: String(name))
    else { return nil }
    var divisor: UInt64?
    if words.first == "%" {
      words.removeFirst()
      guard let number = words.popFirst().flatMap({ UInt64($0) }), number > 0 else { return nil }
      divisor = number
    }
    guard let comparison = words.popFirst(), ["=", "!="].contains(comparison),
      let list = words.popFirst()
    else { return nil }
    var ranges: [ClosedRange<UInt64>] = []
    for range in list.split(separator: ",") {
      let ends = range.split(separator: ".").compactMap { UInt64($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return nil }
      ranges.append(first...last)
    }
    return Relation(
      operand: operand, divisor: divisor, ranges: ranges, isEqual: comparison == "=")
  }
}

extension PluralNumber {
  /// The operands, by the letters of CLDR's rules.
  fileprivate enum Operand: String {
    case n, i, v, w, f, t, c, e
  }

  fileprivate subscript(operand: Operand) -> UInt64 {
    switch operand {
    case .n, .i: integer
    case .v: width
    case .w: trimmedWidth
    case .f: fraction
    case .t: trimmedFraction
    case .c, .e: exponent
    }
  }
}
