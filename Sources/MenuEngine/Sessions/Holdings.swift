import JSONText

/// A limited resource of a session.
package enum Holding: String, CaseIterable, Codable, Hashable, Sendable {
  /// The responders, including late ones and instances made by a storyboard.
  case responders
  /// The handlers of responders and coordinators.
  case handlers
  /// The rules of responders and of their handlers; an effect counts as one.
  case rules
  /// The key commands of responders.
  case keyCommands
  /// The responders with an undo manager of their own.
  case undoManagers
  /// The size of the state, in bytes of written JSON.
  case stateSize
  /// The size of the responders' documents (properties, rules and so on), in bytes of written JSON.
  case responderSize
  /// The open deliveries.
  case deliveries
  /// The size of the open deliveries, in bytes of written JSON.
  case deliverySize
}

/// The amount of each resource that a session, or a part of one, uses.
package struct Holdings: Equatable, Sendable {
  /// One lane for each resource, so that amounts are added and compared at once.
  private var amounts = SIMD16<Int>()

  package init() {}

  /// The amount of one resource.
  package subscript(holding: Holding) -> Int {
    get { amounts[holding.lane] }
    set { amounts[holding.lane] = newValue }
  }

  /// Returns the first resource that exceeds both of two other amounts.
  func first(above a: Holdings, and b: Holdings) -> Holding? {
    guard any((amounts .> a.amounts) .& (amounts .> b.amounts)) else { return nil }
    return Holding.allCases.first { self[$0] > max(a[$0], b[$0]) }
  }

  static func += (a: inout Holdings, b: Holdings) { a.amounts &+= b.amounts }

  static func -= (a: inout Holdings, b: Holdings) { a.amounts &-= b.amounts }

  static func - (a: Holdings, b: Holdings) -> Holdings {
    var difference = a
    difference -= b
    return difference
  }
}

extension Holding {
  fileprivate var lane: Int {
    switch self {
    case .responders: 0
    case .handlers: 1
    case .rules: 2
    case .keyCommands: 3
    case .undoManagers: 4
    case .stateSize: 5
    case .responderSize: 6
    case .deliveries: 7
    case .deliverySize: 8
    }
  }
}

extension Holdings {
  /// Counts only the size of a document.
  init(sizeOf json: JSON?) { self[.responderSize] = json?.writtenSize ?? 0 }

  /// Counts a rule.
  init(_ rule: Rule?) {
    self.init(sizeOf: rule?.json)
    self[.rules] = rule == nil ? 0 : 1
  }

  /// Counts key commands.
  init(_ keyCommands: [KeyCommand]) {
    for command in keyCommands { self += Holdings(sizeOf: command.json) }
    self[.keyCommands] = keyCommands.count
  }

  /// Counts a handler for a selector.
  init(_ handler: Handler, for selector: Selector) {
    self.init(sizeOf: handler.json)
    self[.responderSize] += selector.rawValue.utf8.count
    self[.handlers] = 1
    self[.rules] = handler.ruleCount
  }

  /// Counts the selectors of a proxy's filter.
  init(_ selectors: [Selector]?) {
    self[.responderSize] = (selectors ?? []).reduce(0) { $0 + $1.rawValue.utf8.count + 1 }
  }
}

extension Responder {
  /// The resources used by the responder alone. Links and children do not count, because there cannot be more of them
  /// than responders.
  var holdings: Holdings {
    var holdings = Holdings()
    guard !id.isRegistryEnd else { return holdings }
    holdings[.responders] = 1
    holdings[.undoManagers] = undoManager == nil ? 0 : 1
    holdings[.responderSize] = id.rawValue.utf8.count + className.rawValue.utf8.count
    holdings += Holdings(canBecomeFirstResponder)
    holdings += Holdings(canResignFirstResponder)
    holdings += Holdings(supplementalTargetRule)
    for (selector, rule) in canPerform {
      holdings += Holdings(rule)
      holdings += Holdings([selector])
    }
    holdings += Holdings(sizeOf: properties)
    holdings += Holdings(sizeOf: catchAll?.json)
    holdings += Holdings(sizeOf: userActivity?.json)
    holdings += Holdings(sizeOf: touchBar?.json)
    for observation in observes { holdings += Holdings(sizeOf: observation.json) }
    for (selector, handler) in handlers { holdings += Holdings(handler, for: selector) }
    holdings += Holdings(keyCommands)
    holdings += coordinator?.holdings ?? Holdings()
    holdings += Holdings(proxy?.proxiedSelectors)
    return holdings
  }
}
