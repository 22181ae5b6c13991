import JSONText

/// Making view controllers from scenes (V2).
extension Performer {
  /// Makes an instance of a scene with all that is instantiated with it, and answers its name.
  ///
  /// An embedded view controller is prepared by it (V5) when everything is there.
  @discardableResult
  mutating func instantiate(
    _ reference: SceneReference, as id: ResponderID? = nil
  ) throws(MutationFault) -> ResponderID {
    var made = MadeScenes()
    let instance = try make(reference, as: id, noting: &made)
    for id in made.awake { try tell(.awakeFromNib, of: id) }
    for (source, segue, destination) in made.embedded {
      let performed = SegueInProgress(
        identifier: segue.identifier, kind: .embed, source: source, destination: destination)
      try prepare(performed, of: segue, sending: .byNobody)
      events.append(.segue(SegueOutcome(performed, .performed)))
    }
    return instance
  }

  /// Makes a responder of a class; it is of the kind that the class has.
  @discardableResult
  mutating func instantiate(
    _ className: ClassName, as id: ResponderID?
  ) throws(MutationFault) -> ResponderID {
    let kind = catalog.classes.kind(of: className)
    let name = try freeName(id, like: className.rawValue)
    guard catalog.classes.contains(className) else { throw .unknownClass(name, className) }
    var responder = Responder(bare: name, of: kind)
    responder.className = className
    try put(responder, as: kind == .viewController ? Instance(owner: nil) : nil)
    if kind == .viewController { try tell(.awakeFromNib, of: name) }
    return name
  }

  /// Children before those who contain them are told, and all before anybody is configured.
  private mutating func make(
    _ reference: SceneReference, as id: ResponderID?, noting made: inout MadeScenes
  ) throws(MutationFault) -> ResponderID {
    guard let storyboard = catalog.storyboard(reference.storyboard) else {
      throw .storyboard(.unknownStoryboard(reference.storyboard))
    }
    guard let scene = storyboard.scene(reference.scene) else {
      throw .storyboard(.unknownScene(reference))
    }
    var responder = scene.viewController
    responder.id = try freeName(id, like: scene.name.rawValue)
    responder.scene = reference
    try put(responder, as: Instance(owner: nil))
    var children: [ResponderID] = []
    for child in scene.viewControllers {
      let child = SceneReference(storyboard: storyboard.name, scene: child)
      children.append(try make(child, as: nil, noting: &made))
    }
    for segue in scene.segues where segue.kind == .embed {
      guard let destination = segue.destination else { continue }
      let child = SceneReference(storyboard: storyboard.name, scene: destination)
      let instance = try make(child, as: nil, noting: &made)
      made.embedded.append((responder.id, segue, instance))
      children.append(instance)
    }
    if !children.isEmpty {
      changes += try session.setViewControllers(children, of: responder.id, in: catalog)
    }
    made.awake.append(responder.id)
    return responder.id
  }

  /// Adds a responder to the session.
  mutating func put(_ responder: Responder, as instance: Instance?) throws(MutationFault) {
    try countEffect()
    try session.checkClass(responder.className, of: responder.id, in: catalog)
    let numbered = session.numbered(responder)
    try session.graph.put([numbered])
    session.instances[responder.id] = instance
    changes.append(.responder(session.responder(responder.id) ?? numbered))
  }

  /// The name for a new responder: the given one, which must be free, else the first of `NAME`, `NAME-2`
  /// and so on that nobody has or had (V2).
  ///
  /// **Decision:** a name that a caller gives may have been used before, as with a responder that
  /// is put.
  func freeName(
    _ id: ResponderID?, like name: String
  ) throws(MutationFault) -> ResponderID {
    if let id {
      guard session.graph[id] == nil else { throw .storyboard(.nameTaken(id)) }
      return id
    }
    let past = session.pastNames
    var number = past.nextNumber(of: name)
    while true {
      let text = number == 1 ? name : "\(name)-\(number)"
      guard let id = ResponderID(text) else {
        throw .storyboard(.nameTooLong(text))
      }
      if session.graph[id] == nil { return id }
      number += 1
    }
  }
}

/// The instances that are made together with one.
private struct MadeScenes {
  /// The segues by which some are contained in others.
  var embedded: [(source: ResponderID, segue: Segue, destination: ResponderID)] = []
  /// The new view controllers, in the order in which they are told.
  var awake: [ResponderID] = []
}

extension ResponderClasses {
  /// The kind of responders that a class is made for: that of the nearest class of UIKit.
  func kind(of name: ClassName) -> ResponderKind {
    let kinds: [ResponderKind] = [.application, .scene, .window, .viewController, .view]
    return kinds.first { inherits(name, from: $0.defaultClass) } ?? .responder
  }
}
