public import JSONText

/// The known items of a session, so that asking about them again takes time that grows with the
/// changes since then.
///
/// A plan stands beside a session and is no part of it: it can be thrown away at any time, and what it
/// answers is what `Session.validate` answers, to the byte. For the present responders and focus it
/// knows each command's target and rules, the last answer of each rule with the places of the state
/// that it read, the text of each item, and the last answer as a whole. It finds out by itself what
/// changed; of undo managers only the edition tells, so that a plan is for one session, and a copy for
/// another one is made with `forAnotherSession()`.
public struct ValidationPlan: Sendable {
  /// Writes an item as a JSON object.
  public typealias ItemWriter = @Sendable (ValidatedItem, inout JSONWriter) -> Void

  /// On behalf of how many different askers, and from how many places, items are known at a time.
  public static let maximumVariants = 4

  private let write: ItemWriter
  /// The one asked last comes first.
  private var tables: [PlanTable] = []

  /// A plan that knows nothing yet.
  public init(writingItems write: @escaping ItemWriter) { self.write = write }

  /// About how many bytes it takes.
  public var size: Int { tables.reduce(0) { $0 + $1.size } }

  /// A plan for another session under the same catalogue: what both have in common need not be asked
  /// again.
  public func forAnotherSession() -> ValidationPlan {
    var plan = self
    for index in plan.tables.indices { plan.tables[index].forgetSession() }
    return plan
  }

  /// Forgets on whose behalf else than the last asker's items were asked about.
  public mutating func forgetOtherAskers() {
    if tables.count > 1 { tables.removeSubrange(1...) }
  }

  /// How many rules failed that were asked for the last question, and not again for this one.
  public mutating func takeRuleErrors() -> Int {
    guard !tables.isEmpty else { return 0 }
    defer { tables[0].ruleErrors = 0 }
    return tables[0].ruleErrors
  }

  /// The answer to a request without a menu and without traces, as a JSON object: what `opening` writes,
  /// which is to depend on the session's name and revision and the catalogue alone, and then `items`.
  ///
  /// - Throws: As `Session.validate`.
  public mutating func answer(
    to request: ValidationRequest, at moment: PlanMoment, opening: (inout JSONWriter) -> Void
  ) throws(MutationFault) -> [UInt8] {
    try follow(request, to: moment)
    let (session, catalog) = (moment.session, moment.catalog)
    if let answer = tables[0].answer, answer.isAnswer(to: request, session) { return answer.body }
    let positions = request.commands.map { $0.map { catalog.positions[$0] } }
    try tables[0].settle(positions, session, catalog, write)
    let body = tables[0].body(positions, request.commands, opening, write)
    tables[0].answer = PlanAnswer(
      session: session.id, commands: request.commands, body: body)
    return body
  }

  /// The commands as they are now, in the order in which they were asked for; those of a menu with what
  /// they say of each other (M9).
  ///
  /// - Throws: As `Session.validate`.
  public mutating func validate(
    _ request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> [ValidatedItem] {
    let catalog = moment.catalog
    guard !request.isExplaining else { return try moment.session.validate(request, in: catalog) }
    if let id = request.menu {
      guard let menu = catalog.menuAsShown(id) else { throw .unknownMenu(id) }
      return try validate(menu, request, at: moment).items
    }
    try follow(request, to: moment)
    return try items(request.commands ?? catalog.commands.map(\.id), at: moment)
  }

  /// A menu with everything in it as it is now.
  ///
  /// - Throws: As `Session.validate`.
  public mutating func validate(
    _ menu: Menu, _ request: ValidationRequest, at moment: PlanMoment
  ) throws(MutationFault) -> ValidatedMenu {
    let (session, catalog) = (moment.session, moment.catalog)
    guard !request.isExplaining else {
      return try session.validate(menu, request, in: catalog)
    }
    try follow(request, to: moment)
    var met: Set<CommandID> = []
    let ids = menu.commands(in: MenuSystems(request.kind)).filter { met.insert($0).inserted }
    var items = Dictionary(zip(ids, try items(ids, at: moment))) { first, _ in first }
    try session.addAlternates(to: &items, of: menu, request, in: catalog)
    return ValidatedMenu(menu, items, kind: request.kind)
  }

  private mutating func items(
    _ ids: [CommandID], at moment: PlanMoment
  ) throws(MutationFault) -> [ValidatedItem] {
    let catalog = moment.catalog
    let positions = ids.map { catalog.positions[$0] }
    try tables[0].settle(positions, moment.session, catalog, write)
    return zip(ids, positions).map { id, position in
      guard let position else { return ValidatedItem(unknown: id) }
      return tables[0].item(at: position, catalog)
    }
  }

  /// Puts the table of a request first, as the session is now.
  private mutating func follow(
    _ request: ValidationRequest, to moment: PlanMoment
  ) throws(MutationFault) {
    let session = moment.session
    try session.check(request.from)
    try session.check(request.sender?.responder)
    let variant = PlanVariant(request)
    // By position, since tables are large to copy.
    if let known = tables.indices.first(where: { tables[$0].isFor(variant, in: session) }) {
      if known > 0 { tables.insert(tables.remove(at: known), at: 0) }
    } else if let other = tables.indices.first(where: { tables[$0].variant.isSame(as: variant) }) {
      tables.insert(tables[other].elsewhere(moment) ?? tables.remove(at: other), at: 0)
    } else {
      tables.insert(PlanTable(variant, moment), at: 0)
    }
    if tables.count > Self.maximumVariants { tables.removeLast() }
    tables[0].follow(moment)
  }
}

/// An answer that was given, as long as nothing changes.
struct PlanAnswer: Sendable {
  let session: SessionID
  let commands: [CommandID]?
  let body: [UInt8]

  /// True if a request asks the same.
  func isAnswer(to request: ValidationRequest, _ session: Session) -> Bool {
    guard self.session == session.id else { return false }
    return switch (commands, request.commands) {
    case (nil, nil): true
    case (let commands?, let others?):
      commands.span.isIdentical(to: others.span) || commands == others
    case (nil, _?), (_?, nil): false
    }
  }
}
