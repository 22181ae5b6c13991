import CEL
import JSONText

/// The inquiry of a plan about one moment; its parts are made when there is something to ask.
final class PlanInquiry {
  let moment: PlanMoment
  let variant: PlanVariant
  let writeFault: ValidationPlan.FaultWriter
  /// Counts the effort of each question, which may be as much as a whole request's.
  let effort = Effort()
  private var general: General?
  private var context: RuleContext?

  init(
    _ moment: PlanMoment, for variant: PlanVariant,
    writingFaults writeFault: @escaping ValidationPlan.FaultWriter
  ) {
    self.moment = moment
    self.variant = variant
    self.writeFault = writeFault
  }

  /// An inquiry that is changed where it is, since it is large.
  final class General {
    var inquiry: Inquiry
    init(_ inquiry: Inquiry) { self.inquiry = inquiry }
  }

  /// A command as it is while the modifiers are held.
  func command(at position: Int) -> Command {
    moment.catalog.commands[position].whileHolding(variant.modifiers)
  }

  /// The action that a command sends.
  func action(ofCommandAt position: Int) -> Selector? {
    moment.catalog.commands[position].action(whileHolding: variant.modifiers)
  }

  /// Asks on behalf of the command at a position, and has noted nothing yet.
  func inquiry(forCommandAt position: Int) -> General {
    let general =
      self.general
      ?? General(moment.session.inquiry(in: SessionContext(moment.catalog, effort: effort)))
    self.general = general
    general.inquiry.source = .command(position, variant.modifiers, variant.sender)
    general.inquiry.readings = Readings()
    return general
  }

  /// Returns the answer of a rule that reads the state alone.
  func answer(of rule: ItemRule) throws(RuleFault) -> PartAnswer {
    var steps = 0
    let state = Rule.Root.state.rawValue
    if let value = rule.rule.program.value(
      addingStepsTo: &steps, in: moment.session.state, at: state),
      let answer = PartAnswer(value, for: rule.part)
    {
      effort.spend(steps)
      return answer
    }
    return try stateContext().answer(of: rule.rule, for: rule.part)
  }

  /// Returns the values of rules that read the state alone, for those that have something unusual to tell.
  private func stateContext() -> RuleContext {
    if let context { return context }
    let context = RuleContext(
      state: moment.session.state, responder: nil, sender: nil, responders: ResponderGraph(),
      effort: effort)
    self.context = context
    return context
  }

  /// Returns the answer of a rule for a command's item.
  func answer(
    of rule: ItemRule, forCommandAt position: Int, to implementer: ResponderID
  ) throws(RuleFault) -> PartAnswer {
    let asking = inquiry(forCommandAt: position)
    return try asking.inquiry.context(for: implementer).answer(of: rule.rule, for: rule.part)
  }

  /// Counts what is asked from now on.
  func beginCounting() { effort.reset() }
}
