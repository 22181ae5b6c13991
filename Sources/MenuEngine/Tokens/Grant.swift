package import JSONText

/// The rights of a token and their limits, and its holder (T1).
package struct Grant: Hashable, Sendable, Codable {
  package let rights: Rights
  /// The places of the state that may be patched, with everything below; nil for the whole state.
  package let pointers: [JSONPointer]?
  /// The commands that exist for the token; nil for all.
  package let commands: [CommandPattern]?
  /// The time from which on the token is invalid, in milliseconds since 1970-01-01T00:00:00Z; nil for never.
  package let expiry: Int64?
  package let principal: Principal

  package init(
    _ rights: Rights, to principal: Principal, pointers: [JSONPointer]? = nil,
    commands: [CommandPattern]? = nil, expiry: Int64? = nil
  ) {
    self.rights = rights
    self.pointers = pointers
    self.commands = commands
    self.expiry = expiry
    self.principal = principal
  }

  /// Returns the same grant to another holder.
  package func held(by principal: Principal) -> Grant {
    Grant(rights, to: principal, pointers: pointers, commands: commands, expiry: expiry)
  }

  /// Everything in a session, as its first token allows.
  package static let ofSession = Grant(.all, to: .session)
  /// Everything, as an administrator's token allows.
  package static let ofAdministrator = Grant(.all, to: .administrator)

  /// The first part of a grant that is more than another one allows (T2).
  package enum Excess: Equatable, Sendable {
    case kind
    case right(Right)
    case pointer(Int)
    case command(Int)
    case expiry
  }

  /// Returns what this grant allows beyond another one; nil if nothing.
  package func excess(over other: Grant) -> Excess? {
    guard principal.kind.isGiven(by: other.principal.kind) else { return .kind }
    if let right = rights.subtracting(other.rights).list.first { return .right(right) }
    if let allowed = other.pointers, rights.contains(.patch) {
      let beyond = (pointers ?? [.root]).firstIndex { new in
        !allowed.contains { $0.contains(new) }
      }
      if let beyond { return .pointer(beyond) }
    }
    if let allowed = other.commands {
      let beyond = (commands ?? []).firstIndex { new in !allowed.contains { $0.covers(new) } }
      if let beyond { return .command(beyond) }
      if commands == nil { return .command(0) }
    }
    guard let end = other.expiry, expiry.map({ $0 > end }) ?? true else { return nil }
    return .expiry
  }

  /// True if a command exists for the token.
  package func shows(_ command: CommandID) -> Bool {
    commands?.contains { $0.matches(command) } ?? true
  }

  /// True if the token may patch a place of the state.
  package func allowsPatch(at place: JSONPointer) -> Bool {
    pointers?.contains { $0.contains(place) } ?? true
  }
}
