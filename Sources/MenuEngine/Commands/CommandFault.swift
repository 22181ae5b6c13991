import JSONText

/// A reason why a command is not performed.
package enum CommandFault: Error, Equatable, Sendable {
  /// The command is disabled, or no responder handles the action (M7).
  case notPerformed(Refusal)
  /// The command requires a confirmation that the request lacks (W4).
  case needsConfirmation(ValidatedItem, Confirmation)
  /// The plan has already been performed (T6).
  case planPerformed
  /// No match of a pressed key can be performed (K3).
  case keyNotPerformed(KeyResolution)
  /// The parameters of a command do not match its present schema (P2, P4).
  case invalidParameters(CommandID, ParameterFaults)
  /// Parameters are given to a command that takes none, or with an action.
  case noParameters(CommandID?)
  /// A key performs a command that needs parameters, and gives none (P3).
  case keyLacksParameters(CommandID, ParameterFaults)
}

extension CommandFault {
  /// The command or action at fault.
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
