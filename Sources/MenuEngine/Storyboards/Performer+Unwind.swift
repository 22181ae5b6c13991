import JSONText

/// Unwinding (V6).
extension Performer {
  /// Finds the destination, lets the source prepare, sends the action, and removes the view controllers in
  /// between. Nothing happens without a destination.
  mutating func unwind(
    by action: Selector, _ performed: SegueInProgress, of segue: Segue?, sending: Sending
  ) throws(MutationFault) -> SegueOutcome {
    var performed = performed
    var search = UnwindSearch(action: action, source: performed.source, sending: sending)
    let found = try during(performed) { (performer) throws(MutationFault) in
      try performer.destination(&search)
    }
    guard let found else {
      let outcome = SegueOutcome(performed, .noDestination)
      events.append(.segue(outcome))
      return outcome
    }
    performed.destination = found.destination
    try prepare(performed, of: segue, sending: sending)
    try check(performed)
    try during(performed) { (performer) throws(MutationFault) in
      let arguments = action.arguments(
        beginningWith: performed.json(in: performer.session.graph))
      try performer.send(
        action, to: .responder(found.destination), arguments: arguments, sending: sending)
    }
    let path = try follow(found)
    let outcome = SegueOutcome(performed, .performed, path: path)
    events.append(.segue(outcome))
    try settleViews()
    return outcome
  }
}

extension Performer {
  /// Returns the nearest destination: from the source's container or presenter upward, first below each, then
  /// itself.
  private mutating func destination(
    _ search: inout UnwindSearch
  ) throws(MutationFault) -> UnwindRoute? {
    guard session.graph.contains(search.source) else { throw .unknownResponder(search.source) }
    var climbed: [(from: ResponderID, to: ResponderID)] = []
    var current = search.source
    search.asked.insert(current)
    if containerOrPresenter(of: current) == nil {
      trace.note(.containerOrPresenter, .responder(current), about: search.action, answer: .null)
    }
    while let next = containerOrPresenter(of: current), !search.asked.contains(next) {
      climbed.append((current, next))
      search.asked.insert(next)
      if let way = try wayDown(from: next, besides: current, &search) {
        return UnwindRoute(climbed: climbed, descended: way, destination: way.last ?? next)
      }
      current = next
    }
    return nil
  }

  private func containerOrPresenter(of id: ResponderID) -> ResponderID? {
    session.graph[id].flatMap { $0.links[.parent] ?? $0.links[.presentingViewController] }
  }

  /// Returns the path from a view controller down to the nearest destination, itself included; empty for
  /// itself, nil for none.
  ///
  /// The search is iterative, since its questions may unwind in turn, and containers can be nested to any
  /// depth.
  private mutating func wayDown(
    from id: ResponderID, besides origin: ResponderID, _ search: inout UnwindSearch
  ) throws(MutationFault) -> [ResponderID]? {
    var way: [ResponderID] = []
    var waiting = [try allowedChildren(of: id, besides: origin, search)[...]]
    while var children = waiting.popLast() {
      if let child = children.popFirst() {
        waiting.append(children)
        guard search.asked.insert(child).inserted else { continue }
        way.append(child)
        waiting.append(try allowedChildren(of: child, besides: nil, search)[...])
      } else {
        if try canBeUnwound(to: way.last ?? id, search) { return way }
        _ = way.popLast()
      }
    }
    return nil
  }

  /// Returns the children that a container allows to be searched: those it names itself, else all but the
  /// origin of the search. A navigation controller's are searched from the top down; of a collapsed split view
  /// controller only the shown column (a decision).
  private mutating func allowedChildren(
    of id: ResponderID, besides origin: ResponderID?, _ search: UnwindSearch
  ) throws(MutationFault) -> [ResponderID] {
    effort.spend(Effort.traceStep)
    try effort.check()
    var children = session.graph[id]?.viewControllers ?? []
    let source = JSON.string(search.source.rawValue)
    if let answer = try ask(
      id, .allowedChildrenForUnwinding, arguments: [source], sending: search.sending),
      answer != .null
    {
      let allowed = try list(answer, of: id, children)
      trace.note(.allowedChildrenForUnwinding, .responder(id), about: search.action, answer: answer)
      return allowed
    }
    switch session.containerKind(of: id, in: catalog) {
    case .navigation: children.reverse()
    case .split: children = session.displayed(by: id, in: catalog)
    case .tabBar, .plain, nil: break
    }
    children.removeAll { $0 == origin }
    trace.note(
      .allowedChildrenForUnwinding, .responder(id), about: search.action,
      answer: .array(children.map { .string($0.rawValue) }))
    return children
  }

  private func list(
    _ answer: JSON, of id: ResponderID, _ children: [ResponderID]
  ) throws(MutationFault) -> [ResponderID] {
    guard case .array(let elements) = answer else {
      throw .storyboard(.notChildren(id, answer))
    }
    return try elements.map { (element) throws(MutationFault) in
      guard case .string(let text) = element, let child = ResponderID(text),
        children.contains(child)
      else { throw .storyboard(.notChildren(id, answer)) }
      return child
    }
  }

  /// True if a view controller is a destination: its own answer, else whether it responds to the action.
  private mutating func canBeUnwound(
    to id: ResponderID, _ search: UnwindSearch
  ) throws(MutationFault) -> Bool {
    let inquiry = session.inquiry(in: context)
    let responds = inquiry.implementation(of: search.action, in: id) != nil
    let arguments: [JSON] = [
      .string(search.action.rawValue), .string(search.source.rawValue),
      session.value(of: search.sending.sender),
    ]
    let answer = try askWhether(
      id, .canPerformUnwind, arguments: arguments, sending: search.sending)
    // A view controller that answers yes without a method for the action cannot receive it.
    let can = responds && answer ?? true
    trace.note(.canPerformUnwind, .responder(id), about: search.action, answer: .bool(can))
    return can
  }

  /// Removes the view controllers between source and destination: presented ones on the way up, then in each
  /// container on the way down those that cover the destination.
  ///
  /// In an expanded split view controller nothing covers a column; in a collapsed one the secondary is on the
  /// primary's stack (A8), which pops (a decision). Other containers show all their children.
  private mutating func follow(_ route: UnwindRoute) throws(MutationFault) -> [UnwindStep] {
    var path: [UnwindStep] = []
    for (from, to) in route.climbed.reversed()
    where session.graph.link(.presentingViewController, of: from) == to {
      changes += try session.dismiss(to)
      path.append(.dismiss(from, by: to))
    }
    guard var container = route.climbed.last?.to else { return path }
    for child in route.descended where session.graph.link(.parent, of: child) == container {
      switch session.containerKind(of: container, in: catalog) {
      case .navigation:
        changes += try session.pop(container, to: child, in: catalog)
        path.append(.pop(to: child, in: container))
      case .tabBar:
        changes += try session.select(child, in: catalog)
        path.append(.select(child, in: container))
      case .split, .plain, nil: break
      }
      container = child
    }
    return path
  }
}

/// The search for the destination of unwinding.
struct UnwindSearch {
  let action: Selector
  let source: ResponderID
  let sending: Sending
  /// The view controllers visited, so that none is visited twice.
  var asked: Set<ResponderID> = []
}

/// The path from source to destination.
struct UnwindRoute {
  /// From the source upward: each container or presenter, with its child or presented view controller on the
  /// path.
  var climbed: [(from: ResponderID, to: ResponderID)] = []
  /// From the last of those down to the destination.
  var descended: [ResponderID] = []

  var destination: ResponderID
}
