import JSONText
import Testing

@testable import MenuEngine

/// A session with a plan that goes along with it, compared with the session alone.
struct PlanStage {
  var stage: Stage
  var plan = ValidationPlan(writingFaults: PlanStage.write)

  init(_ stage: Stage) { self.stage = stage }

  /// Returns the answer of the plan, which must be that of a session without a plan, to the byte.
  @discardableResult
  mutating func ask(
    _ request: ValidationRequest = ValidationRequest(), _ comment: String = "",
    _ location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let (session, catalog) = (stage.session, stage.catalog)
    let warm: Result<String, MutationFault>
    do throws(MutationFault) {
      warm = .success(try answer(request))
    } catch {
      warm = .failure(error)
    }
    let cold: Result<String, MutationFault>
    do throws(MutationFault) {
      cold = .success(try Self.answer(request, session, catalog))
    } catch {
      cold = .failure(error)
    }
    try #require(warm == cold, "\(comment)", sourceLocation: location)
    if let answer = try Self.answerOfKeyWindow(request, session, catalog) {
      let told = try warm.get()
      try #require(answer == told, "R11 \(comment)", sourceLocation: location)
    }
    return (try? warm.get()) ?? ""
  }

  private mutating func answer(_ request: ValidationRequest) throws(MutationFault) -> String {
    guard request.menu == nil else {
      let catalog = stage.catalog.localized(for: stage.session)
      guard let menu = catalog.menu(request.menu ?? "") else {
        return Self.text(
          try plan.validate(request, at: stage.moment), stage.session)
      }
      let validated = try plan.validate(menu, request, at: stage.moment)
      // Without the revision, which is another one after each change.
      let body = try plan.answer(
        to: request, aboutMenu: menu.identifier, at: stage.moment, opening: { _ in })
      return Self.text(validated) + String(decoding: body ?? Self.body(validated), as: UTF8.self)
    }
    let session = stage.session
    let body = try plan.answer(to: request, at: stage.moment) { writer in
      Self.open(&writer, session)
    }
    return String(decoding: body, as: UTF8.self)
  }

  /// The answer of a session whose key window is the one that is asked about (R11); nil for a question
  /// about none, and for one that is refused.
  private static func answerOfKeyWindow(
    _ request: ValidationRequest, _ session: Session, _ catalog: Catalog
  ) throws -> String? {
    guard let window = request.window, session.graph.kind(of: window) == .window else { return nil }
    var (keyed, request) = (session, request)
    _ = try keyed.make(window, .key)
    request.window = nil
    return try? answer(request, keyed, catalog)
  }

