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
