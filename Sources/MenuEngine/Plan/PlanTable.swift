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
  var rows: [Row]
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
  /// How many rules failed that were asked.
  var ruleErrors = 0

  /// The facts known about one command.
  struct Row: Sendable {
    var target = PlannedTarget.nobody
    /// The number of the list of rules of the target's handler; none is -1.
    var list: Int32 = -1
    /// How much the search takes.
    var walkEffort = 0
    /// When its text was written; 0 is never.
    var writtenAt = 0
  }

  init(_ variant: PlanVariant, _ moment: PlanMoment, from: ResponderID?) {
    self.variant = variant
    let catalog = moment.catalog
    index =
      variant.modifiers.isEmpty
      ? catalog.commandIndex : CommandIndex(catalog, whileHolding: variant.modifiers)
    basis = PlanBasis(moment, variant, from: from)
    state = moment.session.state
    sessionEdition = moment.sessionEdition
    rows = Array(repeating: Row(), count: index.count)
    staleWalks = CommandSet(all: index.count)
    changed = CommandSet(count: index.count)
    rules = PlannedRules(index)
    texts = ItemTexts(count: index.count)
  }

  /// Follows the session to where it is now, for searches that begin at a responder or where they do.
  mutating func follow(_ moment: PlanMoment, from: ResponderID?) {
    let strays = rules.strayCount + receivers.count
    guard basis.isAbout(moment), strays <= 1024 + 4 * (rows.count + moment.session.graph.count)
    else {
      self = PlanTable(variant, moment, from: from)
      return
    }
    let session = moment.session
    let isOther = moment.sessionEdition != sessionEdition || !state.isIdentical(to: session.state)
    if isOther { now += 1 }
    compareBases(moment, from)
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

  /// Forgets which session it was that it followed, though not what that was like.
  mutating func forgetSession() {
    sessionEdition = nil
    ruleErrors = 0
  }

  /// The commands whose texts changed since this was called last, in order.
  mutating func takeChanged() -> [Int] {
    defer { changed = CommandSet(count: rows.count) }
    return Array(changed)
  }

  private mutating func compareBases(_ moment: PlanMoment, _ from: ResponderID?) {
    let session = moment.session
    let hasFocus = basis.hasFocus(of: session, variant, from: from)
    let hasResponders = basis.hasResponders(of: session)
    guard !hasResponders || !hasFocus else { return }
    let changed = hasResponders ? [] : basis.changedProperties(in: session)
    basis = PlanBasis(moment, variant, from: from)
    // Who was the target may not be it any more.
    if changed == nil || !hasFocus { staleWalks.insertAll(rows.count) }
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
    guard case .receiver(let number) = rows[position].target else { return nil }
    return receivers[number].implementer
  }

  /// About how many bytes it takes.
  var size: Int {
    texts.size + rows.count * MemoryLayout<Row>.stride + rules.size
      + personal.count * 256 + special.count * 512 + receivers.count * 128
  }
}
