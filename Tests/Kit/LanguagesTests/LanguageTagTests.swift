import Testing

@testable import Languages

struct LanguageTagTests {
  @Test(arguments: [
    ("de", "de"), ("DE-at", "de-AT"), ("zh-hant-tw", "zh-Hant-TW"), ("en-xa", "en-XA"),
    ("sl-ROZAJ-biske-1994", "sl-rozaj-biske-1994"), ("de-419", "de-419"),
    ("en-a-BB-x-CC", "en-a-bb-x-cc"), ("x-Mine", "x-mine"), ("i-klingon", "i-klingon"),
  ]) func `M14: a tag has the recommended case`(text: String, tag: String) {
    #expect(LanguageTag(text)?.text == tag)
  }

  @Test(arguments: [
    "", "-", "de-", "-de", "de--AT", "de_AT", "1de", "d", "de-x", "ärger", "abcdefghi", "de AT",
    "de-ÄT", "de\u{0}", "../de", String(repeating: "ab-", count: 11) + "abc",
    String(repeating: "a\u{301}", count: 30_000),
  ]) func `M14: other texts are no tags`(text: String) {
    #expect(LanguageTag(text) == nil)
  }

  @Test(arguments: [
    ("de", ["de"]), ("zh-Hant-TW", ["zh-Hant-TW", "zh-Hant", "zh"]),
    (
      "zh-Hant-CN-x-private1-private2",
      [
        "zh-Hant-CN-x-private1-private2", "zh-Hant-CN-x-private1", "zh-Hant-CN", "zh-Hant", "zh",
      ]
    ),
  ]) func `M14: a tag is truncated from its end (RFC 4647, 3.4)`(text: String, tags: [String]) {
    #expect(LanguageTag(text)?.truncations.map(\.text) == tags)
  }
}
