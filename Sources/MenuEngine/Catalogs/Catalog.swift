import CEL
import JSONText

/// The declarations of an application: its commands, menus, responder classes, and the template of its sessions.
///
/// A catalogue is a value with a revision. A change that would make it inconsistent is refused.
public struct Catalog: Sendable {
  /// The number of changes since the catalogue was loaded.
  package internal(set) var revision: Int {
    get { parts.value.revision }
    set { parts.value.revision = newValue }
  }
  /// The commands in the order of their declaration.
  package var commands: [Command] { _read { yield parts.value.commands } }
  /// The menu tree: the declared one with all edits made (M4).
  package var menus: Menu { _read { yield parts.value.menus } }
  /// The changes by clients, in order (M4).
  package internal(set) var changes: [CatalogChange] {
    _read { yield parts.value.changes }
    _modify { yield &parts.value.changes }
  }
  /// The changes by clients that could not be applied when this catalogue replaced an earlier one (M4); kept
  /// until the next replacement.
  package var leftOut: [CatalogChange.LeftOut] { _read { yield parts.value.leftOut } }
  /// The tokens for work in all sessions (T2). No document shows them.
  package internal(set) var tokens: GrantedTokens {
    _read { yield parts.value.tokens }
    _modify { yield &parts.value.tokens }
  }
  /// The keymaps of users, in the order in which they were put (K9).
  package internal(set) var keymaps: [Keymap] {
    _read { yield parts.value.keymaps }
    _modify { yield &parts.value.keymaps }
  }
  /// The strings by language, and the language that it is in (M14); nil without strings.
  var languages: CatalogLanguages? { _read { yield parts.value.languages } }
  /// The resources and prompts for agents; nil without any.
  var contents: ApplicationContents? { _read { yield parts.value.contents } }
  /// The protocols of delegates, in declaration order (V7).
  package internal(set) var protocols: [DelegateProtocol] {
    _read { yield parts.value.protocols }
    _modify { yield &parts.value.protocols }
  }
  /// The storyboards, in declaration order (V2).
  package internal(set) var storyboards: [Storyboard] {
    _read { yield parts.value.storyboards }
    _modify { yield &parts.value.storyboards }
  }
  /// The responder classes, built-in ones included.
  package var classes: ResponderClasses { _read { yield parts.value.classes } }
  /// The default template of sessions.
  public var template: SessionTemplate? { opening.value.template }
  /// The responders of the template, linked.
  var openingGraph: OpeningGraph? { opening.value.graph }
  var opening: Shared<CatalogParts.Opening> { parts.value.opening }
  /// The keys that commands claim, in menu order (K1).
  var keyClaims: [KeyClaim] { _read { yield parts.value.keyClaims } }
  var positions: [CommandID: Int] { _read { yield parts.value.positions } }

  private(set) var parts: Shared<CatalogParts>

  /// Creates a catalogue.
  ///
  /// - Throws: `DeclarationFault` for the first inconsistent declaration.
  package init(
    commands: [Command] = [], menus: [MenuElement] = [], classes: [ResponderClass] = [],
    categories: [ClassCategory] = [], template: SessionTemplate? = nil,
    protocols: [DelegateProtocol] = [], storyboards: [Storyboard] = [],
    strings: [LanguageStrings] = [], contents: ApplicationContents? = nil
  ) throws(DeclarationFault) {
    parts = Shared(
      CatalogParts(try ResponderClasses(declared: classes, categories: categories), template))
    self.protocols = protocols
    parts.value.contents = contents
    if !strings.isEmpty { parts.value.languages = CatalogLanguages(strings) }
    for command in commands {
      if let present = self.command(command.id) {
        throw command.repeating(present)
      }
      try add(command)
    }
    parts.value.menus.children = menus
    var names: Set<MenuID> = [Menu.rootIdentifier]
    try check(menus, at: 1, &names)
    orderKeyClaims()
    for storyboard in storyboards {
      guard self.storyboard(storyboard.name) == nil else {
        throw .storyboard(.duplicateStoryboard(storyboard.name))
      }
      if let fault = faults(of: storyboard).first { throw fault.fault }
      self.storyboards.append(storyboard)
    }
    if let fault = classes.protocolFaults(among: Set(protocols.map(\.name))).first { throw fault.1 }
  }

