import CEL
import JSONText

/// How doubts about commands are settled.
extension PlanTable {
  /// Asks again what is in doubt about a command.
  mutating func settle(
    _ position: Int, _ inquiry: inout PlanInquiry, _ session: Session, _ catalog: Catalog,
    _ write: ValidationPlan.ItemWriter
  ) {
    guard !commands[position].doubts.isEmpty else { return }
    let command = catalog.commands[position].whileHolding(variant.modifiers)
    if commands[position].doubts.contains(.walk) {
      walk(position, command, &inquiry, session, catalog)
    }
    if commands[position].doubts.contains(.whole) {
      askWhole(position, command, &inquiry, session, catalog)
    } else if commands[position].doubts.contains(.rules) {
      askRules(position, command, &inquiry, session, catalog)
    }
    if commands[position].doubts.contains(.text) {
      let item = item(at: position, command)
      texts.write(position) { write(item, &$0) }
    }
    commands[position].doubts = []
  }

  /// Looks for the target (R5); what the rules said stays, as far as they are the same.
  private mutating func walk(
    _ position: Int, _ command: Command, _ inquiry: inout PlanInquiry, _ session: Session,
    _ catalog: Catalog
  ) {
    commands[position].doubts.insert(.rules)
    guard let action = command.action else { return settle(position, on: .noAction) }
    var asking = inquiry.inquiry(for: command, variant, session, catalog)
    let before = inquiry.effort.left
    let search = asking.search(for: action, from: variant.from)
    commands[position].walkEffort = before - inquiry.effort.left
    setWalkRules(asking.readings.rules, of: position)
    guard !asking.readings.isEverything else { return settleUnplanned(position) }
    switch search {
    case .cycle: settle(position, on: .cycle)
    case .nobody(nil): settle(position, on: .nobody)
    case .nobody(.some): settleUnplanned(position)
    case .found(let target):
      let isPlanned =
        target.handler?.undoDirection == nil && target.handler?.closures.validate == nil
      guard isPlanned else { return settleUnplanned(position) }
      let rules = plannedRules(target, of: position)
      settle(position, on: .found(target.receiver, implementer: target.implementer))
      if let rules { setRules(rules, of: position) }
    }
  }

  private mutating func settle(_ position: Int, on walk: PlannedCommand.Walk) {
    if commands[position].walk != walk || commands[position].item != nil {
      commands[position].doubts.insert(.text)
    }
    commands[position].walk = walk
    commands[position].item = nil
    switch walk {
    case .found: break
    case .nobody, .noAction, .cycle: setRules([], of: position)
    }
  }

  private mutating func settleUnplanned(_ position: Int) {
    setRules([], of: position)
    commands[position].doubts.insert(.whole)
    list(position)
  }

  /// The rules of a new target, with the answers of those that were asked for the one before; nil when
  /// they are the same ones.
  private func plannedRules(_ target: Inquiry.Target, of position: Int) -> [PlannedRule]? {
    let old = rules[commands[position].rules]
    var new: [PlannedRule] = []
    for part in ItemPart.allCases {
      guard let rule = target.handler?.validate[part] else { continue }
      let known = old.first { $0.part == part && $0.rule.isIdentical(to: rule) }
      if let known, rule.readsStateOnly || isFound(position, target.implementer) {
        new.append(known)
      } else {
        new.append(PlannedRule(rule: rule, part: part, command: position))
      }
    }
    let isSame =
      old.count == new.count && zip(old, new).allSatisfy { $0.rule.isIdentical(to: $1.rule) }
      && isFound(position, target.implementer)
    return isSame ? nil : new
  }

  private func isFound(_ position: Int, _ implementer: ResponderID) -> Bool {
    guard case .found(_, let found) = commands[position].walk else { return false }
    return found == implementer
  }
}

extension PlanTable {
  /// Asks about an item as if there were no plan.
  private mutating func askWhole(
    _ position: Int, _ command: Command, _ inquiry: inout PlanInquiry, _ session: Session,
    _ catalog: Catalog
  ) {
    var asking = inquiry.inquiry(for: command, variant, session, catalog)
    let before = inquiry.effort.left
    commands[position].item = asking.validate(command, from: variant.from).item
    commands[position].effort = before - inquiry.effort.left
    commands[position].fault = nil
    commands[position].doubts.insert(.text)
  }

  /// Asks those of an item's rules that may say something else now, up to one that fails.
  private mutating func askRules(
    _ position: Int, _ command: Command, _ inquiry: inout PlanInquiry, _ session: Session,
    _ catalog: Catalog
  ) {
    if commands[position].fault != nil { commands[position].doubts.insert(.text) }
    commands[position].fault = nil
    var effort = commands[position].walkEffort
    for index in commands[position].rules {
      if rules[index].isStale || rules[index].answer == nil {
        ask(index, command, &inquiry, session, catalog)
      }
      effort += rules[index].effort
      if rules[index].answer == nil { break }
    }
    commands[position].effort = effort
  }

  private mutating func ask(
    _ index: Int, _ command: Command, _ inquiry: inout PlanInquiry, _ session: Session,
    _ catalog: Catalog
  ) {
    let (rule, part, position) = (rules[index].rule, rules[index].part, rules[index].command)
    let before = inquiry.effort.left
    rules[index].isStale = false
    let old = rules[index].answer
    do throws(RuleFault) {
      let new: PartAnswer
      if rule.readsStateOnly {
        new = try inquiry.context(ofStateOf: session).answer(of: rule, for: part)
      } else {
        let asking = inquiry.inquiry(for: command, variant, session, catalog)
        new = try asking.context(for: implementer(of: position)).answer(of: rule, for: part)
      }
      rules[index].answer = new
      if old?.isSame(as: new) != true { commands[position].doubts.insert(.text) }
    } catch {
      rules[index].answer = nil
      commands[position].fault = error
      commands[position].doubts.insert(.text)
      list(position)
    }
    rules[index].effort = before - inquiry.effort.left
  }

  private func implementer(of position: Int) -> ResponderID {
    guard case .found(_, let implementer) = commands[position].walk else {
      preconditionFailure("a command without a target has no rules")
    }
    return implementer
  }
}

extension PlanTable {
  /// The item of a command about which nothing is in doubt.
  func item(at position: Int, _ command: Command) -> ValidatedItem {
    if let item = commands[position].item { return item }
    var item = ValidatedItem(declaredBy: command)
    switch commands[position].walk {
    case .nobody: item.reason = .noTarget
    case .noAction: item.reason = .noAction
    case .cycle: item.reason = .cycle
    case .found(let receiver, let implementer):
      item.target = receiver
      item.proxied = implementer == receiver.responder ? nil : implementer
      conclude(&item, position)
    }
    return item
  }

  /// What the answers make of an item with a target (M5, M6).
  private func conclude(_ item: inout ValidatedItem, _ position: Int) {
    if let fault = commands[position].fault { return item.fail(fault) }
    var isForbidden = false
    for rule in rules[commands[position].rules] {
      guard let answer = rule.answer else { continue }
      item.apply(answer, to: rule.part)
      if case (.enabled, .bool(false)) = (rule.part, answer) { isForbidden = true }
    }
    item.conclude(isForbidden: isForbidden)
  }
}
