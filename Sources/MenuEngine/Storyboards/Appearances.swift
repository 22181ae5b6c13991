import JSONText

/// The lifecycle of a session's view controllers: the messages about their views that each has received (V9).
///
/// View controllers that are on screen when a session is opened receive no message about it.
struct Appearances: Sendable {
  /// The view controllers that received `viewDidLoad`.
  var loaded = BlockSet<ResponderID>()
  /// The view controllers whose last message was that they appeared.
  var visible = BlockSet<ResponderID>()

  init() {}

  /// Drops the records of a view controller that was removed or no longer receives messages.
  mutating func forget(_ id: ResponderID) {
    loaded.remove(id)
    visible.remove(id)
  }
}

extension Appearances: Codable {
  private enum CodingKeys: CodingKey {
    case loaded
    case visible
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(loaded.map(\.rawValue).sorted(by: precedes), forKey: .loaded)
    try container.encode(visible.map(\.rawValue).sorted(by: precedes), forKey: .visible)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    for id in try container.decode([ResponderID].self, forKey: .loaded) { loaded.insert(id) }
    for id in try container.decode([ResponderID].self, forKey: .visible) { visible.insert(id) }
  }

  /// The order of ids in the coded form, which is the same for equal sets.
  private func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

extension Session {
  /// Records once which view controllers are on screen and which instances have loaded their views when the
  /// session is opened.
  mutating func noteOpeningAppearances(in context: SessionContext) {
    guard appearances == nil else { return }
    var appearances = Appearances()
    // An instance without a view gets one later, with a message.
    for id in visibleViewControllers(in: context, besides: nil)
    where instances[id] == nil || graph.link(.view, of: id) != nil {
      appearances.loaded.insert(id)
      appearances.visible.insert(id)
    }
    for id in instances.keys where graph.link(.view, of: id) != nil {
      appearances.loaded.insert(id)
    }
    self.appearances = appearances
  }

  /// Returns true if a responder receives lifecycle messages: a view controller.
  func hearsOfItself(_ id: ResponderID) -> Bool { graph.kind(of: id) == .viewController }

  /// True if the last message of a view controller was that it appeared.
  func wasToldVisible(_ id: ResponderID) -> Bool { appearances?.visible.contains(id) == true }

  /// Records a message to a view controller.
  mutating func noteTold(_ id: ResponderID, isVisible: Bool) {
    if isVisible {
      appearances?.visible.insert(id)
    } else {
      appearances?.visible.remove(id)
    }
  }

  /// Returns the view controllers last notified as visible that are not in `visible`, in joining order.
  func disappeared(besides visible: Set<ResponderID>) -> [ResponderID] {
    (appearances?.visible ?? BlockSet()).filter { !visible.contains($0) }.sorted {
      graph.position(of: $0) ?? 0 < graph.position(of: $1) ?? 0
    }
  }

  /// True if a change may require lifecycle messages.
  func mayAppear(by change: Outcome.Change) -> Bool {
    switch change {
    case .state, .mergedState, .properties, .handler, .handlerRemoved, .keyCommands,
      .registration, .registrationRemoved, .firstResponder, .superview:
      return false
    case .responder(let responder):
      let id = responder.id
      switch graph.kind(of: id) {
      case .view, .responder, .delegate, .scene, .application:
        return instances[id] != nil || appearances?.visible.contains(id) == true
      case .viewController, .window, nil: return true
      }
    default: return true
    }
  }

  /// True if there are visible view controllers or instances.
  var hasAppearances: Bool {
    !instances.isEmpty || appearances?.visible.isEmpty == false
      || !graph.owners[.rootViewController].isEmpty
  }
}

extension Session {
  /// Returns the view controllers on screen, each after its container or presenter.
  package func visibleViewControllers(in catalog: Catalog) -> [ResponderID] {
    visibleViewControllers(in: SessionContext(catalog), besides: nil)
  }

  /// Returns the view controllers on screen, each after its container or presenter, in all windows but a hidden
  /// one.
  ///
  /// A presented view controller covers no other, and stays as long as its presenter's container, whatever that
  /// shows.
  func visibleViewControllers(
    in context: SessionContext, besides hidden: ResponderID?
  ) -> [ResponderID] {
    var visible: [ResponderID] = []
    var met: Set<ResponderID> = []
    var waiting = roots(besides: hidden)
    while let root = waiting.popLast() {
      let covered = noteVisible(from: root, in: context.catalog, &visible, &met)
      waiting += presented(byCovered: covered, &met, effort: context.effort).reversed()
    }
    context.effort.spend(met.count)
    return visible
  }

