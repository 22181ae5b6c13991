/// The keys of items while a session has a keymap (K9): those of the keymap, or else the declared ones that still
/// perform the command.
struct ItemKeys {
  /// The keys on one platform.
  private struct Keys {
    /// The declaration that has a key, as the first of several.
    enum Owner: Equatable {
      case declaration(of: CommandID)
      case entry
    }

    var owners: [KeySequence: Owner] = [:]
    /// The key of each command with a keymap entry.
    var keys: [CommandID: KeySequence] = [:]

    mutating func add(_ claim: KeyClaim, giving key: KeySequence, to command: CommandID) {
      guard owners[key.normalized] == nil else { return }
      let isEntry = !claim.isDeclaration
      owners[key.normalized] = isEntry ? .entry : .declaration(of: command)
      // An item has no parameters, so an entry with parameters is not its key.
      guard isEntry, claim.parameters == nil, keys[command] == nil else { return }
      keys[command] = key
    }

    func key(of item: ValidatedItem, declared: KeySequence?) -> KeySequence? {
      if item.alternate == nil, let own = keys[item.command] { return own }
      guard let declared else { return nil }
      switch owners[declared.normalized] {
      case nil: return declared
      case .declaration(of: let command): return command == item.command ? declared : nil
      case .entry: return nil
      }
    }
  }

  private var keys: [KeyPlatform: Keys] = [:]
  private var removals: Removals

  /// Collects the keys of the active entries. Claims with priority precede them (K1).
  fileprivate init(
    _ keymap: Keymap, from: ResponderID?, _ inquiry: inout Inquiry
  ) throws(MutationFault) {
    removals = Removals(keymap)
    inquiry.effort.spend(inquiry.catalog.keyClaims.count)
    let priority = inquiry.catalog.keyClaims.filter(\.hasPriority)
    for platform in KeyPlatform.allCases {
      var found = Keys()
      let claims = priority.filter { ($0.platform ?? platform) == platform }
      for claim in try inquiry.remaining(of: claims, on: platform, from: from) {
        if let key = claim.key, let command = claim.command {
          found.add(claim, giving: key, to: command)
        }
      }
      for claim in inquiry.keymapClaims(on: platform) {
        guard let key = claim.key, let command = claim.command else { continue }
        let holds = (try? inquiry.isThere(claim, from: from)) == true
        try inquiry.effort.check()
        if holds { found.add(claim, giving: key, to: command) }
      }
      keys[platform] = found
    }
  }

  /// Returns items and their alternates with the keys in effect.
  fileprivate mutating func give(
    to items: [ValidatedItem], from: ResponderID?, _ inquiry: inout Inquiry
  ) throws(MutationFault) -> [ValidatedItem] {
    var given: [ValidatedItem] = []
    for var item in items {
      item.key = CommandKey(
        apple: key(of: item, on: .apple, from: from, &inquiry),
        other: key(of: item, on: .other, from: from, &inquiry))
      item.alternates = try give(to: item.alternates, from: from, &inquiry)
      try inquiry.effort.check()
      given.append(item)
    }
    return given
  }

  private mutating func key(
    of item: ValidatedItem, on platform: KeyPlatform, from: ResponderID?, _ inquiry: inout Inquiry
  ) -> KeySequence? {
    var declared = item.key?[platform]
    if let key = declared,
      removals.take(key, of: item.command, on: platform, from: from, &inquiry)
    {
      declared = nil
    }
    return keys[platform]?.key(of: item, declared: declared)
  }
}

extension Session {
  /// Returns items with the keys in effect in place of the declared ones (K9); unchanged items if the session has no
  /// keymap.
  func givingKeys(
    to items: [ValidatedItem], from: ResponderID? = nil, in context: SessionContext
  ) throws(MutationFault) -> [ValidatedItem] {
    guard let keymap = keymap.flatMap(context.catalog.keymap) else { return items }
    var inquiry = inquiry(in: context)
    var keys = try ItemKeys(keymap, from: from, &inquiry)
    return try keys.give(to: items, from: from, &inquiry)
  }
}
