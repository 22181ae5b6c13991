/// The doc comments of a source file.
enum DocComment {
  /// Returns the first lines of comments, paragraphs and list items that begin as a question does.
  static func questions(in text: String) -> [String] {
    var questions: [String] = []
    var isInside = false
    // The bytes show sooner than the characters where lines end, and that most are no questions.
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let line = line.drop(while: isSpace)
      guard line.starts(with: "///".utf8) else {
        isInside = false
        continue
      }
      var comment = line.dropFirst(3).drop(while: isSpace)
      let item = textOfItem(comment)
      comment = item ?? comment
      let isFirst = !isInside || item != nil
      isInside = !comment.isEmpty
      if isFirst, comment.first == UInt8(ascii: "W") || comment.first == UInt8(ascii: "H"),
        Substring(comment).contains(/^(What|Who|Whom|Whose|Whether|Whoever|How)\b/)
      {
        questions.append(String(Substring(comment)))
      }
    }
    return questions
  }

  /// Returns the text of a list item, which follows a name and a colon; nil for another line.
  private static func textOfItem(_ comment: Substring.UTF8View) -> Substring.UTF8View? {
    guard comment.starts(with: "- ".utf8) else { return nil }
    let name = comment.dropFirst(2).prefix { $0 != UInt8(ascii: ":") }
    guard !name.isEmpty, name.endIndex != comment.endIndex else { return nil }
    return comment[name.endIndex...].dropFirst().drop(while: isSpace)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
