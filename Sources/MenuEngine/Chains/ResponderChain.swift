/// The responders that a search asks, in order, whether or not one before them answers (R5, R10).
public struct ResponderChain: Equatable, Sendable {
  /// The responders, in the order in which they are asked.
  public let steps: [Step]
  /// True if the chain leads back into itself behind the last one (R9).
  public let isCyclic: Bool

  /// One responder of the chain.
  public struct Step: Equatable, Sendable {
    /// The responder.
    public let responder: ResponderID
    /// Its kind.
    public let kind: ResponderKind
    /// Its class.
    public let className: ClassName
    /// The receiver that it answers with: itself, or somebody in its place; nil when it passes the
    /// action on, or none was asked about.
    public internal(set) var receiver: Receiver?
    /// The responder that the receiver stands for, when that is a proxy (L11).
    public internal(set) var proxied: ResponderID?
    /// The rule that failed when it was asked.
    public internal(set) var fault: RuleFault?
  }

  /// The first step that answers, which is the target of the action.
  public var target: Step? { steps.first { $0.receiver != nil } }
}

extension Session {
  /// The chain from the first responder, or from another responder, on; with an action, also who of it
  /// would answer if it were asked.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.tooMuchEffort`.
  public func chain(
    for action: Selector? = nil, from: ResponderID? = nil, in catalog: Catalog
  ) throws(MutationFault) -> ResponderChain {
    try check(from)
    let sender = action.map { Sender(requesting: $0) }
    var inquiry = inquiry(in: SessionContext(catalog), sender: sender)
    var order = SearchOrder(from: inquiry.start(from: from), in: self)
    var steps: [ResponderChain.Step] = []
    while order.contains(steps.count, in: self, catalog) {
      let position = order.positions[steps.count]
      steps.append(ResponderChain.Step(graph.responders[position]))
      try inquiry.effort.check()
      guard let action else { continue }
      inquiry.answer(at: position, to: action, in: &steps[steps.count - 1])
    }
    return ResponderChain(steps: steps, isCyclic: order.isCyclic)
  }
}

extension Inquiry {
  fileprivate mutating func answer(
    at position: Int, to action: Selector, in step: inout ResponderChain.Step
  ) {
    // Each is asked as if the search began with it.
    askedProxies = []
    let target = answer(at: position, to: action, &step.fault)
    step.receiver = target?.receiver
    step.proxied = target?.proxied
  }
}

extension ResponderChain.Step {
  fileprivate init(_ responder: Responder) {
    self.init(responder: responder.id, kind: responder.kind, className: responder.className)
  }
}
