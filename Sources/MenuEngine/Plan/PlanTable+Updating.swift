import JSONText

/// The questions about commands whose targets are known.
extension PlanTable {
  /// Brings what is known of these commands up to date, or of all.
  ///
  /// - Thentries: `MutationFault.tooMuchEffort` when answering would take too much if nothing were known,
  ///   so that an answer does not depend on what is.
  mutating func update(
    _ positions: [Int?]?, _ inquiry: inout PlanInquiry
  ) throws(MutationFault) {
    let stale = staleWalks(among: positions)
    if !stale.isEmpty { try walk(stale, &inquiry) }
    var effort = 0
    if let positions {
      for case let position? in positions { try update(position, with: &inquiry, effort: &effort) }
    } else {
      for position in entries.indices { try update(position, with: &inquiry, effort: &effort) }
    }
  }

  private func staleWalks(among positions: [Int?]?) -> CommandSet {
    guard let positions else { return staleWalks }
    var wanted = CommandSet(count: entries.count)
    for case let position? in positions where staleWalks[position] { wanted[position] = true }
    return wanted
  }

  /// Brings one command up to date, and counts what it would take if nothing were known.
  private mutating func update(
    _ position: Int, with inquiry: inout PlanInquiry, effort: inout Int
  ) throws(MutationFault) {
    let list = entries[position].list
    if list >= 0 {
      if rules.lists[Int(list)].isPersonal {
        effort += askPersonal(position, &inquiry)
      } else {
        if rules.lists[Int(list)].isStale {
          ruleErrors += rules.ask(list, at: now, with: &inquiry)
        }
        if rules.lists[Int(list)].changedAt > entries[position].writtenAt {
          entries[position].writtenAt = 0
        }
        effort += rules.lists[Int(list)].effort
      }
    } else if entries[position].target == .special {
      askSpecial(position, &inquiry)
    }
    effort += entries[position].walkEffort
    guard effort <= Limits.effort else { throw .tooMuchEffort }
    if entries[position].writtenAt == 0 { write(position, inquiry) }
  }

  /// Asks the rules for one item that read more than the state, up to one that fails; answers how much
  /// that takes.
  private mutating func askPersonal(_ position: Int, _ inquiry: inout PlanInquiry) -> Int {
    let list = entries[position].list
    if let known = personal[position], !known.isStale,
      known.askedAt >= rules.lists[Int(list)].staleAt
    {
      return known.effort
    }
    var answers = PersonalAnswers(askedAt: now, isStale: false)
    inquiry.beginCounting()
    if let implementer = implementer(of: position) {
      do throws(RuleFault) {
        for rule in rules.rules(of: list).rules {
          answers.answers.append(
            try inquiry.answer(of: rule, forCommandAt: position, to: implementer))
        }
      } catch {
        answers.fault = error
        ruleErrors += 1
      }
    }
    answers.effort = inquiry.effort.spent
    personal[position] = answers
    entries[position].writtenAt = 0
    return answers.effort
  }

  /// Asks about an item as if there were no plan.
  private mutating func askSpecial(_ position: Int, _ inquiry: inout PlanInquiry) {
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