  /// Adds a view controller and those it displays or presents; returns the children that containers among them
  /// cover.
  private func noteVisible(
    from id: ResponderID, in catalog: Catalog, _ visible: inout [ResponderID],
    _ met: inout Set<ResponderID>
  ) -> [ResponderID] {
    var covered: [ResponderID] = []
    var waiting = [id]
    while let here = waiting.popLast() {
      guard met.insert(here).inserted else { continue }
      visible.append(here)
      if let presented = graph.presentedViewController(of: here) { waiting.append(presented) }
      let displayed = displayed(by: here, in: catalog)
      waiting += displayed.reversed()
      let children = graph[here]?.viewControllers ?? []
      if hasPresentations, displayed.count < children.count {
        let shown = Set(displayed)
        covered += children.filter { !shown.contains($0) }
      }
    }
    return covered
  }

  /// Returns the view controllers presented by covered ones and by those inside them, in the joining order of
  /// their presenters.
  private func presented(
    byCovered covered: [ResponderID], _ met: inout Set<ResponderID>, effort: Effort
  ) -> [ResponderID] {
    var presenters: [ResponderID] = []
    var waiting = covered
    while let here = waiting.popLast() {
      guard met.insert(here).inserted else { continue }
      if graph.presentedViewController(of: here) != nil { presenters.append(here) }
      waiting += graph[here]?.viewControllers ?? []
    }
    effort.spend(presenters.count)
    return presenters.sorted {
      graph.position(of: $0) ?? 0 < graph.position(of: $1) ?? 0
    }.compactMap(graph.presentedViewController(of:))
  }

  private var hasPresentations: Bool {
    !graph.owners[.presentingViewController].isEmpty
  }

  /// Returns the root view controllers of all windows but one, the first one last.
  private func roots(besides hidden: ResponderID?) -> [ResponderID] {
    let owners = graph.owners[.rootViewController].filter { $0.value != hidden }
    return owners.sorted {
      graph.position(of: $0.value) ?? 0 > graph.position(of: $1.value) ?? 0
    }.map(\.key)
  }
}

/// Lifecycle messages to view controllers that appear or disappear. Views of instances are made when they
/// appear, and instances are removed once nothing holds them (V9).
extension Performer {
  /// Makes the views of view controllers that appeared, and notifies those that appeared or disappeared.
  ///
  /// Handlers may make others appear or disappear. This ends, since each notification counts as an effect.
  mutating func settleViews() throws(MutationFault) {
    guard session.hasAppearances else { return }
    _ = try once(.settlingViews) { (performer) throws(MutationFault) in
      try performer.tellAppearances()
    }
  }

  private mutating func tellAppearances() throws(MutationFault) {
    var waiting = notTold[...]
    while let (id, isVisible) = waiting.popFirst() {
      let count = changes.count
      session.noteTold(id, isVisible: isVisible)
      if isVisible {
        try loadView(of: id)
        try tell(.viewWillAppear, of: id)
        try tell(.viewDidAppear, of: id)
      } else {
        try tell(.viewWillDisappear, of: id)
        try tell(.viewDidDisappear, of: id)
      }
      if changes[count...].contains(where: session.mayAppear(by:)) { waiting = notTold[...] }
    }
  }

  /// The view controllers that appeared or disappeared without notification; those that disappeared come first.
  private var notTold: [(ResponderID, isVisible: Bool)] {
    let visible = session.visibleViewControllers(in: context, besides: hiddenWindow)
    effort.spend(session.appearances?.visible.count ?? 0)
    return session.disappeared(besides: Set(visible)).map { ($0, false) }
      + visible.filter { !session.wasToldVisible($0) && session.hearsOfItself($0) }
      .map { ($0, true) }
  }

  /// Loads the view of a view controller unless it is loaded. An instance without a view gets one, in the view
  /// of its container.
  mutating func loadView(of id: ResponderID) throws(MutationFault) {
    guard session.appearances?.loaded.contains(id) == false else { return }
    session.appearances?.loaded.insert(id)
    if session.instances[id] != nil {
      if session.graph.link(.view, of: id) == nil {
        let scene = session.graph[id]?.scene.flatMap(catalog.scene)
        let view = try make(scene?.view ?? .empty, of: id, in: nil)
        try session.graph.setLink(.view, of: id, to: view)
        changes.append(.link(id, .view, view))
      }
      try placeViews(around: id)
    }
    try tell(.viewDidLoad, of: id)
  }

