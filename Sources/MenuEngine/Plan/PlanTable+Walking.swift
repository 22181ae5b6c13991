import JSONText

/// The search for targets (R5), for all commands at once. Each responder takes the pending commands that it
/// implements without a `canPerform` rule. Commands that need more are searched for one by one.
extension PlanTable {
  /// Searches for the targets of commands.
  ///
  /// - Throws: `MutationFault.tooMuchEffort` if the searches take too much.
  mutating func walk(
    _ wanted: CommandSet, _ inquiry: PlanInquiry
  ) throws(MutationFault) {
    var walk = Walk(pending: wanted, asked: CommandSet(count: index.count))
    walk.pending.subtract(index.withoutAction)
    for position in wanted.intersection(index.withoutAction) {
      assign(.noAction, to: position, effort: 0)
    }
    switch inquiry.moment.session.search {
    case .uikit: walkChain(&walk, in: inquiry.moment.session)
    case .appkit: walkWindows(&walk, in: inquiry.moment.session)
    }
    staleWalks.subtract(wanted)
    staleWalks.formUnion(walk.asked)
    var effort = 0
    for position in walk.asked {
      search(for: position, inquiry)
      staleWalks[position] = false
      effort += entries[position].walkEffort
      guard effort <= Limits.effort else { throw .tooMuchEffort }
    }
  }

  /// A walk for many commands at once.
  private struct Walk {
    /// The commands without a target so far.
    var pending: CommandSet
    /// The commands to search for one by one.
    var asked: CommandSet
    /// The number of responders visited.
    var place = 0
    /// The effort of proxies whose filter excludes all pending commands.
    var proxyEffort = 0

    /// The effort of a search that ends at the present responder.
    var effort: Int { place + 1 + proxyEffort }

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

  private mutating func walkChain(_ walk: inout Walk, in session: Session) {
    var following = basis.start.flatMap { session.graph.position(of: $0) }
    while let position = following, !walk.pending.isEmpty {
      guard walk.place < session.graph.count else { return assign(.cycle, toRestOf: walk) }
      meetResponder(at: position, in: session, &walk)
      walk.place += 1
      following = session.graph.next(of: position)
    }
    assign(.nobody, toRestOf: walk)
  }

  private mutating func walkWindows(_ walk: inout Walk, in session: Session) {
    for stop in WindowOrder(of: session, from: basis.start).stops where !walk.pending.isEmpty {
      guard let position = session.graph.position(of: stop.responder) else { continue }
      meetResponder(at: position, in: session, &walk)
      walk.place += 1
    }
    assign(.nobody, toRestOf: walk)
  }

  private mutating func assign(_ target: PlannedTarget, toRestOf walk: Walk) {
    for position in walk.pending {
      assign(target, to: position, effort: walk.place + walk.proxyEffort)
    }
  }

  /// Assigns the commands that a responder implements.
  private mutating func meetResponder(
    at position: Int, in session: Session, _ walk: inout Walk
  ) {
    let isGoverning = session.search == .uikit
    let responders = session.graph.responders
    let ofClass = index.answers(ofClass: responders[position].className)
    if isGoverning {
      redirect(from: responders[position], &walk)
      for action in responders[position].canPerform.keys { walk.ask(index.senders(of: action)) }
    }
    if !responders[position].handlers.isEmpty {
      let receiver = Receiver.responder(responders[position].id)
      for (action, handler) in responders[position].handlers {
        for command in index.senders(of: action) where walk.pending[command] {
          if isGoverning, handler.isGoverned || ofClass?.governed[command] == true {
            walk.ask(command)
          } else {
            take(command, by: handler, of: receiver, &walk)
          }
        }
      }
    }
    if let ofClass {
      take(ofClass, for: responders[position].id, isGoverning: isGoverning, &walk)
    }
    for action in responders[position].undoHandlers.keys { walk.ask(index.senders(of: action)) }
    askElsewhere(for: responders[position], in: session.search, &walk)
  }

  /// Redirects the commands that a responder's coordinator has handlers for (F2).
  private mutating func redirect(from host: Responder, _ walk: inout Walk) {
    guard let coordinator = host.coordinator, coordinator.forwarding == .catchAll else { return }
    for registration in coordinator.registrations {
      for command in index.senders(of: registration.selector) where walk.pending[command] {
        take(command, by: registration.handler, of: .forwarder(host: host.id), &walk)
      }
    }
  }

  /// Moves the commands that another responder may answer for this one to the individual searches (L8, R10).
  private func askElsewhere(
    for responder: Responder, in search: ResponderSearch, _ walk: inout Walk
  ) {
    guard responder.isAlwaysAsked(in: search) else { return }
    let isProxyOnly =
      search == .uikit
      || responder.supplementalTargetRule == nil && responder.links[.supplementalTarget] == nil
    guard isProxyOnly, let proxy = responder.proxy,
      responder.links[.proxied] == nil || proxy.proxiedSelectors != nil
    else { return walk.ask(walk.pending) }
    if responder.links[.proxied] != nil {
      for action in proxy.proxiedSelectors ?? [] { walk.ask(index.senders(of: action)) }
    }
    walk.proxyEffort += 1
  }

