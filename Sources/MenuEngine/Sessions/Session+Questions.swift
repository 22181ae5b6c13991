import JSONText

/// A request to validate commands, with the start of searches.
public struct ValidationRequest: Sendable {
  /// The commands. The default is all commands of the catalogue, in declaration order.
  public var commands: [CommandID]?
  /// The menu whose commands are validated instead, in menu order and with the rules between items (M9).
  package var menu: MenuID?
  /// The responder at which searches begin. The default is the first responder.
  public var from: ResponderID?
  /// The window to treat as key (R11). The default is the key window.
  public var window: ResponderID?
  /// The sender of the commands.
  public var sender: SenderDescription?
  /// The held modifiers, which select alternates of items (M11).
  package var modifiers: KeyModifiers = []
  /// The kind of the menus (M8).
  package var kind = MenuKind.main
  /// True if items have traces. The default is false.
  public var isExplaining = false
  /// The actor of the request, as rules see it (T4). The default has no token.
  package var actor = Principal.local

  /// Creates a request for all commands, from the first responder.
  public init() {}
}

extension Session {
  /// Returns the validated commands (M5), in the order of the request.
  ///
  /// - Throws: ``MutationFault/unknownResponder(_:)`` for a missing start, window or sender, `notAWindow`,
  ///   `unknownMenu`, and `tooMuchEffort`.
  package func validate(
    _ request: ValidationRequest, in catalog: Catalog
  ) throws(MutationFault) -> [ValidatedItem] {
    let session = try withKeyWindow(request.window)
    if let id = request.menu {
      guard let menu = catalog.menuAsShown(id) else { throw .unknownMenu(id) }
      return try session.validate(menu, request, in: catalog).items
    }
    try session.check(request.from)
    try session.check(request.sender?.responder)
    var inquiry = session.inquiry(in: context(of: request, in: catalog))
    guard let ids = request.commands else {
      return try catalog.commands.indices.map { (position) throws(MutationFault) in
        try inquiry.item(at: position, request)
      }
    }
    return try ids.map { (id) throws(MutationFault) in try inquiry.item(for: id, request) }
  }

  /// Returns a validated menu with all its items.
  package func validate(
    _ menu: Menu, _ request: ValidationRequest, in catalog: Catalog
  ) throws(MutationFault) -> ValidatedMenu {
    let session = try withKeyWindow(request.window)
    try session.check(request.from)
    try session.check(request.sender?.responder)
    var inquiry = session.inquiry(in: context(of: request, in: catalog))
    var items: [CommandID: ValidatedItem] = [:]
    for id in menu.commands(in: MenuSystems(request.kind)) where items[id] == nil {
      items[id] = try inquiry.item(for: id, request)
    }
    try session.complete(&items, of: menu, request, in: catalog)
    // Their effort is counted separately.
    var asking = session.inquiry(in: context(of: request, in: catalog))
    var lists = ItemLists()
    for declaration in menu.itemsFromData(in: MenuSystems(request.kind))
    where !lists.has(declaration) {
      lists[declaration] = try asking.list(of: declaration, request)
    }
    return ValidatedMenu(menu, items, fromData: lists, kind: request.kind)
  }

  /// Returns the item from data of a command with a key (M12); nil if the menus have none.
  ///
  /// - Throws: As ``validate(_:in:)``.
  package func item(
    _ key: ItemKey, of command: CommandID, _ request: ValidationRequest, in catalog: Catalog
  ) throws(MutationFault) -> ValidatedItem? {
    let session = try withKeyWindow(request.window)
    try session.check(request.from)
    try session.check(request.sender?.responder)
    var inquiry = session.inquiry(in: context(of: request, in: catalog))
    guard let command = inquiry.catalog.command(command),
      let element = inquiry.element(key, of: command.id).element
    else { return nil }
    let (item, _) = inquiry.item(
      of: command, showing: element, request.sender, from: request.from)
    try inquiry.effort.check()
    return item
  }

