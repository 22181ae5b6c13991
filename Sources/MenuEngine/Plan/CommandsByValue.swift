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
