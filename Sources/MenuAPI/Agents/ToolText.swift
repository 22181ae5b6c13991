import JSONText

/// A text for a model: lines, of which those are left out that do not fit.
struct ToolText {
  /// The greatest number of bytes.
  static let maximumSize = 2048
  /// The room for a sentence that says what was left out.
  private static let reserve = 160

  private(set) var text = ""
  /// The number of lines that were left out.
  private(set) var leftOut = 0

  /// A text with one line, which is cut if it is too long.
  init(_ first: String) { text = first.cut(to: Self.maximumSize - Self.reserve) }

  /// A text that somebody else wrote, as far as it fits; its end says if it does not.
  init(whole: String) {
    self.init(whole)
    guard whole.utf8.count > text.utf8.count else { return }
    text += "\n(These are the first of \(whole.utf8.count) bytes.)"
  }

  /// Adds a line if it fits. Once one was left out, so is every other one.
  mutating func add(_ line: String) {
    let room = Self.maximumSize - Self.reserve - text.utf8.count - 1
    guard leftOut == 0, line.utf8.count <= room else {
      leftOut += 1
      return
    }
    text += "\n" + line
  }

  /// Adds the sentence that says what was left out, if anything was.
  mutating func end(_ sentence: (Int) -> String) {
    guard leftOut > 0 else { return }
    text += "\n" + sentence(leftOut).cut(to: Self.reserve - 1)
  }

  /// The text as a content block.
  var block: JSON { ["type": "text", "text": .string(text)] }
}

extension String {
  /// The text as far as it fits into a number of bytes, which is at least 3; an ellipsis ends what is cut.
  func cut(to size: Int) -> String {
    guard utf8.count > size else { return self }
    var short = String.UnicodeScalarView()
    var room = size - 3
    for scalar in unicodeScalars {
      room -= UTF8.width(scalar)
      guard room >= 0 else { break }
      short.append(scalar)
    }
    return String(short) + "…"
  }
}

extension JSON {
  /// The value as a model reads it in a sentence: its text, at most so many bytes of it.
  func brief(_ size: Int = 200) -> String { text().cut(to: size) }
}
