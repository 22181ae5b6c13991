import JSONText

/// A key that more than one declaration claims (K6).
package struct KeyConflict: Equatable, Sendable {
  /// The key, with the fewest modifiers with which all of them match.
  package let key: KeyCombination
  /// The platform on which these declarations claim it; nil if they do on all.
  package let platform: KeyPlatform?
  /// The one that is tried first.
  package let winner: KeyClaim
  /// The others in order; one of them gets the key only when all before it are passed over (K3).
  package let shadowed: [Shadow]

  /// A declaration that another one goes before.
  package struct Shadow: Equatable, Sendable {
    /// The declaration.
    package let claim: KeyClaim
    /// The reason why the winner goes before it.
    package let reason: Reason
  }

  /// A reason why one declaration goes before another (K1).
  package enum Reason: String, CaseIterable, Sendable {
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

extension Session {
  /// The keys claimed more than once on a chain, its key commands against each other and against
  /// those of the menu (K6). Key commands that are not there now do not count (K5).
  ///
  /// - Throws: `MutationFault.unknownResponder` for a start that is not there, and `.tooMuchEffort`.
  package func keyConflicts(
    from: ResponderID? = nil, in catalog: Catalog
  ) throws(MutationFault) -> [KeyConflict] {
    try check(from)
    var inquiry = inquiry(in: SessionContext(catalog))
    return try inquiry.keyConflicts(from: from)
  }
}

extension Inquiry {
  fileprivate mutating func keyConflicts(
    from: ResponderID?
  ) throws(MutationFault) -> [KeyConflict] {
    var responders: [KeyClaim] = []
    for claim in order(from: from).flatMap({ keyClaims(of: $0) }) {
      sender = claim.sender(besides: nil)
      if (try? isThere(claim)) != false { responders.append(claim) }
      try effort.check()
    }
    let claims = KeyClaims(ofResponders: responders, ofCommands: catalog.keyClaims)
    return KeyConflict.conflicts(among: claims.ordered)
  }
}

extension Catalog {
  /// The keys claimed more than once whatever is on screen: by commands, and by the key commands
  /// that all instances of a class have, against each other and against the menu (K6). Whether
  /// conditional ones are there at once is not asked.
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
  /// True if one of the first key commands of a class, those that it does not inherit, takes part.
  fileprivate func involves(firstOf count: Int, of name: ClassName) -> Bool {
    ([winner] + shadowed.map(\.claim)).contains { claim in
      guard case .keyCommand(_, let index) = claim.declaration else { return false }
      return index < count && claim.holder == .instances(of: name)
    }
  }
}

/// Somebody's declaration that a key is theirs.
package struct KeyClaim: Equatable, Sendable {
  /// The holder of a claim.
  package enum Holder: Hashable, Sendable {
    /// A responder, by itself or by its class.
    case responder(ResponderID)
    /// All responders of a class, in what is asked of the catalogue alone.
    case instances(of: ClassName)
    /// A command of the catalogue.
    case command(CommandID)
  }

  /// The declaration of a claim.
  enum Declaration: Equatable, Sendable {
    case keyCommand(KeyCommand, index: Int)
    case command(Command)
  }

  /// The holder.
  package let holder: Holder
  /// The platform that the key is for; nil for all (M2).
  package let platform: KeyPlatform?
  let declaration: Declaration

  init(holder: Holder, on platform: KeyPlatform? = nil, declaration: Declaration) {
    self.holder = holder
    self.platform = platform
    self.declaration = declaration
  }
}

extension KeyClaim {
  /// The key as it is declared.
  package var key: KeyCombination? {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.key
    case .command(let command): command.key?[platform ?? .apple]
    }
  }

  /// The action that the key means.
  package var action: Selector? {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.action
    case .command(let command): command.action
    }
  }

  /// The title.
  package var title: String? {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.title
    case .command(let command): command.title
    }
  }

  /// The alternate of a command (M11); nil for none.
  package var alternate: CommandAlternate? {
    switch declaration {
    case .keyCommand: nil
    case .command(let command): command.alternate
    }
  }

  /// True if it comes before those without priority (K1).
  package var hasPriority: Bool {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.wantsPriorityOverSystemBehavior
    case .command(let command): command.wantsPriorityOverSystemBehavior
    }
  }

  /// True if a rule decides if it is there (K5).
  package var isConditional: Bool {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.when != nil
    case .command: false
    }
  }

  /// True if it matches a key that is pressed on a platform (K4).
  func matches(_ pressed: KeyCombination, on platform: KeyPlatform) -> Bool {
    (self.platform ?? platform) == platform && key?.matches(pressed) == true
  }
}

