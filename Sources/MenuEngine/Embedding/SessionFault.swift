import JSONSchema
public import JSONText

/// A reason why a session refused a request; the session is unchanged.
///
/// Its description is for people. Programs use ``reason``, ``item``, ``confirmation``, ``invalidParameters`` and
/// ``rule``.
public struct SessionFault: Error, Equatable, Sendable {
  /// The engine's own fault.
  package let fault: MutationFault

  package init(_ fault: MutationFault) { self.fault = fault }

  /// The item of the command that was not performed; nil for another request.
  public var item: ValidatedItem? {
    switch cause {
    case .command(.notPerformed(let refusal)): refusal.item
    case .command(.needsConfirmation(let item, _)): item
    case .command(.keyNotPerformed(let resolution)): resolution.tried.first?.item
    default: nil
    }
  }

  /// The reason why a command, an action or a key was not performed; nil for another fault.
  public var reason: ValidationReason? {
    switch cause {
    case .command(.notPerformed(let refusal)): refusal.reason
    case .command(.keyNotPerformed(let resolution)): resolution.reason
    default: nil
    }
  }

  /// The confirmation that the command requires and the request lacks (W4); nil for another fault.
  public var confirmation: Confirmation? {
    if case .command(.needsConfirmation(_, let confirmation)) = cause { confirmation } else { nil }
  }

  /// The places in the parameters that do not meet the command's schema (P2); empty for another fault.
  public var invalidParameters: [JSONPointer] { parameterFaults.map(\.pointer) }

  /// The rule or closure that failed; nil for another fault.
  public var rule: RuleFault? { fault.rule }

  /// The trace up to the fault; nil unless one was requested.
  public var trace: Trace? { fault.trace }

  /// The innermost fault, without the faults around it that only add a position.
  private var cause: MutationFault {
    var cause = fault
    while true {
      switch cause {
      case .inList(index: _, let inner), .launching(let inner),
        .message(.queuedMessage(index: _, _, from: _, let inner)):
        cause = inner
      default: return cause
      }
    }
  }

  private var parameterFaults: [ValueFault] {
    switch cause {
    case .command(.invalidParameters(_, let faults)), .command(.keyLacksParameters(_, let faults)):
      faults.values.faults
    default: []
    }
  }

  /// Returns the result of `body`, and converts its fault for embedding programs.
  static func translating<Result>(
    _ body: () throws(MutationFault) -> Result
  ) throws(SessionFault) -> Result {
    do throws(MutationFault) { return try body() } catch { throw SessionFault(error) }
  }
}

extension MutationFault {
  /// The rule or closure that failed; nil for another fault.
  fileprivate var rule: RuleFault? {
    switch self {
    case .command(.notPerformed(let refusal)): refusal.fault ?? refusal.item?.fault
    case .command(.keyNotPerformed(let resolution)): resolution.tried.first?.fault
    case .effect(.rule(_, _, let fault)), .focus(.firstResponderRule(_, let fault)): fault
    case .effect(.mutation(_, _, index: _, let inner)), .inList(index: _, let inner),
      .launching(let inner), .message(.queuedMessage(index: _, _, from: _, let inner)):
      inner.rule
    default: nil
    }
  }
}

extension SessionFault: CustomStringConvertible {
  /// The fault in words; for a command that was not performed, its name and the reason.
  public var description: String {
    switch cause {
    case .command(.notPerformed(let refusal)):
      let name = refusal.item?.command.rawValue ?? refusal.action?.rawValue
      return "\(name ?? "the action") is not performed: \(refusal.reason)" + failure
    case .command(.keyNotPerformed(let resolution)):
      let name = resolution.tried.first?.item?.command.rawValue
      return "\(name ?? "the key") is not performed: \(resolution.reason)" + failure
    case .command(.needsConfirmation(let item, let confirmation)):
      return "\(item.command) needs a confirmation: \(confirmation.title)"
    case .command(.invalidParameters(let command, _)),
      .command(.keyLacksParameters(let command, _)):
      let faults = parameterFaults.map { describe($0.reason, at: $0.pointer) }
      return "\(command) has invalid parameters: \(faults.joined(separator: "; "))"
    case .effect(.rule(let receiver, let action, let fault)):
      return "\(action) of \(receiver) failed: \(fault)"
    default: return describe(cause)
    }
  }

  private var failure: String { rule.map { ", \($0)" } ?? "" }
}