  private mutating func take(
    _ command: Int, by handler: Handler, of receiver: Receiver, _ walk: inout Walk
  ) {
    guard !handler.makesSpecialItems else { return walk.ask(command) }
    walk.pending[command] = false
    let number = receivers.number(of: receiver, implementer: receiver.responder)
    let list = rules.number(of: handler.validate.list)
    assign(.receiver(number), to: command, list: list, effort: walk.effort)
  }

  private mutating func take(
    _ answers: ClassAnswers, for id: ResponderID, isGoverning: Bool, _ walk: inout Walk
  ) {
    var found = walk.pending.intersection(answers.implemented)
    guard !found.isEmpty else { return }
    var asked = found.intersection(answers.special)
    if isGoverning { asked.formUnion(found.intersection(answers.governed)) }
    walk.ask(asked)
    found.subtract(asked)
    guard !found.isEmpty else { return }
    walk.pending.subtract(found)
    let number = receivers.number(of: .responder(id), implementer: id)
    for command in found {
      assign(
        .receiver(number), to: command, list: answers.list(at: command), effort: walk.effort)
    }
  }

  /// Records the target of a command found without evaluating rules.
  private mutating func assign(
    _ target: PlannedTarget, to position: Int, list: Int32 = -1, effort: Int
  ) {
    rules.setRules([], ofWalkFor: position)
    note(target, of: position, list: list, effort: effort)
  }

  private mutating func note(
    _ target: PlannedTarget, of position: Int, list: Int32, effort: Int
  ) {
    let old = entries[position].list
    let isSame = entries[position].target == target && old == list
    // An unchanged target does not make the item dirty.
    if isSame, entries[position].walkEffort == effort { return }
    doubt(position)
    entries[position].walkEffort = effort
    guard !isSame else { return }
    if old != list { move(position, from: old, to: list) }
    entries[position].target = target
    entries[position].list = list
    entries[position].writtenAt = 0
    if !personal.isEmpty { forgetPersonal(position) }
    if !special.isEmpty { special[position] = nil }
  }

  /// Searches for the target of one command.
  private mutating func search(for position: Int, _ inquiry: PlanInquiry) {
    guard let action = inquiry.action(ofCommandAt: position) else { return }
    let asking = inquiry.inquiry(forCommandAt: position)
    inquiry.beginCounting()
    let search = asking.inquiry.search(for: action, from: basis.start)
    let effort = inquiry.effort.spent
    rules.setRules(asking.inquiry.readings.rules, ofWalkFor: position)
    let isUnsure = asking.inquiry.readings.isEverything
    switch search {
    case .cycle where !isUnsure: note(.cycle, of: position, list: -1, effort: effort)
    case .nobody(nil) where !isUnsure: note(.nobody, of: position, list: -1, effort: effort)
    case .found(let target) where !isUnsure && target.handler?.makesSpecialItems != true:
      let number = receivers.number(of: target.receiver, implementer: target.implementer)
      let list = rules.number(of: target.handler?.validate.list)
      note(.receiver(number), of: position, list: list, effort: effort)
    case .cycle, .nobody, .found:
      special[position] = nil
      doubt(position)
      note(.special, of: position, list: -1, effort: effort)
    }
  }
}

/// The receiver of a command's action in a plan.
enum PlannedTarget: Equatable, Sendable {
  /// A number in `PlannedReceivers`.
  case receiver(Int32)
  case nobody
  case noAction
  case cycle
  /// The item is validated without the plan, because of a closure, an undo manager or a rule that failed during
  /// the search.
  case special
}

/// The receivers in a plan, by number.
struct PlannedReceivers: Sendable {
  /// A receiver and the owner of its handler.
  struct Element: Hashable, Sendable {
    let receiver: Receiver
    let implementer: ResponderID

    /// The proxied responder, if the receiver is a proxy (L11).
    var proxied: ResponderID? { implementer == receiver.responder ? nil : implementer }
  }

  private var elements: [Element] = []
  /// The item members for no target, followed by those of each receiver.
  private(set) var texts = DecidedTexts.target(nil, proxied: nil)
  /// The end offsets in `texts`: for no target, then for each receiver.
  private var ends: [Int]
  private var numbers: [Element: Int32] = [:]

  init() { ends = [texts.count] }

  var count: Int { elements.count }

  subscript(number: Int32) -> Element { elements[Int(number)] }

  /// Returns the range of the members of a target, each with a leading comma.
  func text(of target: PlannedTarget) -> Range<Int> {
    guard case .receiver(let number) = target else { return 0..<ends[0] }
    return ends[Int(number)]..<ends[Int(number) + 1]
  }

  mutating func number(of receiver: Receiver, implementer: ResponderID) -> Int32 {
    let element = Element(receiver: receiver, implementer: implementer)
    if let known = numbers[element] { return known }
    let number = Int32(elements.count)
    numbers[element] = number
    elements.append(element)
    texts += DecidedTexts.target(receiver, proxied: element.proxied)
    ends.append(texts.count)
    return number
  }
}

/// The results of one item's rules that read more than the state.
struct PersonalAnswers: Sendable {
  /// The results of the evaluated rules, in order.
  var answers: [(rule: ItemRule, answer: PartAnswer)] = []
  /// The rule that failed; later rules were not evaluated.
  var fault: RuleFault?
  var effort = 0
  var isStale = false
}

/// An item validated without the plan.
struct SpecialItem: Sendable {
  let item: ValidatedItem
  let askedAt: Int
}