  /// Returns this catalogue as the successor of another: revisions continue, and the changes of clients there
  /// are applied here in the same order (M4).
  ///
  /// A change that conflicts with this catalogue is left out; one that is already present has no effect.
  package func succeeding(_ other: Catalog) -> Catalog {
    var catalog = self
    catalog.parts.value.leftOut = []
    for change in other.changes {
      do throws(DeclarationFault) {
        try catalog.make(change)
      } catch {
        catalog.parts.value.leftOut.append(CatalogChange.LeftOut(change: change, fault: error))
      }
    }
    catalog.revision = other.revision + 1
    catalog.tokens = other.tokens
    catalog.keymaps = other.keymaps
    return catalog
  }

  /// Returns the commands by position, for held modifiers.
  func commandIndex(whileHolding modifiers: KeyModifiers) -> CommandIndex {
    parts.value.indexes.commands(of: self, whileHolding: modifiers)
  }

  /// The declared text of the menu tree.
  var menuLayout: MenuLayout { parts.value.indexes.menuLayout(of: self) }
  /// The commands in a menu with `singleSelection` (M2).
  var selectableCommands: Set<CommandID> { parts.value.indexes.selectableCommands(of: self) }
  /// The declared titles and words of the commands, for searches (S).
  var searchIndex: SearchIndex { parts.value.indexes.search(of: self) }

  /// Makes the index that searches need, unless there is one: tens of milliseconds for 10,000 commands.
  package func prepareSearches() { _ = searchIndex }

  /// Returns the command of a name; nil when the catalogue has none.
  package func command(_ id: CommandID) -> Command? { positions[id].map { commands[$0] } }

  /// Returns the command with an action and a property list; nil when the catalogue has none.
  func command(ofIdentity identity: Command.Identity) -> CommandID? {
    parts.value.identities[identity]
  }

  /// Returns a menu by identifier, the root included.
  package func menu(_ identifier: MenuID) -> Menu? { menus.menu(identifier) }

  /// Returns a menu by identifier as sessions show it: limited to the systems of the menus around it (M3).
  package func menuAsShown(_ identifier: MenuID) -> Menu? { menus.menuAsShown(identifier) }
}

extension Catalog {
  /// Declares a command (M1); returns false if the same one was declared before.
  ///
  /// - Throws: `DeclarationFault` if its id, its action and property list, or its key belongs to a different
  ///   declaration, even one that differs only in the bytes of a title.
  package mutating func declare(_ command: Command) throws(DeclarationFault) -> Bool {
    if let present = self.command(command.id) {
      guard present.json == command.json else { throw .command(.duplicateCommand(command.id)) }
      return false
    }
    try add(command)
    note(.declare(command))
    return true
  }

  /// Removes a command.
  ///
  /// - Throws: `DeclarationFault.unknownCommand`, or `.standsInMenus` while a menu contains it.
  package mutating func remove(_ id: CommandID) throws(DeclarationFault) {
    guard let position = positions[id] else { throw .command(.unknownCommand(id)) }
    let holders = menus.menus.filter { $0.children.contains { $0.command == id } }
    guard holders.isEmpty else { throw .command(.standsInMenus(id, holders.map(\.identifier))) }
    let command = parts.value.commands.remove(at: position)
    forgetDerived()
    if let identity = command.identity { parts.value.identities[identity] = nil }
    for platform in KeyPlatform.allCases {
      if let key = command.key?[platform] { parts.value.keys[platform]?[key.normalized] = nil }
    }
    parts.value.keyClaims.removeAll { $0.holder == .command(id) }
    parts.value.positions = [:]
    for (position, command) in commands.enumerated() {
      parts.value.positions[command.id] = position
    }
    noteRemoval(.remove(id), isNeeded: changes.contains { $0.shows(id) }) { change in
      if case .declare(let command) = change { command.id == id } else { false }
    }
  }

