/// The language `en-XA`, for tests: accented, longer, and in brackets, so that texts that are not translated, cut
/// off or put together show.
package enum PseudoLanguage {
  package static let tag = LanguageTag("en-XA")

  /// Returns a text in the language; places for values stay.
  package static func text(_ source: String) -> String {
    var letters = 0
    var text = "["
    for part in MessageText(source).parts {
      switch part {
      case .name(let name): text += "{\(name)}"
      case .text(let part):
        for scalar in part.unicodeScalars {
          if scalar.properties.isAlphabetic { letters += 1 }
          switch scalar {
          case "{", "}": text += "\(scalar)\(scalar)"
          default: text.unicodeScalars.append(accented[scalar] ?? scalar)
          }
        }
      }
    }
    // English texts grow by about 40 % in other languages.
    return text + String(repeating: "~", count: (letters * 2 + 4) / 5) + "]"
  }

  private static let accented: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
    uniqueKeysWithValues: zip(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars,
      "åƀçđéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇĐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ".unicodeScalars))
}
