import JSONText

/// The keys of items while a session has a keymap (K9): the user's own, else the declared ones that no entry takes.
struct HeldKeys {
  /// The keys on one platform.
  private struct Keys {
    /// The command of each key that an entry gives.
    var owners: [KeySequence: CommandID] = [:]
    /// The key of each command that an entry gives.
    var keys: [CommandID: KeySequence] = [:]
    /// The keys that are taken away; nil among them stands for all.
    var removed: [CommandID: Set<KeySequence?>] = [:]

    mutating func note(_ entry: KeymapEntry, on platform: KeyPlatform) {
      let key = entry.key?[platform]
      if entry.isRemoval {
        guard entry.text == nil || key != nil else { return }
        removed[entry.command, default: []].insert(key?.normalized)
      } else if let key, owners[key.normalized] == nil {
        owners[key.normalized] = entry.command
        // One with parameters is not what the item does.
        if entry.parameters == nil, keys[entry.command] == nil { keys[entry.command] = key }
      }
    }

    func key(of id: CommandID, declared: KeySequence?, isAlternate: Bool) -> KeySequence? {
      if !isAlternate, let own = keys[id] { return own }
      guard let declared else { return nil }
      let key = declared.normalized
      if let removed = removed[id], removed.contains(nil) || removed.contains(key) { return nil }
      return owners[key].map { $0 == id } ?? true ? declared : nil
    }
  }

  private var keys: [KeyPlatform: Keys] = [:]

  /// Finds the keys that the entries give and take away now; entries of which the rule fails do neither.
  fileprivate init(_ inquiry: inout Inquiry, from: ResponderID?) {
    let entries = inquiry.keymap?.entries ?? []
    inquiry.effort.spend(entries.count)
    for (index, entry) in entries.enumerated().reversed() {
      let isKnown = inquiry.catalog.command(entry.command) != nil
      guard isKnown, (try? inquiry.holds(entry, at: index, from: from)) == true else { continue }
      for platform in KeyPlatform.allCases {
        keys[platform, default: Keys()].note(entry, on: platform)
      }
    }
  }

  /// Returns an item and its alternates with the keys that hold.
  func giving(to item: ValidatedItem) -> ValidatedItem {
    func key(on platform: KeyPlatform) -> KeySequence? {
      let declared = item.key?[platform]
      return keys[platform].map {
        $0.key(of: item.command, declared: declared, isAlternate: item.alternate != nil)
      } ?? declared
    }
    var given = item
    given.key = CommandKey(apple: key(on: .apple), other: key(on: .other))
    given.alternates = item.alternates.map(giving)
    return given
  }
}

extension Session {
  /// Returns the keys of items in place of the declared ones; nil while the session has no keymap (K9).
  func heldKeys(_ request: ValidationRequest, in context: SessionContext) -> HeldKeys? {
    guard let keymap, context.catalog.keymap(keymap) != nil else { return nil }
    var inquiry = inquiry(in: context)
    return HeldKeys(&inquiry, from: request.from)
  }
}
