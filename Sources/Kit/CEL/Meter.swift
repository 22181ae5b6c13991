import Patterns

/// Counts the cost of an evaluation, and ends it at the limit.
struct Meter {
  typealias Failure = EvaluationFault.Reason

  let limits: ProgramLimits
  private var remaining: Int
  private var depth = 0
  /// The pattern compiled last, which is often the next one, too.
  var pattern: (text: String, compiled: Pattern)?
  /// The time zones found so far.
  var zones: [(name: String, zone: TimeZone)] = []

  init(_ limits: ProgramLimits) {
    self.limits = limits
    remaining = max(limits.maximumSteps, 0)
  }

  /// The steps taken so far, at most the limit.
  var used: Int { max(limits.maximumSteps, 0) - max(remaining, 0) }

  /// Charges a number of steps.
  mutating func charge(_ steps: Int = 1) throws(Failure) {
    remaining -= steps
    if remaining < 0 { throw .stepLimit(limits.maximumSteps) }
  }

  /// Charges for reading or writing `bytes`.
  mutating func charge(bytes: Int) throws(Failure) {
    if bytes >= 16 { try charge(Self.cost(ofBytes: bytes)) }
  }

  /// Returns the cost of reading or writing a number of bytes.
  static func cost(ofBytes count: Int) -> Int { count / 16 }

  /// Returns the steps of looking up a name: a long one may be compared with several of that length.
  static func cost(ofName name: String) -> Int {
    let count = name.utf8.count
    return count < 64 ? cost(ofBytes: count) : count / 4
  }

  /// Returns `value` as a literal for a message, and charges for it: most messages are never read, since `||`,
  /// `exists` and optionals absorb faults.
  mutating func describing(
    _ value: Value, upTo length: Int = Value.shownLength
  ) throws(Failure) -> String {
    let text = value.text(upTo: length)
    try charge(1 + text.utf8.count / 2)
    return text
  }

  /// Checks and charges for a new string or byte sequence.
  mutating func produce(bytes: Int) throws(Failure) {
    guard bytes <= limits.maximumStringLength else {
      throw .stringLimit(limits.maximumStringLength)
    }
    try charge(bytes: bytes)
  }

  /// Checks and charges for a string or byte sequence that grows to `bytes`.
  mutating func produce(bytes: Int, growingBy added: Int) throws(Failure) {
    guard bytes <= limits.maximumStringLength else {
      throw .stringLimit(limits.maximumStringLength)
    }
    try charge(1 + added / 16)
  }

  /// Checks and charges for a new list or map.
  mutating func produce(elements: Int) throws(Failure) {
    try produce(elements: elements, growingBy: elements)
  }

  /// Checks and charges for a list or map that grows to `elements`.
  mutating func produce(elements: Int, growingBy added: Int) throws(Failure) {
    guard elements <= limits.maximumElements else { throw .elementLimit(limits.maximumElements) }
    try charge(added)
  }

  /// Enters one level of nesting; balanced by `leave()` unless it throws.
  mutating func enter() throws(Failure) {
    if depth == Self.maximumDepth { throw .nestingLimit(Self.maximumDepth) }
    depth += 1
  }

  mutating func leave() { depth -= 1 }

  /// The maximum depth for comparing values, to protect the stack.
  static let maximumDepth = 512
}

/// The minimum cost of an evaluation, from the program alone: a macro over a literal list visits all of it, and
/// a sum of literals has the length of both.
///
/// Only operands that are always evaluated count, so a part that exceeds a limit here never has a value. A
/// program with such a part is refused, as for a type error.
struct Estimate {
  /// The certain length of a string or bytes, or number of elements of a list or map.
  private enum Size {
    case unknown
    case bytes(Int)
    case elements(Int)
  }

  private let code: Code
  private let limits: ProgramLimits
  private var steps: [Int] = []
  private var sizes: [Size] = []

  /// Throws the first limit that `code` exceeds.
  static func check(_ code: Code, _ limits: ProgramLimits) throws(SyntaxFault) {
    var estimate = Estimate(code: code, limits: limits)
    for id in code.instructions.indices {
      estimate.steps.append(estimate.cost(of: id))
      estimate.sizes.append(estimate.size(of: id))
      if code.isReachable[id] { try estimate.checkBounds(of: id) }
    }
  }

