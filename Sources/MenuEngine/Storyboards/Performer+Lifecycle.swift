import JSONText

/// What becomes of instances: their views are made when they come into view, and they go when nothing
/// holds them any more (V9).
extension Performer {
  /// Makes the views of the view controllers that came into view, and tells who came and went.
  ///
  /// What that sets off may bring others into view, or take them out of it; it ends, since everybody who
  /// is told counts as an effect.
  mutating func settleViews() throws(MutationFault) {
    guard !session.instances.isEmpty, !isSettling else { return }
    isSettling = true
    defer { isSettling = false }
    while let (id, isVisible) = nextToSettle() {
      effort.spend(session.graph.count)
      session.instances[id]?.isVisible = isVisible
      if isVisible {
        try loadView(of: id)
        try tell(.viewWillAppear, of: id)
        try tell(.viewDidAppear, of: id)
      } else {
        try tell(.viewWillDisappear, of: id)
        try tell(.viewDidDisappear, of: id)
      }
    }
  }

  /// Who is on screen or not, and was not told yet; those who went come first.
  private func nextToSettle() -> (ResponderID, isVisible: Bool)? {
    let visible = session.visibleViewControllers(in: catalog, besides: hiddenWindow)
    let met = Set(visible)
    let gone = session.graph.responders.first { responder in
      session.instances[responder.id]?.isVisible == true && !met.contains(responder.id)
    }
    if let gone { return (gone.id, false) }
    return visible.first { session.instances[$0]?.isVisible == false }.map { ($0, true) }
  }

  /// Makes the view of an instance, in that of its container, when it has none yet.
  mutating func loadView(of id: ResponderID) throws(MutationFault) {
    guard session.instances[id]?.isViewLoaded == false else { return }
    session.instances[id]?.isViewLoaded = true
    if session.graph[id]?.links[.view] == nil {
      let scene = session.graph[id]?.scene.flatMap(catalog.scene)
      let view = try make(scene?.view ?? .empty, of: id, in: nil)
      try session.graph.setLink(.view, of: id, to: view)
      changes.append(.link(id, .view, view))
    }
    try placeViews(around: id)
    try tell(.viewDidLoad, of: id)
  }

  /// Makes a view of a scene and those in it.
  private mutating func make(
    _ view: SceneView, of owner: ResponderID, in superview: ResponderID?
  ) throws(MutationFault) -> ResponderID {
    var responder = view.prototype
    responder.id = try freeName(nil, like: "\(owner.rawValue).\(view.name.rawValue)")
    responder.links[.superview] = superview
    try put(responder, as: Instance(owner: owner))
    for subview in view.subviews { _ = try make(subview, of: owner, in: responder.id) }
    return responder.id
  }

  /// Puts the view of a new view controller into that of its container, and those of its children into
  /// its own, as far as they are displayed.
  private mutating func placeViews(around id: ResponderID) throws(MutationFault) {
    guard let responder = session.graph[id] else { return }
    var pairs = session.displayed(by: id, in: catalog).map { ($0, id) }
    if let parent = responder.links[.parent] {
      pairs += session.displayed(by: parent, in: catalog).filter { $0 == id }.map { ($0, parent) }
    }
    for (child, container) in pairs {
      guard let view = session.graph[child]?.links[.view],
        let superview = session.graph[container]?.links[.view],
        session.graph[view]?.links[.superview] == nil
      else { continue }
      try session.graph.setLink(.superview, of: view, to: superview)
      changes.append(.superview(view, superview))
    }
  }
}

extension Performer {
  /// Tells a view controller what becomes of it, when it has a method for that, and those who observe
  /// it.
  mutating func tell(_ stage: LifecycleStage, of id: ResponderID) throws(MutationFault) {
    try countEffect()
    let wasTelling = isTelling
    isTelling = true
    defer { isTelling = wasTelling }
    let observers = observers(of: stage, of: id)
    events.append(.lifecycle(stage, id, told: observers.map(\.0)))
    let sender = Sender(
      command: nil,
      description: SenderDescription(
        responder: id, members: ["kind": "notification", "name": .string(stage.rawValue)]))
    let arguments = Array(repeating: JSON.bool(true), count: stage.selector.argumentCount)
    if responds(id, to: stage.selector) {
      try send(stage.selector, to: id, arguments, sender)
    }
    for (observer, action) in observers where responds(observer, to: action) {
      try countEffect()
      try send(action, to: observer, nil, sender)
    }
  }

  /// Who wants to be told of a stage, and has a method for it; each with that.
  private func observers(
    of stage: LifecycleStage, of id: ResponderID
  ) -> [(ResponderID, Selector)] {
    guard let className = session.graph[id]?.className else { return [] }
    effort.spend(session.graph.responders.reduce(0) { $0 + 1 + 16 * $1.observes.count })
    return session.graph.responders.flatMap { responder in
      responder.observes.filter { observation in
        observation.event == stage && isSubject(of: observation, id, className)
          && responds(responder.id, to: observation.action)
      }.map { (responder.id, $0.action) }
    }
  }

  /// Whether an observation is of a view controller, by its name or that of one of its classes.
  private func isSubject(
    of observation: Observation, _ id: ResponderID, _ className: ClassName
  ) -> Bool {
    guard let subject = observation.subject, subject != id else { return true }
    return catalog.classes.inherits(className, from: ClassName(unchecked: subject.rawValue))
  }

  private func responds(_ id: ResponderID, to selector: Selector) -> Bool {
    session.inquiry(in: catalog, sender: nil, false).implementation(of: selector, in: id) != nil
  }

  private mutating func send(
    _ selector: Selector, to id: ResponderID, _ arguments: [JSON]?, _ sender: Sender
  ) throws(MutationFault) {
    var invocation = try Invocation(
      selector, of: sender, to: .responder(id), arguments, when: nil, in: session)
    _ = try deliver(&invocation, to: .responder(id))
  }
}

extension Performer {
  /// Brings instances up to date: who came into view or left it, and who is dropped.
  mutating func settle() throws(MutationFault) {
    try settleViews()
    try removeDropped()
    // What the handlers of those who are dropped did may have shown somebody.
    try settleViews()
  }
}

extension Outcome.Change {
  /// Whether it may bring view controllers into view, or take them away.
  fileprivate var isOfGraph: Bool {
    switch self {
    case .state, .mergedState, .properties, .handler, .handlerRemoved, .keyCommands,
      .registration, .registrationRemoved, .firstResponder:
      false
    default: true
    }
  }
}

extension Session {
  /// Brings instances up to date after a mutation: who came into view or left it, and who is dropped.
  mutating func settle(
    _ outcome: inout Outcome, in catalog: Catalog, _ effort: Effort
  ) throws(MutationFault) {
    guard !instances.isEmpty, outcome.changes.contains(where: \.isOfGraph) else { return }
    var performer = Performer(after: inquiry(in: catalog, sender: nil, false, effort))
    try performer.settle()
    self = performer.session
    outcome.changes += performer.changes
    outcome.events += performer.events
  }
}
