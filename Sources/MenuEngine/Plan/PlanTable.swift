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
  /// The number of the session's edition; nil if it is that of another session.
  private var sessionEdition: Int?
  /// Counts the editions that it followed.
  private(set) var now = 1
  /// The commands by their positions.
  var entries: [Entry]
  /// The commands whose targets are to be looked for.
  var staleWalks: CommandSet
  var receivers = PlannedReceivers()
  var rules: PlannedRules
  /// The answers of rules that read more than the state, by the commands whose items they decide.
  var personal: [Int: PersonalAnswers] = [:]
  /// The items that rules alone do not make.
  var special: [Int: SpecialItem] = [:]
  var texts: ItemTexts
  /// The commands whose texts changed since they were taken last.
  var changed: CommandSet
  /// The texts of the changed commands as they were when changes were taken last; nil if they never were.
  private var taken: [Int: ArraySlice<UInt8>]?
  /// The number of lists and readers from which on it is looked how many are still of use.
  private var strayLimit = 64
  /// The number of rules that failed when they were asked.
  var ruleErrors = 0

  /// One command.
  struct Entry: Sendable {
    var target = PlannedTarget.nobody
    /// The number of the list of rules of the target's handler; none is -1.
    var list: Int32 = -1
    /// The effort of the search.
    var walkEffort = 0
    /// When its text was written; 0 is never.
    var writtenAt = 0
  }

  init(_ variant: PlanVariant, _ moment: PlanMoment, from: ResponderID?) {
    self.variant = variant
    let catalog = moment.catalog
    index = catalog.commandIndex(whileHolding: variant.modifiers)
    basis = PlanBasis(moment, variant, from: from)
    state = moment.session.state
    sessionEdition = moment.sessionEdition
    entries = Array(repeating: Entry(), count: index.count)
    staleWalks = CommandSet(all: index.count)
    changed = CommandSet(count: index.count)
    rules = PlannedRules(index)
    texts = ItemTexts(count: index.count)
  }

  /// Follows the session to where it is now, for searches that begin at a responder or where they do.
  mutating func follow(_ moment: PlanMoment, from: ResponderID?) {
    guard basis.isAbout(moment), !isStray(moment.session) else {
      self = PlanTable(variant, moment, from: from)
      return
    }
    let session = moment.session
    let isOther = moment.sessionEdition != sessionEdition || !state.isIdentical(to: session.state)
    if isOther { now += 1 }
    compareBases(moment, from: from)
    guard isOther else { return }
    if !state.isIdentical(to: session.state) {
      for position in rules.compare(state, session.state, at: now) { staleWalks[position] = true }
    }
    rules.doubtFaults(at: now)
    for (position, answers) in personal where answers.fault != nil {
      personal[position]?.isStale = true
    }
    (state, sessionEdition) = (session.state, moment.sessionEdition)
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

  /// Forgets which session it was that it followed, though not what that was like.
  mutating func forgetSession() {
    sessionEdition = nil
    ruleErrors = 0
  }

  /// Returns the commands whose texts are not what they were when this was called last, in order.
  mutating func takeChanged() -> [Int] {
    let before = taken ?? [:]
    let different = changed.filter { before[$0] != texts.text(of: $0) }
    (changed, taken) = (CommandSet(count: entries.count), [:])
    return different
  }

  /// Forgets texts that were replaced, if they are many.
  mutating func condenseTexts() { if texts.isWasteful { texts.condense() } }

  /// Replaces the text of a command, and notes if it is another one.
  mutating func replaceText(of position: Int, with text: JoinedBytes) {
    let old = taken == nil || changed[position] ? nil : Array(texts.text(of: position))[...]
    guard texts.replace(position, with: text) else { return }
    changed[position] = true
    if let old { taken?[position] = old }
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
      if changed.map({ !$0.isDisjoint(with: seen) }) ?? true { personal[position]?.isStale = true }
    }
  }

  /// The responder whose handler has the rules of a command; nil when it has no target.
  func implementer(of position: Int) -> ResponderID? {
    guard case .receiver(let number) = entries[position].target else { return nil }
    return receivers[number].implementer
  }

  /// About the number of bytes that it takes.
  var size: Int {
    texts.size + entries.count * MemoryLayout<Entry>.stride + rules.size
      + (variant.modifiers.isEmpty ? 0 : index.size) + personal.count * 256 + special.count * 512
      + receivers.count * 128
  }
}