  private init(code: Code, limits: ProgramLimits) {
    self.code = code
    self.limits = limits
  }

  private func checkBounds(of id: NodeID) throws(SyntaxFault) {
    let range = code.ranges[id]
    if steps[id] > max(limits.maximumSteps, 0) {
      throw SyntaxFault(.tooManySteps(steps[id], limit: limits.maximumSteps), at: range)
    }
    if case .constant = code.instructions[id] { return }
    switch sizes[id] {
    case .bytes(let count) where count > limits.maximumStringLength:
      throw SyntaxFault(.stringTooLong(limit: limits.maximumStringLength), at: range)
    case .elements(let count) where count > limits.maximumElements:
      throw SyntaxFault(.tooManyElements(limit: limits.maximumElements), at: range)
    case .unknown, .bytes, .elements: return
    }
  }

  // MARK: Steps

  private func cost(of id: NodeID) -> Int {
    switch code.instructions[id] {
    case .constant, .unused: 0
    case .logical(_, let operands): sum([1, operands.first.map { steps[$0] } ?? 0])
    case .orElse(let first, _, _): sum([1, steps[first]])
    case .conditional(let condition, let first, let second):
      sum([1, steps[condition], min(steps[first], steps[second])])
    case .comprehension(let macro) where macro.kind == .bind:
      sum([steps[macro.source], steps[macro.body]])
    case .comprehension(let macro): sum([1, steps[macro.source], iterations(macro)])
    case .variable, .local, .undeclared, .select, .has, .index, .optionalSelect, .optionalIndex,
      .spread, .unary, .binary, .callUnary, .callBinary, .callVariadic, .list, .map:
      sum([1] + code.instructions[id].operands.map { steps[$0] })
    }
  }

  /// A single element may decide `all` and `exists`; other macros visit all elements.
  private func iterations(_ macro: Comprehension) -> Int {
    guard case .elements(let count) = sizes[macro.source], count > 0 else { return 0 }
    let first = steps[macro.condition ?? macro.body]
    let needed = macro.kind == .all || macro.kind == .exists ? 1 : count
    let (product, overflow) = sum([1, first]).multipliedReportingOverflow(by: needed)
    return overflow ? .max : product
  }

  private func sum(_ terms: [Int]) -> Int {
    terms.reduce(0) { total, term in
      let (sum, overflow) = total.addingReportingOverflow(term)
      return overflow ? .max : sum
    }
  }

  // MARK: Sizes

  private func size(of id: NodeID) -> Size {
    switch code.instructions[id] {
    case .constant(.string(let string)): .bytes(string.utf8.count)
    case .constant(.bytes(let bytes)): .bytes(bytes.count)
    case .constant(.list(let list)): .elements(list.count)
    case .constant(.map(let map)): .elements(map.count)
    case .binary(.add, let left, let right): added(sizes[left], sizes[right])
    case .list(let elements):
      elements.contains(where: isSpread) ? .unknown : .elements(elements.count)
    case .map(let entries):
      entries.contains { isSpread($0.value) } ? .unknown : .elements(entries.count)
    case .comprehension(let macro): produced(macro)
    default: .unknown
    }
  }

  private func isSpread(_ id: NodeID) -> Bool {
    if case .spread = code.instructions[id] { true } else { false }
  }

  private func added(_ left: Size, _ right: Size) -> Size {
    switch (left, right) {
    case (.bytes(let left), .bytes(let right)): .bytes(sum([left, right]))
    case (.elements(let left), .elements(let right)): .elements(sum([left, right]))
    case (.unknown, _), (.bytes, _), (.elements, _): .unknown
    }
  }

  private func produced(_ macro: Comprehension) -> Size {
    switch macro.kind {
    case .map, .transformList, .transformMap:
      macro.condition == nil ? sizes[macro.source] : .unknown
    case .sortBy: sizes[macro.source]
    case .bind: sizes[macro.body]
    case .all, .exists, .existsOne, .filter, .transformMapEntry, .optMap, .optFlatMap: .unknown
    }
  }
}
