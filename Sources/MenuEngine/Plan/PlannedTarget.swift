/// The receiver of the action of a command in a plan.
enum PlannedTarget: Equatable, Sendable {
  /// The receiver of a number.
  case receiver(Int32)
  case nobody
  case noAction
  case cycle
  /// Its item is asked about as a whole, since a closure or an undo manager makes it, or since a rule of the
  /// search failed.
  case special
}

/// The receivers in a plan, by numbers.
struct PlannedReceivers: Sendable {
  /// A receiver and the owner of its handler.
  struct Element: Hashable, Sendable {
    let receiver: Receiver
    let implementer: ResponderID

    /// The responder that the receiver stands for, when it is a proxy (L11).
    var proxied: ResponderID? { implementer == receiver.responder ? nil : implementer }
  }

  private var elements: [Element] = []
  /// The members of an item's text that tell of no target, and behind them those of each receiver.
  private(set) var texts = DecidedTexts.target(nil, proxied: nil)
  /// The ends of the texts of no target, and of those of each receiver.
  private var ends: [Int]
  private var numbers: [Element: Int32] = [:]

  init() { ends = [texts.count] }

  /// The number of receivers.
  var count: Int { elements.count }

  subscript(number: Int32) -> Element { elements[Int(number)] }

  /// Returns where the members stand that tell of a target, each behind a comma.
  func text(of target: PlannedTarget) -> Range<Int> {
    guard case .receiver(let number) = target else { return 0..<ends[0] }
    return ends[Int(number)]..<ends[Int(number) + 1]
  }

  mutating func number(of receiver: Receiver, implementer: ResponderID) -> Int32 {
    let element = Element(receiver: receiver, implementer: implementer)
    if let known = numbers[element] { return known }
    let number = Int32(elements.count)
    numbers[element] = number
    elements.append(element)
    texts += DecidedTexts.target(receiver, proxied: element.proxied)
    ends.append(texts.count)
    return number
  }
}

/// The answers of the rules for one item, when they read more than the state.
struct PersonalAnswers: Sendable {
  var answers: [PartAnswer] = []
  /// The rule that failed; those behind it were not asked.
  var fault: RuleFault?
  var effort = 0
  var isStale = false
}

/// An item that was asked about as a whole.
struct SpecialItem: Sendable {
  let item: ValidatedItem
  let askedAt: Int
}
