import CEL
import JSONSchema
import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The commands of a session as tools, in menu order; commands in no menu follow in the order of declaration.
///
/// These are the enabled commands that are not hidden: those that a user could choose now, with the present choices
/// for their parameters (P4). A list of all commands depends on the catalogue alone.
struct SessionTools {
  /// The tools, each at a place that depends on the catalogue alone.
  private let tools: [(place: Int, tool: AgentTool)]
  private let order: [CommandID]

  /// Creates the tools of a session in its present state.
  ///
  /// - Parameters:
  ///   - actor: The actor of the request (T4).
  ///   - consent: The consent for commands that do not declare one (T7).
  ///   - namesUndone: True if the titles of `undo:` and `redo:` include the name of the next group; false for their
  ///     declared titles, because the group changes with every edit.
  /// - Throws: As `Session.validate`.
  init(
    _ snapshot: Snapshot, by actor: Principal, consent: AgentConsent, namesUndone: Bool = true,
    _ plan: inout ValidationPlan
  ) throws(MutationFault) {
    let catalog = snapshot.catalog
    order = Self.order(of: catalog)
    let ofData = catalog.menus.commandsFromDataOnly
    let menus = MenuTitles(catalog.menus)
    let effort = Effort()
    let choosable = try Choosable.all(
      among: order, at: snapshot, by: actor, consent: consent, &plan)
    tools = choosable.map { choosable in
      let (command, item, shown) = (choosable.command, choosable.item, choosable.shown)
      let isOfData = ofData.contains(item.command)
      // Initial values and the name of the next undo group do not change the list. A list that takes too much effort
      // has the declared schemas.
      let parts = namesUndone ? Set(FormPart.allCases) : [.choices]
      var schema: JSON? = try? snapshot.presentSchema(
        of: command, for: actor, with: parts, spending: effort)
      if !choosable.fromData.isEmpty {
        schema = schema.withKey(
          for: command, items: choosable.fromData, isNeeded: shown == choosable.fromData)
      }
      let isDeclared = !namesUndone && [.undo, .redo].contains(command.action)
      let tool = AgentTool(
        command, titled: isDeclared || isOfData ? command.title : item.title,
        shown.dropFirst().reduce(shown[0].attributes) { $0.union($1.attributes) }, in: menus,
        asking: schema, isPlanned: choosable.consent == .plan)
      return (choosable.place, tool)
    }
  }

  /// Returns the number of tools of a session in its present state.
  static func count(
    at snapshot: Snapshot, by actor: Principal, consent: AgentConsent, _ plan: inout ValidationPlan
  ) throws(MutationFault) -> Int {
    try Choosable.all(
      among: order(of: snapshot.catalog), at: snapshot, by: actor, consent: consent, &plan
    ).count
  }

  /// A command that agents may call, with at least one item that can be chosen.
  private struct Choosable {
    /// The place in the order of all commands.
    let place: Int
    let command: Command
    /// The item of the command itself.
    let item: ValidatedItem
    /// The items from data that can be chosen (M12).
    let fromData: [ValidatedItem]
    /// All items that can be chosen; at least one.
    let shown: [ValidatedItem]
    let consent: AgentConsent

    static func all(
      among order: [CommandID], at snapshot: Snapshot, by actor: Principal, consent: AgentConsent,
      _ plan: inout ValidationPlan
    ) throws(MutationFault) -> [Choosable] {
      let catalog = snapshot.catalog
      var request = ValidationRequest()
      request.commands = order
      request.actor = actor
      let items = try plan.validate(request, at: snapshot.moment)
      let fromData = try plan.itemsFromData(request, at: snapshot.moment)
      let ofData = catalog.menus.commandsFromDataOnly
      return items.enumerated().compactMap { place, item in
        let chosen = fromData[item.command]?.filter(\.canBeChosen) ?? []
        let isItself = item.canBeChosen && !ofData.contains(item.command)
        let shown = (isItself ? [item] : []) + chosen
        guard !shown.isEmpty, let command = catalog.command(item.command) else { return nil }
        let confirmation = shown.lazy.compactMap(\.confirmation).first
        let own = AgentConsent.of(command, confirmation: confirmation, orElse: consent)
        guard own != .hidden else { return nil }
        return Choosable(
          place: place, command: command, item: item, fromData: chosen, shown: shown, consent: own)
      }
    }
  }

  /// Creates the tools of all commands of a catalogue, except hidden ones.
  ///
  /// - Parameter consent: The consent for commands that do not declare one (T7).
  init(_ catalog: Catalog, consent: AgentConsent) {
    order = Self.order(of: catalog)
    let menus = MenuTitles(catalog.menus)
    let (ofData, onlyOfData) = (
      Set(catalog.menus.itemsFromData().map(\.command)), catalog.menus.commandsFromDataOnly
    )
    tools = order.enumerated().compactMap { place, id in
      guard let command = catalog.command(id), !command.attributes.contains(.hidden) else {
        return nil
      }
      let own = AgentConsent.of(command, confirmation: command.confirmation, orElse: consent)
      guard own != .hidden else { return nil }
      return (
        place,
        AgentTool(
          command, titled: command.title, command.attributes, in: menus,
          asking: ofData.contains(id)
            ? JSON?.none.withKey(for: command, items: nil, isNeeded: onlyOfData.contains(id))
            : JSON?.none,
          isPlanned: own == .plan, mayBePlanned: true)
      )
    }
  }

  var all: [AgentTool] { tools.map(\.tool) }

