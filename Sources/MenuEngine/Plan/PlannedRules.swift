import CEL
import JSONText

/// The rules of the handlers in a plan, by number, with their last results.
///
/// The rule lists of the classes' handlers have the numbers of the ``CommandIndex``; those of responders follow
/// in order of first use. A list whose rules read only the state is evaluated once for all responders.
struct PlannedRules: Sendable {
  struct List: Sendable {
    /// True if one of its rules reads more than the state, so that results differ by item.
    let isPersonal: Bool
    /// True if its rules must be evaluated again.
    fileprivate(set) var isStale = true
    /// The time of the last change of a result.
    fileprivate(set) var changedAt = 0
    /// The effort of all its rules.
    fileprivate(set) var effort = 0
  }

  /// The result of a rule; texts are stored elsewhere to keep this small.
  private struct Known: Sendable {
    var answer = Answer.none
    var isStale = true
    var effort: Int32 = 0
  }

  private enum Answer: Equatable, Sendable {
    /// Not evaluated, or failed.
    case none
    case bool(Bool)
    case state(CommandState)
    case text
  }

  private let index: CommandIndex
  private(set) var lists: [List]
  private var known: [Known]
  /// The results that are texts, by rule.
  private var texts: [Int: String] = [:]
  /// The faults, by rule list.
  private(set) var faults: [Int32: RuleFault] = [:]
  private var readPlaces: ReadPlaces
  /// The rule lists of responders, and the index of each list's first rule.
  private var own: [ItemRules] = []
  private var ownRules: [ItemRule] = []
  private var ownStarts: [Int]
  private var ownNumbers: [ObjectIdentifier: Int32] = [:]
  /// The approximate size of these lists in bytes, shared with the handlers while those exist.
  private var ownSize = 0
  /// The number of these lists whose read places are registered.
  private var placedOwn = 0
  /// The rules evaluated by searches, by command.
  private var ofWalks: [Int: [Rule]] = [:]
  private var unplacedWalks: [Int] = []

  init(_ index: CommandIndex) {
    self.index = index
    lists = index.lists.map { List(isPersonal: $0.isPersonal) }
    known = Array(repeating: Known(), count: index.listOfRule.count)
    readPlaces = index.readPlaces
    ownStarts = [index.listOfRule.count]
  }

  /// The number of rule lists of responders.
  var ownCount: Int { own.count }

  /// The number of readers registered for searches, stale ones included.
  private(set) var walkReaderCount = 0

  /// The number of readers that the present searches need.
  var liveWalkReaderCount: Int {
    ofWalks.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.statePaths.count } }
  }

  /// True if the list belongs to a responder's handler.
  func isOwn(_ list: Int32) -> Bool { list >= index.lists.count }

  /// The approximate size in bytes.
  var size: Int {
    lists.count * MemoryLayout<List>.stride + known.count * MemoryLayout<Known>.stride
      + texts.values.reduce(0) { $0 + $1.utf8.count + 64 } + readPlaces.readerCount * 32 + ownSize
  }

  /// Returns the number of a rule list; -1 for none.
  mutating func number(of list: ItemRules?) -> Int32 {
    guard let list else { return -1 }
    if let number = index.number(of: list) ?? ownNumbers[ObjectIdentifier(list)] { return number }
    let number = Int32(lists.count)
    ownNumbers[ObjectIdentifier(list)] = number
    own.append(list)
    ownRules += list.rules
    ownSize += list.rules.reduce(0) { $0 + 512 + 8 * $1.rule.program.source.utf8.count }
    lists.append(List(isPersonal: list.isPersonal))
    known += repeatElement(Known(), count: list.rules.count)
    ownStarts.append(known.count)
    return number
  }

  func rules(of list: Int32) -> ItemRules {
    let number = Int(list)
    return number < index.lists.count
      ? index.lists[number] : own[number - index.lists.count]
  }

  /// Returns the numbers of the rules of a list.
  private func numbers(of list: Int32) -> Range<Int> {
    let number = Int(list)
    guard number >= index.lists.count else {
      return Int(index.starts[number])..<Int(index.starts[number + 1])
    }
    let place = number - index.lists.count
    return ownStarts[place]..<ownStarts[place + 1]
  }

  func rule(_ number: Int) -> ItemRule {
    number < index.rules.count ? index.rules[number] : ownRules[number - index.rules.count]
  }

  private func list(ofRule rule: Int) -> Int {
    if rule < index.listOfRule.count { return Int(index.listOfRule[rule]) }
    let after = ownStarts.partitioningIndex { $0 > rule }
    return index.lists.count + after - 1
  }

  /// Calls `body` with the results of a list that is not stale, in order, up to the first failure.
  func forEachAnswer(of list: Int32, _ body: (ItemRule, PartAnswer) -> Void) {
    var sequence = ItemRuleSequence()
    for number in numbers(of: list) {
      let rule = rule(number)
      guard sequence.includes(rule) else { continue }
      guard let answer = answer(of: number) else { return }
      sequence.note(answer, of: rule)
      body(rule, answer)
    }
  }

  private func answer(of rule: Int) -> PartAnswer? {
    switch known[rule].answer {
    case .none: nil
    case .bool(let bool): .bool(bool)
    case .state(let state): .state(state)
    case .text: texts[rule].map(PartAnswer.text)
    }
  }

  /// Stores the result of a rule, or none. Returns true if it changed.
  private mutating func note(_ answer: PartAnswer?, of rule: Int) -> Bool {
    let old = known[rule].answer
    switch answer {
    case nil: known[rule].answer = .none
    case .bool(let bool)?: known[rule].answer = .bool(bool)
    case .state(let state)?: known[rule].answer = .state(state)
    case .text(let text)?:
      known[rule].answer = .text
      if old == .text, texts[rule]?.hasSameBytes(as: text) == true { return false }
      texts[rule] = text
      return true
    }
    return known[rule].answer != old
  }
}

