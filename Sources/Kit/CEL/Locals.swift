/// The values of the variables of comprehensions, by their slots.
///
/// The first two are kept without allocating memory, which is enough for a typical rule.
struct Locals {
  private var first: Value = .null
  private var second: Value = .null
  private var others: [Value]

  /// So many variables, all null.
  init(count: Int) {
    others = count > 2 ? Array(repeating: .null, count: count - 2) : []
  }

  subscript(slot: Int) -> Value {
    get {
      switch slot {
      case 0: first
      case 1: second
      default: others[slot - 2]
      }
    }
    set {
      switch slot {
      case 0: first = newValue
      case 1: second = newValue
      default: others[slot - 2] = newValue
      }
    }
  }
}
