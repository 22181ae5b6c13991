/// A key claimed by more than one declaration (K6).
package struct KeyConflict: Equatable, Sendable {
  /// The key, with the fewest modifiers that all declarations match.
  package let key: KeySequence
  /// The platform of the conflict; nil for all.
  package let platform: KeyPlatform?
  /// The declaration that is tried first.
  package let winner: KeyClaim
  /// The other declarations in order; each gets the key only if all before it are passed over (K3).
  package let shadowed: [Shadow]

  /// A declaration with lower precedence.
  package struct Shadow: Equatable, Sendable {
    package let claim: KeyClaim
    /// The reason for the winner's precedence.
    package let reason: Reason
  }

  /// A reason for precedence between declarations (K1).
  package enum Reason: String, CaseIterable, Sendable {
    /// Only the winner has priority over system behaviour.
    case priority
    /// The winner's responder is nearer to the first responder.
    case nearer
    /// Both belong to the same responder, and the winner comes first in its list.
    case listOrder
    /// The winner is a responder's, the other one the menu's.
    case respondersFirst
    /// The winner comes first in the menus.
    case menuOrder
    /// The winner is an entry of the session's keymap, the other one is not (K9).
    case keymap
    /// Both are entries of the keymap, and the winner comes last.
    case lastEntry
  }
}

extension KeyConflict {
  /// The conflict without the key commands of responders; nil if one of these wins, or only these are hidden.
  package var ofCommands: KeyConflict? {
    let shadowed = shadowed.filter(\.claim.isOfCommand)
    guard winner.isOfCommand, !shadowed.isEmpty else { return nil }
    return KeyConflict(key: key, platform: platform, winner: winner, shadowed: shadowed)
  }

  /// Returns the conflicts among declarations, given in order of precedence.
  static func conflicts(among claims: [KeyClaim]) -> [KeyConflict] {
    var keys: [KeySequence] = []
    var groups: [KeySequence: [KeyClaim]] = [:]
    for claim in claims {
      guard let key = claim.key?.decisive else { continue }
      if groups[key] == nil { keys.append(key) }
      groups[key, default: []].append(claim)
    }
    return keys.flatMap { key in conflicts(over: key, among: groups[key] ?? []) }
  }

  /// Returns the conflicts over one key, one for each set of declarations that match together: caps lock and
  /// the numeric pad can make more of them match (K4).
  private static func conflicts(
    over key: KeySequence, among claims: [KeyClaim]
  ) -> [KeyConflict] {
    var reported: [[KeyClaim]] = []
    return KeyModifiers.indecisive.flatMap { modifiers in
      let pressed = key.addingToAll(modifiers)
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
  /// Returns the reason for its precedence over a later one.
  fileprivate func reason(over other: KeyClaim) -> KeyConflict.Reason {
    if hasPriority, !other.hasPriority { return .priority }
    switch (holder, other.holder) {
    case (.entry, .entry): return .lastEntry
    case (.entry, _), (_, .entry): return .keymap
    case (.command, _): return .menuOrder
    case (_, .command): return .respondersFirst
    case (.responder, _), (.instances, _): return holder == other.holder ? .listOrder : .nearer
    }
  }
}

extension Session {
  /// Returns the conflicting keys on a chain, among its key commands and those of the menu (K6). Key commands whose
  /// `when` is false do not count (K5).
  ///
  /// - Parameter actor: The actor of the request (T4).
  /// - Throws: `MutationFault.unknownResponder` for an unknown start, and `.tooMuchEffort`.
  package func keyConflicts(
    from: ResponderID? = nil, in catalog: Catalog, by actor: Principal = .local
  ) throws(MutationFault) -> [KeyConflict] {
    try check(from)
    var inquiry = inquiry(in: SessionContext(catalog, actor: actor))
    return try inquiry.keyConflicts(from: from)
  }
}

extension Inquiry {
  fileprivate mutating func keyConflicts(
    from: ResponderID?
  ) throws(MutationFault) -> [KeyConflict] {
    let responders = order(from: from).flatMap { keyClaims(of: $0) }
    let entries = keymapClaims(on: nil)
    let claims = KeyClaims(
      ofKeymap: entries, ofResponders: responders, ofCommands: catalog.keyClaims)
    var there: [KeyClaim] = []
    for claim in try remaining(of: claims.ordered, on: nil, from: from) {
      sender = claim.sender(besides: nil)
      if (try? isThere(claim, from: from)) != false { there.append(claim) }
      try effort.check()
    }
    return KeyConflict.conflicts(among: there)
  }
}

extension Catalog {
  /// The conflicting keys of commands, and of the key commands of each class, among themselves and with the
  /// menu (K6), independent of any session. `when` rules are not evaluated.
  package var keyConflicts: [KeyConflict] {
    let commands = keyClaims
    let ofMenu = KeyConflict.conflicts(
      among: KeyClaims(ofResponders: [], ofCommands: commands).ordered)
    return classes.declared.filter { !$0.keyCommands.isEmpty }.reduce(ofMenu) { found, declared in
      let own = declared.keyCommands.count
      let claims = classes.keyCommands(of: declared.name).enumerated().map { index, keyCommand in
        KeyClaim(
          holder: .instances(of: declared.name),
          declaration: .keyCommand(keyCommand, index: index))
      }
      let all = KeyClaims(ofResponders: claims, ofCommands: commands).ordered
      return found
        + KeyConflict.conflicts(among: all).filter { $0.involves(firstOf: own, of: declared.name) }
    }
  }
}

extension KeyConflict {
  /// True if the conflict has one of the class's own key commands, which come first, not only inherited ones.
  fileprivate func involves(firstOf count: Int, of name: ClassName) -> Bool {
    ([winner] + shadowed.map(\.claim)).contains { claim in
      guard case .keyCommand(_, let index) = claim.declaration else { return false }
      return index < count && claim.holder == .instances(of: name)
    }
  }
}
