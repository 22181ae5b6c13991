import JSONText

/// An entry as lines for a terminal.
struct HistoryLines {
  private let entry: JSON

  init(_ entry: JSON) { self.entry = entry }

  var text: String { ([head] + changes.map { "    \($0)" }).joined(separator: "\n") }

  private var head: String {
    let time = (word("time") ?? "").replacing("T", with: " ")
    let actor = "\(word("actor", "label") ?? "?") (\(word("actor", "kind") ?? "?"))"
    let revision = member("revision")?.text() ?? ""
    return "\(time)  \(revision)  \(actor)".plainText() + "  " + subject
  }

  private var subject: String {
    let operations = (member("operations")?.items ?? []).compactMap { operation in
      operation[JSONPointer(["op"])]?.plainWord
    }
    var words = operations.isEmpty ? [] : [operations.joined(separator: ", ")]
    if let title = word("title") { words.append("“\(title)”") }
    if let name = word("command") ?? word("action") { words.append(name) }
    if let parameters = member("parameters") { words.append(ChangeLines.short(parameters)) }
    if let target = word("target") { words.append("at \(target)") }
    if let reason = word("reason") {
      words.append("refused: " + (word("explanation") ?? reason))
    }
    return words.joined(separator: " ").plainText()
  }

  private var changes: [String] { ChangeLines.lines(of: member("changes")?.items ?? []) }

  private func member(_ path: String...) -> JSON? { entry[JSONPointer(path)] }

  private func word(_ path: String...) -> String? { entry[JSONPointer(path)]?.plainWord }
}

extension JSON {
  fileprivate var plainWord: String? { if case .string(let word) = self { word } else { nil } }

  fileprivate var items: [JSON] { if case .array(let items) = self { items } else { [] } }
}
