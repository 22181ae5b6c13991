/// A key that more than one declaration claims (K6).
public struct KeyConflict: Equatable, Sendable {
  /// The key, with the fewest modifiers with which all of them match.
  public let key: KeyCombination
  /// The platform on which these declarations claim it; nil if they do on all.
  public let platform: KeyPlatform?
  /// The one that is tried first.
  public let winner: KeyClaim
  /// The others in order; one of them gets the key only when all before it are passed over (K3).
  public let shadowed: [Shadow]

  /// A declaration that another one goes before.
  public struct Shadow: Equatable, Sendable {
    /// The declaration.
    public let claim: KeyClaim
    /// The reason why the winner goes before it.
    public let reason: Reason
  }

  /// A reason why one declaration goes before another (K1).
  public enum Reason: String, CaseIterable, Sendable {
    /// Only the winner wants priority over system behaviour.
    case priority
    /// The winner's responder is nearer to the first responder.
    case nearer
    /// It is the same responder, and the winner stands before it in its list.
    case listOrder
    /// The winner is a responder's, and the other one the menu's.
    case respondersFirst
    /// The winner stands before it in the menus.
    case menuOrder
  }
}

extension KeyConflict {
  /// The conflicts among declarations in the order in which they are tried.
  static func conflicts(among claims: [KeyClaim]) -> [KeyConflict] {
    var keys: [KeyCombination] = []
    var groups: [KeyCombination: [KeyClaim]] = [:]
    for claim in claims {
      guard let key = claim.key?.decisive else { continue }
      if groups[key] == nil { keys.append(key) }
      groups[key, default: []].append(claim)
    }
    return keys.flatMap { key in conflicts(over: key, among: groups[key] ?? []) }
  }

  /// The conflicts over one key, once for each set of declarations that match together: caps lock
  /// and the numeric pad can make more of them match (K4).
  private static func conflicts(
    over key: KeyCombination, among claims: [KeyClaim]
  ) -> [KeyConflict] {
    var reported: [[KeyClaim]] = []
    return KeyModifiers.indecisive.flatMap { modifiers in
      let pressed = key.adding(modifiers)
      let matching = KeyPlatform.allCases.map { platform in
        (platform: platform, claims: claims.filter { $0.matches(pressed, on: platform) })
      }
      let isSame = matching.allSatisfy { $0.claims == matching.first?.claims }
      return matching.compactMap { platform, claims -> KeyConflict? in
        guard claims.count > 1, !reported.contains(claims), let winner = claims.first else {
          return nil
        }
        reported.append(claims)
        let shadowed = claims.dropFirst().map { Shadow(claim: $0, reason: winner.reason(over: $0)) }
        return KeyConflict(
          key: pressed, platform: isSame ? nil : platform, winner: winner, shadowed: shadowed)
      }
    }
  }
}

extension KeyClaim {
  /// Returns the reason why it goes before a later one.
  fileprivate func reason(over other: KeyClaim) -> KeyConflict.Reason {
    if hasPriority, !other.hasPriority { return .priority }
    switch (holder, other.holder) {
    case (.command, _): return .menuOrder
    case (_, .command): return .respondersFirst
    case (.responder, _), (.instances, _): return holder == other.holder ? .listOrder : .nearer
    }
  }
}
