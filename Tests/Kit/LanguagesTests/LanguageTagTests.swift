import Testing

@testable import Languages

struct LanguageTagTests {
  @Test(arguments: [
    ("de", "de"), ("DE-at", "de-AT"), ("zh-hant-tw", "zh-Hant-TW"), ("en-xa", "en-XA"),
    ("sl-ROZAJ-biske-1994", "sl-rozaj-biske-1994"), ("de-419", "de-419"),
    ("en-a-BB-x-CC", "en-a-bb-x-cc"), ("x-Mine", "x-mine"), ("X-a", "x-a"),
    ("en-xa-X-A-b", "en-XA-x-a-b"), ("i-klingon", "i-klingon"),
  ]) func `M14: a tag has the recommended case`(text: String, tag: String) {
    #expect(LanguageTag(text)?.text == tag)
  }

  @Test(arguments: [
    "", "-", "de-", "-de", "de--AT", "de_AT", "1de", "d", "x", "de-x", "de-a", "de-a-b", "de-a-x",
    "ärger", "abcdefghi", "de AT",
    "de-ÄT", "de\u{0}", "../de", String(repeating: "ab-", count: 11) + "abc",
    String(repeating: "a\u{301}", count: 30_000),
  ]) func `M14: other texts are no tags`(text: String) {
    #expect(LanguageTag(text) == nil)
  }

  @Test(arguments: [
    ("de", ["de"]), ("en-XA-x-a", ["en-XA-x-a", "en-XA", "en"]), ("x-a-b", ["x-a-b"]),
    ("en-x-a-bc", ["en-x-a-bc", "en"]), ("de-a-bb-x-c", ["de-a-bb-x-c", "de-a-bb", "de"]),
    ("zh-Hant-TW", ["zh-Hant-TW", "zh-Hant", "zh"]),
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

struct PseudoLanguageTests {
  @Test(arguments: [
    ("Edit {all} {{x}}", "[Éđîţ {åļļ} {{ẋ}}~~~~]", "[Éđîţ {all} {{ẋ}}~~]"), ("", "[]", "[]"),
    ("a{", "[å{~]", "[å{{~]"),
  ]) func `M14: braces are places in messages alone`(
    source: String, text: String, message: String
  ) {
    #expect(PseudoLanguage.text(source) == text)
    #expect(PseudoLanguage.message(source) == message)
  }

  @Test func `M14: a message has values in the places of names`() {
    let message = MessageText("{a} {{a}} {b}")
    #expect(message.text(naming: ["a": "{b}"]) == "{b} {a} {b}")
  }
}
