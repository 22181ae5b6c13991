import CEL
import JSONText

/// What was asked for while a command was validated; as long as none of it changes, and nothing
/// besides the state and what can be undone does, the command's item stays the same.
public struct Readings: Sendable {
  /// The rules that were evaluated.
  private(set) var rules: [Rule] = []
  /// Whether the item tells of more than the rules read, as the message of a fault may.
  private(set) var isEverything = false
  /// Whether the item tells what can be undone.
  private var isUndo = false

  init() {}

  /// Whether a change of one of these may change the item.
  public func mayChange(with places: [ChangedPlace]) -> Bool {
    guard !places.isEmpty else { return false }
    if isUndo, places.contains(where: \.isUndoManagers) { return true }
    return isEverything || rules.contains { $0.reads(anyOf: places) }
  }

  mutating func note(_ rule: Rule) { rules.append(rule) }

  mutating func noteEverything() { isEverything = true }

  mutating func noteUndo() { isUndo = true }

  /// Notes what another item depends on, too.
  mutating func formUnion(_ other: Readings) {
    rules += other.rules
    isEverything = isEverything || other.isEverything
    isUndo = isUndo || other.isUndo
  }
}

extension ChangedPlace {
  fileprivate var isUndoManagers: Bool {
    switch self {
    case .state: false
    case .undoManagers: true
    }
  }
}

extension Rule {
  /// Whether the rule reads one of these places of the state, what is in it, or what it is in.
  fileprivate func reads(anyOf places: [ChangedPlace]) -> Bool {
    statePaths.contains { path in
      places.contains { place in
        switch place {
        case .state(let pointer): pointer.tokens.meets(path)
        case .undoManagers: false
        }
      }
    }
  }
}

extension [String] {
  /// Whether one is the beginning of the other.
  fileprivate func meets(_ path: ArraySlice<String>) -> Bool {
    zip(self, path).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}
