import JSONText

/// The commands of a catalogue, validated for one sender, in flat arrays.
///
/// The table follows a session by comparing the order of searches and the places that rules read. Only
/// differences are evaluated again, and only when an item is requested.
struct PlanTable: Sendable {
  let variant: PlanVariant
  let index: CommandIndex
  private(set) var basis: PlanBasis
  private var state: JSON
  private var deliveries: Deliveries
  /// The session's version; nil after a change to another session.
  private var sessionEdition: Int?
  /// The number of versions followed.
  private(set) var now = 1
  /// The commands by position.
  var entries: [Entry]
  /// The commands whose targets must be searched for again.
  var staleWalks: CommandSet
  /// The dirty items, including all whose targets changed.
  var doubtful: CommandSet
  /// The effort of the items that are not dirty, without a cache.
  var effort = 0
  /// The effort of the last question, without a cache.
  var lastEffort = 0
  /// The commands by their targets' rule lists.
  private var commandsByList: CommandsByList
  var receivers = PlannedReceivers()
  var rules: PlannedRules
  /// The results of rules that read more than the state, by command.
  var personal: [Int: PersonalAnswers] = [:]
  /// The commands with a failed rule that reads more than the state.
  var personalFaults: Set<Int> = []
  /// The commands by compared value, for the rules analysed so far.
  private var commandsByValue: [Int: CommandsByValue] = [:]
  /// The items that do not depend on rules alone.
  var special: [Int: SpecialItem] = [:]
  /// The items from data (M12).
  var lists = PlannedLists()
  var texts: ItemTexts
  /// The titles of the items whose rules decide them, by command.
  var titles: [Int: String] = [:]
  /// The number of lists and readers at which they are next checked for use.
  private var strayLimit = 64
  /// The number of rules that failed.
  var ruleErrors = 0

  /// One command.
  struct Entry: Sendable {
    var target = PlannedTarget.nobody
    /// The number of the rule list of the target's handler; -1 for none.
    var list: Int32 = -1
    /// True if its text has a check mark that clears those of other items in its group (M9).
    var isMarked = false
    var isEnabled = false
    var isHidden = false
    var walkEffort = 0
    /// The effort of the search and the rules.
    var effort = 0
    /// The value of `now` when its text was written; 0 is never.
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
    rules = PlannedRules(index)
    texts = ItemTexts(count: index.count)
  }

  /// Updates the table to a snapshot, for searches from a responder or from the default start.
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
    // A fault message may depend on more than the rule reads.
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

  /// Invalidates commands whose deliveries changed (D4).
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

  /// Returns the commands for which a rule's result may differ in another state; nil for all.
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

  /// Moves a command from one rule list to another; -1 is no list.
  mutating func move(_ command: Int, from old: Int32, to new: Int32) {
    commandsByList.move(command, from: old, to: new)
    if !commandsByValue.isEmpty { commandsByValue = [:] }
  }

  /// Marks the items of rule lists as dirty.
  private mutating func doubt(_ lists: [Int32]) {
    for list in lists {
      for position in commandsByList.commands(of: list) { doubtAnswers(of: position) }
    }
  }

  private mutating func doubtAnswers(of position: Int) {
    if !personal.isEmpty { personal[position]?.isStale = true }
    doubt(position)
  }

  /// Resets everything but the texts, so that equal texts are not replaced.
  private mutating func begin(anew moment: PlanMoment, from: ResponderID?) {
    var table = PlanTable(variant, moment, from: from)
    (table.texts, table.lists, table.ruleErrors) = (texts, lists, ruleErrors)
    self = table
  }

  /// True if more than half of its entries belong to removed handlers, responders and searches. They are
  /// counted each time their number has doubled.
  private mutating func isStray(_ session: Session) -> Bool {
    if receivers.count > 64 + 4 * session.graph.count { return true }
    guard rules.ownCount + rules.walkReaderCount > strayLimit else { return false }
    let live = Set(entries.lazy.map(\.list).filter(rules.isOwn)).count + rules.liveWalkReaderCount
    strayLimit = 64 + 2 * live
    return rules.ownCount + rules.walkReaderCount > strayLimit
  }

  /// Returns the similarity of a session to the one followed, 0 to 3.
  func resemblance(to session: Session, in catalog: Catalog) -> Int {
    basis.resemblance(to: session, in: catalog, variant)
  }

  /// Drops the session's version but keeps its contents, for another session.
  mutating func forgetSession() {
    sessionEdition = nil
    ruleErrors = 0
    lists.forgetSession()
  }

  /// Drops replaced texts, if they are many.
  mutating func condenseTexts() { if texts.isWasteful { texts.condense() } }

  /// Replaces the text of a command by an added one, if that differs.
  mutating func replaceText(of position: Int, by added: Range<Int>) {
    if !texts.isText(of: position, sameAs: added) { texts.replace(position, by: added) }
  }

  private mutating func compareBases(_ moment: PlanMoment, from: ResponderID?) {
    let session = moment.session
    let hasFocus = basis.hasFocus(of: session, variant, from: from)
    let hasResponders = basis.hasResponders(of: session)
    guard !hasResponders || !hasFocus else { return }
    let changed = hasResponders ? [] : basis.changedProperties(in: session)
    basis = PlanBasis(moment, variant, from: from)
    // All targets may have changed.
    if changed == nil || !hasFocus { staleWalks.insertAll(entries.count) }
    if !hasResponders { doubtReaders(ofPropertiesOf: changed) }
  }

  /// Invalidates rules that read properties of these responders, or of any. A search does not record which
  /// properties its rules read, so all such searches are repeated.
  private mutating func doubtReaders(ofPropertiesOf changed: Set<ResponderID>?) {
    for position in rules.walksBeyondState { staleWalks[position] = true }
    for position in personal.keys {
      let seen = [implementer(of: position), variant.sender?.responder].compactMap(\.self)
      if changed.map({ !$0.isDisjoint(with: seen) }) ?? true { doubtAnswers(of: position) }
    }
  }

  /// Returns the responder whose handler has a command's rules; nil without a target.
  func implementer(of position: Int) -> ResponderID? {
    guard case .receiver(let number) = entries[position].target else { return nil }
    return receivers[number].implementer
  }

  /// The approximate size in bytes.
  var size: Int {
    texts.size + entries.count * MemoryLayout<Entry>.stride
      + commandsByList.size + rules.size
      + (variant.modifiers.isEmpty ? 0 : index.size) + personal.count * 256 + special.count * 512
      + receivers.count * 128 + titles.count * 64 + lists.size
  }
}