  /// Makes a view of a scene and its subviews.
  private mutating func make(
    _ view: SceneView, of owner: ResponderID, in superview: ResponderID?
  ) throws(MutationFault) -> ResponderID {
    var responder = view.prototype
    responder.content.id = try freeName(nil, like: "\(owner.rawValue).\(view.name.rawValue)")
    responder.content.links[.superview] = superview
    try put(responder, as: Instance(owner: owner))
    for subview in view.subviews { _ = try make(subview, of: owner, in: responder.id) }
    return responder.id
  }

  /// Adds the view of a new view controller to that of its container, and those of its displayed children to
  /// its own.
  private mutating func placeViews(around id: ResponderID) throws(MutationFault) {
    guard let responder = session.graph[id] else { return }
    var pairs = session.displayed(by: id, in: catalog).map { ($0, id) }
    if let parent = responder.links[.parent] {
      pairs += session.displayed(by: parent, in: catalog).filter { $0 == id }.map { ($0, parent) }
    }
    for (child, container) in pairs {
      guard let view = session.graph.link(.view, of: child),
        let superview = session.graph.link(.view, of: container),
        session.graph.link(.superview, of: view) == nil
      else { continue }
      try session.graph.setLink(.superview, of: view, to: superview)
      changes.append(.superview(view, superview))
    }
  }
}

extension Performer {
  /// Sends a lifecycle message to a view controller, if it has a method for it, and to its observers. For a
  /// view controller put by a front end, a stage without a receiver is an event only if it is the last.
  mutating func tell(_ stage: LifecycleStage, of id: ResponderID) throws(MutationFault) {
    effort.spend(1)
    let outer = phase
    phase = outer.telling
    defer { phase = outer }
    let observers = observers(of: stage, of: id)
    let isHeard = responds(id, to: stage.selector)
    guard isHeard || !observers.isEmpty || session.instances[id] != nil || stage == .dealloc else {
      return
    }
    effort.spend(Effort.traceStep)
    try effort.check()
    events.append(.lifecycle(stage, id, told: observers.map(\.0)))
    let sender = Sender(
      description: SenderDescription(
        responder: id, members: ["kind": "notification", "name": .string(stage.rawValue)]))
    if isHeard {
      try countEffect()
      let arguments = Array(repeating: JSON.bool(true), count: stage.selector.argumentCount)
      try send(
        stage.selector, to: .responder(id), arguments: arguments, sending: Sending(by: sender))
    }
    for (observer, action) in observers where responds(observer, to: action) {
      try countEffect()
      try send(action, to: .responder(observer), arguments: nil, sending: Sending(by: sender))
    }
  }

  /// Returns the observers of a stage that have a method for it, with that method.
  private func observers(
    of stage: LifecycleStage, of id: ResponderID
  ) -> [(ResponderID, Selector)] {
    guard let className = session.graph[id]?.className else { return [] }
    let positions = session.graph.observers.compactMap(session.graph.position(of:)).sorted()
    return positions.map { session.graph.responders[$0] }.flatMap { responder in
      effort.spend(1 + 16 * responder.observes.count)
      return responder.observes.filter { observation in
        observation.event == stage && isSubject(of: observation, id, className)
          && responds(responder.id, to: observation.action)
      }.map { (responder.id, $0.action) }
    }
  }

  /// True if an observation concerns a view controller, by its name or by one of its classes.
  private func isSubject(
    of observation: Observation, _ id: ResponderID, _ className: ClassName
  ) -> Bool {
    guard let subject = observation.subject, subject != id else { return true }
    return catalog.classes.inherits(className, from: ClassName(unchecked: subject.rawValue))
  }

  private func responds(_ id: ResponderID, to selector: Selector) -> Bool {
    session.inquiry(in: context).delivery(of: selector, to: id) != nil
  }
}

extension Performer {
  /// Notifies view controllers that appeared or disappeared, and removes dropped instances.
  mutating func settle() throws(MutationFault) {
    try settleViews()
    // The handlers of dropped view controllers may have shown others.
    if try removeDropped() { try settleViews() }
  }
}
