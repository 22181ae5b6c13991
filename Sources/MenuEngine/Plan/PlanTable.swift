import JSONText

/// The commands of a catalogue, all asked about in the same way, in flat arrays.
///
/// It follows a session by comparing: what it was made for, what the rules read. Whatever differs puts
/// those commands in doubt that it may concern, and only these, and only when they are asked about, are
/// looked at again.
struct PlanTable: Sendable {
  let variant: PlanVariant
  private(set) var basis: PlanBasis
  private var state: JSON
  /// The number of the session's edition; nil if it is that of another session.
  private var sessionEdition: Int?
  var commands: [PlannedCommand]
  /// The doubts about each.
  var doubts: [PlannedCommand.Doubts]
  /// About whom something is in doubt, some of them twice.
  private(set) var doubtful: [Int]
  /// How much each item takes when nothing is known.
  var efforts: [Int]
  var rules: [PlannedRule] = []
  var texts: ItemTexts
  private var readPlaces = ReadPlaces()
  /// How many of the rules, from the first on, have their places there.
  private var placedRules = 0
  /// The commands whose searches asked rules that have not.
  private var unplacedWalks: [Int] = []
  /// The commands that every change puts in doubt.
  private var unplanned: [Int] = []
  /// How many rules that are of no command any more are still told of changes.
  private var strayRules = 0
  /// How many rules failed that were asked.
  var ruleErrors = 0
  /// The last answer, as long as it is true.
  var answer: PlanAnswer?

  init(_ variant: PlanVariant, _ moment: PlanMoment) {
    self.variant = variant
    basis = PlanBasis(moment, variant)
    state = moment.session.state
    sessionEdition = moment.sessionEdition
    let count = moment.catalog.commands.count
    commands = Array(repeating: PlannedCommand(), count: count)
    doubts = Array(repeating: .all, count: count)
    doubtful = Array(0..<count)
    efforts = Array(repeating: 0, count: count)
    texts = ItemTexts(count: count)
  }

  /// Follows the session to where it is now.
  mutating func follow(_ moment: PlanMoment) {
    guard basis.isAbout(moment), strayRules <= commands.count + rules.count / 2 else {
      self = PlanTable(variant, moment)
      return
    }
    compareBases(moment)
    guard
      moment.sessionEdition != sessionEdition || !state.isIdentical(to: moment.session.state)
    else { return }
    answer = nil
    compareStates(moment.session.state)
    doubtUnplanned()
    (state, sessionEdition) = (moment.session.state, moment.sessionEdition)
    if doubtful.count > 2 * commands.count {
      doubtful = doubts.indices.filter { !doubts[$0].isEmpty }
    }
  }

  /// True if searches begin in a session where they began, on behalf of the same asker.
  func isFor(_ variant: PlanVariant, in session: Session) -> Bool {
    self.variant.isSame(as: variant) && basis.hasFocus(of: session, variant)
  }

  /// A copy that is to follow a session elsewhere while this one stays for when focus comes back; nil
  /// when other things than focus changed too, and this one were of no more use.
  func elsewhere(_ moment: PlanMoment) -> PlanTable? {
    guard basis.isAbout(moment), basis.hasResponders(of: moment.session) else { return nil }
    var copy = self
    copy.ruleErrors = 0
    return copy
  }

  /// Forgets which session it was that it followed, though not what that was like.
  mutating func forgetSession() {
    placeRules()
    sessionEdition = nil
    answer = nil
    ruleErrors = 0
  }

  private mutating func doubt(_ position: Int, _ doubts: PlannedCommand.Doubts) {
    if self.doubts[position].isEmpty { doubtful.append(position) }
    self.doubts[position].formUnion(doubts)
  }

  /// Forgets about whom something was in doubt, now that nothing is.
  mutating func forgetDoubtful() { doubtful.removeAll(keepingCapacity: true) }

  private mutating func compareBases(_ moment: PlanMoment) {
    let session = moment.session
    let hasFocus = basis.hasFocus(of: session, variant)
    let hasResponders = basis.hasResponders(of: session)
    guard !hasResponders || !hasFocus else { return }
    let changed = hasResponders ? [] : basis.changedProperties(in: session)
    basis = PlanBasis(moment, variant)
    answer = nil
    // Who was the target may not be it any more.
    if changed == nil || !hasFocus { for position in commands.indices { doubt(position, .walk) } }
    if !hasResponders { doubtReaders(ofPropertiesOf: changed) }
  }

  /// Rules may say something else that see the properties of these responders, or of any.
  ///
  /// Of searches is not known whom their rules see.
  private mutating func doubtReaders(ofPropertiesOf changed: Set<ResponderID>?) {
    for position in commands.indices
    where commands[position].walkRules.contains(where: { !$0.readsStateOnly }) {
      doubt(position, .walk)
    }
    for position in rules.indices where !rules[position].rule.readsStateOnly {
      let seen = [commands[rules[position].command].implementer, variant.sender?.responder]
      if changed.map({ !$0.isDisjoint(with: seen.compactMap(\.self)) }) ?? true {
        doubtRule(position)
      }
    }
    doubtUnplanned()
  }

  private mutating func doubtUnplanned() {
    for position in unplanned where commands[position].exception != nil {
      doubt(position, commands[position].isUnplanned ? .whole : .rules)
    }
  }

  private mutating func doubtRule(_ position: Int) {
    rules[position].isStale = true
    doubt(rules[position].command, .rules)
  }

  private mutating func compareStates(_ new: JSON) {
    guard !state.isIdentical(to: new) else { return }
    placeRules()
    var readers: [ReadPlaces.Reader] = []
    readPlaces.compare(state, new, &readers)
    for reader in readers {
      let position = Int(reader)
      if position >= 0 { doubtRule(position) } else { doubt(-1 - position, .walk) }
    }
  }
}

extension PlanTable {
  /// Notes that a command has these rules now, in place of those that it had.
  mutating func setRules(_ new: [PlannedRule], of position: Int) {
    let old = commands[position].rules
    if new.isEmpty, old.isEmpty { return }
    strayRules += old.count
    doubts[position].insert(.text)
    commands[position].rules = rules.count..<rules.count + new.count
    rules += new
  }

  /// Notes that these rules are asked while the target of a command is looked for.
  mutating func setWalkRules(_ new: [Rule], of position: Int) {
    let old = commands[position].walkRules
    let isSame = old.count == new.count && zip(old, new).allSatisfy { $0.isIdentical(to: $1) }
    guard !isSame else { return }
    strayRules += old.count
    commands[position].walkRules = new
    if unplacedWalks.last != position { unplacedWalks.append(position) }
  }

  /// Notes where those rules read the state that came since it was compared last, but for those that
  /// are of no command any more.
  private mutating func placeRules() {
    for position in unplacedWalks {
      for path in commands[position].walkRules.lazy.flatMap(\.statePaths) {
        readPlaces.add(-1 - ReadPlaces.Reader(position), reading: path)
      }
    }
    unplacedWalks = []
    for index in placedRules..<rules.count
    where commands[rules[index].command].rules.contains(index) {
      for path in rules[index].rule.statePaths {
        readPlaces.add(ReadPlaces.Reader(index), reading: path)
      }
    }
    placedRules = rules.count
  }

  /// Notes that every change puts a command in doubt, as long as it has an item that is not planned or
  /// a rule that failed.
  mutating func list(_ position: Int) {
    guard !commands[position].isListed else { return }
    commands[position].isListed = true
    unplanned.append(position)
  }
}
