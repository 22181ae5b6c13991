import CEL
import JSONText

/// The commands of a rule list by the value that one of the rules compares with a place in the state, as
/// `state.sort == command.propertyList` does for a radio group.
///
/// A change of that place affects only the commands of the old and of the new value.
struct CommandsByValue: Sendable {
  private let place: JSONPointer
  private var commands: [Comparand: [Int]] = [:]
  /// The commands whose values are not comparands.
  private var others: [Int] = []

  /// A value that no value of another kind equals and that compares in one step; long texts do not.
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

  /// Nil if the rule does more than compare.
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

  /// Returns the commands for which the rule's result may differ between two states; nil for all.
  func commands(told old: JSON, then new: JSON) -> [Int]? {
    guard let old = Comparand(old.value(at: place)), let new = Comparand(new.value(at: place))
    else { return nil }
    if old == new { return others }
    return others + (commands[old] ?? []) + (commands[new] ?? [])
  }
}

/// The commands by the rule list that decides their items.
///
/// The commands of a list are linked through flat arrays, so that moving one takes constant time.
struct CommandsByList: Sendable {
  /// The first command of each list; -1 for none.
  private var firsts: [Int32]
  /// The next and the previous command in the list; -1 for none.
  private var following: [Int32]
  private var preceding: [Int32]

  /// Creates empty lists.
  init(lists: Int, commands: Int) {
    firsts = Array(repeating: -1, count: lists)
    following = Array(repeating: -1, count: commands)
    preceding = following
  }

  /// The approximate size in bytes.
  var size: Int { (firsts.count + 2 * following.count) * MemoryLayout<Int32>.stride }

  /// Returns the commands of a list, in no particular order.
  func commands(of list: Int32) -> Chain {
    Chain(following: following, position: Int(list) < firsts.count ? firsts[Int(list)] : -1)
  }

  /// The linked commands of a list.
  struct Chain: Sequence, IteratorProtocol {
    fileprivate let following: [Int32]
    fileprivate var position: Int32

    mutating func next() -> Int? {
      guard position >= 0 else { return nil }
      defer { position = following[Int(position)] }
      return Int(position)
    }
  }

  /// Moves a command from one list to another; -1 is no list.
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