  private static func answer(
    _ request: ValidationRequest, _ session: Session, _ catalog: Catalog
  ) throws(MutationFault) -> String {
    let localized = catalog.localized(for: session)
    if let menu = request.menu.flatMap({ localized.menu($0) }) {
      let validated = try session.validate(menu, request, in: catalog)
      return text(validated) + String(decoding: body(validated), as: UTF8.self)
    }
    var writer = JSONWriter()
    writer.beginObject()
    open(&writer, session)
    writer.member("items")
    writer.beginArray()
    for item in try session.validate(request, in: catalog) {
      writer.beginObject()
      writer.members(of: item, writingFaults: write)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func write(_ fault: RuleFault, _ writer: inout JSONWriter) {
    writer.value("\(fault)")
  }

  private static func open(_ writer: inout JSONWriter, _ session: Session) {
    writer.member("session", session.id.rawValue)
    writer.member("revision", session.revision)
  }

  private static func text(_ items: [ValidatedItem], _ session: Session) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    open(&writer, session)
    writer.member("items")
    writer.beginArray()
    for item in items { write(item, &writer) }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The answer with a menu.
  static func body(_ menu: ValidatedMenu) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("menu")
    writer.value(
      menu, isExplaining: false, writingFaults: write,
      writingItems: { item, writer in writer.members(of: item, writingFaults: write) })
    writer.endObject()
    return writer.bytes
  }

  private static func text(_ menu: ValidatedMenu) -> String {
    var text = "\(menu.identifier) \(menu.title) \(menu.isEnabled) \(menu.faults) ["
    for child in menu.children {
      switch child {
      case .item(let item): text += Self.text(item)
      case .menu(let menu): text += Self.text(menu)
      }
    }
    return text + "] left out \(menu.leftOut.map { Self.text($0) })"
  }

  private static func text(_ item: ValidatedItem) -> String {
    var writer = JSONWriter()
    write(item, &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Writes all that an item says.
  static func write(_ item: ValidatedItem, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("command", item.command.rawValue)
    writer.member("itemKey", item.itemKey.map { .string($0.text) } ?? .null)
    writer.member("title", item.title)
    writer.member("subtitle", item.subtitle.map(JSON.string) ?? .null)
    writer.member("image", item.image.map(JSON.string) ?? .null)
    writer.member("discoverabilityTitle", item.discoverabilityTitle.map(JSON.string) ?? .null)
    writer.member("alternate", item.alternate.map { .string($0.title) } ?? .null)
    writer.member("key", item.key.map { .string("\($0)") } ?? .null)
    writer.member("enabled", item.isEnabled)
    writer.member("state", item.state.rawValue)
    writer.member("attributes", Int(item.attributes.rawValue))
    writer.member("target", item.target.map { .string($0.description) } ?? .null)
    writer.member("proxied", item.proxied.map { .string($0.rawValue) } ?? .null)
    writer.member("reason", item.reason.rawValue)
    writer.member("fault", item.fault.map { .string("\($0)") } ?? .null)
    writer.member("lost", item.lostSingleSelection)
    writer.member("alternates")
    writer.beginArray()
    for alternate in item.alternates { write(alternate, &writer) }
    writer.endArray()
    writer.endObject()
  }
}

extension PlanStage {
  /// Returns the commands that a query finds, best first.
  func found(_ query: CommandQuery) throws -> [CommandID] {
    var plan = plan
    return try plan.find(query, at: stage.moment).commands.map(\.item.command)
  }

  /// Searches by the plan, which must find what a search among the validated items of the session finds.
  mutating func search(_ query: CommandQuery, _ comment: String = "") throws {
    let session = stage.session
    let catalog = stage.catalog.localized(for: session)
    var request = ValidationRequest()
    request.window = query.window
    guard let items = try? session.validate(request, in: catalog) else {
      #expect(throws: MutationFault.self) { try plan.find(query, at: stage.moment) }
      return
    }
    let appearances = PlannedAppearances(
      items: items.map { item in
        PlanTable.Entry(isEnabled: item.isEnabled, isHidden: item.attributes.contains(.hidden))
      },
      titles: Dictionary(uniqueKeysWithValues: items.enumerated().map { ($0, $1.title) }))
    let index = SearchIndex(catalog)
    guard let ofData = try? Self.itemsFromData(of: index, request, session, catalog) else {
      #expect(throws: MutationFault.self) { try plan.find(query, at: stage.moment) }
      return
    }
    let titles = PresentTitles(index, appearances, items: ofData)
    var search = CommandSearch(query, among: titles)
    let expected = search.find(bonuses: session.uses?.bonuses ?? [:])
    let found = try plan.find(query, at: stage.moment)
    try #require(found.total == expected.total, "\(comment)")
    try #require(found.commands.count == expected.hits.count, "\(comment)")
    for (command, hit) in zip(found.commands, expected.hits) {
      let item =
        titles.item(of: hit.entry)?.item ?? items[index.entries[hit.entry].position]
      try #require(Self.text(command.item) == Self.text(item), "\(comment)")
      try #require(command.ranges == search.ranges(of: hit), "\(comment)")
      try #require(command.score == hit.score, "\(comment)")
      try #require(command.typos == hit.typos, "\(comment)")
    }
  }

  /// The items from data that a search among the items of the session finds.
  private static func itemsFromData(
    of index: SearchIndex, _ request: ValidationRequest, _ session: Session, _ catalog: Catalog
  ) throws -> [PresentTitles.Item] {
    let session = try session.withKeyWindow(request.window)
    var met: Set<String> = []
    return index.lists.flatMap { list -> [PresentTitles.Item] in
      var inquiry = session.inquiry(in: SessionContext(catalog))
      // A list that takes too much effort is left out.
      return ((try? inquiry.list(of: list.declaration, request)) ?? ItemList()).items.compactMap {
        item in
        guard met.insert("\(item.command) \(item.itemKey?.text ?? "")").inserted else { return nil }
        let title = SearchedTitle(item.title, in: list.menus)
        return PresentTitles.Item(item: item, title: title, list: list)
      }
    }
  }

  @discardableResult
  mutating func apply(_ mutation: Mutation) throws -> Outcome { try stage.apply(mutation) }

  mutating func put(_ id: ResponderID, _ json: JSON) throws { try stage.put(id, json) }

  /// The items that are others after a change.
  func changes(
    _ request: ValidationRequest = ValidationRequest(),
    after change: (inout PlanStage) throws -> Void
  ) throws -> [CommandID] {
    var copy = self
    try copy.ask(request)
    let before = try copy.texts(request)
    try change(&copy)
    let after = try copy.texts(request)
    try copy.ask(request)
    return copy.stage.catalog.commands.indices.filter { before[$0] != after[$0] }
      .map { copy.stage.catalog.commands[$0].id }
  }

  /// The texts of all items.
  mutating func texts(_ request: ValidationRequest) throws -> [[UInt8]] {
    var texts: [[UInt8]] = []
    try plan.readTexts(for: request, at: stage.moment) { texts.append(Array($0)) }
    return texts
  }
}

extension Stage {
  /// The session and the catalogue as a plan is asked about them.
  var moment: PlanMoment { PlanMoment(session, in: catalog) }
}