  /// Applies edits to the menu tree in order, all or none (M4).
  ///
  /// - Throws: `CatalogMutationFault` with the index of the first edit that fails.
  package mutating func make(_ edits: [MenuEdit]) throws(CatalogMutationFault) {
    var copy = menus
    var names = Set(copy.menus.map(\.identifier))
    for (index, edit) in edits.enumerated() {
      do throws(DeclarationFault) {
        let place = try copy.make(edit)
        for removed in place.removed { names.subtract(removed.menus.map(\.identifier)) }
        try check(edit.added, at: place.depth, &names)
      } catch {
        throw CatalogMutationFault(error, edit: index)
      }
    }
    guard !edits.isEmpty else { return }
    parts.value.menus = copy
    forgetDerived()
    orderKeyClaims()
    changes += edits.map(CatalogChange.edit)
    revision += 1
  }
}

extension Catalog {
  /// Derives the key claims again after a change of the menus.
  mutating func orderKeyClaims() { parts.value.keyClaims = keyClaimsInMenuOrder }

  /// Drops values derived from the commands.
  private mutating func forgetDerived() { parts.value.indexes = CatalogIndexes() }

  /// Returns the catalogue as a token limited to commands sees it (T1): without all other commands, the menus that
  /// would be empty, and the changes by clients.
  package func limited(to commands: [CommandPattern]) -> Catalog {
    // Texts are looked up again in the language of a session (M14).
    let declared = localized(for: nil)
    var limited = declared
    limited.parts.value.keep { id in commands.contains { $0.matches(id) } }
    limited.forgetDerived()
    for command in declared.commands where commands.contains(where: { $0.matches(command.id) }) {
      // The original catalogue has these commands, so there is no conflict.
      try? limited.add(command)
    }
    // A keymap takes keys away from actions, even those of commands that are not visible (K9).
    limited.parts.value.identities = parts.value.identities
    limited.orderKeyClaims()
    return limited
  }

  /// The commands and menus, which have texts, and what derives from them (M14).
  struct Wording: Sendable {
    let commands: [Command]
    let menus: Menu
    fileprivate let keyClaims: [KeyClaim]
    fileprivate let indexes: CatalogIndexes
  }

  /// The present wording.
  var wording: Wording {
    Wording(
      commands: commands, menus: menus, keyClaims: keyClaims, indexes: parts.value.indexes)
  }

  /// Returns a wording of the same commands and menus.
  func reworded(_ commands: [Command], menus: Menu) -> Wording {
    var copy = self
    (copy.parts.value.commands, copy.parts.value.menus) = (commands, menus)
    copy.forgetDerived()
    copy.orderKeyClaims()
    return copy.wording
  }

  /// Returns the catalogue in another wording.
  func worded(by wording: Wording, _ languages: CatalogLanguages) -> Catalog {
    var copy = self
    copy.parts.value.commands = wording.commands
    copy.parts.value.menus = wording.menus
    copy.parts.value.keyClaims = wording.keyClaims
    copy.parts.value.indexes = wording.indexes
    copy.parts.value.languages = languages
    return copy
  }

  /// The localizations, which all copies share until the commands or menus change.
  var lazyLocalizations: LazyValues<LocalizationKey, Localization> {
    parts.value.indexes.localizations
  }

  /// Adds a command; refuses one whose identity or key belongs to another (M1).
  mutating func add(_ command: Command) throws(DeclarationFault) {
    if let identity = command.identity, let other = parts.value.identities[identity] {
      throw .command(.duplicateIdentity(command.id, identity.action, other: other))
    }
    for platform in KeyPlatform.allCases {
      guard let key = command.key?[platform] else { continue }
      if let other = parts.value.keys[platform]?[key.normalized] {
        throw .command(.duplicateKey(command.id, key, other: other))
      }
    }
    if let identity = command.identity { parts.value.identities[identity] = command.id }
    for platform in KeyPlatform.allCases {
      if let key = command.key?[platform] {
        parts.value.keys[platform, default: [:]][key.normalized] = command.id
      }
    }
    parts.value.positions[command.id] = commands.count
    parts.value.commands.append(command)
    forgetDerived()
    parts.value.keyClaims += command.keyClaims
  }

