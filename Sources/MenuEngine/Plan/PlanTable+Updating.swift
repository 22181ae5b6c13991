import JSONText

/// The evaluation of rules for commands with known targets.
extension PlanTable {
  /// Updates the items of commands, or of all.
  ///
  /// - Throws: `MutationFault.tooMuchEffort` if validating without a cache would take too much, so that the
  ///   result does not depend on the cache.
  mutating func update(_ positions: [Int?]?, _ inquiry: PlanInquiry) throws(MutationFault) {
    let stale = staleWalks(among: positions)
    if !stale.isEmpty { try walk(stale, inquiry) }
    let settled = settle(positions, inquiry)
    write(settled.unwritten, inquiry)
    lastEffort = settled.effort
    guard settled.effort <= Limits.effort else { throw .tooMuchEffort }
  }

  private func staleWalks(among positions: [Int?]?) -> CommandSet {
    guard let positions else { return staleWalks }
    var wanted = CommandSet(count: entries.count)
    for case let position? in positions where staleWalks[position] { wanted[position] = true }
    return wanted
  }

  /// Evaluates items, or all, until the effort without a cache would be exhausted. Returns the items to write,
  /// and that effort.
  private mutating func settle(
    _ positions: [Int?]?, _ inquiry: PlanInquiry
  ) -> (unwritten: [Int], effort: Int) {
    var unwritten: [Int] = []
    guard let positions else {
      for position in doubtful where effort <= Limits.effort {
        settle(position, inquiry, noting: &unwritten)
      }
      return (unwritten, effort)
    }
    var sum = 0
    for case let position? in positions where sum <= Limits.effort {
      if doubtful[position] { settle(position, inquiry, noting: &unwritten) }
      sum += entries[position].effort
    }
    return (unwritten, sum)
  }

  /// Marks an item as dirty.
  mutating func doubt(_ position: Int) {
    guard !doubtful[position] else { return }
    doubtful[position] = true
    effort -= entries[position].effort
  }

  /// Evaluates an item and adds its effort without a cache.
  private mutating func settle(
    _ position: Int, _ inquiry: PlanInquiry, noting unwritten: inout [Int]
  ) {
    let list = entries[position].list
    var effort = 0
    if list >= 0 {
      if rules.lists[Int(list)].isPersonal {
        effort = askPersonal(position, inquiry)
      } else {
        if rules.lists[Int(list)].isStale { ruleErrors += rules.ask(list, at: now, with: inquiry) }
        if rules.lists[Int(list)].changedAt > entries[position].writtenAt {
          entries[position].writtenAt = 0
        }
        effort = rules.lists[Int(list)].effort
      }
    } else if entries[position].target == .special {
      askSpecial(position, inquiry)
    }
    effort += entries[position].walkEffort
    entries[position].effort = effort
    self.effort += effort
    doubtful[position] = false
    if entries[position].writtenAt == 0 { unwritten.append(position) }
  }

  /// Evaluates the rules of an item that read more than the state, up to the first failure. Returns the effort.
  private mutating func askPersonal(_ position: Int, _ inquiry: PlanInquiry) -> Int {
    if let known = personal[position], !known.isStale { return known.effort }
    forgetPersonal(position)
    var answers = PersonalAnswers()
    inquiry.beginCounting()
    if let implementer = implementer(of: position) {
      do throws(RuleFault) {
        var sequence = ItemRuleSequence()
        for rule in rules.rules(of: entries[position].list).rules where sequence.includes(rule) {
          let answer = try inquiry.answer(of: rule, forCommandAt: position, to: implementer)
          sequence.note(answer, of: rule)
          answers.answers.append(answer)
        }
      } catch {
        answers.fault = error
        personalFaults.insert(position)
        ruleErrors += 1
      }
    }
    answers.effort = inquiry.effort.spent
    personal[position] = answers
    entries[position].writtenAt = 0
    return answers.effort
  }

  /// Drops the cached results of an item's own rules.
  mutating func forgetPersonal(_ position: Int) {
    personal[position] = nil
    if !personalFaults.isEmpty { personalFaults.remove(position) }
  }

  /// Validates an item without the plan.
  private mutating func askSpecial(_ position: Int, _ inquiry: PlanInquiry) {
    if let known = special[position], known.askedAt == now { return }
    let asking = inquiry.inquiry(forCommandAt: position)
    inquiry.beginCounting()
    let item = asking.inquiry.validate(inquiry.command(at: position), from: basis.start).item
    entries[position].walkEffort = inquiry.effort.spent
    if item.fault != nil { ruleErrors += 1 }
    special[position] = SpecialItem(item: item, askedAt: now)
    entries[position].writtenAt = 0
  }
}
