/// A reason why a session refused a question or a change; the session is as it was before.
///
/// Its description names the fault and what it is about. Programs decide by ``reason`` and ``item``.
public struct SessionFault: Error, Equatable, Sendable {
  /// The fault, whose cases and their values are the engine's own.
  package let fault: MutationFault

  package init(_ fault: MutationFault) { self.fault = fault }

  /// The item of the command that was not performed; nil for another request.
  ///
  /// An enabled item has a ``ValidatedItem/confirmation`` that the user did not answer yet (W4).
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

  /// The trace up to the fault; nil unless one was requested.
  public var trace: Trace? { fault.trace }

  /// The fault of the mutation that was refused, inside of those that tell where it was.
  private var cause: MutationFault {
    var cause = fault
    while case .inList(index: _, let inner) = cause { cause = inner }
    return cause
  }

  /// Returns the result of `body`, and throws its fault as one that embedding programs see.
  static func translating<Result>(
    _ body: () throws(MutationFault) -> Result
  ) throws(SessionFault) -> Result {
    do throws(MutationFault) { return try body() } catch { throw SessionFault(error) }
  }
}

extension SessionFault: CustomStringConvertible {
  /// The fault with its values; for a command that was not performed, its name and the reason.
  public var description: String {
    guard let reason else { return String(describing: cause) }
    return "\(item?.command.rawValue ?? "nothing") is not performed: \(reason)"
  }
}
