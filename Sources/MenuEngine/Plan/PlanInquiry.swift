import JSONText

/// The inquiry of a plan; its parts are made when there is something to ask.
struct PlanInquiry {
  let session: Session
  let catalog: Catalog
  let variant: PlanVariant
  let writeFault: ValidationPlan.FaultWriter
  /// Counts what each question takes, which is as much as a request may at the most.
  let effort = Effort()
  private var general: General?
  private var ofState: OfState?

  init(
    _ moment: PlanMoment, for variant: PlanVariant,
    writingFaults writeFault: @escaping ValidationPlan.FaultWriter
  ) {
    session = moment.session
    catalog = moment.catalog
    self.variant = variant
    self.writeFault = writeFault
  }

  /// An inquiry that is changed where it is, since it is large.
  final class General {
    var inquiry: Inquiry
    init(_ inquiry: Inquiry) { self.inquiry = inquiry }
  }

  /// The values of rules that read the state alone.
  private final class OfState {
    private let context: RuleContext
    init(_ context: RuleContext) { self.context = context }

    func answer(of rule: ItemRule) throws(RuleFault) -> PartAnswer {
      try context.answer(of: rule.rule, for: rule.part)
    }
  }

  /// A command as it is while the modifiers are held.
  func command(at position: Int) -> Command {
    catalog.commands[position].whileHolding(variant.modifiers)
  }

  /// The action that a command sends.
  func action(ofCommandAt position: Int) -> Selector? {
    catalog.commands[position].action(whileHolding: variant.modifiers)
  }

  /// Asks on behalf of the command at a position, and has noted nothing yet.
  mutating func inquiry(forCommandAt position: Int) -> General {
    let general =
      self.general ?? General(session.inquiry(in: SessionContext(catalog, effort: effort)))
    self.general = general
    general.inquiry.source = .command(position, variant.modifiers, variant.sender)
    general.inquiry.readings = Readings()
    return general
  }

  /// Returns the answer of a rule that reads the state alone.
  mutating func answer(of rule: ItemRule) throws(RuleFault) -> PartAnswer {
    if let ofState { return try ofState.answer(of: rule) }
    let reader = OfState(
      RuleContext(
        state: session.state, responder: nil, sender: nil, responders: ResponderGraph(),
        effort: effort))
    ofState = reader
    return try reader.answer(of: rule)
  }

  /// Returns the answer of a rule for a command's item.
  mutating func answer(
    of rule: ItemRule, forCommandAt position: Int, to implementer: ResponderID
  ) throws(RuleFault) -> PartAnswer {
    let asking = inquiry(forCommandAt: position)
    return try asking.inquiry.context(for: implementer).answer(of: rule.rule, for: rule.part)
  }

  /// Counts what is asked from now on.
  func beginCounting() { effort.reset() }
}
