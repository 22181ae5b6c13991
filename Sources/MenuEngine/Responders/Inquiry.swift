import JSONText

/// An inquiry about a session under a catalogue, for one sender. Only this code determines which responder answers,
/// both for validating and for performing (R6).
struct Inquiry {
  let session: Session
  let context: SessionContext
  var source: SenderSource
  var trace: Trace
  /// The parameters of an item from data (M12), or of the performed command (P2); empty when a command is validated
  /// without parameters (P3).
  var parameters = JSONObject()
  /// The values on which the results depend, as long as only the state changes.
  var readings = Readings()
  /// The search order of the last search, reused by searches with the same start.
  private var lastOrder: SearchOrder?
  /// The parameters with choices that depend on the session alone, by command (P4).
  var knownChoices: [CommandID: PresentParameters] = [:]
  /// The proxies that the present search has visited (L8).
  var askedProxies: Set<ResponderID> = []

  init(_ session: Session, in context: SessionContext, source: SenderSource, trace: Trace) {
    self.context = context.localized(for: session)
    self.session = session
    self.source = source
    self.trace = trace
  }

  var catalog: Catalog { _read { yield context.catalog } }
  var effort: Effort { context.effort }

  /// The sender of the action.
  var sender: Sender? {
    get { source.sender(in: catalog) }
    set { source = .sender(newValue) }
  }

  /// The result of a search.
  enum Search {
    case found(Target)
    /// No target, with the rule that failed during the search, if any.
    case nobody(RuleFault?)
    /// The chain is a cycle (R9).
    case cycle
  }

  /// The receiver of an action, and its handler.
  struct Target {
    let receiver: Receiver
    /// The handler of the receiver or of its coordinator; nil when it does not respond (F4).
    let handler: Handler?
    /// The owner of the handler. For a proxy, this is the proxied responder (L8), even if that has no handler
    /// and forwards the message (L9).
    let implementer: ResponderID

    init(receiver: Receiver, handler: Handler?, implementer: ResponderID? = nil) {
      self.receiver = receiver
      self.handler = handler
      self.implementer = implementer ?? receiver.responder
    }

    /// The proxied responder, if the receiver is a proxy.
    var proxied: ResponderID? { implementer == receiver.responder ? nil : implementer }
  }

  /// Returns the values that rules of `responder`, or of no responder, read.
  func context(for responder: ResponderID?) -> RuleContext {
    RuleContext(
      state: session.state, responder: responder, sender: sender, actor: context.actor,
      parameters: parameters, graph: session.graph, effort: effort,
      deliveries: session.deliveries,
      translations: catalog.translations)
  }

  /// Returns the responder where the search for an action begins (R7).
  func start(from: ResponderID?) -> ResponderID? {
    session.searchStart(from: from, sender: source.description)
  }

  /// Returns the target of an action (R5), or the explicit one without a search (R7).
  mutating func search(
    for action: Selector, from: ResponderID? = nil, to explicit: Receiver? = nil
  ) -> Search {
    if let explicit { return .found(self.explicit(explicit, for: action)) }
    var order = takeOrder(from: start(from: from))
    defer {
      order.index(session.graph)
      lastOrder = order
    }
    var fault: RuleFault?
    var place = 0
    askedProxies = []
    // A search that exhausts the effort ends without a target; the effort records why.
    while !effort.isExhausted, let next = nextAsked(for: action, from: place, &order) {
      // Skipped responders count as searched.
      effort.spend(next - place)
      noteStop(next, order)
      if let target = answer(at: order.positions[next], to: action, &fault) {
        return .found(target)
      }
      noteNext(order.positions[next])
      place = next + 1
    }
    effort.spend(order.positions.count - place)
    guard !order.isCyclic else {
      noteCycle(order)
      return .cycle
    }
    return .nobody(fault)
  }

  /// Takes the search order out of the cache, so that it is mutated in place.
  private mutating func takeOrder(from start: ResponderID?) -> SearchOrder {
    let known = lastOrder
    lastOrder = nil
    if let known, known.start == start { return known }
    return SearchOrder(from: start, in: session)
  }

  /// Returns the next responder to search. With a trace, no responder is skipped.
  private func nextAsked(
    for action: Selector, from place: Int, _ order: inout SearchOrder
  ) -> Int? {
    guard trace.isRecording else {
      return order.next(for: action, from: place, in: session, catalog)
    }
    return order.contains(place, in: session, catalog) ? place : nil
  }

