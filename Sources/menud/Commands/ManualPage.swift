import ArgumentParser
import JSONText

/// The manual page of the program, in roff.
struct ManualPage {
  private let command: CommandDescription

  init(of command: CommandDescription) { self.command = command }

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
    ("2, 3, 4, 5", "Told at menud do."), ("64", "The command line has a mistake."),
    ("69", "The server cannot listen."),
    ("74", "The journal cannot be read or written, or standard output cannot be written."),
    ("78", "The configuration or the application has mistakes."),
  ]

  private static func section(_ command: CommandDescription) -> [String] {
    section(command, under: "menud")
  }

  private static func section(_ command: CommandDescription, under path: String) -> [String] {
    let name = "\(path) \(command.name)"
    return [".SS \(escaped(name))", escaped(command.abstract)]
      + (command.discussion.isEmpty ? [] : [".PP", escaped(command.discussion)])
      + list(command.arguments.map { ($0.usage, $0.about) })
      + command.subcommands.flatMap { section($0, under: name) }
  }

  private static func list(_ items: [(term: String, about: String)]) -> [String] {
    items.flatMap { [".TP", "\\fB\(escaped($0.term))\\fR", escaped($0.about)] }
  }

  /// Returns a text with its roff control characters escaped.
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

/// Prints the manual page.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page.",
    discussion:
      "The page is in roff: read it by 'menud manual | man -l -', or install it as menud.1.")

  func run() {
    Posix.print(Array(ManualPage(of: CommandDescription(of: Menud.self)).text.utf8))
  }
}

/// A command of the program, from its help.
struct CommandDescription {
  struct Argument {
    /// Its name with a value: `--port <port>`, or `<rule>`.
    let usage: String
    /// The description; may be empty.
    let about: String
  }

  let name: String
  let abstract: String
  let discussion: String
  let arguments: [Argument]
  let subcommands: [CommandDescription]

  /// Creates the description of a command and its subcommands, without `help` and its option.
  init(of command: (some ParsableCommand).Type) {
    let json = (try? JSON(parsing: command._dumpHelp())) ?? .null
    self.init(json.member("command") ?? .null)
  }

  private init(_ json: JSON) {
    name = json.text("commandName") ?? ""
    abstract = json.text("abstract") ?? ""
    discussion = json.text("discussion") ?? ""
    arguments = Argument.joined(
      json.list("arguments").filter { $0.isTrue("shouldDisplay") }.map(Argument.init)
        .filter { !["-h, --help", "--version"].contains($0.usage) })
    subcommands = json.list("subcommands").filter { $0.text("commandName") != "help" }
      .map(CommandDescription.init)
  }
}

extension CommandDescription.Argument {
  fileprivate init(_ json: JSON) {
    let value = "<\(json.text("valueName") ?? "")>"
    let names = json.list("names").map { name in
      (name.text("kind") == "short" ? "-" : "--") + (name.text("name") ?? "")
    }
    switch json.text("kind") {
    case "positional": usage = json.isTrue("isOptional") ? "[\(value)]" : value
    case "option": usage = "\(names.joined(separator: ", ")) \(value)"
    default: usage = names.joined(separator: ", ")
    }
    about = json.text("abstract") ?? ""
  }

  /// Joins consecutive arguments with the same description: a flag and its inversion.
  fileprivate static func joined(_ arguments: [Self]) -> [Self] {
    arguments.reduce(into: []) { joined, argument in
      guard let last = joined.last, last.about == argument.about, !argument.about.isEmpty else {
        return joined.append(argument)
      }
      joined[joined.count - 1] = Self(
        usage: "\(last.usage), \(argument.usage)", about: argument.about)
    }
  }
}
