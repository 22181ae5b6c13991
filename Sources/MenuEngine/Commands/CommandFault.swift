import JSONText

/// A reason why a command is not performed.
package enum CommandFault: Error, Equatable, Sendable {
  /// The command is disabled, or nobody receives the action (M7).
  case notPerformed(Refusal)
  /// The command's item asks for a confirmation, which the request does not have (W4).
  case needsConfirmation(ValidatedItem, Confirmation)
  /// The plan was performed before (T6).
  case planPerformed
  /// No match of a pressed key can be performed (K3).
  case keyNotPerformed(KeyResolution)
  /// The parameters of a command do not meet its schema (P2), as it is now (P4).
  case invalidParameters(CommandID, ParameterFaults)
  /// Parameters are given to a command that takes none, or with an action.
  case noParameters(CommandID?)
  /// A key means a command that needs parameters, which nobody gives with a key (P3).
  case keyLacksParameters(CommandID, ParameterFaults)
}

extension CommandFault {
  /// The command or action to blame.
  var blame: Blame {
    switch self {
    case .notPerformed(let refusal):
      Blame((refusal.item?.command.rawValue ?? refusal.action?.rawValue).map(JSON.string))
    case .needsConfirmation(let item, _): Blame(.string(item.command.rawValue))
    case .planPerformed, .keyNotPerformed, .invalidParameters, .noParameters, .keyLacksParameters:
      Blame()
    }
  }
}
