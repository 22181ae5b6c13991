import ArgumentParser
import JSONText

/// A command of the program as its help describes it.
struct CommandDescription {
  /// An argument or an option.
  struct Argument {
    /// Its name with a value: `--port <port>`, or `<rule>`.
    let usage: String
    /// Its meaning; may be empty.
    let about: String
  }

  let name: String
  let abstract: String
  let discussion: String
  let arguments: [Argument]
  let subcommands: [CommandDescription]

  /// The description of a command and its subcommands, apart from `help` and the option of that name.
  init(of command: (some ParsableCommand).Type) {
    let json = (try? JSON(parsing: command._dumpHelp())) ?? .null
    self.init(json["command"] ?? .null)
  }

  private init(_ json: JSON) {
    name = json.text("commandName")
    abstract = json.text("abstract")
    discussion = json.text("discussion")
    arguments = Argument.joined(
      json.elements("arguments").filter { $0["shouldDisplay"] == true }.map(Argument.init)
        .filter { !["-h, --help", "--version"].contains($0.usage) })
    subcommands = json.elements("subcommands").filter { $0.text("commandName") != "help" }
      .map(CommandDescription.init)
  }
}

extension CommandDescription.Argument {
  fileprivate init(_ json: JSON) {
    let value = "<\(json.text("valueName"))>"
    let names = json.elements("names").map { name in
      (name.text("kind") == "short" ? "-" : "--") + name.text("name")
    }
    switch json.text("kind") {
    case "positional": usage = json["isOptional"] == true ? "[\(value)]" : value
    case "option": usage = "\(names.joined(separator: ", ")) \(value)"
    default: usage = names.joined(separator: ", ")
    }
    about = json.text("abstract")
  }

  /// Returns arguments, of which those that follow each other with one meaning are one: a flag and its
  /// inversion.
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

extension JSON {
  fileprivate subscript(name: String) -> JSON? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  fileprivate func text(_ name: String) -> String {
    if case .string(let text)? = self[name] { text } else { "" }
  }

  fileprivate func elements(_ name: String) -> [JSON] {
    if case .array(let elements)? = self[name] { elements } else { [] }
  }
}
