import JSONText

/// What a plan asks a session with; made when there is something to ask.
struct PlanInquiry {
  /// Counts what each question takes.
  let effort = Effort(limit: .max)
  private var general: Inquiry?
  private var ofState: RuleContext?

  init() {}

  /// Asks on behalf of a command.
  mutating func inquiry(
    for command: Command, _ variant: PlanVariant, _ session: Session, _ catalog: Catalog
  ) -> Inquiry {
    var inquiry =
      general ?? session.inquiry(in: catalog, sender: nil, false, effort)
    general = inquiry
    inquiry.sender = Sender(command: command, description: variant.sender)
    return inquiry
  }

  /// What rules read that read the state alone.
  mutating func context(ofStateOf session: Session) -> RuleContext {
    if let ofState { return ofState }
    let context = RuleContext(
      state: session.state, responder: nil, sender: nil, responders: ResponderGraph(),
      effort: effort)
    ofState = context
    return context
  }
}
