package import JSONText

/// A declaration that claims a key.
package struct KeyClaim: Equatable, Sendable {
  /// The holder of a claim.
  package enum Holder: Hashable, Sendable {
    /// A responder, itself or by its class.
    case responder(ResponderID)
    /// All responders of a class, for conflicts within the catalogue.
    case instances(of: ClassName)
    /// A command of the catalogue.
    case command(CommandID)
    /// An entry of the session's keymap (K9).
    case entry(of: KeymapName, index: Int)
  }

  enum Declaration: Equatable, Sendable {
    case keyCommand(KeyCommand, index: Int)
    case command(Command)
    case entry(KeymapEntry, Command)
  }

  package let holder: Holder
  /// The platform of the key; nil for all (M2).
  package let platform: KeyPlatform?
  let declaration: Declaration

  init(holder: Holder, on platform: KeyPlatform? = nil, declaration: Declaration) {
    self.holder = holder
    self.platform = platform
    self.declaration = declaration
  }
}

extension KeyClaim {
  /// The key as declared.
  package var key: KeySequence? {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.key
    case .command(let command): command.key?[platform ?? .apple]
    case .entry(let entry, _): entry.key?[platform ?? .apple]
    }
  }

  package var action: Selector? { keyCommand?.action ?? performed?.action }

  package var title: String? { keyCommand?.title ?? performed?.title }

  package var discoverabilityTitle: String? {
    keyCommand?.discoverabilityTitle ?? performed?.discoverabilityTitle
  }

  /// The alternate of a command (M11); nil for none.
  package var alternate: CommandAlternate? { entry == nil ? performed?.alternate : nil }

  /// The parameters with which it performs a command (P2); nil for none.
  package var parameters: JSONObject? { entry?.parameters }

  /// The command that it performs; nil for a key command, which sends an action.
  package var command: CommandID? { performed?.id }

  private var keyCommand: KeyCommand? {
    if case .keyCommand(let keyCommand, _) = declaration { keyCommand } else { nil }
  }

  private var entry: KeymapEntry? {
    if case .entry(let entry, _) = declaration { entry } else { nil }
  }

  /// The command, declared itself or named by an entry.
  private var performed: Command? {
    switch declaration {
    case .keyCommand: nil
    case .command(let command), .entry(_, let command): command
    }
  }

  /// True if it precedes those without priority (K1).
  package var hasPriority: Bool {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.wantsPriorityOverSystemBehavior
    case .command(let command): command.wantsPriorityOverSystemBehavior
    case .entry: false
    }
  }

  /// True if a rule decides whether it exists (K5).
  package var isConditional: Bool {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.when != nil
    case .command: false
    case .entry(let entry, _): entry.when != nil
    }
  }

  /// True if it matches a key pressed on a platform (K4).
  func matches(_ pressed: KeySequence, on platform: KeyPlatform) -> Bool {
    match(pressed, on: platform) == .whole
  }

  /// Returns the match of the strokes pressed so far on a platform (K4, K8); nil for none.
  func match(_ pressed: KeySequence, on platform: KeyPlatform) -> KeySequence.Match? {
    (self.platform ?? platform) == platform ? key?.match(pressed) : nil
  }
}

extension KeyClaim {
  /// Returns the description of its sender: kind `key`, the key as declared, and for a responder's key command
  /// its action, property list and declarer.
  func description(besides given: SenderDescription?) -> SenderDescription {
    var members = given?.members ?? JSONObject()
    members["kind"] = "key"
    members["input"] = key.map { .string($0.last.input) }
    members["modifiers"] = key?.last.modifiers.json
    if let key, !key.rest.isEmpty { members["strokes"] = key.json }
    if let keyCommand {
      members["action"] = .string(keyCommand.action.rawValue)
      members["title"] = keyCommand.title.map(JSON.string)
      members["propertyList"] = keyCommand.propertyList
      members["declaredBy"] = declarer.map { .string($0.rawValue) }
    }
    return SenderDescription(responder: given?.responder, members: members)
  }

  /// Returns the sender of its action.
  func sender(besides given: SenderDescription?) -> Sender {
    Sender(command: performed, description: description(besides: given))
  }

  /// True if it is declared, by a command or a key command; false for an entry of a keymap.
  var isDeclaration: Bool { if case .entry = holder { false } else { true } }

  /// True if it performs a command.
  package var isOfCommand: Bool { command != nil }

  /// The responder that declares it.
  var declarer: ResponderID? {
    switch holder {
    case .responder(let id): id
    case .instances, .command, .entry: nil
    }
  }
}

/// The claims of keys in order of precedence (K1).
struct KeyClaims {
  let ordered: [KeyClaim]

  /// The effort of each claim.
  static let effort = 16

  /// Creates the claims in order: those with priority first, then the keymap's, the last entry first (K9), then the
  /// responders', nearest first, then the commands' in menu order.
  ///
  /// Those with priority have the same order among themselves (a decision: K1 does not place a menu command
  /// with priority; the flag would have no effect if it came last).
  init(
    ofKeymap keymap: [KeyClaim] = [], ofResponders responders: [KeyClaim],
    ofCommands commands: [KeyClaim]
  ) {
    let claims = responders + commands
    ordered = claims.filter(\.hasPriority) + keymap + claims.filter { !$0.hasPriority }
  }
}

extension Catalog {
  /// The claims of main menu commands, in menu order. Commands in no menu follow in declaration order (a
  /// decision: they are not limited to context menus). Commands in context menus only have no claims (M3).
  /// One that is in menus by items from data only is in none itself (M12).
  var keyClaimsInMenuOrder: [KeyClaim] {
    let standing = Set(menus.commands(in: .all))
    let others = commands.map(\.id).filter { !standing.contains($0) }
    var met: Set<CommandID> = []
    let ids = (menus.commands(in: .main) + others).filter { met.insert($0).inserted }
    return ids.compactMap(command).flatMap(\.keyClaims)
  }
}

extension Command {
  /// The claims of its key and of each alternate, which adds the alternate's modifiers (M11); for each platform
  /// with a key of its own.
  var keyClaims: [KeyClaim] {
    guard let key, action != nil else { return [] }
    return key.byPlatform.flatMap { platform, key in
      var taken: Set<KeyModifiers> = [key.last.modifiers]
      let reachable = alternates.filter { alternate in
        taken.insert(key.last.modifiers.union(alternate.modifiers)).inserted
      }
      return ([self] + reachable.map(becoming)).map { command in
        KeyClaim(holder: .command(id), on: platform, declaration: .command(command))
      }
    }
  }
}

extension Inquiry {
  /// Returns the claims of a responder: its own, then those of its class. With `key`, only claims of that key or of
  /// longer keys that begin with it.
  func keyClaims(of id: ResponderID, matching key: KeySequence? = nil) -> [KeyClaim] {
    guard let position = session.graph.position(of: id) else { return [] }
    let keyCommands =
      session.graph.responders[position].keyCommands
      + catalog.classes.keyCommands(of: session.graph.responders[position].className)
    effort.spend(1 + keyCommands.count)
    return keyCommands.enumerated().compactMap { index, keyCommand in
      if let key, keyCommand.key.match(key) == nil { return nil }
      effort.spend(KeyClaims.effort)
      return KeyClaim(
        holder: .responder(id),
        declaration: .keyCommand(keyCommand.localized(in: catalog), index: index))
    }
  }
}
