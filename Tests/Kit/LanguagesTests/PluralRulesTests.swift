import Foundation
import Testing

@testable import Languages

/// The cardinal rules of CLDR 41: `Fixtures/plurals.xml` is its `common/supplemental/plurals.xml`, with the samples of
/// every rule.
struct PluralRulesTests {
  /// A rule of the file, with its samples.
  struct Sample: Sendable {
    let languages: [String]
    let category: PluralCategory
    let numbers: [String]
  }

  static func samples() throws -> [Sample] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/plurals.xml")
    let groups = try String(contentsOf: file, encoding: .utf8)
      .matches(of: #/<pluralRules locales="(?<languages>[^"]*)">(?<rules>(?s:.*?))</pluralRules>/#)
    return try groups.flatMap { group in
      try group.rules.matches(of: #/<pluralRule count="(?<category>\w+)">(?<text>[^<]*)</#).map {
        Sample(
          languages: group.languages.replacing("_", with: "-").split(separator: " ").map(
            String.init),
          category: try #require(PluralCategory(rawValue: String($0.category))),
          numbers: $0.text.split(separator: "@").dropFirst().flatMap(numbers))
      }
    }
  }

  /// Returns the numbers of `integer 0, 2~16, 100, …`: a range has steps of its last digit.
  static func numbers(in list: Substring) -> [String] {
    list.split(separator: " ").dropFirst().flatMap { word -> [String] in
      let ends = word.split(separator: ",")[0].split(separator: "~")
      guard ends.count == 2, let first = Decimal(string: String(ends[0])),
        let last = Decimal(string: String(ends[1]))
      else { return word.first == "…" ? [] : ends.map(String.init) }
      let places = ends[0].split(separator: ".").dropFirst().first?.count ?? 0
      let step = pow(Decimal(10), -places)
      return stride(from: 0, through: 10_000, by: 1).lazy.map { first + step * Decimal($0) }
        .prefix { $0 <= last }
        .map { String(format: "%.\(places)f", NSDecimalNumber(decimal: $0).doubleValue) }
    }
  }

  @Test func `M14: every sample of every rule of CLDR has its category`() throws {
    let samples = try Self.samples()
    var count = 0
    for sample in samples {
      for language in sample.languages {
        let rules = PluralRules.cardinal(of: try #require(LanguageTag(language)))
        #expect(rules.categories.contains(sample.category), "\(language)")
        for text in sample.numbers {
          let number = try #require(PluralNumber(text), "\(text)")
          #expect(rules.category(of: number) == sample.category, "\(language): \(text)")
          count += 1
        }
      }
    }
    #expect(samples.count == 129)
    #expect(count > 9_000)
    #expect(PluralRules.byLanguage.count == Set(samples.flatMap(\.languages)).count)
  }

  @Test(arguments: [
    ("en", "1", PluralCategory.one), ("en", "1.0", .other), ("de-AT", "1", .one),
    ("fr", "1.5", .one), ("fr", "1000000", .many), ("fr", "1e6", .many), ("pt-PT", "1.5", .other),
    ("pt-BR", "1.5", .one), ("ru", "22", .few), ("ru", "12", .many), ("ru", "1.5", .other),
    ("ar", "0", .zero), ("ar", "2", .two), ("ja", "1", .other), ("tlh", "1", .other),
    ("ru", "-21", .one), ("ru", "100000000000000000021", .one), ("en", "1e+20", .other),
    ("cs", "1.5", .many), ("cs", "15e-1", .many), ("ru", "1e999", .many), ("ru", "1e-999", .other),
    ("da", "1e-999", .one), ("ru", "0e999", .many), ("ru", "1.000e3", .many),
    ("cs", "0.001e3", .one),
  ]) func `M14: decimals, great and negative numbers, and truncated tags have categories`(
    language: String, text: String, category: PluralCategory
  ) throws {
    let rules = PluralRules.cardinal(of: try #require(LanguageTag(language)))
    #expect(rules.category(of: try #require(PluralNumber(text))) == category)
  }

  @Test(arguments: ["", "-", "1.", ".5", "+1", "1e", "1e1234", "NaN", "1 ", "٣", "1.2.3", "0x1"])
  func `M14: other texts are no numbers`(text: String) {
    #expect(PluralNumber(text) == nil)
  }

  @Test(arguments: [
    "", "n", "n =", "n = a", "n = 1 and", "n = 1 or", "x = 1", "n % 0 = 1", "n = 2..1",
  ])
  func `M14: other texts are no conditions`(text: String) {
    #expect(PluralCondition(text) == nil)
  }
}
