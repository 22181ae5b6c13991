import CEL

/// A command in a plan: who receives its action, and which rules its item has.
struct PlannedCommand: Sendable {
  /// The result of searching for the target.
  enum Walk: Equatable, Sendable {
    case found(Receiver, implementer: ResponderID)
    case nobody
    case noAction
    case cycle
  }

  /// The work that is left before an item is known again.
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
    /// It was never asked about.
    static let all: Doubts = [.walk, .text]
  }

  /// Why an item is not made of the answers of rules.
  enum Exception: Sendable {
    /// It is what closures say, or tells what can be undone, or who was asked on the way failed to say.
    case item(ValidatedItem)
    /// One of its rules failed; those behind that were not asked.
    case fault(RuleFault)
  }

  /// An exception, which most commands do not have, and which is large.
  final class Box: Sendable {
    let exception: Exception
    init(_ exception: Exception) { self.exception = exception }
  }

  var walk = Walk.nobody
  /// The rules that were asked while the target was looked for.
  var walkRules: [Rule] = []
  /// Where its rules stand among those of the plan.
  var rules = 0..<0
  /// Why its item is not made of what they say, if it is not.
  var exception: Box?
  /// How much the search takes.
  var walkEffort = 0
  /// True if it is among those that every change puts in doubt.
  var isListed = false

  /// The responder whose handler has its rules; nil when it has no target.
  var implementer: ResponderID? {
    guard case .found(_, let implementer) = walk else { return nil }
    return implementer
  }

  /// True if it is asked about as a whole.
  var isUnplanned: Bool {
    guard case .item = exception?.exception else { return false }
    return true
  }
}

/// A rule in a plan, with what it said last.
struct PlannedRule: Sendable {
  let rule: Rule
  let part: ItemPart
  /// The position of the command whose item it is about.
  let command: Int
  /// The answer; nil when it was not asked, or failed.
  var answer: PartAnswer?
  /// How much that took.
  var effort = 0
  /// True if it may say something else now.
  var isStale = true
}
