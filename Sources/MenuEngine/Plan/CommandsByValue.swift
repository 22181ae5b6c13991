import CEL
import JSONText

/// The commands of a list of rules by the value of theirs that one of the rules compares with a place of the
/// state, as `state.sort == command.propertyList` does for the items of a radio group.
///
/// Of another value at that place, only the commands of the old one and of the new one are told anything else.
struct CommandsByValue: Sendable {
  private let place: JSONPointer
  private var commands: [Comparand: [Int]] = [:]
  /// The commands whose values are no comparands.
  private var others: [Int] = []

  /// A value that is equal to no value of another kind, and that is compared in one step: a long text takes
  /// more with another one of the same length.
  private enum Comparand: Hashable {
    case bool(Bool)
    case int(Int64)
    case text([UInt8])

    init?(_ json: JSON?) {
      switch json {
      case .bool(let bool): self = .bool(bool)
      case .int(let int): self = .int(int)
      case .string(let string) where string.utf8.count < 16: self = .text(Array(string.utf8))
      case .null, .double, .string, .array, .object, nil: return nil
      }
    }
  }

  /// Nil for a rule that does anything else than comparing.
  init?(_ rule: Rule, of positions: [Int], command: (Int) -> Command) {
    guard let operands = rule.program.placeComparison?.operands,
      let state = Self.place(in: .state, operands), let own = Self.place(in: .command, operands)
    else { return nil }
    place = state
    for position in positions {
      if let comparand = Comparand(command(position).json.value(at: own)) {
        commands[comparand, default: []].append(position)
      } else {
        others.append(position)
      }
    }
  }

  private static func place(
    in root: Rule.Root, _ operands: (PlaceComparison.Place, PlaceComparison.Place)
  ) -> JSONPointer? {
    let (left, right) = operands
    guard left.variable != right.variable else { return nil }
    if left.variable == root.rawValue { return JSONPointer(left.fields) }
    return right.variable == root.rawValue ? JSONPointer(right.fields) : nil
  }

  /// Returns the commands for which the rule may say something else of another state; nil if that may be all.
  func commands(told old: JSON, then new: JSON) -> [Int]? {
    guard let old = Comparand(old.value(at: place)), let new = Comparand(new.value(at: place))
    else { return nil }
    if old == new { return others }
    return others + (commands[old] ?? []) + (commands[new] ?? [])
  }
}

/// The commands whose items each list of rules decides.
///
/// The commands of a list are a chain through flat arrays, so that one moves to another list in a few steps.
struct CommandsByList: Sendable {
  /// The first command of each list; none is -1.
  private var firsts: [Int32]
  /// The command behind each one, and the one before it; none is -1.
  private var following: [Int32]
  private var preceding: [Int32]

  /// No command has any of the lists.
  init(lists: Int, commands: Int) {
    firsts = Array(repeating: -1, count: lists)
    following = Array(repeating: -1, count: commands)
    preceding = following
  }

  /// About the number of bytes that it takes.
  var size: Int { (firsts.count + 2 * following.count) * MemoryLayout<Int32>.stride }

  /// Returns the commands of a list, in any order.
  func commands(of list: Int32) -> Chain {
    Chain(following: following, position: Int(list) < firsts.count ? firsts[Int(list)] : -1)
  }

  /// The commands of a list, one behind the other.
  struct Chain: Sequence, IteratorProtocol {
    fileprivate let following: [Int32]
    fileprivate var position: Int32

    mutating func next() -> Int? {
      guard position >= 0 else { return nil }
      defer { position = following[Int(position)] }
      return Int(position)
    }
  }

  /// Moves a command from one list to another; none is -1.
  mutating func move(_ command: Int, from old: Int32, to new: Int32) {
    if old >= 0 { remove(command, from: Int(old)) }
    if new >= 0 { insert(command, into: Int(new)) }
  }

  private mutating func remove(_ command: Int, from list: Int) {
    let (before, after) = (preceding[command], following[command])
    if before >= 0 { following[Int(before)] = after } else { firsts[list] = after }
    if after >= 0 { preceding[Int(after)] = before }
  }

  private mutating func insert(_ command: Int, into list: Int) {
    while firsts.count <= list { firsts.append(-1) }
    let after = firsts[list]
    (preceding[command], following[command]) = (-1, after)
    if after >= 0 { preceding[Int(after)] = Int32(command) }
    firsts[list] = Int32(command)
  }
}

/// The texts that items had at some time, of those that changed since.
struct ReplacedTexts: Sendable {
  private var bytes: [UInt8] = []
  private var places: [(item: Int, range: Range<Int>)] = []

  /// About the number of bytes that they take.
  var size: Int { bytes.count + places.count * 24 }

  /// Adds the text of an item that none was added of.
  mutating func append(_ text: ArraySlice<UInt8>, of item: Int) {
    let start = bytes.count
    bytes += text
    places.append((item, start..<bytes.count))
  }

  /// Returns the items whose texts are other ones now, in ascending order.
  func items(differingIn texts: ItemTexts) -> [Int] {
    places.filter { !texts.isText(of: $0.item, bytes.span.extracting($0.range)) }
      .map(\.item).sorted()
  }
}
