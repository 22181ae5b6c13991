import CEL
import JSONText

/// The rules of the handlers in a plan, by numbers, with what they said last.
///
/// The lists of the classes' handlers have the numbers of the ``CommandIndex``; those of responders come
/// behind them as they are met. A list whose rules read nothing but the state is asked once, whoever has it.
struct PlannedRules: Sendable {
  /// One list of rules.
  struct List: Sendable {
    /// When its rules last might have come to say something else.
    fileprivate(set) var staleAt = 1
    /// When they were asked last.
    fileprivate(set) var askedAt = 0
    /// When they last said something else.
    fileprivate(set) var changedAt = 0
    /// How much asking them all takes.
    fileprivate(set) var effort = 0

    /// True if its rules are to be asked.
    var isStale: Bool { askedAt < staleAt }
  }

  /// The answer of a rule.
  private struct Known: Sendable {
    /// Nil when it was not asked, or failed.
    var answer: PartAnswer?
    var effort = 0
    var isStale = true
  }

  private let index: CommandIndex
  private(set) var lists: [List]
  private var known: [Known]
  /// The rules that failed, by their lists.
  private(set) var faults: [Int32: RuleFault] = [:]
  private var readPlaces: ReadPlaces
  /// The lists of responders, and where the rules of each begin.
  private var own: [ItemRules] = []
  private var ownStarts: [Int]
  private var ownNumbers: [ObjectIdentifier: Int32] = [:]
  /// How many of them have their places.
  private var placedOwn = 0
  /// The rules that searches asked, by the commands that were searched for.
  private var ofWalks: [Int: [Rule]] = [:]
  private var unplacedWalks: [Int] = []

  init(_ index: CommandIndex) {
    self.index = index
    lists = Array(repeating: List(), count: index.lists.count)
    known = Array(repeating: Known(), count: index.listOfRule.count)
    readPlaces = index.readPlaces
    ownStarts = [index.listOfRule.count]
  }

  /// How many lists and readers there are that may be of no use any more.
  var strayCount: Int { own.count + readPlaces.readerCount - index.readPlaces.readerCount }

  /// About how many bytes it takes.
  var size: Int {
    lists.count * MemoryLayout<List>.stride + known.count * (MemoryLayout<Known>.stride + 32)
      + readPlaces.readerCount * 32
  }

  /// The number of a responder's list, or of a class's; none is -1.
  mutating func number(of list: ItemRules?) -> Int32 {
    guard let list else { return -1 }
    if let number = index.number(of: list) ?? ownNumbers[ObjectIdentifier(list)] { return number }
    let number = Int32(lists.count)
    ownNumbers[ObjectIdentifier(list)] = number
    own.append(list)
    lists.append(List())
    known += repeatElement(Known(), count: list.rules.count)
    ownStarts.append(known.count)
    return number
  }

  /// The rules of a number.
  func rules(of list: Int32) -> ItemRules {
    let number = Int(list)
    return number < index.lists.count
      ? index.lists[number] : own[number - index.lists.count]
  }

  private func start(of list: Int32) -> Int {
    let number = Int(list)
    return number < index.lists.count
      ? Int(index.starts[number]) : ownStarts[number - index.lists.count]
  }

  private func list(ofRule rule: Int) -> Int {
    if rule < index.listOfRule.count { return Int(index.listOfRule[rule]) }
    let after = ownStarts.partitioningIndex { $0 > rule }
    return index.lists.count + after - 1
  }

  /// Returns the answers of a list that is not stale, in the order of its rules, up to one that failed.
  func forEachAnswer(of list: Int32, _ body: (ItemPart, PartAnswer) -> Void) {
    let (rules, start) = (rules(of: list).rules, start(of: list))
    for offset in rules.indices {
      guard let answer = known[start + offset].answer else { return }
      body(rules[offset].part, answer)
    }
  }
}

extension PlannedRules {
  /// Asks those rules of a list that may say something else, up to one that fails. Answers the number of
  /// rules that failed.
  mutating func ask(_ list: Int32, at moment: Int, _ inquiry: inout PlanInquiry) -> Int {
    let (rules, start, number) = (rules(of: list).rules, start(of: list), Int(list))
    var (effort, failures) = (0, 0)
    for offset in rules.indices {
      let place = start + offset
      if known[place].isStale || known[place].answer == nil {
        inquiry.beginCounting()
        do throws(RuleFault) {
          let answer = try inquiry.answer(of: rules[offset])
          if known[place].answer?.isSame(as: answer) != true { lists[number].changedAt = moment }
          known[place].answer = answer
        } catch {
          known[place].answer = nil
          failures = 1
          lists[number].changedAt = moment
          faults[list] = error
        }
        known[place].isStale = false
        known[place].effort = inquiry.effort.spent
      }
      effort += known[place].effort
      if failures > 0 { break }
    }
    if failures == 0, faults[list] != nil {
      faults[list] = nil
      lists[number].changedAt = moment
    }
    lists[number].effort = effort
    lists[number].askedAt = moment
    return failures
  }

  /// Notes that rules that failed are to be asked again, since a fault may tell of more than they read.
  mutating func doubtFaults(at moment: Int) {
    for list in faults.keys { lists[Int(list)].staleAt = moment }
  }

  /// Notes which lists may say something else of another state, and answers for whose targets the same
  /// holds.
  mutating func compare(_ old: JSON, _ new: JSON, at moment: Int) -> [Int] {
    place()
    var readers: [ReadPlaces.Reader] = []
    readPlaces.compare(old, new, &readers)
    var walks: [Int] = []
    for reader in readers {
      let rule = Int(reader)
      guard rule >= 0 else {
        walks.append(-1 - rule)
        continue
      }
      known[rule].isStale = true
      lists[list(ofRule: rule)].staleAt = moment
    }
    return walks
  }

  /// Notes the rules that the search for a command's target asked.
  mutating func setRules(_ rules: [Rule], ofWalkFor position: Int) {
    let old = ofWalks[position] ?? []
    let isSame = old.count == rules.count && zip(old, rules).allSatisfy { $0.isIdentical(to: $1) }
    guard !isSame else { return }
    ofWalks[position] = rules.isEmpty ? nil : rules
    if !rules.isEmpty { unplacedWalks.append(position) }
  }

  /// The commands whose searches asked rules that read more than the state.
  var walksBeyondState: [Int] {
    ofWalks.filter { $0.value.contains { !$0.readsStateOnly } }.map(\.key)
  }

  /// Notes where rules read the state that came since it was compared last.
  private mutating func place() {
    for position in unplacedWalks {
      for path in (ofWalks[position] ?? []).lazy.flatMap(\.statePaths) {
        readPlaces.add(-1 - ReadPlaces.Reader(position), reading: path)
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

extension [Int] {
  /// The first position whose element has a property that all behind it have too.
  fileprivate func partitioningIndex(_ hasProperty: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
