extension Session {
  /// The keys claimed more than once on a chain, its key commands against each other and against
  /// those of the menu (K6). Key commands that are not there now do not count (K5).
  ///
  /// - Throws: `MutationFault.unknownResponder` for a start that is not there, and `.tooMuchEffort`.
  public func keyConflicts(
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
  public var keyConflicts: [KeyConflict] {
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
