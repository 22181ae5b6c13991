/// The receiver of a command's action in a plan.
enum PlannedTarget: Equatable, Sendable {
  /// The receiver of a number.
  case receiver(Int32)
  case nobody
  case noAction
  case cycle
  /// Its item is asked about as a whole: closures make it, or what can be undone, or somebody on the way
  /// failed to say.
  case special
}

/// The receivers in a plan, by numbers.
struct PlannedReceivers: Sendable {
  /// A receiver, the owner of its handler, and what an item's text says of them.
  struct Element: Sendable {
    let receiver: Receiver
    let implementer: ResponderID
    let text: [UInt8]

    /// The responder that the receiver stands for, when it is a proxy (L11).
    var proxied: ResponderID? { implementer == receiver.responder ? nil : implementer }
  }

  private struct Key: Hashable {
    let receiver: Receiver
    let implementer: ResponderID
  }

  private var elements: [Element] = []
  private var numbers: [Key: Int32] = [:]

  /// How many there are.
  var count: Int { elements.count }

  subscript(number: Int32) -> Element { elements[Int(number)] }

  /// The number of a receiver.
  mutating func number(of receiver: Receiver, implementer: ResponderID) -> Int32 {
    let key = Key(receiver: receiver, implementer: implementer)
    if let known = numbers[key] { return known }
    let number = Int32(elements.count)
    numbers[key] = number
    let proxied = implementer == receiver.responder ? nil : implementer
    elements.append(
      Element(
        receiver: receiver, implementer: implementer,
        text: DecidedTexts.target(receiver, proxied: proxied)))
    return number
  }
}

/// The answers of the rules for one item, when they read more than the state.
struct PersonalAnswers: Sendable {
  var answers: [PartAnswer] = []
  /// The rule that failed; those behind it were not asked.
  var fault: RuleFault?
  var effort = 0
  var askedAt = 0
  var isStale = true
}

/// An item that was asked about as a whole.
struct SpecialItem: Sendable {
  let item: ValidatedItem
  let effort: Int
  let askedAt: Int
}
