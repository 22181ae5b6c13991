import JSONText

/// Segues (V3–V5).
extension Performer {
  /// Performs a segue: if the user triggers it, checks that it should be performed; then makes the destination, lets
  /// the source prepare, and shows the destination.
  @discardableResult
  mutating func performSegue(
    _ request: SegueRequest, sender: Sender?
  ) throws(MutationFault) -> SegueOutcome {
    let sending = Sending(by: sender, when: request.when)
    let segue = try segue(request.identifier, of: request.source)
    var performed = SegueInProgress(
      identifier: segue.identifier, kind: segue.kind, source: request.source, destination: nil)
    if request.trigger == .user, try !shouldPerform(segue, as: performed, sending: sending) {
      return note(SegueOutcome(performed, .refused))
    }
    if let action = segue.action {
      return try unwind(by: action, performed, of: segue, sending: sending)
    }
    guard let reference = session.graph[request.source]?.scene, let scene = segue.destination else {
      throw .storyboard(.noStoryboard(request.source))
    }
    let destination = try instantiate(
      SceneReference(storyboard: reference.storyboard, scene: scene), as: request.id)
    performed.destination = destination
    try prepare(performed, of: segue, sending: sending)
    let outcome = note(SegueOutcome(performed, try show(performed, of: segue, sending: sending)))
    // The segue held the destination; it is dropped now unless something else holds it.
    session.instances[destination]?.wasKept = true
    try settleViews()
    return outcome
  }

  /// Returns the segue of a source by identifier.
  private func segue(
    _ identifier: SegueIdentifier, of source: ResponderID
  ) throws(MutationFault) -> Segue {
    guard let responder = session.graph[source] else { throw .unknownResponder(source) }
    guard let reference = responder.scene else { throw .storyboard(.noStoryboard(source)) }
    guard let storyboard = catalog.storyboard(reference.storyboard) else {
      throw .storyboard(.unknownStoryboard(reference.storyboard))
    }
    guard let scene = storyboard.scene(reference.scene) else {
      throw .storyboard(.unknownScene(reference))
    }
    guard let segue = scene.segue(identifier) else {
      let known = scene.segues.compactMap(\.identifier)
      throw .storyboard(.unknownSegue(identifier, of: source, reference, known: known))
    }
    guard segue.kind != .embed else { throw .storyboard(.embedded(identifier, of: source)) }
    return segue
  }

  private mutating func note(_ outcome: SegueOutcome) -> SegueOutcome {
    events.append(.segue(outcome))
    return outcome
  }

  /// True if both the segue's own rule and the source allow it.
  private mutating func shouldPerform(
    _ segue: Segue, as performed: SegueInProgress, sending: Sending
  ) throws(MutationFault) -> Bool {
    try during(performed) { (performer) throws(MutationFault) in
      if let rule = segue.shouldPerform {
        guard try performer.answer(of: rule, performed.source, sending.sender) else { return false }
      }
      let arguments: [JSON] = [
        performed.identifier.map { .string($0.rawValue) } ?? .null,
        performer.session.value(of: sending.sender),
      ]
      return try performer.askWhether(
        performed.source, .shouldPerformSegue, arguments: arguments, sending: sending) ?? true
    }
  }

  private mutating func answer(
    of rule: Rule, _ source: ResponderID, _ sender: Sender?
  ) throws(MutationFault) -> Bool {
    let asking = RuleContext(
      state: session.state, responder: source, sender: sender, actor: context.actor,
      graph: session.graph, effort: effort, segue: segue, deliveries: session.deliveries,
      translations: catalog.translations)
    do throws(RuleFault) {
      return try asking.bool(rule, at: "shouldPerform")
    } catch {
      throw .effect(.rule(.responder(source), .shouldPerformSegue, error))
    }
  }

