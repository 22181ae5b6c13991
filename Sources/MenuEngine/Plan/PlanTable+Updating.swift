import JSONText

/// The questions about commands whose targets are known.
extension PlanTable {
  /// Brings what is known of these commands up to date, or of all.
  ///
  /// - Throws: `MutationFault.tooMuchEffort` when answering would take too much if nothing were known,
  ///   so that an answer does not depend on what is.
  mutating func update(_ positions: [Int?]?, _ inquiry: PlanInquiry) throws(MutationFault) {
    let stale = staleWalks(among: positions)
    if !stale.isEmpty { try walk(stale, inquiry) }
    let settled = settle(positions, inquiry)
    write(settled.unwritten, inquiry)
    guard settled.effort <= Limits.effort else { throw .tooMuchEffort }
  }

  private func staleWalks(among positions: [Int?]?) -> CommandSet {
    guard let positions else { return staleWalks }
    var wanted = CommandSet(count: entries.count)
    for case let position? in positions where staleWalks[position] { wanted[position] = true }
    return wanted
  }

  /// Finds out how these items are now, or all, until that would take too much; answers which are to be
  /// written, and the effort of asking about them.
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

  /// Notes that an item may have changed.
  mutating func doubt(_ position: Int) {
    guard !doubtful[position] else { return }
    doubtful[position] = true
    effort -= entries[position].effort
  }

  /// Finds out how an item is now, and what that would take if nothing were known.
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

  /// Asks the rules for one item that read more than the state, up to one that fails; answers how much
  /// that takes.
  private mutating func askPersonal(_ position: Int, _ inquiry: PlanInquiry) -> Int {
    if let known = personal[position], !known.isStale { return known.effort }
    forgetPersonal(position)
    var answers = PersonalAnswers()
    inquiry.beginCounting()
    if let implementer = implementer(of: position) {
      do throws(RuleFault) {
        for rule in rules.rules(of: entries[position].list).rules {
          answers.answers.append(
            try inquiry.answer(of: rule, forCommandAt: position, to: implementer))
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

  /// Forgets the answers of the rules for one item.
  mutating func forgetPersonal(_ position: Int) {
    personal[position] = nil
    if !personalFaults.isEmpty { personalFaults.remove(position) }
  }

  /// Asks about an item as if there were no plan.
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
