import JSONText

/// The commands of a catalogue, all asked about on behalf of the same sender, in flat arrays.
///
/// It follows a session by comparing: where searches lead, what the rules read. Only what differs is looked
/// at again, and only when it is asked about.
struct PlanTable: Sendable {
  let variant: PlanVariant
  let index: CommandIndex
  private(set) var basis: PlanBasis
  private var state: JSON
  private var deliveries: Deliveries
  /// The number of the session's edition; nil if it is that of another session.
  private var sessionEdition: Int?
  /// Counts the editions that it followed.
  private(set) var now = 1
  /// The commands by their positions.
  var entries: [Entry]
  /// The commands whose targets are to be looked for.
  var staleWalks: CommandSet
  /// The commands whose items may have changed. That is so for all whose targets changed.
  var doubtful: CommandSet
  /// The effort of asking about all that are not doubtful, if nothing were known.
  var effort = 0
  /// The commands by the lists of their targets' handlers.
  private var commandsByList: CommandsByList
  var receivers = PlannedReceivers()
  var rules: PlannedRules
  /// The answers of rules that read more than the state, by the commands whose items they decide.
  var personal: [Int: PersonalAnswers] = [:]
  /// The commands one of whose rules failed that read more than the state.
  var personalFaults: Set<Int> = []
  /// The commands by what rules compare, for those rules for which that was looked for.
  private var commandsByValue: [Int: CommandsByValue] = [:]
  /// The items that rules alone do not make.
  var special: [Int: SpecialItem] = [:]
  var texts: ItemTexts
  /// The commands whose texts changed since they were taken last.
  var changed: CommandSet
  /// The texts of these as they were then; nil if they never were taken.
  private var replaced: ReplacedTexts?
  /// The number of lists and readers from which on it is looked how many are still of use.
  private var strayLimit = 64
  /// The number of rules that failed when they were asked.
  var ruleErrors = 0

  /// One command.
  struct Entry: Sendable {
    var target = PlannedTarget.nobody
    /// The number of the list of rules of the target's handler; none is -1.
    var list: Int32 = -1
    /// True if its text has a check mark that others of its group lose by it (M9).
    var isMarked = false
    /// The effort of the search.
    var walkEffort = 0
    /// The effort of the search and of the rules.
    var effort = 0
    /// The time at which its text was written; 0 is never.
    var writtenAt = 0
  }

  init(_ variant: PlanVariant, _ moment: PlanMoment, from: ResponderID?) {
    self.variant = variant
    let catalog = moment.catalog
    index = catalog.commandIndex(whileHolding: variant.modifiers)
    basis = PlanBasis(moment, variant, from: from)
    state = moment.session.state
    deliveries = moment.session.deliveries
    sessionEdition = moment.sessionEdition
    entries = Array(repeating: Entry(), count: index.count)
    staleWalks = CommandSet(all: index.count)
    doubtful = staleWalks
    commandsByList = CommandsByList(lists: index.lists.count, commands: index.count)
    changed = CommandSet(count: index.count)
    rules = PlannedRules(index)
    texts = ItemTexts(count: index.count)
  }

  /// Follows the session to where it is now, for searches that begin at a responder or where they do.
  mutating func follow(_ moment: PlanMoment, from: ResponderID?) {
    guard basis.isAbout(moment) else {
      self = PlanTable(variant, moment, from: from)
      return
    }
    guard !isStray(moment.session) else { return begin(anew: moment, from: from) }
    let session = moment.session
    let isOther = moment.sessionEdition != sessionEdition || !state.isIdentical(to: session.state)
    if isOther { now += 1 }
    compareBases(moment, from: from)
    guard isOther else { return }
    compareStates(moment)
    compareDeliveries(moment)
    // A fault may tell of more than its rule reads.
    doubt(rules.doubtFaults())
    for position in personalFaults { doubtAnswers(of: position) }
    for position in special.keys { doubt(position) }
    (state, sessionEdition) = (session.state, moment.sessionEdition)
  }

  private mutating func compareStates(_ moment: PlanMoment) {
    guard !state.isIdentical(to: moment.session.state) else { return }
    let readers = rules.compare(state, moment.session.state)
    for position in readers.walks { staleWalks[position] = true }
    doubt(readers.lists)
    for (rule, list) in readers.personal {
      if let told = commands(of: list, toldBy: rule, moment) {
        for position in told { doubtAnswers(of: position) }
      } else {
        doubt([list])
      }
    }
  }

  /// Rules may say something else of commands whose deliveries are others (D4).
  private mutating func compareDeliveries(_ moment: PlanMoment) {
    let present = moment.session.deliveries
    guard !present.isIdentical(to: deliveries) else { return }
    let commands = present.commands(differingFrom: deliveries)
    deliveries = present
    guard !commands.isEmpty else { return }
    let walks = Set(rules.walksBeyondState)
    for position in commands.compactMap({ moment.catalog.positions[$0] }) {
      if walks.contains(position) { staleWalks[position] = true }
      doubtAnswers(of: position)
    }
  }

