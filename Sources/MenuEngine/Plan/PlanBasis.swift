import CEL
import JSONText

/// The basis of a plan besides the state: where searches lead.
///
/// Values are compared by the address of their storage. The plan retains its basis, so that no
/// other value can take that address, and changing the value copies it.
struct PlanBasis: Sendable {
  /// The responder at which searches begin.
  let start: ResponderID?
  private let commands: [Command]
  private let catalogEdition: Int
  private let graph: ResponderGraph
  private let windows: [WindowRole: ResponderID]
  private let focusBehind: ResponderID?
  private let search: ResponderSearch

  init(_ moment: PlanMoment, _ variant: PlanVariant, from: ResponderID?) {
    let session = moment.session
    commands = moment.catalog.commands
    catalogEdition = moment.catalogEdition
    graph = session.graph
    start = session.searchStart(from: from, sender: variant.sender)
    windows = session.windows
    focusBehind = session.focusBehind
    search = session.search
  }

  /// True if it is about the same commands and classes of responders.
  func isAbout(_ moment: PlanMoment) -> Bool {
    let others = moment.catalog.commands
    return catalogEdition == moment.catalogEdition && commands.span.isIdentical(to: others.span)
  }

  /// Returns the resemblance to a session, from 0 to 3, by what a few steps can compare: where
  /// searches begin, the class of that responder, the number of responders.
  func resemblance(to session: Session, _ variant: PlanVariant) -> Int {
    let other = session.searchStart(from: nil, sender: variant.sender)
    let ofClass = start.flatMap { graph.className(of: $0) }
    return [
      start == other, ofClass == other.flatMap { session.graph.className(of: $0) },
      graph.count == session.graph.count,
    ].reduce(0) { $0 + ($1 ? 1 : 0) }
  }

  /// True if the responders are the same, with all that they have.
  func hasResponders(of session: Session) -> Bool {
    graph.responders.isIdentical(to: session.graph.responders)
      && graph.nextPositions.isIdentical(to: session.graph.nextPositions)
  }

  /// Returns the responders whose properties may be others, when they are the same apart from that;
  /// nil when they may not be.
  func changedProperties(in session: Session) -> Set<ResponderID>? {
    guard graph.nextPositions.isIdentical(to: session.graph.nextPositions) else { return nil }
    return session.graph.responders.changedProperties(since: graph.responders)
  }

  /// True if, with the same responders, searches begin and go on at the same ones.
  func hasFocus(of session: Session, _ variant: PlanVariant, from: ResponderID?) -> Bool {
    guard search == session.search,
      start == session.searchStart(from: from, sender: variant.sender)
    else { return false }
    return switch search {
    case .uikit: true
    case .appkit: windows == session.windows && focusBehind == session.focusBehind
    }
  }
}

/// A session and the catalogue as a plan is asked about them, with numbers that tell their editions apart.
///
/// An object, since both are large to copy.
package final class PlanMoment: Sendable {
  /// The session.
  package let session: Session
  /// The catalogue.
  package let catalog: Catalog
  /// The number of the session's edition: equal numbers are equal sessions.
  package let sessionEdition: Int
  /// The number of the catalogue's edition: equal numbers are equal catalogues.
  package let catalogEdition: Int

  /// A session and the catalogue.
  ///
  /// - Parameters:
  ///   - sessionEdition: The default is the session's revision, which is enough where no accepted mutation
  ///     is ever rolled back.
  ///   - catalogEdition: The default is the catalogue's revision.
  package init(
    _ session: Session, in catalog: Catalog, sessionEdition: Int? = nil, catalogEdition: Int? = nil
  ) {
    self.session = session
    self.catalog = catalog
    self.sessionEdition = sessionEdition ?? session.revision
    self.catalogEdition = catalogEdition ?? catalog.revision
  }

  /// Returns the moment as it would be if a window were key (R11); the same for nil.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  func withKeyWindow(_ window: ResponderID?) throws(MutationFault) -> PlanMoment {
    guard let window, window != session.keyWindow else { return self }
    return PlanMoment(
      try session.withKeyWindow(window), in: catalog, sessionEdition: sessionEdition,
      catalogEdition: catalogEdition)
  }
}

/// The asker of a validation; there is a table for each.
struct PlanVariant: Sendable {
  let sender: SenderDescription?
  let window: ResponderID?
  let modifiers: KeyModifiers

  init(_ request: ValidationRequest) {
    sender = request.sender
    window = request.window
    modifiers = request.modifiers
  }

  /// True if rules see the same of both, to the byte.
  func isSame(as other: PlanVariant) -> Bool {
    guard modifiers == other.modifiers, window == other.window,
      sender?.responder == other.sender?.responder
    else { return false }
    return switch (sender?.members, other.sender?.members) {
    case (nil, nil): true
    case (let members?, let others?): JSON.object(members).isWritten(as: .object(others))
    case (nil, _?), (_?, nil): false
    }
  }
}

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
