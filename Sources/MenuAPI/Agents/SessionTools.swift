import CEL
import JSONSchema
import JSONText
import MenuEngine
import MenuStore

/// The commands of a session as tools, in menu order; those in no menu follow in the order of their declaration.
///
/// These are the enabled ones that are not hidden: what a person could choose at this moment.
struct SessionTools {
  /// The tools, each at a place that depends on the catalogue alone.
  private let tools: [(place: Int, tool: AgentTool)]
  private let order: [CommandID]

  /// The tools of a session as it is now.
  ///
  /// - Parameter listsAll: True if those are listed too that cannot be performed.
  /// - Throws: As `Session.validate`.
  init(
    _ snapshot: Snapshot, listsAll: Bool, _ plan: inout ValidationPlan
  ) throws(MutationFault) {
    let catalog = snapshot.catalog
    order = Self.order(of: catalog)
    var request = ValidationRequest()
    request.commands = order
    let items = try plan.validate(request, at: snapshot.moment)
    let menus = MenuTitles(catalog.menus)
    tools = items.enumerated().compactMap { place, item in
      guard listsAll || item.isEnabled, !item.attributes.contains(.hidden),
        let command = catalog.command(item.command)
      else { return nil }
      return (place, AgentTool(command, item, in: menus))
    }
  }

  var all: [AgentTool] { tools.map(\.tool) }

  /// Returns a page of tools, and the cursor of the next one; nil if there is no such cursor.
  ///
  /// A cursor names the last command of the page before, so that it holds whatever is enabled in the meantime.
  func page(
    after cursor: String?, size: Int
  ) -> (tools: [AgentTool], next: String?)? {
    var start = -1
    if let cursor {
      guard let id = PageCursor.command(of: cursor), let place = order.firstIndex(of: id) else {
        return nil
      }
      start = place
    }
    let rest = tools.filter { $0.place > start }
    let page = rest.prefix(size)
    let next =
      page.count < rest.count ? page.last.map { PageCursor.text(of: $0.tool.command) } : nil
    return (page.map(\.tool), next)
  }

  private static func order(of catalog: Catalog) -> [CommandID] {
    var met: Set<CommandID> = []
    return (catalog.menus.commands + catalog.commands.map(\.id)).filter { met.insert($0).inserted }
  }
}

extension AgentTool {
  /// The tool of a command whose item this is.
  fileprivate init(_ command: Command, _ item: ValidatedItem, in menus: MenuTitles) {
    self.command = command.id
    title = item.title.isEmpty ? command.id.rawValue : item.title
    description = command.description ?? menus.description(of: command)
    schema = command.parameters?.document ?? Self.emptySchema
    isDestructive = item.attributes.contains(.destructive)
    hints = command.hints
  }
}

/// The titles of the menus that commands stand in, outer ones first.
struct MenuTitles {
  private var titles: [CommandID: [String]] = [:]

  /// The titles of a tree.
  init(_ menu: Menu) { add(menu, below: []) }

  private mutating func add(_ menu: Menu, below outer: [String]) {
    let path = menu.title.isEmpty ? outer : outer + [menu.title]
    for child in menu.children {
      switch child {
      case .command(let place):
        if titles[place.command] == nil { titles[place.command] = path }
      case .menu(let menu): add(menu, below: path)
      }
    }
  }

  /// The titles of the menus around a command, at the first place where it stands.
  func path(of id: CommandID) -> [String] { titles[id] ?? [] }

  /// A description of a command that is declared without one.
  func description(of command: Command) -> String {
    let title = command.discoverabilityTitle ?? command.title
    let path = path(of: command.id)
    let subtitle = command.subtitle.map { " (\($0))" } ?? ""
    let place = path.isEmpty ? "" : ", in the menu \(path.joined(separator: " ▸ "))"
    return "The command “\(title)”\(subtitle)\(place)."
  }
}

/// The cursor of a page: opaque to clients.
enum PageCursor {
  /// The cursor behind a command.
  static func text(of id: CommandID) -> String { Base64.text(Array("after \(id)".utf8)) }

  /// The command of a cursor; nil if it is none.
  static func command(of text: String) -> CommandID? {
    guard let bytes = Base64.bytes(text), bytes.starts(with: "after ".utf8) else { return nil }
    return CommandID(String(decoding: bytes.dropFirst(6), as: UTF8.self))
  }
}
