import JSONText

/// A session and its catalogue, asked on behalf of one sender. This is the only code that decides
/// who answers, both for questions and for actions (R6).
struct Inquiry {
  let session: Session
  let catalog: Catalog
  var source: SenderSource
  var trace: Trace
  let effort: Effort
  /// The values on which the answers depend, as long as nothing but the state changes.
  var readings = Readings()
  /// The responders that the last search asked, for others that begin there.
  private var lastOrder: SearchOrder?
  /// The proxies that the present search has asked (L8).
  var askedProxies: Set<ResponderID> = []

  init(
    session: Session, catalog: Catalog, source: SenderSource, trace: Trace, effort: Effort
  ) {
    self.session = session
    self.catalog = catalog
    self.source = source
    self.trace = trace
    self.effort = effort
  }

  /// The sender of the action that is asked about.
  var sender: Sender? {
    get { source.sender(in: catalog) }
    set { source = .sender(newValue) }
  }

  /// The result of a search.
  enum Search {
    case found(Target)
    /// Nobody; and the rule that failed on the way, if one did.
    case nobody(RuleFault?)
    /// The chain led back into itself (R9).
    case cycle
  }

  /// The receiver of an action, and its handler.
  struct Target {
    let receiver: Receiver
    /// The handler of the receiver or of its coordinator; nil when it does not respond (F4).
    let handler: Handler?
    /// The owner of the handler, which for a proxy is the responder that it stands for (L8), also
    /// when that one has none and forwards the message in its turn (L9).
    let implementer: ResponderID

    init(receiver: Receiver, handler: Handler?, implementer: ResponderID? = nil) {
      self.receiver = receiver
      self.handler = handler
      self.implementer = implementer ?? receiver.responder
    }

    /// The responder that a proxy stands for, when the receiver is one.
    var proxied: ResponderID? { implementer == receiver.responder ? nil : implementer }
  }

  /// Returns the values that rules read when `responder` is asked.
  func context(for responder: ResponderID) -> RuleContext {
    RuleContext(
      state: session.state, responder: responder, sender: sender, responders: session.graph,
      effort: effort, deliveries: session.deliveries)
  }

  /// Returns the responder at which the search for an action begins (R7).
  func start(from: ResponderID?) -> ResponderID? {
    session.searchStart(from: from, sender: source.description)
  }

  /// The target of an action (R5), or the explicit one without a search (R7).
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
    // A search that takes too much ends as if nobody had answered; the effort tells that it did.
    while !effort.isExhausted, let next = nextAsked(for: action, from: place, &order) {
      // Those who are passed over have been asked, too.
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

  /// The order of a search, which is nobody else's meanwhile, so that it is changed where it is.
  private mutating func takeOrder(from start: ResponderID?) -> SearchOrder {
    let known = lastOrder
    lastOrder = nil
    if let known, known.start == start { return known }
    return SearchOrder(from: start, in: session)
  }

  /// Returns the next one to be asked; a trace shows everybody.
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

  /// Returns the answer of a responder itself: its redirect (F2), else itself if it can perform the
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

  /// Notes where a chain goes on; AppKit's search says so when it has come there.
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