  mutating func answer(
    at position: Int, to action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    effort.spend(trace.isRecording ? 3 * Effort.traceStep : 1)
    return switch session.search {
    case .uikit: chainAnswer(at: position, to: action, &fault)
    case .appkit: windowAnswer(at: position, to: action, &fault)
    }
  }

  /// Returns the answer of one responder: its redirect (F2), else the responder itself if it can perform the
  /// action (R4).
  private mutating func chainAnswer(
    at position: Int, to action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    let id = session.graph.responders[position].id
    if let target = redirect(at: position, id, action) { return target }
    let handler = implementation(of: action, at: position)
    if handler == nil, session.graph.responders[position].proxy != nil {
      return proxyTarget(of: id, for: action, &fault)
    }
    noteResponds(id, to: action, with: handler)
    guard let handler else { return nil }
    let governed = governed(handler, for: action, at: position)
    guard canPerform(action, for: id, governedBy: governed, fault: &fault) else { return nil }
    return Target(receiver: .responder(id), handler: handler)
  }

  private mutating func redirect(
    at position: Int, _ id: ResponderID, _ action: Selector
  ) -> Target? {
    guard let coordinator = session.graph.responders[position].coordinator,
      coordinator.forwarding == .catchAll
    else { return nil }
    let forwarder = Receiver.forwarder(host: id)
    guard let registration = coordinator[action] else {
      trace.note(.redirect, .responder(id), about: action, answer: .null)
      return nil
    }
    trace.note(.redirect, .responder(id), about: action, answer: .string(forwarder.description))
    trace.note(.canPerformAction, forwarder, about: action, answer: .bool(true))
    return Target(receiver: forwarder, handler: registration.handler)
  }

  mutating func noteResponds(_ id: ResponderID, to action: Selector, with handler: Handler?) {
    trace.note(.respondsToSelector, .responder(id), about: action, answer: .bool(handler != nil))
  }

  /// Records the next step of a chain; AppKit's search records its steps elsewhere.
  private mutating func noteNext(_ position: Int) {
    guard trace.isRecording, session.search == .uikit else { return }
    let next = session.graph.next(of: position).map { session.graph.responders[$0].id.rawValue }
    trace.note(
      .next, .responder(session.graph.responders[position].id),
      answer: next.map(JSON.string) ?? .null)
  }

  private mutating func noteStop(_ place: Int, _ order: SearchOrder) {
    guard trace.isRecording, !order.stops.isEmpty else { return }
    let stop = order.stops[place]
    guard let origin = stop.origin else { return }
    trace.note(stop.question, .responder(origin), answer: .string(stop.responder.rawValue))
  }

  private mutating func noteCycle(_ order: SearchOrder) {
    guard let last = order.positions.last, let next = session.graph.next(of: last) else { return }
    trace.note(.cycle, .responder(session.graph.responders[next].id), answer: .bool(true))
  }
}

/// The search for methods and the question whether they can be performed.
extension Inquiry {
  /// Returns R4 for a responder that responds. A failed rule counts as false.
  mutating func canPerform(
    _ action: Selector, for id: ResponderID, with handler: Handler, fault: inout RuleFault?
  ) -> Bool {
    canPerform(action, for: id, governedBy: governed(handler, for: action, of: id), fault: &fault)
  }

  mutating func canPerform(
    _ action: Selector, for id: ResponderID, governedBy handler: Handler, fault: inout RuleFault?
  ) -> Bool {
    let receiver = Receiver.responder(id)
    guard handler.canPerform != nil || handler.closures.canPerform != nil else {
      trace.note(.canPerformAction, receiver, about: action, answer: .bool(true))
      return true
    }
    if let rule = handler.canPerform { readings.note(rule) }
    if handler.closures.canPerform != nil { readings.noteEverything() }
    let context = context(for: id)
    let place = "canPerform"
    do throws(RuleFault) {
      let canPerform = try handler.canPerform(action, in: context)
      trace.note(
        .canPerformAction, receiver, about: action, answer: .bool(canPerform),
        rules: context.explained(handler.canPerform, at: place),
        refusing: canPerform ? nil : place)
      return canPerform
    } catch {
      trace.note(
        .canPerformAction, receiver, about: action, answer: .bool(false), fault: error,
        rules: context.explained(handler.canPerform, at: place))
      fault = fault ?? error
      return false
    }
  }

