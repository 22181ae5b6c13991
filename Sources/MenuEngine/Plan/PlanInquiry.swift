import JSONText

/// The inquiry of a plan; its parts are made when there is something to ask.
struct PlanInquiry {
  let variant: PlanVariant
  let write: ValidationPlan.ItemWriter
  /// Counts what each question takes, which is as much as a request may at the most.
  let effort = Effort()
  private var general: General?
  private var ofState: OfState?

  init(_ variant: PlanVariant, _ write: @escaping ValidationPlan.ItemWriter) {
    self.variant = variant
    self.write = write
  }

  /// An inquiry that is changed where it is, since it is large.
  final class General {
    var inquiry: Inquiry
    init(_ inquiry: Inquiry) { self.inquiry = inquiry }
  }

  /// The values of rules that read the state alone.
  final class OfState {
    private let context: RuleContext
    init(_ context: RuleContext) { self.context = context }

    func answer(of rule: Rule, for part: ItemPart) throws(RuleFault) -> PartAnswer {
      try context.answer(of: rule, for: part)
    }
  }

  /// Asks on behalf of the command at a position, and has noted nothing yet.
  mutating func inquiry(
    forCommandAt position: Int, _ session: Session, _ catalog: Catalog
  ) -> General {
    let general =
      self.general ?? General(session.inquiry(in: SessionContext(catalog, effort: effort)))
    self.general = general
    general.inquiry.source = .command(position, variant.modifiers, variant.sender)
    general.inquiry.readings = Readings()
    return general
  }

  /// Returns the values of rules that read the state alone.
  mutating func reader(ofStateOf session: Session) -> OfState {
    if let ofState { return ofState }
    let reader = OfState(
      RuleContext(
        state: session.state, responder: nil, sender: nil, responders: ResponderGraph(),
        effort: effort))
    ofState = reader
    return reader
  }

  /// Counts what is asked from now on.
  func beginCounting() { effort.reset() }
}
