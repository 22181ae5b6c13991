import CEL
import JSONText

/// How doubts about commands are settled.
extension PlanTable {
  /// Asks again what is in doubt about a command.
  mutating func settle(
    _ position: Int, _ inquiry: inout PlanInquiry, _ session: Session, _ catalog: Catalog
  ) {
    guard !doubts[position].isEmpty else { return }
    if doubts[position].contains(.walk) { walk(position, &inquiry, session, catalog) }
    if doubts[position].contains(.whole) {
      askWhole(position, &inquiry, session, catalog)
    } else if doubts[position].contains(.rules) {
      askRules(position, &inquiry, session, catalog)
    }
    if doubts[position].contains(.text) {
      let item = item(at: position, catalog)
      texts.write(position) { inquiry.write(item, &$0) }
    }
    doubts[position] = []
  }

  private func command(_ position: Int, _ catalog: Catalog) -> Command {
    catalog.commands[position].whileHolding(variant.modifiers)
  }

  /// Looks for the target (R5); what the rules said stays, as far as they are the same.
  private mutating func walk(
    _ position: Int, _ inquiry: inout PlanInquiry, _ session: Session, _ catalog: Catalog
  ) {
    doubts[position].insert(.rules)
    guard let action = catalog.commands[position].action(whileHolding: variant.modifiers) else {
      return settle(position, on: .noAction)
    }
    let asking = inquiry.inquiry(forCommandAt: position, session, catalog)
    inquiry.beginCounting()
    let search = asking.inquiry.search(for: action, from: variant.from)
    commands[position].walkEffort = inquiry.effort.spent
    setWalkRules(asking.inquiry.readings.rules, of: position)
    guard !asking.inquiry.readings.isEverything else { return settleUnplanned(position) }
    switch search {
    case .cycle: settle(position, on: .cycle)
    case .nobody(nil): settle(position, on: .nobody)
    case .nobody(.some): settleUnplanned(position)
    case .found(let target):
      if target.handler?.undoDirection != nil || target.handler?.closures.validate != nil {
        return settleUnplanned(position)
      }
      let rules = plannedRules(target, of: position)
      settle(position, on: .found(target.receiver, implementer: target.implementer))
      if let rules { setRules(rules, of: position) }
    }
  }

  private mutating func settle(_ position: Int, on walk: PlannedCommand.Walk) {
    if commands[position].isUnplanned {
      commands[position].exception = nil
      doubts[position].insert(.text)
    }
    if commands[position].walk != walk {
      commands[position].walk = walk
      doubts[position].insert(.text)
    }
    switch walk {
    case .found: break
    case .nobody, .noAction, .cycle: setRules([], of: position)
    }
  }

  private mutating func settleUnplanned(_ position: Int) {
    setRules([], of: position)
    doubts[position].insert(.whole)
    list(position)
  }

  /// The rules of a new target, with the answers of those that were asked for the one before; nil when
  /// they are the same ones.
  private func plannedRules(_ target: Inquiry.Target, of position: Int) -> [PlannedRule]? {
    let old = rules[commands[position].rules]
    let new = target.handler?.validate.rules ?? []
    let isFound = isFound(position, target.implementer)
    let isSame =
      old.count == new.count && zip(old, new).allSatisfy { $0.rule.isIdentical(to: $1.rule) }
    if isFound, isSame { return nil }
    return new.map { new in
      let known = old.first { $0.part == new.part && $0.rule.isIdentical(to: new.rule) }
      if let known, known.rule.readsStateOnly || isFound { return known }
      return PlannedRule(rule: new.rule, part: new.part, command: position)
    }
  }

  private func isFound(_ position: Int, _ implementer: ResponderID) -> Bool {
    commands[position].implementer == implementer
  }
}

extension PlanTable {
  /// Asks about an item as if there were no plan.
  private mutating func askWhole(
    _ position: Int, _ inquiry: inout PlanInquiry, _ session: Session, _ catalog: Catalog
  ) {
    let command = command(position, catalog)
    let asking = inquiry.inquiry(forCommandAt: position, session, catalog)
    inquiry.beginCounting()
    let item = asking.inquiry.validate(command, from: variant.from).item
    efforts[position] = inquiry.effort.spent
    if item.fault != nil { ruleErrors += 1 }
    commands[position].exception = PlannedCommand.Box(.item(item))
    doubts[position].insert(.text)
  }

  /// Asks those of an item's rules that may say something else now, up to one that fails.
  private mutating func askRules(
    _ position: Int, _ inquiry: inout PlanInquiry, _ session: Session, _ catalog: Catalog
  ) {
    if commands[position].exception != nil { doubts[position].insert(.text) }
    commands[position].exception = nil
    var effort = commands[position].walkEffort
    for index in commands[position].rules {
      if rules[index].isStale || rules[index].answer == nil {
        ask(index, &inquiry, session, catalog)
      }
      effort += rules[index].effort
      if rules[index].answer == nil { break }
    }
    efforts[position] = effort
  }

  private mutating func ask(
    _ index: Int, _ inquiry: inout PlanInquiry, _ session: Session, _ catalog: Catalog
  ) {
    let position = rules[index].command
    inquiry.beginCounting()
    rules[index].isStale = false
    do throws(RuleFault) {
      let new = try answer(of: index, &inquiry, session, catalog)
      if rules[index].answer?.isSame(as: new) != true { doubts[position].insert(.text) }
      rules[index].answer = new
    } catch {
      ruleErrors += 1
      rules[index].answer = nil
      commands[position].exception = PlannedCommand.Box(.fault(error))
      doubts[position].insert(.text)
      list(position)
    }
    rules[index].effort = inquiry.effort.spent
  }

  private func answer(
    of index: Int, _ inquiry: inout PlanInquiry, _ session: Session, _ catalog: Catalog
  ) throws(RuleFault) -> PartAnswer {
    let (rule, part) = (rules[index].rule, rules[index].part)
    if rule.readsStateOnly {
      return try inquiry.reader(ofStateOf: session).answer(of: rule, for: part)
    }
    let position = rules[index].command
    guard let implementer = commands[position].implementer else {
      preconditionFailure("a command without a target has no rules")
    }
    let asking = inquiry.inquiry(forCommandAt: position, session, catalog)
    return try asking.inquiry.context(for: implementer).answer(of: rule, for: part)
  }
}

extension PlanTable {
  /// The item of a command about which nothing is in doubt.
  func item(at position: Int, _ catalog: Catalog) -> ValidatedItem {
    if case .item(let item) = commands[position].exception?.exception { return item }
    var item =
      variant.modifiers.isEmpty
      ? ValidatedItem(declaredBy: catalog.commands[position])
      : ValidatedItem(declaredBy: command(position, catalog))
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

  /// Concludes an item with a target from the answers (M5, M6).
  private func conclude(_ item: inout ValidatedItem, _ position: Int) {
    if case .fault(let fault) = commands[position].exception?.exception { return item.fail(fault) }
    var isForbidden = false
    for index in commands[position].rules {
      guard let answer = rules[index].answer else { continue }
      item.apply(answer, to: rules[index].part)
      if case (.enabled, .bool(false)) = (rules[index].part, answer) { isForbidden = true }
    }
    item.conclude(isForbidden: isForbidden)
  }
}
