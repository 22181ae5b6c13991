/// The manual page of the program, in roff.
struct ManualPage {
  private let command: CommandDescription

  /// The page of a command and its subcommands.
  init(of command: CommandDescription) { self.command = command }

  /// The page.
  var text: String {
    let lines =
      [".TH MENUD 1 \"\" \"menud \(Menud.version)\" \"User Commands\""]
      + [".SH NAME", #"menud \- "# + Self.escaped(command.abstract)]
      + [".SH SYNOPSIS", ".B menud", ".I subcommand", "[\\fIarguments\\fR]"]
      + [".SH DESCRIPTION", Self.escaped(command.discussion)]
      + [".SH SUBCOMMANDS"] + command.subcommands.flatMap(Self.section)
      + [".SH FILES"] + Self.list(Self.files)
      + [".SH EXIT STATUS"] + Self.list(Self.statuses)
    return lines.joined(separator: "\n") + "\n"
  }

  private static let files = [
    ("Config/menud.json", "The configuration, unless --config or MENUD_CONFIG names another file."),
    ("menud.db", "The journal, unless journal.path names another file."),
  ]

  private static let statuses = [
    ("0", "Success."), ("1", "A mistake was found, a rule failed, or a server is not ready."),
    ("64", "The command line has a mistake."), ("69", "The server cannot listen."),
    ("74", "The journal cannot be read or written."),
    ("78", "The configuration or the application has mistakes."),
  ]

  private static func section(_ command: CommandDescription) -> [String] {
    [".SS menud \(escaped(command.name))", escaped(command.abstract)]
      + (command.discussion.isEmpty ? [] : [".PP", escaped(command.discussion)])
      + list(command.arguments.map { ($0.usage, $0.about) })
  }

  private static func list(_ items: [(term: String, about: String)]) -> [String] {
    items.flatMap { [".TP", "\\fB\(escaped($0.term))\\fR", escaped($0.about)] }
  }

  /// Returns a text with what roff would read as its own escaped.
  private static func escaped(_ text: String) -> String {
    let escaped = text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "\n": " "
      default: String(character)
      }
    }.joined()
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }
}