extension KeyClaim {
  /// Returns the sender of its action: kind `key`, the key as declared, and for a key command of a
  /// responder its action and property list, and its declarer.
  func description(besides given: SenderDescription?) -> SenderDescription {
    var members = given?.members ?? JSONObject()
    members["kind"] = "key"
    members["input"] = key.map { .string($0.input) }
    members["modifiers"] = key?.modifiers.json
    switch declaration {
    case .command: break
    case .keyCommand(let keyCommand, _):
      members["action"] = .string(keyCommand.action.rawValue)
      members["title"] = keyCommand.title.map(JSON.string)
      members["propertyList"] = keyCommand.propertyList
      members["declaredBy"] = declarer.map { .string($0.rawValue) }
    }
    return SenderDescription(responder: given?.responder, members: members)
  }

  /// The sender of its action.
  func sender(besides given: SenderDescription?) -> Sender {
    let description = description(besides: given)
    switch declaration {
    case .command(let command): return Sender(command: command, description: description)
    case .keyCommand: return Sender(command: nil, description: description)
    }
  }

  /// The responder that declares it.
  var declarer: ResponderID? {
    switch holder {
    case .responder(let id): id
    case .instances, .command: nil
    }
  }
}

/// Claims of keys in the order in which they are asked (K1).
struct KeyClaims {
  /// The claims, the first one first.
  let ordered: [KeyClaim]

  /// The effort of having one more.
  static let effort = 16

  /// Those with priority first, then the responders', the nearest one's first, then the commands'
  /// in menu order.
  ///
  /// Among those with priority the same order holds (a decision: K1 does not say where a command of
  /// the menu with priority stands; its member would mean nothing if it came last).
  init(ofResponders responders: [KeyClaim], ofCommands commands: [KeyClaim]) {
    let claims = responders + commands
    ordered = claims.filter(\.hasPriority) + claims.filter { !$0.hasPriority }
  }
}

extension Catalog {
  /// The claims of commands of the main menu, in menu order; those that stand in no menu come last,
  /// in the order of their declaration (a decision: they are not limited to context menus). A
  /// command that stands in context menus alone claims nothing (M3).
  var keyClaimsInMenuOrder: [KeyClaim] {
    let standing = Set(menus.commands)
    let others = commands.map(\.id).filter { !standing.contains($0) }
    var met: Set<CommandID> = []
    let ids = (menus.commands(in: .main) + others).filter { met.insert($0).inserted }
    return ids.compactMap(command).flatMap(\.keyClaims)
  }
}

extension Command {
  /// Its key, and that of each alternate: the same with the alternate's modifiers held too (M11);
  /// where keys differ by platform, those of each.
  var keyClaims: [KeyClaim] {
    guard let key, action != nil else { return [] }
    return key.byPlatform.flatMap { platform, key in
      var taken: Set<KeyModifiers> = [key.modifiers]
      let reachable = alternates.filter { alternate in
        taken.insert(key.modifiers.union(alternate.modifiers)).inserted
      }
      return ([self] + reachable.map(becoming)).map { command in
        KeyClaim(holder: .command(id), on: platform, declaration: .command(command))
      }
    }
  }
}

extension Inquiry {
  /// Returns the claims of a responder: its own, then those of its class; when a key is given, only
  /// those that match it.
  func keyClaims(of id: ResponderID, matching key: KeyCombination? = nil) -> [KeyClaim] {
    guard let responder = session.graph[id] else { return [] }
    let keyCommands = responder.keyCommands + catalog.classes.keyCommands(of: responder.className)
    effort.spend(1 + keyCommands.count)
    return keyCommands.enumerated().compactMap { index, keyCommand in
      guard key.map(keyCommand.key.matches) != false else { return nil }
      effort.spend(KeyClaims.effort)
      return KeyClaim(holder: .responder(id), declaration: .keyCommand(keyCommand, index: index))
    }
  }
}
