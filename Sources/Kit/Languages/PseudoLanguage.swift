/// The language `en-XA`, for tests: accented, longer, and in brackets, so that texts that are not translated, cut
/// off or put together show.
package enum PseudoLanguage {
  package static let tag = LanguageTag(known: "en-XA")

  /// The member that is true among texts by key whose other keys have their texts from ``message(_:)``. No declared
  /// text is a Boolean.
  package static let marker = ""

  /// Returns a text in the language. Its braces stand for themselves.
  package static func text(_ source: String) -> String {
    inBrackets(accented(source), letters: letterCount(source))
  }

  /// Returns a text with places for values (``MessageText``) in the language; the places stay.
  package static func message(_ source: String) -> String {
    var (text, letters) = ("", 0)
    for part in MessageText(source).parts {
      switch part {
      case .name(let name): text += "{\(name)}"
      case .text(let part):
        letters += letterCount(part)
        for scalar in accented(part).unicodeScalars {
          text.unicodeScalars.append(scalar)
          if scalar == "{" || scalar == "}" { text.unicodeScalars.append(scalar) }
        }
      }
    }
    return inBrackets(text, letters: letters)
  }

  private static func inBrackets(_ text: String, letters: Int) -> String {
    // English texts grow by about 40 % in other languages.
    "[" + text + String(repeating: "~", count: (letters * 2 + 4) / 5) + "]"
  }

  private static func letterCount(_ text: String) -> Int {
    text.unicodeScalars.count { $0.properties.isAlphabetic }
  }

  private static func accented(_ text: String) -> String {
    var accented = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { accented.append(accents[scalar] ?? scalar) }
    return String(accented)
  }

  private static let accents: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
    uniqueKeysWithValues: zip(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars,
      "åƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ".unicodeScalars))
}
