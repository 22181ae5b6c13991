package import JSONText

/// A cache of a session's validated items, so that validating again takes time proportional to the changes.
///
/// A plan can be dropped at any time; its answers equal those of `Session.validate`, to the byte. It stores
/// each command's target and rules, each rule's last result with the places of the state that it read, and the
/// text of each item. It detects changes by comparing. Changes of undo managers are detected by the session's
/// version only, so a plan serves one session; `forAnotherSession()` returns a copy for another.
package struct ValidationPlan: Sendable {
  /// A closure that writes a rule fault as a JSON value.
  package typealias FaultWriter = @Sendable (RuleFault, inout JSONWriter) -> Void

  /// The number of askers (sender, window and modifiers) that a plan keeps. The least recently used one is
  /// evicted first.
  package static let maximumVariants = 8

  private let writeFault: FaultWriter
  /// Most recently used first.
  private var tables: [PlanTable] = []
  private var asked = AskedCommands()

  /// Creates an empty plan.
  package init(writingFaults writeFault: @escaping FaultWriter) { self.writeFault = writeFault }

  /// The approximate size in bytes.
  package var size: Int {
    // By index, since tables are large to copy.
    tables.indices.reduce(asked.size) { $0 + tables[$1].size }
  }

  /// The maximum similarity.
  package static let fullResemblance = 3

  /// Returns the similarity of a session to the last one, from 0 to `fullResemblance`.
  ///
  /// - Parameter catalog: The catalogue in the language of the session (M14).
  package func resemblance(to session: Session, in catalog: Catalog) -> Int {
    tables.isEmpty ? 0 : tables[0].resemblance(to: session, in: catalog)
  }

  /// Returns a plan for another session under the same catalogue, which reuses what both have in common.
  package func forAnotherSession() -> ValidationPlan {
    var plan = self
    for index in plan.tables.indices { plan.tables[index].forgetSession() }
    return plan
  }

  /// Drops the tables of the least recently used askers, but not the last one, until the plan's size is at most
  /// `maximumSize`.
  package mutating func forgetAskers(beyond maximumSize: Int) {
    while tables.count > 1, size > maximumSize { tables.removeLast() }
  }

  /// The effort of the last question, without a cache.
  package var effort: Int {
    (tables.isEmpty ? 0 : tables[0].lastEffort) + effortOfAlternates + effortOfLists
  }
  private var effortOfAlternates = 0
  private var effortOfLists = 0

  /// Returns the number of rules that failed since the last call.
  package mutating func takeRuleErrors() -> Int {
    guard !tables.isEmpty else { return 0 }
    defer { tables[0].ruleErrors = 0 }
    return tables[0].ruleErrors + tables[0].lists.takeRuleErrors()
  }

  /// Returns the answer to a request without menu or traces: the members written by `opening`, then `items`.
  ///
  /// - Throws: As `Session.validate`.
  package mutating func answer(
    to request: ValidationRequest, at moment: PlanMoment, opening: (inout JSONWriter) -> Void
  ) throws(MutationFault) -> [UInt8] {
    let moment = try moment.withKeyWindow(request.window)
    let positions = request.commands.map { asked.positions(of: $0, in: moment.catalog) }
    try update(positions, for: request, at: moment)
    return tables[0].body(positions, request.commands, opening: opening)
  }

  /// Returns the answer to a request for a menu: the members written by `opening`, then `menu`.
  ///
  /// Nil for requests that only `validate(_:_:at:)` answers: with traces, with held modifiers, context menus,
  /// menus outside the main menu, and sessions with a keymap.
  ///
  /// - Throws: As `Session.validate`.
  package mutating func answer(
    to request: ValidationRequest, aboutMenu id: MenuID, at moment: PlanMoment,
    opening: (inout JSONWriter) -> Void
  ) throws(MutationFault) -> [UInt8]? {
    guard !request.isExplaining, request.modifiers.isEmpty, request.kind == .main,
      moment.session.keymap.flatMap(moment.catalog.keymap) == nil
    else { return nil }
    let moment = try moment.withKeyWindow(request.window)
    let layout = moment.catalog.menuLayout
    guard let part = layout.part(id) else { return nil }
    let inquiry = try update(
      layout.commands(in: part, of: moment.catalog.commands.count), for: request, at: moment)
    return tables[0].body(
      part, of: layout, alternates: try alternates(in: part, of: layout, request, at: moment),
      inquiry, opening: opening)
  }

  /// Returns the alternates of the items in a menu, by command position. Their effort is counted separately
  /// from that of the items.
  private mutating func alternates(
    in part: MenuLayout.Part, of layout: MenuLayout, _ request: ValidationRequest,
    at moment: PlanMoment
  ) throws(MutationFault) -> [Int: [ValidatedItem]] {
    var alternates: [Int: [ValidatedItem]] = [:]
    guard layout.hasAlternates else { return alternates }
    var inquiry = moment.session.inquiry(
      in: SessionContext(moment.catalog, isExplaining: false, actor: request.actor))
    for slot in layout.slots[part.slots] where slot.isOfAlternates {
      guard alternates[slot.command] == nil else { continue }
      alternates[slot.command] = try inquiry.alternates(ofCommandAt: slot.command, request)
    }
    effortOfAlternates = inquiry.effort.spent
    return alternates
  }

  /// Calls `read` with the text of each item of a request without menu or traces, in the order of the request.
  ///
  /// - Throws: As `Session.validate`.
  package mutating func readTexts(
    for request: ValidationRequest, at moment: PlanMoment, _ read: (ArraySlice<UInt8>) -> Void
  ) throws(MutationFault) {
    let moment = try moment.withKeyWindow(request.window)
    let ids = request.commands ?? moment.catalog.commands.map(\.id)
    let positions = ids.map { moment.catalog.positions[$0] }
    try update(positions, for: request, at: moment)
    tables[0].readTexts(of: positions, ids, read)
  }

  /// Returns the validated commands, in the order of the request; those of a menu with the rules between
  /// siblings (M9).
  ///
  /// - Throws: As `Session.validate`.
  package mutating func validate(
    _ request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> [ValidatedItem] {
    let moment = try moment.withKeyWindow(request.window)
    let catalog = moment.catalog
    guard !request.isExplaining else { return try moment.session.validate(request, in: catalog) }
    if let id = request.menu {
      guard let menu = catalog.menuAsShown(id) else { throw .unknownMenu(id) }
      return try validate(menu, request, at: moment).items
    }
    return try items(request.commands ?? catalog.commands.map(\.id), for: request, at: moment)
  }

  /// Returns a validated menu with all its items.
  ///
  /// - Throws: As `Session.validate`.
  package mutating func validate(
    _ menu: Menu, _ request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> ValidatedMenu {
    let moment = try moment.withKeyWindow(request.window)
    let (session, catalog) = (moment.session, moment.catalog)
    guard !request.isExplaining else {
      return try session.validate(menu, request, in: catalog)
    }
    var met: Set<CommandID> = []
    let ids = menu.commands(in: MenuSystems(request.kind)).filter { met.insert($0).inserted }
    let known = try items(ids, for: request, at: moment)
    var items = Dictionary(zip(ids, known)) { first, _ in first }
    effortOfAlternates = try session.complete(&items, of: menu, request, in: catalog)
    let lists = try lists(
      of: menu.itemsFromData(in: MenuSystems(request.kind)), for: request, at: moment)
    return ValidatedMenu(menu, items, fromData: lists, kind: request.kind)
  }

  /// Returns the items from data of declarations. Their effort is counted separately from that of the other items.
  private mutating func lists(
    of declarations: [ItemsFromData], for request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> ItemLists {
    guard !declarations.isEmpty else { return ItemLists() }
    let inquiry = PlanInquiry(moment, for: tables[0].variant, writingFaults: writeFault)
    let (lists, effort) = try tables[0].lists.items(
      of: declarations, from: request.from, inquiry)
    effortOfLists = effort
    return lists
  }

  /// Returns the items from data of menus, by command, each key once (M12). A list that takes too much effort is
  /// omitted.
  ///
  /// - Parameter command: The command of the items; nil for all.
  /// - Throws: As `Session.validate`, but for `tooMuchEffort`.
  package mutating func itemsFromData(
    of command: CommandID? = nil, _ request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> [CommandID: [ValidatedItem]] {
    let declarations = moment.catalog.menus.itemsFromData().filter {
      command == nil || $0.command == command
    }
    guard !declarations.isEmpty else { return [:] }
    let moment = try moment.withKeyWindow(request.window)
    try update([], for: request, at: moment)
    var items: [CommandID: [ValidatedItem]] = [:]
    var keys = ItemKeysMet()
    for declaration in declarations {
      let lists: ItemLists? = try? lists(of: [declaration], for: request, at: moment)
      items[declaration.command, default: []] +=
        lists?[declaration].items.filter { keys.meet($0) } ?? []
    }
    return items
  }

  /// Returns the items from data for a search, each key of a command once. A list that takes too much effort is
  /// omitted.
  ///
  /// - Throws: As `Session.validate`, but for `tooMuchEffort`.
  mutating func itemsFromData(
    of index: SearchIndex, _ request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> [PresentTitles.Item] {
    guard !index.lists.isEmpty else { return [] }
    let moment = try moment.withKeyWindow(request.window)
    var keys = ItemKeysMet()
    var found: [PresentTitles.Item] = []
    for list in index.lists {
      let lists: ItemLists? = try? lists(of: [list.declaration], for: request, at: moment)
      guard lists != nil else { continue }
      for (item, title) in tables[0].lists.titledItems(of: list.declaration, in: list.menus)
      where keys.meet(item) {
        found.append(PresentTitles.Item(item: item, title: title, list: list))
      }
    }
    return found
  }

  private mutating func items(
    _ ids: [CommandID], for request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> [ValidatedItem] {
    let positions = ids.map { moment.catalog.positions[$0] }
    try update(positions, for: request, at: moment)
    tables[0].condenseTexts()
    return tables[0].items(at: positions, ids, moment.catalog)
  }

  /// Returns the titles and appearances of all items.
  ///
  /// - Throws: As `Session.validate`.
  mutating func appearances(
    for request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> PlannedAppearances {
    try update(nil, for: request, at: moment.withKeyWindow(request.window))
    return PlannedAppearances(items: tables[0].entries, titles: tables[0].titles)
  }

  /// Moves the table of a request to the front and updates these commands, or all.
  @discardableResult private mutating func update(
    _ positions: [Int?]?, for request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> PlanInquiry {
    try moment.session.check(request.from)
    try moment.session.check(request.sender?.responder)
    let variant = PlanVariant(request)
    (effortOfAlternates, effortOfLists) = (0, 0)
    // By index, since tables are large to copy.
    if let known = tables.indices.first(where: { tables[$0].variant.isSame(as: variant) }) {
      if known > 0 { tables.insert(tables.remove(at: known), at: 0) }
      tables[0].follow(moment, from: request.from)
    } else {
      tables.insert(PlanTable(variant, moment, from: request.from), at: 0)
      if tables.count > Self.maximumVariants { tables.removeLast() }
    }
    let inquiry = PlanInquiry(moment, for: variant, writingFaults: writeFault)
    try tables[0].update(positions, inquiry)
    return inquiry
  }
}

/// The titles and appearances of a session's items, by command.
struct PlannedAppearances {
  let items: [PlanTable.Entry]
  /// The titles that rules decide.
  let titles: [Int: String]
}

/// The commands of the last request with their positions. A front end requests the same ones each time, and looking up
/// ten takes as long as evaluating four rules.
private struct AskedCommands {
  private var ids: [CommandID] = []
  private var positions: [Int?] = []
  /// The commands of the catalogue, which are compared by the address of their storage.
  private var commands: [Command] = []

  mutating func positions(of ids: [CommandID], in catalog: Catalog) -> [Int?] {
    if ids == self.ids, commands.span.isIdentical(to: catalog.commands.span) { return positions }
    (self.ids, commands) = (ids, catalog.commands)
    positions = ids.map { catalog.positions[$0] }
    return positions
  }

  /// The approximate size in bytes.
  var size: Int { ids.count * 32 }
}

/// The keys of items from data that have occurred, by command.
private struct ItemKeysMet {
  private var keys: [CommandID: Set<ItemKey>] = [:]

  /// Returns true the first time that an item's key occurs.
  mutating func meet(_ item: ValidatedItem) -> Bool {
    item.itemKey.map { keys[item.command, default: []].insert($0).inserted } ?? false
  }
}
