import JSONText
import MenuEngine
import MicroHTTP

/// A search for commands by words.
struct CommandSearch: Sendable {
  private let words: [[UInt8]]
  private let limit: Int

  /// The search that the arguments of a call describe.
  init(_ arguments: ToolArguments) {
    words = arguments.string("query").lowercased().utf8.split(separator: UInt8(ascii: " ")).map {
      Array($0)
    }
    limit = if case .int(let limit)? = arguments.object["limit"] { Int(limit) } else { 20 }
  }

  /// Answers the commands that have all words, those that have one in the title first.
  func answer(_ call: Call) -> Response {
    let catalog = call.catalog
    let menus = MenuTitles(catalog.menus)
    let found = catalog.commands.filter { isFound($0, menus) }
    let titled = found.filter { isIn([$0.title]) }
    let ids = Set(titled.map(\.id))
    let commands = titled + found.filter { !ids.contains($0.id) }
    return call.answer { writer in
      writer.member("total", commands.count)
      writer.member("commands")
      writer.beginArray()
      for command in commands.prefix(limit) {
        writer.value(command, in: menus)
      }
      writer.endArray()
    }
  }

  private func isFound(_ command: Command, _ menus: MenuTitles) -> Bool {
    let about = [
      command.title, command.subtitle, command.discoverabilityTitle, command.description,
    ]
    return isIn(about.compactMap(\.self) + [command.id.rawValue] + menus.path(of: command.id))
  }

  private func isIn(_ texts: [String]) -> Bool {
    let text = Array(texts.joined(separator: "\n").lowercased().utf8)
    return words.allSatisfy { text.place(of: $0) != nil }
  }
}

extension JSONWriter {
  /// Writes a command that was found.
  fileprivate mutating func value(_ command: Command, in menus: MenuTitles) {
    beginObject()
    member("command", command.id.rawValue)
    member("title", command.title)
    optionalMember("description", command.description)
    optionalMember("action", command.action?.rawValue)
    member("menus", .array(menus.path(of: command.id).map(JSON.string)))
    endObject()
  }
}
