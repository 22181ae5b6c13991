import JSONText
import MenuEngine

/// An entry as lines for a terminal.
struct HistoryLines {
  private let entry: JSON

  init(_ entry: JSON) { self.entry = entry }

  var text: String { ([head] + changes.map { "    \($0)" }).joined(separator: "\n") }

  private var head: String {
    let time = (entry.text("time") ?? "").replacing("T", with: " ")
    let actor = entry.member("actor") ?? .null
    let name = "\(actor.text("label") ?? "?") (\(actor.text("kind") ?? "?"))"
    let revision = entry.member("revision")?.text() ?? ""
    return "\(time)  \(revision)  \(name)".plainText() + "  " + subject
  }

  private var subject: String {
    let operations = entry.list("operations").compactMap { $0.text("op") }
    var words = operations.isEmpty ? [] : [operations.joined(separator: ", ")]
    let platform = entry.text("platform").flatMap(KeyPlatform.init) ?? .apple
    let key = KeyLabel.text(entry.member("key"), on: platform)
    if !key.isEmpty { words.append(key) }
    if let title = entry.text("title") { words.append("“\(title)”") }
    if let name = entry.text("command") ?? entry.text("action") { words.append(name) }
    if let parameters = entry.member("parameters") { words.append(ChangeLines.short(parameters)) }
    if let target = entry.text("target") { words.append("at \(target)") }
    if let reason = entry.text("reason") {
      words.append("refused: " + (entry.text("explanation") ?? reason))
    }
    return words.joined(separator: " ").plainText()
  }

  private var changes: [String] { ChangeLines.lines(of: entry.list("changes")) }
}