  /// Returns the commands for which a rule may say something else of another state; nil if that may be all.
  private mutating func commands(
    of list: Int32, toldBy rule: Int, _ moment: PlanMoment
  ) -> [Int]? {
    if commandsByValue[rule] == nil {
      let commands = moment.catalog.commands
      commandsByValue[rule] = CommandsByValue(
        rules.rule(rule).rule, of: Array(commandsByList.commands(of: list)),
        command: { commands[$0].whileHolding(variant.modifiers) })
    }
    return commandsByValue[rule]?.commands(told: state, then: moment.session.state)
  }

  /// Moves a command from one list to another; none is -1.
  mutating func move(_ command: Int, from old: Int32, to new: Int32) {
    commandsByList.move(command, from: old, to: new)
    if !commandsByValue.isEmpty { commandsByValue = [:] }
  }

  /// Notes that the rules of lists may say something else.
  private mutating func doubt(_ lists: [Int32]) {
    for list in lists {
      for position in commandsByList.commands(of: list) { doubtAnswers(of: position) }
    }
  }

  private mutating func doubtAnswers(of position: Int) {
    if !personal.isEmpty { personal[position]?.isStale = true }
    doubt(position)
  }

  /// Forgets all but the texts, so that those that are the same again have not changed.
  private mutating func begin(anew moment: PlanMoment, from: ResponderID?) {
    var table = PlanTable(variant, moment, from: from)
    (table.texts, table.changed, table.replaced) = (texts, changed, replaced)
    table.ruleErrors = ruleErrors
    self = table
  }

  /// True if more than half of what it holds is of handlers, responders and searches that are gone. They
  /// are counted each time when there are twice as many.
  private mutating func isStray(_ session: Session) -> Bool {
    if receivers.count > 64 + 4 * session.graph.count { return true }
    guard rules.ownCount + rules.walkReaderCount > strayLimit else { return false }
    let live = Set(entries.lazy.map(\.list).filter(rules.isOwn)).count + rules.liveWalkReaderCount
    strayLimit = 64 + 2 * live
    return rules.ownCount + rules.walkReaderCount > strayLimit
  }

  /// Returns the resemblance of a session to the one that it followed, from 0 to 3.
  func resemblance(to session: Session) -> Int { basis.resemblance(to: session, variant) }

  /// Forgets which session it was that it followed, though not what that was like.
  mutating func forgetSession() {
    sessionEdition = nil
    ruleErrors = 0
  }

  /// Returns the commands whose texts are not what they were when this was called last, in order.
  mutating func takeChanged() -> [Int] {
    let different = replaced?.items(differingIn: texts) ?? Array(changed)
    (changed, replaced) = (CommandSet(count: entries.count), ReplacedTexts())
    return different
  }

  /// Forgets texts that were replaced, if they are many.
  mutating func condenseTexts() { if texts.isWasteful { texts.condense() } }

  /// Replaces the text of a command by an added one, and notes if it is another one.
  mutating func replaceText(of position: Int, by added: Range<Int>) {
    guard !texts.isText(of: position, sameAs: added) else { return }
    if !changed[position] { replaced?.append(texts.text(of: position), of: position) }
    texts.replace(position, by: added)
    changed[position] = true
  }

  private mutating func compareBases(_ moment: PlanMoment, from: ResponderID?) {
    let session = moment.session
    let hasFocus = basis.hasFocus(of: session, variant, from: from)
    let hasResponders = basis.hasResponders(of: session)
    guard !hasResponders || !hasFocus else { return }
    let changed = hasResponders ? [] : basis.changedProperties(in: session)
    basis = PlanBasis(moment, variant, from: from)
    // Who was the target may not be it any more.
    if changed == nil || !hasFocus { staleWalks.insertAll(entries.count) }
    if !hasResponders { doubtReaders(ofPropertiesOf: changed) }
  }

  /// Rules may say something else that see the properties of these responders, or of any.
  ///
  /// Of searches is not known whom their rules see.
  private mutating func doubtReaders(ofPropertiesOf changed: Set<ResponderID>?) {
    for position in rules.walksBeyondState { staleWalks[position] = true }
    for position in personal.keys {
      let seen = [implementer(of: position), variant.sender?.responder].compactMap(\.self)
      if changed.map({ !$0.isDisjoint(with: seen) }) ?? true { doubtAnswers(of: position) }
    }
  }

  /// The responder whose handler has the rules of a command; nil when it has no target.
  func implementer(of position: Int) -> ResponderID? {
    guard case .receiver(let number) = entries[position].target else { return nil }
    return receivers[number].implementer
  }

  /// About the number of bytes that it takes.
  var size: Int {
    texts.size + (replaced?.size ?? 0) + entries.count * MemoryLayout<Entry>.stride
      + commandsByList.size + rules.size
      + (variant.modifiers.isEmpty ? 0 : index.size) + personal.count * 256 + special.count * 512
      + receivers.count * 128
  }
}
