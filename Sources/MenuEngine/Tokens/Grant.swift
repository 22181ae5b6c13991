package import JSONText

/// The rights of a token and their limits, and its holder (T1).
package struct Grant: Hashable, Sendable, Codable {
  package let rights: Rights
  /// The places of the state that may be patched, including everything below; nil for the whole state.
  package let pointers: [JSONPointer]?
  /// The commands that are visible to the token; nil for all.
  package let commands: [CommandPattern]?
  /// The expiry time in milliseconds since 1970-01-01T00:00:00Z; nil for never.
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

  /// All rights in a session, as for its first token.
  package static let ofSession = Grant(.all, to: .session)
  /// All rights, as for an administrator's token.
  package static let ofAdministrator = Grant(.all, to: .administrator)

  /// The first part of a grant that exceeds another one (T2).
  package enum Excess: Equatable, Sendable {
    case kind
    case right(Right)
    case pointer(Int)
    case command(Int)
    case expiry
  }

  /// Returns the first part of this grant that exceeds another one; nil if nothing does.
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

  /// Returns true if a command is visible to the token.
  package func shows(_ command: CommandID) -> Bool {
    commands?.contains { $0.matches(command) } ?? true
  }

  /// True if the token may patch a place of the state.
  package func allowsPatch(at place: JSONPointer) -> Bool {
    pointers?.contains { $0.contains(place) } ?? true
  }
}