  /// Returns a page of tools, and the cursor of the next page; nil if the cursor is invalid.
  ///
  /// A cursor names the last command of the previous page, so that it stays valid when commands are enabled or
  /// disabled.
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

extension ValidatedItem {
  /// True if a user could choose it now.
  fileprivate var canBeChosen: Bool { isEnabled && !attributes.contains(.hidden) }
}

extension JSON? {
  /// Returns the schema, by default that of a command's declared parameters, with the key of an item from data.
  fileprivate func withKey(
    for command: Command, items: [ValidatedItem]?, isNeeded: Bool
  ) -> JSON {
    ToolArgument.withKey(
      self ?? command.parameters?.document ?? CommandForm.schemaWithoutParameters, for: command,
      items: items, isNeeded: isNeeded)
  }
}

extension Snapshot {
  /// Returns the schema of a command's parameters with the present choices (P4); nil for the declared one.
  func presentSchema(
    of command: Command, for actor: Principal, with parts: Set<FormPart> = Set(FormPart.allCases),
    spending effort: Effort = Effort()
  ) throws(MutationFault) -> JSON? {
    guard command.hasPresentChoices else { return nil }
    var request = ValidationRequest()
    request.actor = actor
    return try session.form(
      of: command.id, request, in: catalog, with: parts, spending: effort
    ).schema
  }
}

/// The titles of the menus that contain each command, outer ones first.
struct MenuTitles {
  private var titles: [CommandID: [String]] = [:]

  /// Creates the titles of a tree.
  init(_ menu: Menu) { add(menu, below: []) }

  private mutating func add(_ menu: Menu, below outer: [String]) {
    let path = menu.title.isEmpty ? outer : outer + [menu.title]
    for child in menu.children {
      switch child {
      case .command, .itemsFromData:
        if let id = child.command, titles[id] == nil { titles[id] = path }
      case .menu(let menu): add(menu, below: path)
      }
    }
  }

  /// Returns the titles of the menus around a command, at its first place.
  func path(of id: CommandID) -> [String] { titles[id] ?? [] }

  /// Returns the description of a command: its title, and its declared description or else the menu that contains it.
  func description(of command: Command, titled title: String) -> String {
    let isDeclared = title.hasSameBytes(as: command.title)
    // The other declared texts describe the declared title; the present title of a toggle may mean the opposite.
    let others = [command.discoverabilityTitle, command.subtitle].compactMap(\.self)
      .filter { isDeclared && !$0.hasSameBytes(as: title) }
    let name = "“\(title)”" + (others.isEmpty ? "" : " (\(others.joined(separator: ", ")))")
    if let description = command.description {
      return isDeclared
        ? "\(name): \(description)" : "\(name), otherwise “\(command.title)”: \(description)"
    }
    let path = path(of: command.id)
    return path.isEmpty ? "\(name)." : "\(name) in the menu \(path.joined(separator: " ▸ "))."
  }
}

/// The cursor of a page: opaque to clients.
enum PageCursor {
  /// Returns the cursor after a command.
  static func text(of id: CommandID) -> String { Base64.text(Array("after \(id)".utf8)) }

  /// Returns the command of a cursor; nil if it is malformed.
  static func command(of text: String) -> CommandID? {
    guard let bytes = Base64.bytes(text), bytes.starts(with: "after ".utf8) else { return nil }
    return CommandID(String(decoding: bytes.dropFirst(6), as: UTF8.self))
  }
}

/// The name of a command as a tool: the command's id, in which each colon is a `-`.
///
/// Names of tools have no colons. A `-` of the id is `--`; a colon before another one, or before a `-` or `.`,
/// is `-.`. So no two ids have one name, and any id without colons and `-` is its own name. A name that
/// would be longer than 128 characters is cut, and ends in `-._` and a digest of the id.
enum ToolName {
  static let maximumLength = 128

  static func text(of id: CommandID) -> String {
    let name = encoded(id)
    guard name.utf8.count > maximumLength else { return name }
    let end = "-._" + digest(of: id)
    return String(Substring(name.utf8.prefix(maximumLength - end.utf8.count))) + end
  }

  /// Returns the command of a tool; nil if there is none.
  static func command(named name: String, in catalog: Catalog) -> Command? {
    if let id = decoded(name), let command = catalog.command(id),
      text(of: id).hasSameBytes(as: name)
    {
      return command
    }
    guard name.utf8.count == maximumLength else { return nil }
    return catalog.commands.first { text(of: $0.id).hasSameBytes(as: name) }
  }

  private static let colon = UInt8(ascii: ":")
  private static let hyphen = UInt8(ascii: "-")
  private static let dot = UInt8(ascii: ".")

  private static func encoded(_ id: CommandID) -> String {
    let bytes = Array(id.rawValue.utf8)
    var name: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      guard byte == colon else {
        name += byte == hyphen ? [hyphen, hyphen] : [byte]
        continue
      }
      name.append(hyphen)
      guard index + 1 < bytes.count else { continue }
      if [colon, hyphen, dot].contains(bytes[index + 1]) { name.append(dot) }
    }
    return String(decoding: name, as: UTF8.self)
  }

  private static func decoded(_ name: String) -> CommandID? {
    let bytes = Array(name.utf8)
    var id: [UInt8] = []
    var index = 0
    while index < bytes.count {
      defer { index += 1 }
      guard bytes[index] == hyphen else {
        id.append(bytes[index])
        continue
      }
      let next = index + 1 < bytes.count ? bytes[index + 1] : nil
      id.append(next == hyphen ? hyphen : colon)
      if next == hyphen || next == dot { index += 1 }
    }
    return CommandID(String(decoding: id, as: UTF8.self))
  }

  private static func digest(of id: CommandID) -> String {
    SHA256.digest(of: Array(id.rawValue.utf8)).prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
