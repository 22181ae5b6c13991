/// A request for the keys of a session (K7).
package struct KeyListRequest: Hashable, Sendable {
  /// The platform of the keys (M2).
  package let platform: KeyPlatform
  /// The responder where the chain begins instead of the first responder.
  package let from: ResponderID?
  /// The window to treat as key (R11). The default is the key window.
  package let window: ResponderID?
  /// The actor of the request (T4).
  package let actor: Principal

  package init(
    on platform: KeyPlatform = .apple, from: ResponderID? = nil, window: ResponderID? = nil,
    by actor: Principal = .local
  ) {
    self.platform = platform
    self.from = from
    self.window = window
    self.actor = actor
  }
}

extension Session {
  /// Returns the declarations of keys that are active now, in order of precedence (K7). Pressing a key performs the
  /// first enabled declaration that matches it (K4), as in `resolve`. While longer enabled keys begin with it, it
  /// waits for another stroke (K8).
  ///
  /// Key commands whose `when` is false are omitted, and so are declarations that no key can reach because earlier
  /// ones match all their keys.
  ///
  /// - Throws: `MutationFault.unknownResponder` for an unknown start, and `.tooMuchEffort`.
  package func keys(
    _ request: KeyListRequest, in catalog: Catalog, spending effort: Effort = Effort()
  ) throws(MutationFault) -> [KeyMatch] {
    let session = try withKeyWindow(request.window)
    try session.check(request.from)
    var inquiry = session.inquiry(
      in: SessionContext(catalog, effort: effort, actor: request.actor))
    return try inquiry.keys(request)
  }
}

extension Inquiry {
  fileprivate mutating func keys(_ request: KeyListRequest) throws(MutationFault) -> [KeyMatch] {
    var found: [KeyMatch] = []
    var taken = TakenKeys()
    for claim in try claims(from: request.from, on: request.platform) {
      guard let key = claim.key, !taken.contains(key) else { continue }
      sender = claim.sender(besides: nil)
      let match = attempt(claim, from: request.from)
      try effort.check()
      guard let match else { continue }
      found.append(match)
      if match.isEnabled { taken.insert(key) }
    }
    return found
  }

  /// Returns all declarations for a platform in order of precedence (K1).
  private mutating func claims(
    from: ResponderID?, on platform: KeyPlatform
  ) throws(MutationFault) -> [KeyClaim] {
    let responders = order(from: from).flatMap { keyClaims(of: $0) }
    effort.spend(catalog.keyClaims.count)
    let commands = catalog.keyClaims.filter { ($0.platform ?? platform) == platform }
    let claims = KeyClaims(
      ofKeymap: keymapClaims(on: platform), ofResponders: responders, ofCommands: commands)
    return try remaining(of: claims.ordered, on: platform, from: from)
  }
}

/// The keys of earlier declarations, which later declarations cannot receive (K4).
struct TakenKeys {
  private var keys: [KeySequence: [KeySequence]] = [:]

  /// Returns true if every press of the key matches an earlier declaration.
  func contains(_ key: KeySequence) -> Bool {
    keys[key.decisive]?.contains { $0.matches(key) } == true
  }

  mutating func insert(_ key: KeySequence) { keys[key.decisive, default: []].append(key) }
}