  /// Refuses menus that are too deep, duplicate identifiers and undeclared commands; records the identifiers.
  private func check(
    _ elements: [MenuElement], at depth: Int, _ names: inout Set<MenuID>
  ) throws(DeclarationFault) {
    for element in elements {
      switch element {
      case .command(let place): try check(place.command)
      case .itemsFromData(let items): try check(items.command)
      case .menu(let menu):
        guard depth <= Limits.menus else { throw .menu(.menusTooDeep(limit: Limits.menus)) }
        guard names.insert(menu.identifier).inserted else {
          throw .menu(.duplicateMenu(menu.identifier))
        }
        try check(menu.children, at: depth + 1, &names)
      }
    }
  }

  /// Refuses a command that is not declared.
  private func check(_ id: CommandID) throws(DeclarationFault) {
    guard positions[id] == nil else { return }
    let nearest = CEL.nearest(to: id.rawValue, among: commands.map(\.id.rawValue))
    throw .menu(.undeclaredCommand(id, nearest: nearest.flatMap { CommandID($0) }))
  }
}

/// The coded form has everything but derived values.
extension Catalog: Codable {
  private enum CodingKeys: CodingKey {
    case revision
    case commands
    case menus
    case changes
    case leftOut
    case protocols
    case storyboards
    case classes
    case template
    case tokens
    case keymaps
    case strings
    case contents
  }

  /// Encodes the declarations with all that was changed and left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(revision, forKey: .revision)
    try container.encode(commands, forKey: .commands)
    try container.encode(menus, forKey: .menus)
    try container.encode(changes, forKey: .changes)
    try container.encode(leftOut, forKey: .leftOut)
    try container.encode(protocols, forKey: .protocols)
    try container.encode(storyboards, forKey: .storyboards)
    try container.encode(classes, forKey: .classes)
    try container.encodeIfPresent(template, forKey: .template)
    // A catalogue without these is stored as by versions that did not have them.
    if tokens != GrantedTokens() { try container.encode(tokens, forKey: .tokens) }
    if !keymaps.isEmpty { try container.encode(keymaps, forKey: .keymaps) }
    if !strings.isEmpty { try container.encode(strings, forKey: .strings) }
    try container.encodeIfPresent(contents, forKey: .contents)
  }

  /// Decodes a catalogue.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    parts = Shared(
      CatalogParts(
        try container.decode(ResponderClasses.self, forKey: .classes),
        try container.decodeIfPresent(SessionTemplate.self, forKey: .template)))
    parts.value.menus = try container.decode(Menu.self, forKey: .menus)
    protocols = try container.decode([DelegateProtocol].self, forKey: .protocols)
    storyboards = try container.decode([Storyboard].self, forKey: .storyboards)
    revision = try container.decode(Int.self, forKey: .revision)
    changes = try container.decode([CatalogChange].self, forKey: .changes)
    parts.value.leftOut = try container.decode(
      [CatalogChange.LeftOut].self, forKey: .leftOut)
    tokens =
      try container.decodeIfPresent(GrantedTokens.self, forKey: .tokens) ?? GrantedTokens()
    keymaps = try container.decodeIfPresent([Keymap].self, forKey: .keymaps) ?? []
    if let strings = try container.decodeIfPresent([LanguageStrings].self, forKey: .strings) {
      parts.value.languages = CatalogLanguages(strings)
    }
    parts.value.contents = try container.decodeIfPresent(
      ApplicationContents.self, forKey: .contents)
    for command in try container.decode([Command].self, forKey: .commands) {
      do throws(DeclarationFault) {
        try add(command)
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .commands, in: container,
          debugDescription: "the commands contradict each other: \(error)")
      }
    }
    orderKeyClaims()
  }
}