extension PlannedRules {
  /// Evaluates the rules of a list that may have changed, up to the first failure. Returns the number of
  /// failures.
  mutating func ask(
    _ list: Int32, at time: Int, with inquiry: PlanInquiry
  ) -> Int {
    let hadFault = !faults.isEmpty && faults.removeValue(forKey: list) != nil
    var (effort, hasChanged, hasFault) = (0, hadFault, false)
    var sequence = ItemRuleSequence()
    for number in numbers(of: list) where !hasFault {
      let rule = rule(number)
      guard sequence.includes(rule) else { continue }
      if known[number].isStale {
        inquiry.beginCounting()
        do throws(RuleFault) {
          if note(try inquiry.answer(of: rule), of: number) { hasChanged = true }
          known[number].isStale = false
        } catch {
          _ = note(nil, of: number)
          faults[list] = error
          (hasChanged, hasFault) = (true, true)
        }
        known[number].effort = Int32(clamping: inquiry.effort.spent)
      }
      effort += Int(known[number].effort)
      if let answer = answer(of: number) { sequence.note(answer, of: rule) }
    }
    if hasChanged { lists[Int(list)].changedAt = time }
    lists[Int(list)].effort = effort
    lists[Int(list)].isStale = false
    return hasFault ? 1 : 0
  }

  /// Marks failed rules as stale and returns their lists.
  mutating func doubtFaults() -> [Int32] {
    guard !faults.isEmpty else { return [] }
    for list in faults.keys { lists[Int(list)].isStale = true }
    return Array(faults.keys)
  }

  /// The readers affected by a change of state.
  struct Readers {
    /// The rule lists that became stale.
    var lists: [Int32] = []
    /// The rules with results per item, with their lists.
    var personal: [(rule: Int, list: Int32)] = []
    /// The commands whose searches evaluated affected rules.
    var walks: [Int] = []
  }

  /// Returns the readers affected by a change of state.
  mutating func compare(_ old: JSON, _ new: JSON) -> Readers {
    place()
    var told: [ReadPlaces.Reader] = []
    readPlaces.compare(old, new, telling: &told)
    var readers = Readers()
    readers.lists.reserveCapacity(told.count)
    for reader in told {
      let rule = Int(reader)
      guard rule >= 0 else {
        readers.walks.append(-1 - rule)
        continue
      }
      let list = list(ofRule: rule)
      if lists[list].isPersonal {
        readers.personal.append((rule, Int32(list)))
        continue
      }
      known[rule].isStale = true
      guard !lists[list].isStale else { continue }
      lists[list].isStale = true
      readers.lists.append(Int32(list))
    }
    return readers
  }

  /// Stores the rules that the search for a command's target evaluated.
  mutating func setRules(_ rules: [Rule], ofWalkFor position: Int) {
    if ofWalks.isEmpty, rules.isEmpty { return }
    let old = ofWalks[position] ?? []
    let isSame = old.count == rules.count && zip(old, rules).allSatisfy { $0.isIdentical(to: $1) }
    guard !isSame else { return }
    ofWalks[position] = rules.isEmpty ? nil : rules
    if !rules.isEmpty { unplacedWalks.append(position) }
  }

  /// The commands whose searches evaluated rules that read more than the state.
  var walksBeyondState: [Int] {
    ofWalks.filter { $0.value.contains { !$0.readsStateOnly } }.map(\.key)
  }

  /// Registers the read places of rules added since the last comparison.
  private mutating func place() {
    for position in unplacedWalks {
      for path in (ofWalks[position] ?? []).lazy.flatMap(\.statePaths) {
        readPlaces.add(-1 - ReadPlaces.Reader(position), reading: path)
        walkReaderCount += 1
      }
    }
    unplacedWalks = []
    while placedOwn < own.count {
      for (offset, rule) in own[placedOwn].rules.enumerated() {
        let reader = ReadPlaces.Reader(ownStarts[placedOwn] + offset)
        for path in rule.rule.statePaths { readPlaces.add(reader, reading: path) }
      }
      placedOwn += 1
    }
  }
}