  /// Adds the alternates to the items of a menu, so that one answer suffices to draw the menu with held modifiers
  /// (M11), and sets the keys in effect (K9). Returns the effort, which is counted separately from that of the items.
  @discardableResult
  func complete(
    _ items: inout [CommandID: ValidatedItem], of menu: Menu, _ request: ValidationRequest,
    in catalog: Catalog
  ) throws(MutationFault) -> Int {
    let context = context(of: request, in: catalog)
    var inquiry = inquiry(in: context)
    for id in menu.commands {
      guard let item = items[id], item.alternate == nil, item.alternates.isEmpty,
        let position = catalog.positions[id]
      else { continue }
      items[id]?.alternates = try inquiry.alternates(ofCommandAt: position, request)
    }
    for item in try givingKeys(to: Array(items.values), from: request.from, in: context) {
      items[item.command] = item
    }
    return inquiry.effort.spent
  }

  private func context(of request: ValidationRequest, in catalog: Catalog) -> SessionContext {
    SessionContext(catalog, isExplaining: request.isExplaining, actor: request.actor)
  }

  /// Returns the target of an action and the trace of the search; nothing is performed (R5). The default sender
  /// is the one that performing uses (F6).
  package func target(
    for action: Selector, sender description: SenderDescription? = nil, from: ResponderID? = nil,
    in catalog: Catalog, by actor: Principal = .local, spending effort: Effort = Effort()
  ) throws(MutationFault) -> TargetAnswer {
    try check(from)
    try check(description?.responder)
    let sender =
      description.map { Sender(description: $0) } ?? Sender(requesting: action)
    let context = SessionContext(catalog, effort: effort, isExplaining: true, actor: actor)
    var inquiry = inquiry(in: context, sender: sender)
    let search = inquiry.search(for: action, from: from)
    try inquiry.effort.check()
    return TargetAnswer(search, trace: inquiry.trace, refusal: inquiry.refusal(of: search))
  }
}

extension Inquiry {
  fileprivate mutating func item(
    for id: CommandID, _ request: ValidationRequest
  ) throws(MutationFault) -> ValidatedItem {
    guard let position = catalog.positions[id] else { return ValidatedItem(unknown: id) }
    return try item(at: position, request)
  }

  /// Returns the item of a command for the modifiers of each of its alternates (M11).
  mutating func alternates(
    ofCommandAt position: Int, _ request: ValidationRequest
  ) throws(MutationFault) -> [ValidatedItem] {
    var items: [ValidatedItem] = []
    for alternate in catalog.commands[position].alternates {
      var held = request
      held.modifiers = alternate.modifiers
      items.append(try item(at: position, held))
    }
    return items
  }

  /// Returns the item of a command, which is its own sender, with a separate trace.
  fileprivate mutating func item(
    at position: Int, _ request: ValidationRequest
  ) throws(MutationFault) -> ValidatedItem {
    readings = Readings()
    source = .command(position, request.modifiers, request.sender)
    trace = Trace(isRecording: request.isExplaining)
    let command = catalog.commands[position].whileHolding(request.modifiers)
    let item = validate(command, from: request.from).item
    try effort.check()
    return item
  }
}

extension Inquiry {
  /// Returns the reason why nothing would run although a target was found: a forwarder runs the handler of the action
  /// that the sender carries, whatever the selector of the message (F5, F6).
  fileprivate func refusal(of search: Search) -> ValidationReason? {
    guard case .found(let target) = search, case .forwarder(let host) = target.receiver else {
      return nil
    }
    guard let carried = sender?.action else { return .noAction }
    return session.graph[host]?.coordinator?[carried] == nil ? .noHandler : nil
  }
}

/// The receiver of an action, found without performing it (R5).
package struct TargetAnswer: Sendable {
  /// The target; nil for none.
  package let target: Receiver?
  /// The proxied responder, if the target is a proxy (L11).
  package let proxied: ResponderID?
  /// `enabled` if the target would run a handler; `noAction` or `noHandler` for a forwarder that would not;
  /// `noTarget`, `ruleError` or `cycle` without a target.
  package let reason: ValidationReason
  /// The failed rule, if the reason is `ruleError`.
  package let fault: RuleFault?
  package let trace: Trace

  init(_ search: Inquiry.Search, trace: Trace, refusal: ValidationReason? = nil) {
    self.trace = trace
    switch search {
    case .found(let found):
      target = found.receiver
      proxied = found.proxied
      reason = refusal ?? .enabled
      fault = nil
    case .nobody(let fault):
      target = nil
      proxied = nil
      reason = fault == nil ? .noTarget : .ruleError
      self.fault = fault
    case .cycle:
      target = nil
      proxied = nil
      reason = .cycle
      fault = nil
    }
  }
}
