/// The doc comments of a source file.
enum DocComment {
  /// Returns the first lines of comments, paragraphs and list items that begin as a question does.
  static func questions(in text: String) -> [String] {
    var questions: [String] = []
    var isInside = false
    // The bytes show sooner than the characters where lines end, and that most are no comments.
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard line.drop(while: { $0 == 0x20 || $0 == 0x09 }).starts(with: "///".utf8),
        let comment = Substring(line).wholeMatch(of: /\s*\/\/\/\s*(- [^:]+:\s*)?(.*)/)?.output
      else {
        isInside = false
        continue
      }
      let isFirst = !isInside || comment.1 != nil
      isInside = !comment.2.isEmpty
      if isFirst, comment.2.contains(/^(What|Who|Whom|Whose|Whether|Whoever|How)\b/) {
        questions.append(String(comment.2))
      }
    }
    return questions
  }
}
