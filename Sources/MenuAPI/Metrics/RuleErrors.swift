import MenuEngine
import MenuStore

// Counts the rules that failed, where answers tell of them. What is looked for on purpose, by
// diagnostics and `POST /rules/check`, does not count.

extension Call {
  /// Counts rules that failed.
  func note(ruleErrors count: Int) {
    if count > 0 { service.metrics.ruleErrors.add(count) }
  }
}

extension [ValidatedItem] {
  /// The number of those that have a rule that failed.
  var ruleErrors: Int { reduce(0) { $0 + ($1.fault == nil ? 0 : 1) } }
}

extension ValidatedMenu {
  /// The number of items in it, and left out of it, that have a rule that failed.
  var ruleErrors: Int {
    children.reduce(leftOut.ruleErrors) { count, child in
      switch child {
      case .item(let item): count + (item.fault == nil ? 0 : 1)
      case .menu(let menu): count + menu.ruleErrors
      }
    }
  }
}

extension KeyResolution {
  /// The number of tried matches that have a rule that failed.
  var ruleErrors: Int { tried.reduce(0) { $0 + ($1.fault == nil ? 0 : 1) } }
}

extension MutationFault {
  /// The number of failed rules for which the mutation was refused.
  var ruleErrors: Int {
    switch self {
    case .inList(index: _, let fault), .launching(let fault): fault.ruleErrors
    case .effectRule: 1
    case .notPerformed(let refusal): refusal.fault == nil && refusal.item?.fault == nil ? 0 : 1
    case .keyNotPerformed(let resolution): resolution.ruleErrors
    default: 0
    }
  }
}
