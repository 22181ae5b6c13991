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
  /// Names the keymap of the session, or none (K9).
  package static func useKeymap(_ name: KeymapName?) -> Mutation {
    Mutation(Operations.useKeymap, name)
  }
}

extension Session {
  /// The name of its keymap; nil for none (K9).
  package var keymap: KeymapName? { parts.value.keymap }

  /// The position of `keymap` among the members of the document: behind `presenter`.
  static let positionOfKeymap = 9
}

extension Inquiry {
  /// The keymap that the session names; nil if there is none.
  var keymap: Keymap? { session.keymap.flatMap(catalog.keymap) }

  /// Returns the entries that give keys of known commands on a platform, the last one first; with `key`, only those of
  /// this key or of longer ones that begin with it.
  func keymapClaims(on platform: KeyPlatform, matching key: KeySequence? = nil) -> [KeyClaim] {
    guard let keymap else { return [] }
    effort.spend(keymap.entries.count)
    return keymap.entries.indices.reversed().compactMap { index in
      let entry = keymap.entries[index]
      guard !entry.isRemoval, let own = entry.key?[platform] else { return nil }
      if let key, own.match(key) == nil { return nil }
      guard let command = catalog.command(entry.command), command.action != nil else { return nil }
      effort.spend(KeyClaims.effort)
      return KeyClaim(
        holder: .entry(of: keymap.name, index: index), on: platform,
        declaration: .entry(entry, command))
    }
  }

  /// Returns true if an entry is there at present: its rule says so, about the responder where the chain begins.
  mutating func holds(
    _ entry: KeymapEntry, at index: Int, from: ResponderID?
  ) throws(RuleFault) -> Bool {
    guard let rule = entry.when else { return true }
    let place = "entries/\(index)/when"
    let start = start(from: from)
    let context = RuleContext(
      state: session.state, responder: start, sender: sender, actor: self.context.actor,
      graph: session.sharedGraph, effort: effort, deliveries: session.deliveries)
    let asked = start.map(Receiver.responder)
    let action = catalog.command(entry.command)?.action
    do throws(RuleFault) {
      let answer = try context.bool(rule, at: place)
      if let asked {
        trace.note(
          .keymap, asked, about: action, answer: .bool(answer),
          rules: context.explained(rule, at: place), refusing: answer ? nil : place)
      }
      return answer
    } catch {
      if let asked {
        trace.note(
          .keymap, asked, about: action, answer: .bool(false), fault: error,
          rules: context.explained(rule, at: place))
      }
      throw error
    }
  }

  /// Returns the declarations that the keymap does not take away on a platform; nil stands for all.
  mutating func left(
    of claims: [KeyClaim], on platform: KeyPlatform?, from: ResponderID?
  ) -> [KeyClaim] {
    guard let keymap, keymap.entries.contains(where: \.isRemoval) else { return claims }
    return claims.filter { !isTakenAway($0, on: platform, from: from) }
  }

  /// Returns true if an entry of the keymap takes a declared key away. One whose rule fails takes nothing away.
  private mutating func isTakenAway(
    _ claim: KeyClaim, on platform: KeyPlatform?, from: ResponderID?
  ) -> Bool {
    guard let keymap, let key = claim.key, let command = catalog.command(keyedBy: claim) else {
      return false
    }
    let platforms = (platform ?? claim.platform).map { [$0] } ?? KeyPlatform.allCases
    effort.spend(keymap.entries.count)
    for (index, entry) in keymap.entries.enumerated()
    where entry.isRemoval && entry.command == command {
      let isOfAllKeys = entry.text == nil
      guard isOfAllKeys || platforms.allSatisfy({ entry.isOf(key, on: $0) }) else { continue }
      if (try? holds(entry, at: index, from: from)) == true { return true }
    }
    return false
  }
}

extension KeymapEntry {
  /// True if its key is the given one on a platform.
  fileprivate func isOf(_ key: KeySequence, on platform: KeyPlatform) -> Bool {
    self.key?[platform]?.normalized == key.normalized
  }
}

extension Catalog {
  /// Returns the command whose declared key it is, or whose action and property list a key command sends; nil for an
  /// entry of a keymap.
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
