import JSONText

extension Inquiry {
  /// Searches for the consumer of a message (C2): from `start` on up the coordinating chain, the
  /// first one that implements it.
  ///
  /// **Decision:** implementing is what counts, as for any message; `canPerform` is about actions and
  /// is not asked.
  mutating func coordinatingSearch(for message: Selector, from start: ResponderID) -> Search {
    var current: ResponderID? = start
    var met: Set<ResponderID> = []
    askedProxies = []
    while let id = current, let position = session.graph.position(of: id) {
      guard met.insert(id).inserted else {
        trace.note(.cycle, .responder(id), answer: .bool(true))
        return .cycle
      }
      effort.spend(trace.isRecording ? 2 * Effort.traceStep : 1)
      if let target = implementer(at: position, of: message) { return .found(target) }
      current = coordinatingNext(of: id)
    }
    trace.note(.notHandled, .responder(start), about: message, answer: .null)
    return .nobody(nil)
  }

  /// Searches for the consumer of a message that a responder lets go on.
  mutating func coordinatingSearch(for message: Selector, after id: ResponderID) -> Search {
    guard let next = coordinatingNext(of: id) else {
      trace.note(.notHandled, .responder(id), about: message, answer: .null)
      return .nobody(nil)
    }
    return coordinatingSearch(for: message, from: next)
  }

  /// The responder at a position when it implements a message itself, by its class, or as a proxy of
  /// one that does (L8).
  private mutating func implementer(at position: Int, of message: Selector) -> Target? {
    let id = session.graph.responders[position].id
    var target = implementation(of: message, at: position)
      .map { Target(receiver: .responder(id), handler: $0) }
    if target == nil, session.graph.responders[position].proxy != nil {
      target = proxyImplementer(of: id, for: message)
    }
    trace.note(.implements, .responder(id), about: message, answer: .bool(target != nil))
    return target
  }

  private mutating func coordinatingNext(of id: ResponderID) -> ResponderID? {
    let step = session.graph.coordinatingStep(from: id)
    trace.note(.coordinatingNext, .responder(id), answer: step.json)
    return step.next
  }
}

extension CoordinatingStep {
  /// The step as the answer in a trace.
  fileprivate var json: JSON {
    switch self {
    case .to(let id, by: let link):
      ["responder": .string(id.rawValue), "link": .string(link.rawValue)]
    case .cut(let id, by: let link):
      [
        "responder": .string(id.rawValue), "link": .string(link.rawValue), "isResponder": false,
      ]
    case .end: .null
    }
  }
}

extension Session {
  /// Returns the consumer of a message from a responder (C2), with the questions that were asked;
  /// nothing is done.
  ///
  /// - Throws: `MutationFault.unknownResponder`.
  public func coordinatingTarget(
    for message: Selector, from: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> TargetAnswer {
    try check(from)
    var inquiry = inquiry(in: SessionContext(catalog, isExplaining: true))
    let search = inquiry.coordinatingSearch(for: message, from: from)
    return TargetAnswer(search, trace: inquiry.trace)
  }
}
