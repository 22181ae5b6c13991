/// The tag of a language (BCP 47), such as `de` or `pt-BR`.
package struct LanguageTag: Hashable, Sendable {
  /// The tag, in the case that RFC 5646 recommends: `zh-Hant-TW`.
  package let text: String

  /// The maximum number of characters (RFC 5646, 4.4.1).
  package static let maximumLength = 35

  /// Creates a tag; nil if the text is not one by its form. Case does not matter.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.maximumLength else { return nil }
    var parts: [String] = []
    for part in text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false) {
      guard (1...8).contains(part.count), part.allSatisfy(\.isLetterOrDigit) else { return nil }
      if parts.isEmpty, !part.allSatisfy(\.isLetter) { return nil }
      let isOfExtension = parts.dropFirst().contains { $0.utf8.count == 1 } || parts.first == "x"
      parts.append(Self.recased(Array(part), isAlone: parts.isEmpty || isOfExtension))
    }
    // An extension has contents, of which only those of private use can be of one character.
    guard let last = parts.last, last.utf8.count > 1 || parts.dropLast().contains("x") else {
      return nil
    }
    self.text = parts.joined(separator: "-")
  }

  /// Creates a tag from a text that is one.
  init(known text: String) { self.text = text }

  /// The tag and what it is truncated to, longest first (RFC 4647, 3.4): `zh-Hant-TW`, `zh-Hant`, `zh`.
  package var truncations: [LanguageTag] {
    var parts = text.split(separator: "-")
    var tags: [LanguageTag] = []
    while !parts.isEmpty {
      tags.append(LanguageTag(known: parts.joined(separator: "-")))
      parts.removeLast()
      // The letter before an extension says nothing without it.
      while parts.last?.utf8.count == 1 { parts.removeLast() }
    }
    return tags
  }

  /// Returns a subtag in its usual case: `TW` for a region, `Hant` for a script, else small letters.
  private static func recased(_ part: [UInt8], isAlone: Bool) -> String {
    let small = part.map { $0 | ($0.isLetter ? 0x20 : 0) }
    let isName = !isAlone && part.allSatisfy(\.isLetter)
    let recased: [UInt8] =
      switch part.count {
      case 2 where isName: small.map(\.capital)
      case 4 where isName: [small[0].capital] + small.dropFirst()
      default: small
      }
    return String(decoding: recased, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  fileprivate var isLetterOrDigit: Bool {
    isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }

  /// A small letter as a capital.
  fileprivate var capital: UInt8 { self & ~0x20 }
}

extension LanguageTag: CustomStringConvertible {
  package var description: String { text }
}

/// The coded form is the text.
extension LanguageTag: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let tag = LanguageTag(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "it is not the tag of a language")
    }
    self = tag
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
