/// What is odd about a session: nothing that stops it, but what its front end will want to know.
public struct SessionDiagnostics: Equatable, Sendable {
  /// Whom a search asks that begins where searches begin now, in order.
  public let chain: [ResponderID]
  /// Responders whose chain leads back into itself. Links that would close a cycle are refused, so
  /// there are none (R9).
  public let cycles: [[ResponderID]]
  /// Responders whose chain does not end where the others do: at the application or its delegate.
  public let detached: [ResponderID]
  /// Commands that nobody can handle whatever has focus: no responder has a handler for the action,
  /// and no coordinator that the session's search finds.
  public let unhandled: [CommandID]
  /// Handlers on the chain that a nearer responder keeps from being asked.
  public let shadowed: [Shadow]
  /// Rules that fail as the state is now.
  public let failing: [FailingRule]

  /// A handler that is there but not asked, since a nearer responder can answer.
  public struct Shadow: Equatable, Sendable {
    /// The action.
    public let action: Selector
    /// Who is asked first.
    public let winner: Receiver
    /// Who is behind.
    public let shadowed: Receiver
  }

  /// A rule that fails as the state is now; with another state it may not. Rules that ask are tried:
  /// `canPerform` and those of `validate`, for each command with the handler's action, and those about
  /// being first responder. The rules of effects and of supplemental targets are not, since what they
  /// read is known only when they are asked; nor are closures.
  public struct FailingRule: Equatable, Sendable {
    /// Whose rule it is.
    public let receiver: Receiver
    /// The handler's action; nil for a rule of the responder itself.
    public let action: Selector?
    /// The command it was tried for; nil when there is none with this action.
    public let command: CommandID?
    /// Which rule failed, and why.
    public let fault: RuleFault
  }
}