  /// Prepares a segue (V5): first the effects of the segue, then the source's method.
  mutating func prepare(
    _ performed: SegueInProgress, of segue: Segue?, sending: Sending
  ) throws(MutationFault) {
    try during(performed) { (performer) throws(MutationFault) in
      let arguments = [
        performed.json(in: performer.session.graph), performer.session.value(of: sending.sender),
      ]
      try performer.run(
        segue?.prepare ?? [], as: .prepareForSegue, of: performed.source, arguments: arguments,
        sending: sending)
      _ = try performer.ask(
        performed.source, .prepareForSegue, arguments: arguments, sending: sending)
    }
  }

  /// Runs the effects of a segue as a method of the source.
  private mutating func run(
    _ effects: [Effect], as selector: Selector, of source: ResponderID, arguments: [JSON],
    sending: Sending
  ) throws(MutationFault) {
    guard !effects.isEmpty else { return }
    var invocation = try Invocation(
      selector, of: sending.sender, to: .responder(source), arguments: arguments,
      when: sending.when, in: session)
    let handler = Handler(
      validate: .none, canPerform: nil, perform: effects, closures: HandlerClosures())
    try run(handler, as: RunningMethod(selector, of: source), &invocation)
  }

  /// Runs `act` while rules see the segue.
  mutating func during<Answer>(
    _ performed: SegueInProgress,
    _ act: (inout Performer) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer {
    let outer = segue
    segue = performed
    defer { segue = outer }
    return try act(&self)
  }
}

extension Performer {
  /// Shows the destination according to the kind of segue (V4). Returns false if that is not possible.
  private mutating func show(
    _ performed: SegueInProgress, of segue: Segue, sending: Sending
  ) throws(MutationFault) -> SegueOutcome.Reason {
    guard let destination = performed.destination else { return .noDestination }
    let source = performed.source
    switch performed.kind {
    case .show: try send(.show, of: destination, to: source, sending: sending)
    case .showDetail: try send(.showDetail, of: destination, to: source, sending: sending)
    case .present, .popover:
      try check(performed)
      changes += try session.present(destination, from: source)
    case .push:
      try check(performed)
      let containers = session.graph.containers(from: source)
      guard
        let container = containers.first(where: {
          session.containerKind(of: $0, in: catalog) == .navigation
        })
      else {
        return .noNavigationController
      }
      note(try session.push(destination, onto: container, in: catalog))
    case .custom:
      try during(performed) { (performer) throws(MutationFault) in
        let arguments = [
          performed.json(in: performer.session.graph), performer.session.value(of: sending.sender),
        ]
        try performer.run(
          segue.perform, as: .performSegue, of: source, arguments: arguments, sending: sending)
      }
    case .embed, .unwind: break
    }
    return .performed
  }

  /// Throws if a handler has removed the destination.
  func check(_ performed: SegueInProgress) throws(MutationFault) {
    guard let id = performed.destination, !session.graph.contains(id) else { return }
    throw .storyboard(.destinationRemoved(id, source: performed.source))
  }

  /// Sends the source an action that shows a view controller (A4).
  private mutating func send(
    _ action: Selector, of destination: ResponderID, to source: ResponderID, sending: Sending
  ) throws(MutationFault) {
    try send(
      action, to: .responder(source),
      arguments: [.string(destination.rawValue), session.value(of: sending.sender)],
      sending: sending)
  }
}

extension Selector {
  /// Asks whether a segue triggered by the user should be performed (V3).
  package static let shouldPerformSegue: Selector = "shouldPerformSegueWithIdentifier:sender:"
  /// Prepares for a segue (V5).
  package static let prepareForSegue: Selector = "prepareForSegue:sender:"
  /// The name of a custom segue's effects in their faults (V4).
  package static let performSegue: Selector = "performSegue:sender:"
  /// Asks whether a view controller is a destination for unwinding (V6).
  package static let canPerformUnwind: Selector =
    "canPerformUnwindSegueAction:fromViewController:sender:"
  /// Asks a container for the children to search (V6).
  package static let allowedChildrenForUnwinding: Selector =
    "allowedChildViewControllersForUnwindingFromSource:"
  /// Tells the delegate that the application was launched (V1).
  package static let didFinishLaunching: Selector =
    "application:didFinishLaunchingWithOptions:"
}
