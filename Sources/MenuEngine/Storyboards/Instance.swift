package import JSONText

/// The notes of a session about a responder that it made itself, from a scene or of a class (V9);
/// it has none about those that a front end put, which are the front end's to remove.
struct Instance: Sendable, Codable {
  /// The view controller whose view it is, or is in; nil for a view controller.
  let owner: ResponderID?
  /// True if a container, a presenter, a window or a coordinator had it once; who never was kept is not
  /// dropped either.
  var wasKept = false

  /// One that nothing holds yet.
  init(owner: ResponderID?) { self.owner = owner }
}

extension Session {
  /// True if something holds a view controller: a container, a presenter, a window or one of those that
  /// coordinators keep (C4, C5).
  func isKept(_ id: ResponderID, _ coordinated: Set<ResponderID>) -> Bool {
    guard let responder = graph[id] else { return false }
    return responder.links[.parent] != nil || responder.links[.presentingViewController] != nil
      || graph.owners[.rootViewController]?[id] != nil || coordinated.contains(id)
  }

  /// The first instance that nothing holds any more, or whose view controller is gone.
  func dropped() -> ResponderID? {
    guard !instances.isEmpty else { return nil }
    let coordinated = graph.coordinatedViewControllers
    return graph.responders.map(\.id).first { id in
      guard let instance = instances[id] else { return false }
      guard let owner = instance.owner else {
        return instance.wasKept && !isKept(id, coordinated)
      }
      return graph[owner] == nil
    }
  }

  /// The views that were made for a view controller, which may be gone.
  func views(of owner: ResponderID) -> [ResponderID] {
    graph.responders.map(\.id).filter { instances[$0]?.owner == owner }
  }

  /// Notes of each instance that something holds that it was held.
  mutating func noteKept() {
    guard !instances.isEmpty else { return }
    let coordinated = graph.coordinatedViewControllers
    for (id, instance) in instances where !instance.wasKept && isKept(id, coordinated) {
      instances[id]?.wasKept = true
    }
  }
}

/// The mark of a responder that the session made itself (V2, V9): it goes when nothing holds it any
/// more, while one that a front end put is the front end's to remove.
package struct MadeInstance: Equatable, Sendable, Codable {
  /// The view controller that a view was made for, and goes with; nil for a view controller.
  package let owner: ResponderID?
}

extension MadeInstance {
  /// Reads the members `isInstance` and, of a view, `owner`; nil for what a front end puts.
  init?(_ reader: inout ObjectReader, _ kind: ResponderKind?) {
    let isInstance = reader.member("isInstance", Read.bool) ?? false
    owner = reader.member("owner", Read.identifier)
    guard isInstance || owner != nil else { return nil }
    for (name, isGiven, kinds) in [
      ("isInstance", isInstance, [ResponderKind.viewController, .view]),
      ("owner", owner != nil, [.view]),
    ] {
      guard isGiven, let kind, !kinds.contains(kind) else { continue }
      reader.log.note(
        .memberOfOtherKind(name, kind: kind, kinds: kinds), at: reader.place(of: name))
    }
    if owner != nil, !isInstance {
      reader.log.note(.missingMember("isInstance"), at: reader.pointer)
    }
    if owner == nil, isInstance, kind == .view {
      reader.log.note(.missingMember("owner"), at: reader.pointer)
    }
    guard isInstance else { return nil }
  }

  /// Writes the members.
  func write(to object: inout JSONObject) {
    object["isInstance"] = true
    object["owner"] = owner.map { .string($0.rawValue) }
  }
}

extension Session {
  /// A responder as its document describes it, with what says that the session made it itself.
  package func responder(_ id: ResponderID) -> Responder? {
    var responder = graph[id]
    responder?.instance = instances[id].map { MadeInstance(owner: $0.owner) }
    return responder
  }

  /// Visits the documents of the responders, in the order in which they joined.
  package func visitDocuments(_ visit: (ResponderID, JSON) -> Void) {
    let responders = graph.responders
    for position in responders.indices where !responders[position].id.isRegistryEnd {
      let id = responders[position].id
      var document = responders[position].document(isBrief: false)
      if let instance = instances[id] { MadeInstance(owner: instance.owner).write(to: &document) }
      visit(id, .object(document))
    }
  }

  /// Notes of responders that were put whether the session made them. An instance that is replaced by one
  /// goes on as it is; without the mark it is the front end's from then on.
  ///
  /// - Throws: `MutationFault.storyboard` with `.unknownOwner`.
  mutating func noteInstances(
    among responders: [Responder], since before: ResponderGraph
  ) throws(MutationFault) {
    for index in responders.indices {
      let id = responders[index].id
      guard let made = responders[index].instance else {
        handOver(toFrontEnd: id)
        continue
      }
      if let owner = made.owner, graph.kind(of: owner) != .viewController {
        throw .storyboard(.unknownOwner(owner, of: id))
      }
      // Whose document has a view has loaded it; without one it is loaded when it comes into view.
      if responders[index].links[.view] == nil {
        appearances?.loaded.remove(id)
      } else if before[id] == nil {
        appearances?.loaded.insert(id)
      }
      guard instances[id]?.owner != made.owner || instances[id] == nil else { continue }
      instances[id] = Instance(owner: made.owner)
    }
  }

  /// Makes a responder the front end's, which keeps what it was told.
  private mutating func handOver(toFrontEnd id: ResponderID) {
    guard !instances.isEmpty || appearances != nil else { return }
    instances[id] = nil
    if graph.kind(of: id) != .viewController { appearances?.forget(id) }
  }
}

/// The names of responders that are gone, so that no instance gets one of them again (V2).
///
/// A name is a number of a stem: `detail-3` is number 3 of `detail`, and `detail` is number 1. Of each stem
/// the highest number is kept; when there are too many stems, the highest number of all stands for every
/// stem. So a name may count as past that never was, but none that was counts as new.
struct PastNames: Equatable, Sendable, Codable {
  private var highest: [String: Int] = [:]
  private var floor = 0

  /// The number that no name reaches.
  static let limit = 1 << 60
  /// The number of stems that are kept apart.
  static let stems = 1024

  /// The highest number that a front end's name is counted with, so that no name of its own leaves
  /// sessions without numbers.
  static let highestOfFrontEnd = 1_000_000_000

  /// Notes that a responder is gone, which the session made itself or a front end put.
  mutating func note(_ id: ResponderID, isOfFrontEnd: Bool) {
    let (stem, number) = Self.parts(of: id.rawValue)
    if isOfFrontEnd, number > Self.highestOfFrontEnd { return }
    if number > max(highest[stem] ?? 0, floor) { highest[stem] = number }
    guard highest.count > Self.stems else { return }
    floor = max(floor, highest.values.max() ?? 0)
    highest = [:]
  }

  /// The number of the first of `NAME`, `NAME-2` and so on after which all are new; 1 for the name itself.
  func nextNumber(of name: String) -> Int {
    let (stem, number) = Self.parts(of: name)
    let last = lastNumber(of: name)
    return last == 0 && number > lastNumber(of: stem) ? 1 : max(last, 1) + 1
  }

  private func lastNumber(of stem: String) -> Int { max(highest[stem] ?? 0, floor) }

  /// The stem of a name and its number, which is written without zeros in front.
  private static func parts(of name: String) -> (stem: String, number: Int) {
    guard let dash = name.lastIndex(of: "-") else { return (name, 1) }
    let digits = name[name.index(after: dash)...]
    guard let number = Int(digits), 2..<limit ~= number, String(number) == digits else {
      return (name, 1)
    }
    return (String(name[..<dash]), number)
  }
}

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
