import Patterns

/// Counts what an evaluation costs, and ends it when that is too much.
struct Meter {
  typealias Failure = EvaluationFault.Reason

  let limits: ProgramLimits
  private var remaining: Int
  private var depth = 0
  /// The pattern that was compiled last, which is often the next one too.
  var pattern: (text: String, compiled: Pattern)?
  /// The time zones that were found, as far as they are kept.
  var zones: [(name: String, zone: TimeZone)] = []

  init(_ limits: ProgramLimits) {
    self.limits = limits
    remaining = max(limits.maximumSteps, 0)
  }

  /// The steps taken so far, at most as many as there may be.
  var used: Int { max(limits.maximumSteps, 0) - max(remaining, 0) }

  /// Takes `steps` from what remains.
  mutating func charge(_ steps: Int = 1) throws(Failure) {
    remaining -= steps
    if remaining < 0 { throw .stepLimit(limits.maximumSteps) }
  }

  /// Takes what reading or writing `bytes` costs.
  mutating func charge(bytes: Int) throws(Failure) {
    if bytes >= 16 { try charge(Self.cost(ofBytes: bytes)) }
  }

  /// Returns the cost of reading or writing that many bytes.
  static func cost(ofBytes count: Int) -> Int { count / 16 }

  /// Returns the steps of looking up a name: a long one may be compared with several as long.
  static func cost(ofName name: String) -> Int {
    let count = name.utf8.count
    return count < 64 ? cost(ofBytes: count) : count / 4
  }

  /// Takes what writing `value` as a literal for a message costs: most messages are never read,
  /// since `||`, `exists` and optionals absorb faults.
  mutating func describing(
    _ value: Value, upTo length: Int = Value.shownLength
  ) throws(Failure) -> String {
    let text = value.text(upTo: length)
    try charge(1 + text.utf8.count / 2)
    return text
  }

  /// Checks and charges a string or byte sequence that is about to be made.
  mutating func produce(bytes: Int) throws(Failure) {
    guard bytes <= limits.maximumStringLength else {
      throw .stringLimit(limits.maximumStringLength)
    }
    try charge(bytes: bytes)
  }

  /// Checks and charges a string or byte sequence that is about to grow to `bytes`.
  mutating func produce(bytes: Int, growingBy added: Int) throws(Failure) {
    guard bytes <= limits.maximumStringLength else {
      throw .stringLimit(limits.maximumStringLength)
    }
    try charge(1 + added / 16)
  }

  /// Checks and charges a list or map that is about to be made.
  mutating func produce(elements: Int) throws(Failure) {
    try produce(elements: elements, growingBy: elements)
  }

  /// Checks and charges a list or map that is about to grow to `elements`.
  mutating func produce(elements: Int, growingBy added: Int) throws(Failure) {
    guard elements <= limits.maximumElements else { throw .elementLimit(limits.maximumElements) }
    try charge(added)
  }

  /// Goes one level deeper into values; balanced by `leave()` unless it throws.
  mutating func enter() throws(Failure) {
    if depth == Self.maximumDepth { throw .nestingLimit(Self.maximumDepth) }
    depth += 1
  }

  mutating func leave() { depth -= 1 }

  /// The depth to which two values are compared, for the sake of the stack.
  static let maximumDepth = 512
}
