import JSONText

/// The stages of a view controller's life, from its instantiation to its destruction (V9).
package enum LifecycleStage: String, CaseIterable, Sendable, Codable {
  /// It was instantiated, and its relationships are there.
  case awakeFromNib
  /// Its view was made, since it is about to be seen for the first time.
  case viewDidLoad
  /// It comes into view.
  case viewWillAppear
  /// It has come into view.
  case viewDidAppear
  /// It goes out of view.
  case viewWillDisappear
  /// It has gone out of view.
  case viewDidDisappear
  /// It is about to go, with its view and its children.
  case dealloc

  /// The message that the view controller itself gets, when it has a method for it.
  package var selector: Selector {
    switch self {
    case .awakeFromNib, .viewDidLoad, .dealloc: Selector(stringLiteral: rawValue)
    case .viewWillAppear, .viewDidAppear, .viewWillDisappear, .viewDidDisappear:
      Selector(stringLiteral: "\(rawValue):")
    }
  }
}

/// A wish of a responder to be told of others (V9).
package struct Observation: Equatable, Sendable, Codable {
  /// The name of a responder, or that of a class.
  package typealias Subject = ResponderID

  /// The stage that it wants to be told of.
  package let event: LifecycleStage
  /// Of whom: one view controller, or all of a class and its subclasses. The default is of all.
  package let subject: Subject?
  /// The action that is sent to it then.
  package let action: Selector
}

extension Observation {
  /// The observation that a document describes, or nil and the faults: `{"event": "viewDidLoad",
  /// "of": "DetailViewController", "action": "detailDidLoad:"}`.
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

  /// The observation as a document.
  var json: JSON {
    var object = JSONObject()
    object["event"] = .string(event.rawValue)
    object["of"] = subject.map { .string($0.rawValue) }
    object["action"] = .string(action.rawValue)
    return .object(object)
  }
}

extension SceneReference {
  /// The scene that the responder of a document is an instance of: `storyboard` and `scene`, both or
  /// neither.
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

/// Destruction (V9): by nobody who holds it any more, or by a client.
extension Performer {
  /// Removes the instances that nothing holds any more, with their views; their children go after them,
  /// unless a front end put them. Answers whether there were any.
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
        // A client deletes it: it goes when it was told.
        guard isTold else { continue }
        guard session.graph[id] != nil else {
          session.noteKept()
          hasRemoved = true
          continue
        }
      }
      // All views together, since a removal moves all that joined later.
      changes += try session.remove((owner == id ? [id] : []) + session.views(of: owner))
      session.noteKept()
      hasRemoved = true
    }
    return hasRemoved
  }
}

extension Performer {
  /// Removes a responder that a client deletes. A view controller, however it came, is destroyed
  /// like one that nothing holds any more: it and its observers are told while it is still there,
  /// and if its method fails, it stays. Its view leaves the screen with it (R8).
  mutating func destroy(_ id: ResponderID) throws(MutationFault) {
    guard session.graph.kind(of: id) == .viewController else {
      return record(try session.remove([id]))
    }
    // A method that it is told by removes it again: it goes once.
    _ = try once(.destroying(id)) { (performer) throws(MutationFault) in
      try performer.destroyViewController(id)
    }
  }

  private mutating func destroyViewController(_ id: ResponderID) throws(MutationFault) {
    // What they are asked belongs to no trace.
    let whole = trace
    trace = Trace(isRecording: false)
    defer { trace = whole }
    if session.wasToldVisible(id) {
      session.noteTold(id, isVisible: false)
      try tell(.viewWillDisappear, of: id)
      try tell(.viewDidDisappear, of: id)
    }
    try tell(.dealloc, of: id)
    // It may have gone with what holds it, which a method removed.
    guard session.graph[id] != nil else { return }
    let before = session
    let catalog = catalog
    let links = before.graph[id]?.links ?? [:]
    record(try session.remove([id]))
    record(try session.uncover(links[.view], links[.parent], since: before, in: catalog))
  }
}
