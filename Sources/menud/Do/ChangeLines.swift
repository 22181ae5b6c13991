import JSONText

/// Changes of a session as lines for a terminal.
enum ChangeLines {
  /// The maximum length of a value that is shown in full, in characters.
  private static let longestValue = 60

  /// Returns a line for each change, without those of undo stacks.
  static func lines(of changes: [JSON]) -> [String] {
    changes.compactMap { change in
      let place = change.text("path") ?? ""
      guard let kind = change.text("change"), kind != "undoManager" else { return nil }
      guard kind != "document" || !place.hasPrefix("/undo/") else { return nil }
      return line(of: change, kind)
    }
  }

  static func line(of change: JSON, _ kind: String) -> String {
    let value = change.member("value") ?? change.member("patch")
    let name = ["responder", "window", "delivery"].lazy
      .compactMap { name in change.text(name) ?? change.member(name)?.text() }.first
    let parts = [kind, change.text("path") ?? name, value.map(short)]
    return parts.compactMap(\.self).joined(separator: " ").plainText()
  }

  /// Returns the text of a value, truncated if it is long.
  static func short(_ value: JSON) -> String {
    let text = value.text()
    return text.count <= longestValue ? text : text.prefix(longestValue) + "…"
  }
}
