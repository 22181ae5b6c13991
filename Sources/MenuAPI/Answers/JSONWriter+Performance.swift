import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes the members that say what became of a command or an action.
  mutating func members(
    _ performance: Outcome.Performance, of subject: ActionRequest.Subject, in session: Session
  ) {
    member("performed", performance.isPerformed)
    member("reason", performance.reason.rawValue)
    if case .command(let id) = subject { member("command", id.rawValue) }
    member("action", performance.invocation.originalSelector.rawValue)
    member("target", performance.target.description)
    optionalMember("proxied", performance.proxied?.rawValue)
    member("invocation")
    value(performance.invocation, in: session)
  }

  /// Writes a message as it arrived.
  private mutating func value(_ invocation: Invocation, in session: Session) {
    beginObject()
    member("target", invocation.target)
    member("selector", invocation.selector.rawValue)
    member("originalSelector", invocation.originalSelector.rawValue)
    member("arguments", .array(invocation.arguments))
    member("sender", session.value(of: invocation.sender))
    member("when")
    if let when = invocation.when { value(Timestamp(milliseconds: when).text) } else { null() }
    endObject()
  }
}
