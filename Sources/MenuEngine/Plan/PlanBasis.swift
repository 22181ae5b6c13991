import CEL
import JSONText

/// The parts of a session, besides the state, that a plan depends on for its searches.
///
/// Values are compared by the address of their storage. The plan retains them, so that no other value can take
/// that address, and changing a value copies it.
struct PlanBasis: Sendable {
  /// The responder where searches begin.
  let start: ResponderID?
  private let commands: [Command]
  private let catalogEdition: Int
  /// The texts in the language of the session (M14); nil if they are as declared.
  private let localization: Localization?
  private let graph: ResponderGraph
  private let windows: [WindowRole: ResponderID]
  private let firstResponder: ResponderID?
  private let focusBehind: FocusBehind?
  private let search: ResponderSearch

  init(_ moment: PlanMoment, _ variant: PlanVariant, from: ResponderID?) {
    let session = moment.session
    commands = moment.catalog.commands
    catalogEdition = moment.catalogEdition
    localization = moment.catalog.localization
    graph = session.graph
    start = session.searchStart(from: from, sender: variant.sender)
    windows = session.windows
    firstResponder = session.firstResponder
    focusBehind = session.focusBehind
    search = session.search
  }

  /// True if the commands, the classes and the language are the same.
  func isAbout(_ moment: PlanMoment) -> Bool {
    let others = moment.catalog.commands
    return catalogEdition == moment.catalogEdition && localization === moment.catalog.localization
      && commands.span.isIdentical(to: others.span)
  }

  /// Returns the similarity to a session, 0 to 3, from a few comparisons: the start of searches, the class of
  /// that responder, the number of responders. In another language nothing can be reused.
  func resemblance(to session: Session, in catalog: Catalog, _ variant: PlanVariant) -> Int {
    guard localization === catalog.localization else { return 0 }
    let other = session.searchStart(from: nil, sender: variant.sender)
    let ofClass = start.flatMap { graph.className(of: $0) }
    return [
      start == other, ofClass == other.flatMap { session.graph.className(of: $0) },
      graph.count == session.graph.count,
    ].reduce(0) { $0 + ($1 ? 1 : 0) }
  }

  /// True if the responders are the same, with all their parts.
  func hasResponders(of session: Session) -> Bool {
    graph.responders.isIdentical(to: session.graph.responders)
      && graph.nextPositions.isIdentical(to: session.graph.nextPositions)
  }

  /// Returns the responders whose properties may differ, if nothing else differs; else nil.
  func changedProperties(in session: Session) -> Set<ResponderID>? {
    guard graph.nextPositions.isIdentical(to: session.graph.nextPositions) else { return nil }
    return session.graph.responders.changedProperties(since: graph.responders)
  }

  /// True if, for equal responders, searches have the same start and order.
  func hasFocus(of session: Session, _ variant: PlanVariant, from: ResponderID?) -> Bool {
    guard search == session.search,
      start == session.searchStart(from: from, sender: variant.sender)
    else { return false }
    return switch search {
    case .uikit: true
    case .appkit:
      windows == session.windows && firstResponder == session.firstResponder
        && focusBehind == session.focusBehind
    }
  }
}

/// A session and a catalogue, with version numbers that identify their contents.
///
/// A class, since both values are large to copy.
package final class PlanMoment: Sendable {
  package let session: Session
  package let catalog: Catalog
  /// The version of the session: equal numbers mean equal sessions.
  package let sessionEdition: Int
  /// The version of the catalogue: equal numbers mean equal catalogues.
  package let catalogEdition: Int

  /// Creates a snapshot of a session and a catalogue.
  ///
  /// - Parameters:
  ///   - sessionEdition: The default is the session's revision, which is sufficient if accepted mutations are
  ///     never rolled back.
  ///   - catalogEdition: The default is the catalogue's revision.
  package init(
    _ session: Session, in catalog: Catalog, sessionEdition: Int? = nil, catalogEdition: Int? = nil
  ) {
    self.sessionEdition = sessionEdition ?? session.revision
    self.catalogEdition = catalogEdition ?? catalog.revision
    self.catalog = catalog.localized(for: session)
    self.session = session
  }

  /// Returns the snapshot with a window treated as key (R11); nil for no change.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  func withKeyWindow(_ window: ResponderID?) throws(MutationFault) -> PlanMoment {
    guard let window, window != session.keyWindow else { return self }
    return PlanMoment(
      try session.withKeyWindow(window), in: catalog, sessionEdition: sessionEdition,
      catalogEdition: catalogEdition)
  }
}

/// The sender, actor, window and modifiers of a validation; each combination has a table.
struct PlanVariant: Sendable {
  let sender: SenderDescription?
  let actor: Principal
  let window: ResponderID?
  let modifiers: KeyModifiers

  init(_ request: ValidationRequest) {
    sender = request.sender
    actor = request.actor
    window = request.window
    modifiers = request.modifiers
  }

  /// True if rules cannot tell them apart, to the byte.
  func isSame(as other: PlanVariant) -> Bool {
    guard modifiers == other.modifiers, window == other.window, actor == other.actor,
      sender?.responder == other.sender?.responder
    else { return false }
    return switch (sender?.members, other.sender?.members) {
    case (nil, nil): true
    case (let members?, let others?): JSON.object(members).isWritten(as: .object(others))
    case (nil, _?), (_?, nil): false
    }
  }
}

/// The inquiry of a plan about one snapshot; its parts are created on first use.
final class PlanInquiry {
  let moment: PlanMoment
  let variant: PlanVariant
  let writeFault: ValidationPlan.FaultWriter
  /// Counts the effort of each question separately, each up to a whole request's.
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

  /// An inquiry that is mutated in place, since it is large.
  final class General {
    var inquiry: Inquiry
    init(_ inquiry: Inquiry) { self.inquiry = inquiry }
  }

  /// Returns a command with the held modifiers applied.
  func command(at position: Int) -> Command {
    moment.catalog.commands[position].whileHolding(variant.modifiers)
  }

  /// Returns the action of a command.
  func action(ofCommandAt position: Int) -> Selector? {
    moment.catalog.commands[position].action(whileHolding: variant.modifiers)
  }

  /// Returns the inquiry for the command at a position, without earlier readings.
  func inquiry(forCommandAt position: Int) -> General {
    let general = self.general ?? General(newInquiry())
    self.general = general
    general.inquiry.source = .command(position, variant.modifiers, variant.sender)
    general.inquiry.readings = Readings()
    return general
  }

  /// Returns an inquiry about the snapshot.
  func newInquiry() -> Inquiry {
    moment.session.inquiry(
      in: SessionContext(moment.catalog, effort: effort, actor: variant.actor))
  }

  /// The values that rules for items from data read (M12).
  var elementContext: ElementContext {
    ElementContext(moment.session, in: moment.catalog, effort)
  }

  /// Returns the result of a rule that reads only the state.
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
    return try stateContext().answer(of: rule)
  }

  /// Returns the context of rules that read only the state.
  private func stateContext() -> RuleContext {
    if let context { return context }
    let context = RuleContext(
      state: moment.session.state, responder: nil, sender: nil,
      graph: moment.session.graph, effort: effort,
      translations: moment.catalog.translations)
    self.context = context
    return context
  }

  /// Returns the result of a rule for a command's item.
  func answer(
    of rule: ItemRule, forCommandAt position: Int, to implementer: ResponderID
  ) throws(RuleFault) -> PartAnswer {
    let asking = inquiry(forCommandAt: position)
    return try asking.inquiry.context(for: implementer).answer(of: rule)
  }

  func beginCounting() { effort.reset() }
}
