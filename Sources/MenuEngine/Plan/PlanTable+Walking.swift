import JSONText

/// The search for targets (R5), for all commands at once: at each responder, those that are without a target
/// and that it plainly implements are its. Where there is more to ask than that, commands are searched for
/// one by one.
extension PlanTable {
  /// Looks for the targets of commands.
  ///
  /// - Throws: `MutationFault.tooMuchEffort` when the searches take too much.
  mutating func walk(
    _ wanted: CommandSet, _ inquiry: inout PlanInquiry
  ) throws(MutationFault) {
    var walk = Walk(wanted: wanted)
    for position in wanted.intersection(index.withoutAction) {
      settle(position, on: .noAction, effort: 0)
    }
    walk.pending.subtract(index.withoutAction)
    switch inquiry.session.search {
    case .uikit: walkChain(&walk, inquiry.session)
    case .appkit: walkWindows(&walk, inquiry.session)
    }
    staleWalks.subtract(wanted)
    staleWalks.formUnion(walk.asked)
    var effort = 0
    for position in walk.asked {
      search(for: position, &inquiry)
      staleWalks[position] = false
      effort += rows[position].walkEffort
      guard effort <= Limits.effort else { throw .tooMuchEffort }
    }
  }

  /// A walk of many commands.
  private struct Walk {
    /// Those that are without a target so far.
    var pending: CommandSet
    /// Those that are to be searched for one by one.
    var asked: CommandSet
    /// How many responders were met.
    var place = 0

    init(wanted: CommandSet) {
      pending = wanted
      asked = wanted
      asked.subtract(wanted)
    }

    /// Has those searched for one by one that are without a target.
    mutating func ask(_ positions: [Int]) {
      for position in positions where pending[position] { ask(position) }
    }

    mutating func ask(_ position: Int) {
      pending[position] = false
      asked[position] = true
    }

    mutating func ask(_ set: CommandSet) {
      asked.formUnion(set)
      pending.subtract(set)
    }
  }

  private mutating func walkChain(_ walk: inout Walk, _ session: Session) {
    var following = basis.start.flatMap { session.graph.position(of: $0) }
    while let position = following, !walk.pending.isEmpty {
      guard walk.place < session.graph.count else {
        return settle(walk, on: .cycle)
      }
      meet(position, &walk, session)
      walk.place += 1
      following = session.graph.next(of: position)
    }
    settle(walk, on: .nobody)
  }

  private mutating func walkWindows(_ walk: inout Walk, _ session: Session) {
    for stop in WindowOrder(of: session, from: basis.start).stops where !walk.pending.isEmpty {
      guard let position = session.graph.position(of: stop.responder) else { continue }
      meet(position, &walk, session)
      walk.place += 1
    }
    settle(walk, on: .nobody)
  }

  private mutating func settle(_ walk: Walk, on target: PlannedTarget) {
    for position in walk.pending { settle(position, on: target, effort: walk.place) }
  }

  /// Gives a responder the commands that it implements.
  private mutating func meet(_ position: Int, _ walk: inout Walk, _ session: Session) {
    let isGoverning = session.search == .uikit
    let responders = session.graph.responders
    let row = index.row(of: responders[position].className)
    if let coordinator = responders[position].coordinator {
      meet(coordinator, of: responders[position].id, &walk, isRedirecting: isGoverning)
    }
    let governed = isGoverning ? row?.governed : nil
    if isGoverning {
      for action in responders[position].canPerform.keys { walk.ask(index.senders(of: action)) }
    }
    if !responders[position].handlers.isEmpty {
      for (action, handler) in responders[position].handlers {
        for command in index.senders(of: action) where walk.pending[command] {
          let isAsked = isGoverning && (handler.isGoverned || governed?[command] == true)
          take(command, handler, .responder(responders[position].id), isAsked, &walk)
        }
      }
    }
    if let row { meet(row, at: position, &walk, session) }
    for action in responders[position].undoHandlers.keys { walk.ask(index.senders(of: action)) }
    if responders[position].isAlwaysAsked(in: session.search) { walk.ask(walk.pending) }
  }

  /// Redirects what a coordinator has a handler for (F2); it only counts as asked where nothing is
  /// redirected.
  private mutating func meet(
    _ coordinator: MenuCoordinator, of host: ResponderID, _ walk: inout Walk, isRedirecting: Bool
  ) {
    let isRedirecting = isRedirecting && coordinator.forwarding == .catchAll
    for registration in coordinator.registrations {
      for command in index.senders(of: registration.selector) where walk.pending[command] {
        take(command, registration.handler, .forwarder(host: host), !isRedirecting, &walk)
      }
    }
  }

  private mutating func take(
    _ command: Int, _ handler: Handler, _ receiver: Receiver, _ isAsked: Bool,
    _ walk: inout Walk
  ) {
    guard !isAsked, !handler.makesSpecialItems else { return walk.ask(command) }
    walk.pending[command] = false
    let number = receivers.number(of: receiver, implementer: receiver.responder)
    let list = rules.number(of: handler.validate.list)
    settle(command, on: .receiver(number), list: list, effort: walk.place + 1)
  }

  private mutating func meet(
    _ row: ClassRow, at position: Int, _ walk: inout Walk, _ session: Session
  ) {
    var found = walk.pending.intersection(row.implemented)
    guard !found.isEmpty else { return }
    var asked = found.intersection(row.special)
    if session.search == .uikit { asked.formUnion(found.intersection(row.governed)) }
    walk.ask(asked)
    found.subtract(asked)
    guard !found.isEmpty else { return }
    walk.pending.subtract(found)
    let id = session.graph.responders[position].id
    let receiver = PlannedTarget.receiver(
      receivers.number(of: .responder(id), implementer: id))
    for command in found {
      settle(command, on: receiver, list: row.list(at: command), effort: walk.place + 1)
    }
  }

  private mutating func settle(
    _ position: Int, on target: PlannedTarget, list: Int32 = -1, effort: Int
  ) {
    rules.setRules([], ofWalkFor: position)
    settle(position, found: target, list, effort)
  }

  private mutating func settle(
    _ position: Int, found target: PlannedTarget, _ list: Int32, _ effort: Int
  ) {
    rows[position].walkEffort = effort
    guard rows[position].target != target || rows[position].list != list else { return }
    rows[position].target = target
    rows[position].list = list
    rows[position].writtenAt = 0
    if !personal.isEmpty { personal[position] = nil }
    if !special.isEmpty { special[position] = nil }
  }

  /// Searches for the target of one command.
  private mutating func search(for position: Int, _ inquiry: inout PlanInquiry) {
    guard let action = inquiry.action(ofCommandAt: position) else { return }
    let asking = inquiry.inquiry(forCommandAt: position)
    inquiry.beginCounting()
    let search = asking.inquiry.search(for: action, from: basis.start)
    let effort = inquiry.effort.spent
    rules.setRules(asking.inquiry.readings.rules, ofWalkFor: position)
    let isUnsure = asking.inquiry.readings.isEverything
    switch search {
    case .cycle where !isUnsure: settle(position, found: .cycle, -1, effort)
    case .nobody(nil) where !isUnsure: settle(position, found: .nobody, -1, effort)
    case .found(let target) where !isUnsure && target.handler?.makesSpecialItems != true:
      let number = receivers.number(of: target.receiver, implementer: target.implementer)
      let list = rules.number(of: target.handler?.validate.list)
      settle(position, found: .receiver(number), list, effort)
    case .cycle, .nobody, .found:
      special[position] = nil
      settle(position, found: .special, -1, effort)
    }
  }
}
