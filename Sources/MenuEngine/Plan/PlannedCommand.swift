import CEL

/// A command in a plan: who receives its action, which rules its item has, and how all that is known.
struct PlannedCommand: Sendable {
  /// What the search for the target came to.
  enum Walk: Equatable, Sendable {
    case found(Receiver, implementer: ResponderID)
    case nobody
    case noAction
    case cycle
  }

  /// What has to be done before the item is known again.
  struct Doubts: OptionSet {
    let rawValue: UInt8

    /// The target is to be looked for.
    static let walk = Doubts(rawValue: 1)
    /// Some of its rules are to be asked.
    static let rules = Doubts(rawValue: 2)
    /// It is to be asked about as a whole.
    static let whole = Doubts(rawValue: 4)
    /// Its text is to be written.
    static let text = Doubts(rawValue: 8)
  }

  var doubts: Doubts = [.walk, .text]
  var walk = Walk.nobody
  /// The rules that were asked while the target was looked for.
  var walkRules: [Rule] = []
  /// Where its rules stand among those of the plan.
  var rules = 0..<0
  /// The rule that failed, if one did; then those behind it were not asked.
  var fault: RuleFault?
  /// The item, when it cannot be made of the answers of rules: it is what closures say, or tells what
  /// can be undone, or who was asked on the way failed to say.
  var item: ValidatedItem?
  /// Whether it is among those that every change puts in doubt.
  var isListed = false
  /// How much the search takes.
  var walkEffort = 0
  /// How much the item takes when nothing is known.
  var effort = 0
}

/// A rule in a plan, with what it said last.
struct PlannedRule: Sendable {
  let rule: Rule
  let part: ItemPart
  /// The position of the command whose item it is about.
  let command: Int
  /// What it said; nil when it was not asked, or failed.
  var answer: PartAnswer?
  /// How much that took.
  var effort = 0
  /// Whether it may say something else now.
  var isStale = true
}
