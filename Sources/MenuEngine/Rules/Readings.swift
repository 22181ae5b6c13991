import CEL
public import JSONText

/// What the state was asked for while a command was validated; as long as none of it changes, and
/// nothing besides the state does, the command's item stays the same.
public struct Readings: Sendable {
  /// The rules that were evaluated.
  private var rules: [Rule] = []
  /// Whether the item tells of more than the rules read, as the message of a fault may.
  private var isEverything = false

  init() {}

  /// Whether a change at one of these places of the state may change the item.
  public func mayChange(with places: [JSONPointer]) -> Bool {
    guard !places.isEmpty else { return false }
    return isEverything || rules.contains { $0.reads(anyOf: places) }
  }

  mutating func note(_ rule: Rule) { rules.append(rule) }

  mutating func noteEverything() { isEverything = true }

  /// Notes what another item depends on, too.
  mutating func formUnion(_ other: Readings) {
    rules += other.rules
    isEverything = isEverything || other.isEverything
  }
}

extension Rule {
  /// Whether the rule reads one of these places of the state, what is in it, or what it is in.
  fileprivate func reads(anyOf places: [JSONPointer]) -> Bool {
    statePaths.contains { path in places.contains { $0.tokens.meets(path) } }
  }
}

extension [String] {
  /// Whether one is the beginning of the other.
  fileprivate func meets(_ path: ArraySlice<String>) -> Bool {
    zip(self, path).allSatisfy { $0.hasSameBytes(as: $1) }
  }
}
