import JSONText
import Testing

@testable import JSONSchema

/// Patterns are those of ECMA-262, as JSON Schema demands.
@Suite struct ECMAPatternTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    try Schema(["pattern": .string(pattern)]).faults(of: .string(text)).isEmpty
  }

  @Test(
    arguments: [
      (#"^\u00e9$"#, ["é"], ["e", "u00e9"]),
      (#"^(?<year>\d{4})-(?<month>\d{2})$"#, ["2026-11"], ["2026-1"]),
      (#"^\p{Letter}+$"#, ["Straße", "жук"], ["a1", ""]),
      (#"^\P{Letter}+$"#, ["12"], ["a"]),
      (#"^[\p{Letter}\p{Nd}_]+$"#, ["ж1_"], ["-"]),
      (#"^[\P{Letter}]+$"#, ["12"], ["a"]),
      (#"^\p{General_Category=Uppercase_Letter}\p{gc=Ll}$"#, ["Ab"], ["ab"]),
      (#"^\p{Script=Greek}+$"#, ["αβγ"], ["abc"]),
      (#"^\p{Cased_Letter}$"#, ["a", "A"], ["1", "中"]),
      (#"^\p{ASCII}+$"#, ["a\u{0}~"], ["é"]), (#"^\P{ASCII}$"#, ["é"], ["a"]),
      (#"^\p{Any}$"#, ["\n", "😀"], [""]), (#"^\p{Other}$"#, ["\u{1}", "\u{378}"], ["a"]),
      (#"^\p{Cn}$"#, ["\u{378}"], ["\u{1}", "a"]),
      (#"^\p{White_Space}$"#, ["\u{3000}"], ["a"]),
      (#"^a\cJb\cj$"#, ["a\nb\n"], ["acJbcj"]),
      (#"^[^]$"#, ["a", "\n", "😀"], ["", "ab"]), (#"a[]|b"#, ["b"], ["a"]),
      (#"^\s$"#, [" ", "\u{B}", "\u{A0}", "\u{2028}", "\u{FEFF}", "\u{3000}"], ["a", "\u{85}"]),
      (#"^\S$"#, ["a", "\u{85}"], [" ", "\u{FEFF}"]),
      (#"^[\s-]$"#, ["\u{2003}", "-"], ["a"]), (#"^[\S]$"#, ["a", "\u{10FFFF}"], ["\u{2029}"]),
      (#"^[^\S]$"#, ["\u{2029}"], ["a"]),
      (#"^\d$"#, ["7"], ["٣"]), (#"^\w$"#, ["_"], ["é"]), (#"^\D$"#, ["٣"], ["7"]),
      (#"^.$"#, ["a", "\u{85}"], ["\n", "\r", "\u{2028}", "\u{2029}"]),
      (#"^(?s:.).$"#, ["\na"], ["a\n"]),
      (#"^\uD83D\uDE00$"#, ["😀"], ["a"]), (#"^\u{1F600}$"#, ["😀"], ["a"]),
      (#"^[\u0430-\u044f]+$"#, ["жук"], ["abc"]),
      (#"^\x41\0$"#, ["A\u{0}"], ["A"]), (#"^[\b]$"#, ["\u{8}"], ["b"]),
      (#"\bfoo\b"#, ["a foo b"], ["afoo"]),
      (#"^\/\-\_\@\é$"#, ["/-_@é"], []), (#"^[\]\-[]+$"#, ["]-["], ["a"]),
      (#"^[[:alpha:]]$"#, ["a]", ":]", "[]"], ["z]", "b"]),
      (#"^a$"#, ["a"], ["a\n"]), (#"a{2}"#, ["aa"], ["a"]), (#"^{$"#, ["{"], []),
      (#"^\t\n\v\f\r$"#, ["\t\n\u{B}\u{C}\r"], []),
    ] as [(String, [String], [String])])
  func `a pattern matches as ECMA-262 says`(
    pattern: String, matching: [String], others: [String]
  ) throws {
    for text in matching { #expect(try matches(pattern, text), "\(text.debugDescription)") }
    for text in others { #expect(try !matches(pattern, text), "\(text.debugDescription)") }
  }

  @Test(
    arguments: [
      ("(?=a)", "look-around such as '(?=' is not supported, since RE2 has none"),
      ("(?<!a)b", "look-around such as '(?<!' is not supported, since RE2 has none"),
      (#"(a)\1"#, #"back-references such as '\1' are not supported, since RE2 has none"#),
      (#"(a)\12"#, #"back-references such as '\1' are not supported, since RE2 has none"#),
      (
        #"(?<a>b)\k<a>"#,
        #"back-references such as '\k<name>' are not supported, since RE2 has none"#
      ),
      (#"\uD83D"#, #"'\ud83d' is no character, so that no text has it"#),
      (
        #"\u12"#, #"four hexadecimal digits, or some in braces, are expected behind '\u'"#
      ),
      (#"\u{110000}"#, #"'\u110000' is no character, so that no text has it"#),
      ("(?<1a>b)", "the name of a group has letters, digits, '_' and '$'"),
      ("(?<ab", "the name of a group is missing, or its '>'"),
      (#"\c1"#, #"a letter is expected behind '\c'"#), (#"\01"#, #"no digit may follow '\0'"#),
      (#"[\P{Any}]"#, #"'\P{Any}' is not supported inside of '[' and ']'"#),
      (#"\p{Letter"#, #"the '}' of '\p{Letter' is missing"#),
      (
        #"\p{letter}"#,
        #"there is no '\p{letter}': supported are general categories and scripts, by their long names, and 'Any', 'ASCII' and 'White_Space'"#
      ),
      ("[a", "missing ]"), (#"\"#, "the pattern ends with a backslash"), ("(", "missing ): ("),
      (")", "unexpected ): )"), (#"\p{Klingon}"#, #"invalid character class range: \p{Klingon}"#),
      ("(?#a)", "'(?#' begins no group"),
    ])
  func `a pattern that RE2 cannot match is refused`(pattern: String, message: String) throws {
    let faults = try #require(throws: SchemaFaults.self) {
      try Schema(["pattern": .string(pattern)])
    }
    #expect(faults.faults.map(\.reason) == [.invalidPattern(message)])
  }
}
