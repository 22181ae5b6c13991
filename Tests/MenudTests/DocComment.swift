/// The doc comments of a source file.
enum DocComment {
  /// Returns the first lines of comments, paragraphs and list items that begin as a question does.
  static func questions(in text: String) -> [String] {
    var questions: [String] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // Most lines are no comments, which the bytes show sooner than the pattern.
      guard line.utf8.drop(while: { $0 == 0x20 || $0 == 0x09 }).starts(with: "///".utf8),
        let comment = line.wholeMatch(of: /\s*\/\/\/\s*(- [^:]+:\s*)?(.*)/)?.output
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
