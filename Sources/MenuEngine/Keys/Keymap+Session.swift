import JSONText

/// Operations on the keymap that a session uses (K9).
extension Operations {
  static let ofKeymaps: [any AnyOperation] = [useKeymap]

  static let useKeymap = Operation(
    "useKeymap", needs: .declare, about: "Names the keymap of the session, or none (K9).",
    Member(
      "keymap", MemberType<KeymapName>.identifier().nullable("OptionalIdentifier"),
      about: "The keymap; null for none. One that is not there yet has no entries.")
  ) { (performer: inout Performer, name) throws(MutationFault) in
    guard performer.session.keymap != name else { return }
    performer.session.parts.value.keymap = name
    performer.record([.keymap(name)])
  }
}

extension Mutation {
  /// Sets the keymap of the session, or none (K9).
  package static func useKeymap(_ name: KeymapName?) -> Mutation {
    Mutation(Operations.useKeymap, name)
  }
}

extension Session {
  /// The name of its keymap; nil for none (K9).
  package var keymap: KeymapName? { parts.value.keymap }

  /// The position of `keymap` among the members of the document, after `presenter`.
  static let positionOfKeymap = 9
}

extension Inquiry {
  /// The keymap that the session names; nil if there is none.
  var keymap: Keymap? { session.keymap.flatMap(catalog.keymap) }

  /// Returns the entries that assign keys to known commands on a platform, or on all for nil, the last one first. With
  /// `key`, only entries of this key or of longer ones that begin with it.
  func keymapClaims(on platform: KeyPlatform?, matching key: KeySequence? = nil) -> [KeyClaim] {
    guard let keymap else { return [] }
    effort.spend(keymap.entries.count)
    return keymap.entries.indices.reversed().flatMap { index -> [KeyClaim] in
      let entry = keymap.entries[index]
      guard !entry.isRemoval, let keys = entry.key, let command = catalog.command(entry.command),
        command.action != nil
      else { return [] }
      return keys.byPlatform.compactMap { own, entryKey in
        guard platform == nil || own == nil || own == platform else { return nil }
        if let key, entryKey.match(key) == nil { return nil }
        effort.spend(KeyClaims.effort)
        return KeyClaim(
          holder: .entry(of: keymap.name, index: index), on: own,
          declaration: .entry(entry, command))
      }
    }
  }

  /// Returns true if an entry is active at present: its rule is evaluated for the responder where the chain begins.
  /// The sender is ignored, so that a list of keys agrees with a press (K7).
  mutating func holds(
    _ entry: KeymapEntry, at index: Int, from: ResponderID?
  ) throws(RuleFault) -> Bool {
    guard let rule = entry.when else { return true }
    let place = "entries/\(index)/when"
    let start = session.searchStart(from: from, sender: nil)
    let context = RuleContext(
      state: session.state, responder: start, sender: nil, actor: self.context.actor,
      graph: session.graph, effort: effort, deliveries: session.deliveries,
      translations: catalog.translations)
    let result = Result { () throws(RuleFault) in try context.bool(rule, at: place) }
    if let start {
      let answer = (try? result.get()) == true
      var fault: RuleFault?
      if case .failure(let failure) = result { fault = failure }
      trace.note(
        .keymap, .responder(start), about: catalog.command(entry.command)?.action,
        answer: .bool(answer), fault: fault, rules: context.explained(rule, at: place),
        refusing: answer || fault != nil ? nil : place)
    }
    return try result.get()
  }

  /// Returns the declarations that the keymap does not remove. If the keymap removes the key of a declaration for all
  /// platforms on one platform, the declaration remains on the other.
  ///
  /// - Parameter platform: The platform of the keys; nil for all.
  mutating func remaining(
    of claims: [KeyClaim], on platform: KeyPlatform?, from: ResponderID?
  ) throws(MutationFault) -> [KeyClaim] {
    guard let keymap else { return claims }
    var removals = Removals(keymap)
    guard !removals.isEmpty else { return claims }
    var remaining: [KeyClaim] = []
    for claim in claims {
      let platforms = (platform ?? claim.platform).map { [$0] } ?? KeyPlatform.allCases
      let left = platforms.filter { !removals.take(claim, on: $0, from: from, &self) }
      try effort.check()
      if left.count == platforms.count {
        remaining.append(claim)
      } else if let only = left.first {
        remaining.append(KeyClaim(holder: claim.holder, on: only, declaration: claim.declaration))
      }
    }
    return remaining
  }
}

/// The entries of a keymap that remove keys, by command. The rule of each is evaluated once.
struct Removals {
  private let keymap: Keymap
  private var entries: [CommandID: [Int]] = [:]
  private var held: [Int: Bool] = [:]

  init(_ keymap: Keymap) {
    self.keymap = keymap
    for (index, entry) in keymap.entries.enumerated() where entry.isRemoval {
      entries[entry.command, default: []].append(index)
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Returns true if an entry removes a declared key on a platform. An entry whose rule fails removes nothing.
  mutating func take(
    _ claim: KeyClaim, on platform: KeyPlatform, from: ResponderID?, _ inquiry: inout Inquiry
  ) -> Bool {
    guard let key = claim.key, let command = inquiry.catalog.command(keyedBy: claim) else {
      return false
    }
    return take(key, of: command, on: platform, from: from, &inquiry)
  }

  /// Returns true if an entry removes a command's key on a platform.
  mutating func take(
    _ key: KeySequence, of command: CommandID, on platform: KeyPlatform, from: ResponderID?,
    _ inquiry: inout Inquiry
  ) -> Bool {
    guard let indexes = entries[command] else { return false }
    inquiry.effort.spend(indexes.count)
    for index in indexes {
      let entry = keymap.entries[index]
      let isOfAllKeys = entry.text == nil
      guard isOfAllKeys || entry.key?[platform]?.normalized == key.normalized else { continue }
      let holds = held[index] ?? ((try? inquiry.holds(entry, at: index, from: from)) == true)
      held[index] = holds
      if holds { return true }
    }
    return false
  }
}

extension Catalog {
  /// Returns the command of a declared key, or the command with the action and property list of a key command; nil for
  /// an entry of a keymap.
  fileprivate func command(keyedBy claim: KeyClaim) -> CommandID? {
    switch claim.declaration {
    case .entry: nil
    case .command(let command): command.id
    case .keyCommand(let keyCommand, _):
      command(
        ofIdentity: Command.Identity(
          action: keyCommand.action, propertyList: keyCommand.propertyList))
    }
  }
}
