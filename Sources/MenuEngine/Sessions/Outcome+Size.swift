import JSONText

extension Outcome {
  /// About the number of bytes that it takes as JSON, for bounds of memory.
  ///
  /// Values that rules computed count as they are. What a mutation or a catalogue holds, and is shared with it, counts
  /// as a name does.
  package var size: Int {
    let results = particular.isEmpty ? 0 : 8 * Self.name
    let values =
      argumentSize(performance?.invocation.arguments) + (message?.answer.size(upTo: .max) ?? 0)
      + processed.reduce(0) { $0 + Self.name + $1.outcome.answer.size(upTo: .max) }
    return results + values + Self.name * (events.count + wholeTrace.steps.count)
      + changes.reduce(0) { $0 + Self.name + $1.size }
      + documentEdits.reduce(0) { $0 + Self.name + $1.operation.size }
  }

  /// The size of what has a name and little more.
  fileprivate static let name = 64
}

extension Outcome.Change {
  fileprivate var size: Int {
    switch self {
    case .state(let operation, position: _): operation.size
    case .mergedState(let json), .properties(_, let json): json.size(upTo: .max)
    case .responder(let responder): responder.holdings.responderSize
    case .keyCommands(_, let commands): Outcome.name * commands.count
    case .lateResponders(_, let members), .viewControllers(_, let members):
      Outcome.name * members.count
    case .messageQueue(count: _, removed: _, let added):
      added.reduce(0) { $0 + Outcome.name + argumentSize($1.arguments) }
    case .delivery(let delivery): delivery.size
    case .deliveryState(let delivery): (delivery.result ?? delivery.problem)?.size(upTo: .max) ?? 0
    case .firstResponder, .keyWindow, .mainWindow, .modalWindow, .responderRemoved, .linkCleared,
      .handler, .handlerRemoved, .registration, .registrationRemoved, .registryRemoved, .link,
      .selectedViewController, .superview, .presented, .dismissed, .isCollapsed, .isStarted,
      .undoManager, .deliveryForgotten:
      0
    }
  }
}

private func argumentSize(_ arguments: [JSON]?) -> Int {
  (arguments ?? []).reduce(0) { $0 + $1.size(upTo: .max) }
}

extension JSONPatch.Operation {
  /// The size of its value, besides its places.
  fileprivate var size: Int {
    switch self {
    case .add(path: _, let value), .replace(path: _, let value), .test(path: _, let value):
      value.size(upTo: .max)
    case .remove, .move, .copy: 0
    }
  }
}
