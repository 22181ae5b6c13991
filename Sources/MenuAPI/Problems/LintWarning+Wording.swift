package import MenuEngine

extension LintWarning {
  /// The rule and what is odd, as a sentence: `V10 talksThroughDelegate: …`.
  package var sentence: String { "V10 \(finding.rule.rawValue): \(finding.clause)" }
}

extension LintWarning.Finding {
  fileprivate var clause: String {
    switch self {
    case .unprepared(let segue, let source, let destination, let properties):
      "The segue \(quoted(segue)) leads to \(quoted(destination)), which reads "
        + "\(list(properties.map { quoted($0) })); let \(quoted(source)) set "
        + "\(properties.count == 1 ? "it" : "them") when it prepares, or declare a default."
    case .namesSource(let scene, let className, let source):
      "\(quoted(scene)) names \(quoted(className)), the class of its source \(quoted(source)); a "
        + "destination should work for any source."
    case .talksBack(let scene, let source):
      "\(quoted(scene)) sends a message to its source \(quoted(source)) itself; let it have a "
        + "delegate, and send it there."
    case .writesSource(let scene, let source):
      "\(quoted(scene)) writes properties of its source \(quoted(source)) itself; let it have a "
        + "delegate, and send a message there."
    case .stranger(let scene, let other):
      "\(quoted(scene)) names \(quoted(other)), which it neither makes nor stands beside."
    }
  }
}