  /// Returns the handler with the rule that decides whether the responder can perform the action (R4): the
  /// `canPerform` of the responder, else of its nearest class with one, unless the handler's own rule is
  /// nearer.
  ///
  /// **Decision:** such a rule implements nothing: a responder that does not respond cannot perform (R4).
  func governed(_ handler: Handler, for action: Selector, of id: ResponderID) -> Handler {
    session.graph.position(of: id).map { governed(handler, for: action, at: $0) } ?? handler
  }

  func governed(_ handler: Handler, for action: Selector, at position: Int) -> Handler {
    if let rule = session.graph.responders[position].canPerform[action] {
      return handler.asking(rule)
    }
    let name = session.graph.responders[position].className
    guard let (rule, definer) = catalog.classes.canPerform(action, in: name) else { return handler }
    guard handler.canPerform != nil || handler.closures.canPerform != nil else {
      return handler.asking(rule)
    }
    switch level(of: action, in: session.graph.responders[position].id) {
    case .instance: return handler
    case .ofClass(let implementer) where definer != implementer:
      let isNearer = catalog.classes.inherits(definer, from: implementer)
      return isNearer ? handler.asking(rule) : handler
    case .ofClass, nil: return handler.asking(rule)
    }
  }

  /// Returns the handler of a responder or of its classes (R3).
  func implementation(of selector: Selector, in id: ResponderID) -> Handler? {
    session.implementation(of: selector, in: id, catalog.classes)
  }

  func implementation(of selector: Selector, at position: Int) -> Handler? {
    session.implementation(of: selector, at: position, catalog.classes)
  }

  /// Returns the level that defines a responder's method for a selector (A2).
  func level(of selector: Selector, in id: ResponderID) -> MethodLevel? {
    session.level(of: selector, in: id, catalog.classes)
  }

  /// Returns a receiver with the handler that a message to it would run, if any.
  func explicitTarget(_ receiver: Receiver, for selector: Selector) -> Target {
    switch receiver {
    case .responder(let id):
      let delivery = delivery(of: selector, to: id)
      let implementer = delivery?.0 ?? session.graph.proxied(by: id)
      return Target(receiver: receiver, handler: delivery?.1, implementer: implementer)
    case .forwarder(let host):
      return Target(
        receiver: receiver, handler: session.graph[host]?.coordinator?[selector]?.handler)
    case .undoManager: return Target(receiver: receiver, handler: nil)
    }
  }
}

extension Session {
  func implementation(
    of selector: Selector, in id: ResponderID, _ classes: ResponderClasses
  ) -> Handler? {
    graph.position(of: id).flatMap { implementation(of: selector, at: $0, classes) }
  }

  fileprivate func implementation(
    of selector: Selector, at position: Int, _ classes: ResponderClasses
  ) -> Handler? {
    graph.responders[position].handlers[selector]
      ?? classes.handler(for: selector, in: graph.responders[position].className)
      ?? graph.responders[position].undoHandlers[selector]
  }

  /// Returns the level that defines a responder's method for a selector (A2).
  func level(
    of selector: Selector, in id: ResponderID, _ classes: ResponderClasses
  ) -> MethodLevel? {
    guard let position = graph.position(of: id) else { return nil }
    if graph.responders[position].handlers[selector] != nil { return .instance }
    return classes.method(for: selector, in: graph.responders[position].className)
      .map { .ofClass($0.definer) }
  }
}

/// The source of a sender. The sender is created when a rule reads it, which few do.
enum SenderSource {
  /// A sender, or none.
  case sender(Sender?)
  /// The command at a position of the catalogue, with held modifiers, and the request's description.
  case command(Int, KeyModifiers, SenderDescription?)

  /// The sender's description in the request.
  var description: SenderDescription? {
    switch self {
    case .sender(let sender): sender?.description
    case .command(_, _, let description): description
    }
  }

  func sender(in catalog: Catalog) -> Sender? {
    switch self {
    case .sender(let sender): sender
    case .command(let position, let modifiers, let description):
      Sender(
        command: catalog.commands[position].whileHolding(modifiers), description: description)
    }
  }
}
