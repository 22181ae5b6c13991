import JSONText

/// The reason why a view controller is not the target of an action (A9).
package enum PassOverReason: String, CaseIterable, Sendable {
  /// It has no method for the action.
  case doesNotRespond
  /// A rule does not allow it now (R4).
  case cannotPerform
  /// It does not override the method of `UIViewController` (A2).
  case notOverridden
}

extension Inquiry {
  /// Returns the target of an action on the actor chain (A1): from a view controller up its containers, never
  /// its presenters, the first one that can perform the action and overrides it.
  mutating func actorSearch(for action: Selector, from start: ResponderID) -> Search {
    var fault: RuleFault?
    let candidates = session.graph.containers(from: start)
    for (index, id) in candidates.enumerated() {
      if index > 0 {
        trace.note(
          .parent, .responder(candidates[index - 1]), about: action, answer: .string(id.rawValue))
      }
      effort.spend(trace.isRecording ? 4 * Effort.traceStep : 1)
      switch candidacy(of: id, action, &fault) {
      case .success(let target): return .found(target)
      case .failure(let reason):
        trace.note(
          .passOverCandidate, .responder(id), about: action, answer: .string(reason.rawValue))
      }
    }
    if let last = candidates.last {
      trace.note(.parent, .responder(last), about: action, answer: .null)
    }
    return .nobody(fault)
  }

  private enum Candidacy {
    case success(Target)
    case failure(PassOverReason)
  }

  private mutating func candidacy(
    of id: ResponderID, _ action: Selector, _ fault: inout RuleFault?
  ) -> Candidacy {
    let handler = implementation(of: action, in: id)
    noteResponds(id, to: action, with: handler)
    guard let handler else { return .failure(.doesNotRespond) }
    guard canPerform(action, for: id, with: handler, fault: &fault) else {
      return .failure(.cannotPerform)
    }
    let isOverridden = overrides(action, id)
    trace.note(.overrides, .responder(id), about: action, answer: .bool(isOverridden))
    guard isOverridden else { return .failure(.notOverridden) }
    return .success(Target(receiver: .responder(id), handler: handler))
  }

  /// True if a responder's method for an action overrides that of `UIViewController` (A2). Methods that
  /// `UIViewController` does not have need no override.
  func overrides(_ action: Selector, _ id: ResponderID) -> Bool {
    guard let level = level(of: action, in: id) else { return false }
    let base = catalog.classes.method(for: action, in: .viewController)
    return base.map { .ofClass($0.definer) } != level
  }

  /// True if a view controller's method is that of `UIViewController`, which presents what no container shows
  /// (A4).
  fileprivate func presentsByDefault(_ id: ResponderID, _ action: Selector) -> Bool {
    switch implementation(of: action, in: id)?.perform.first {
    case .builtIn(.show)?, .builtIn(.showDetail)?: true
    default: false
    }
  }

  /// True if a responder can perform an action and overrides it.
  mutating func actsItself(_ id: ResponderID, for action: Selector) -> Bool {
    var fault: RuleFault?
    if case .success = candidacy(of: id, action, &fault) { return true }
    return false
  }
}

extension Session {
  /// Returns the container of a view controller that would receive an action (A1, A9), with the trace; nothing
  /// is performed.
  ///
  /// - Throws: `MutationFault.unknownResponder`, and `.containment` for a start that is not a view controller.
  package func actorTarget(
    for action: Selector, sender description: SenderDescription? = nil, from: ResponderID,
    in catalog: Catalog, by actor: Principal = .local, spending effort: Effort = Effort()
  ) throws(MutationFault) -> TargetAnswer {
    try checkViewController(from)
    try check(description?.responder)
    let sender = description.map { Sender(description: $0) }
    let context = SessionContext(catalog, effort: effort, isExplaining: true, actor: actor)
    var inquiry = inquiry(in: context, sender: sender)
    let search = inquiry.actorSearch(for: action, from: from)
    if case .nobody = search, inquiry.presentsByDefault(from, action) {
      let presenter = presenter(for: from)
      inquiry.trace.note(
        .presenter, .responder(from), about: action, answer: .string(presenter.rawValue))
    }
    return TargetAnswer(search, trace: inquiry.trace)
  }
}
