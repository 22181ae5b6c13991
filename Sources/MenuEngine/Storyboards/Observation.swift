import JSONText

/// The stages in the life of a view controller, from instantiation to destruction (V9).
package enum LifecycleStage: String, CaseIterable, Sendable, Codable {
  /// It was instantiated with its relationships.
  case awakeFromNib
  /// Its view was made, before it is first shown.
  case viewDidLoad
  /// It is about to appear.
  case viewWillAppear
  /// It appeared.
  case viewDidAppear
  /// It is about to disappear.
  case viewWillDisappear
  /// It disappeared.
  case viewDidDisappear
  /// It is about to be removed, with its view and its children.
  case dealloc

  /// The message to the view controller itself, if it has a method for it.
  package var selector: Selector {
    switch self {
    case .awakeFromNib, .viewDidLoad, .dealloc: Selector(stringLiteral: rawValue)
    case .viewWillAppear, .viewDidAppear, .viewWillDisappear, .viewDidDisappear:
      Selector(stringLiteral: "\(rawValue):")
    }
  }
}

/// An observation of lifecycle events of view controllers (V9).
package struct Observation: Equatable, Sendable, Codable {
  /// The name of a responder or of a class.
  package typealias Subject = ResponderID

  package let event: LifecycleStage
  /// The observed view controller, or a class with its subclasses. The default is all.
  package let subject: Subject?
  /// The action sent to the observer.
  package let action: Selector
}

extension Observation {
  /// Reads an observation: `{"event": "viewDidLoad", "of": "DetailViewController", "action":
  /// "detailDidLoad:"}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let event: LifecycleStage? = reader.required("event", Read.word)
    subject = reader.member("of", Read.identifier)
    let action = reader.required("action", Read.selector)
    reader.finish()
    guard let event, let action else { return nil }
    self.event = event
    self.action = action
  }

  var json: JSON {
    var object = JSONObject()
    object["event"] = .string(event.rawValue)
    object["of"] = subject.map { .string($0.rawValue) }
    object["action"] = .string(action.rawValue)
    return .object(object)
  }
}

extension SceneReference {
  /// Reads `storyboard` and `scene` of a responder's document: both or neither.
  init?(_ reader: inout ObjectReader, _ kind: ResponderKind?) {
    let (storyboard, scene) = (reader.json("storyboard"), reader.json("scene"))
    guard storyboard != nil || scene != nil else { return nil }
    let first = storyboard == nil ? "scene" : "storyboard"
    if let kind, kind != .viewController {
      reader.log.note(
        .memberOfOtherKind(first, kind: kind, kinds: [.viewController]),
        at: reader.place(of: first))
    }
    if storyboard == nil || scene == nil {
      reader.log.note(
        .missingMember(first == "scene" ? "storyboard" : "scene"), at: reader.pointer)
    }
    let storyboardName: StoryboardName? = storyboard.flatMap {
      Read.identifier($0, at: reader.place(of: "storyboard"), log: reader.log)
    }
    let sceneName: SceneName? = scene.flatMap {
      Read.identifier($0, at: reader.place(of: "scene"), log: reader.log)
    }
    guard let storyboardName, let sceneName else { return nil }
    self.init(storyboard: storyboardName, scene: sceneName)
  }
}

/// The removal of view controllers (V9), by a client or once nothing holds them.
extension Performer {
  /// Removes the instances that nothing holds any more, with their views. Their children follow, unless a front
  /// end put them. Returns true if there were any.
  mutating func removeDropped() throws(MutationFault) -> Bool {
    guard !session.instances.isEmpty else { return false }
    var hasRemoved = false
    session.noteKept()
    while let id = session.dropped() {
      effort.spend(session.graph.count)
      let owner = session.instances[id]?.owner ?? id
      if owner == id {
        session.instances[id]?.wasKept = false
        let isTold =
          try once(.destroying(id)) { (performer) throws(MutationFault) in
            try performer.tell(.dealloc, of: id)
          } != nil
        // Skip view controllers being deleted by a client; they are removed after their message.
        guard isTold else { continue }
        guard session.graph.contains(id) else {
          session.noteKept()
          hasRemoved = true
          continue
        }
      }
      // Remove all views at once, since each removal moves all later responders.
      changes += try session.remove((owner == id ? [id] : []) + session.views(of: owner))
      session.noteKept()
      hasRemoved = true
    }
    return hasRemoved
  }
}

extension Performer {
  /// Removes a responder deleted by a client. A view controller and its observers are notified while it still
  /// exists; if its method fails, it stays. Its view leaves the screen with it (R8).
  mutating func destroy(_ id: ResponderID) throws(MutationFault) {
    guard session.graph.kind(of: id) == .viewController else {
      return record(try session.remove([id]))
    }
    // A method notified of the removal may remove it again.
    _ = try once(.destroying(id)) { (performer) throws(MutationFault) in
      try performer.destroyViewController(id)
    }
  }

  private mutating func destroyViewController(_ id: ResponderID) throws(MutationFault) {
    // Questions during the removal are not part of the trace.
    let whole = trace
    trace = Trace(isRecording: false)
    defer { trace = whole }
    if session.wasToldVisible(id) {
      session.noteTold(id, isVisible: false)
      try tell(.viewWillDisappear, of: id)
      try tell(.viewDidDisappear, of: id)
    }
    try tell(.dealloc, of: id)
    // A method may have removed its holder, and it with it.
    guard session.graph.contains(id) else { return }
    let before = session
    let catalog = catalog
    let links = before.graph[id]?.links ?? [:]
    record(try session.remove([id]))
    record(try session.uncover(links[.view], links[.parent], since: before, in: catalog))
  }
}
