package import JSONText

/// The session's record of a responder that it made from a scene or a class (V9). Responders of a front end have none;
/// only the front end removes them.
struct Instance: Sendable, Codable {
  /// The view controller that a view belongs to; nil for a view controller.
  let owner: ResponderID?
  /// True if a container, presenter, window or coordinator has ever held it; until then it is not dropped.
  var wasKept = false

  /// Creates the record of an instance that nothing holds yet.
  init(owner: ResponderID?) { self.owner = owner }
}

extension Session {
  /// True if a container, presenter, window or coordinator holds the view controller (C4, C5).
  func isKept(_ id: ResponderID, _ coordinated: Set<ResponderID>) -> Bool {
    guard let responder = graph[id] else { return false }
    return responder.links[.parent] != nil || responder.links[.presentingViewController] != nil
      || graph.owners[.rootViewController][id] != nil || coordinated.contains(id)
  }

  /// Returns the first instance that nothing holds any more, or whose view controller was removed or replaced by
  /// another kind of responder.
  func dropped() -> ResponderID? {
    guard !instances.isEmpty else { return nil }
    let coordinated = graph.coordinatedViewControllers
    return graph.responders.map(\.id).first { id in
      guard let instance = instances[id] else { return false }
      guard let owner = instance.owner else {
        return instance.wasKept && !isKept(id, coordinated)
      }
      return graph.kind(of: owner) != .viewController
    }
  }

  /// Returns the views made for a view controller, which may have been removed.
  func views(of owner: ResponderID) -> [ResponderID] {
    graph.responders.map(\.id).filter { instances[$0]?.owner == owner }
  }

  /// Marks the instances that are held.
  mutating func noteKept() {
    guard !instances.isEmpty else { return }
    let coordinated = graph.coordinatedViewControllers
    for (id, instance) in instances where !instance.wasKept && isKept(id, coordinated) {
      instances[id]?.wasKept = true
    }
  }
}

/// The mark of a responder made by the session (V2, V9). The session removes it once nothing holds it; only the front
/// end removes its own responders.
package struct MadeInstance: Equatable, Sendable, Codable {
  /// The view controller that a view was made for and is removed with; nil for a view controller.
  package let owner: ResponderID?
}

extension MadeInstance {
  /// Reads the members `isInstance` and, of a view, `owner`; nil for a responder put by a front end.
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

  func write(to object: inout JSONObject) {
    object["isInstance"] = true
    object["owner"] = owner.map { .string($0.rawValue) }
  }
}

extension Session {
  /// Returns a responder as in its document, with the mark of an instance made by the session.
  package func responder(_ id: ResponderID) -> Responder? {
    guard var responder = graph[id] else { return nil }
    if let instance = instances[id] {
      responder.content.instance = MadeInstance(owner: instance.owner)
    }
    return responder
  }

  /// Calls `visit` with the documents of the responders, in joining order.
  package func visitDocuments(_ visit: (ResponderID, JSON) -> Void) {
    let responders = graph.responders
    for position in responders.indices where !responders[position].id.isRegistryEnd {
      let id = responders[position].id
      var document = responders[position].document(isBrief: false)
      if let instance = instances[id] { MadeInstance(owner: instance.owner).write(to: &document) }
      visit(id, .object(document))
    }
  }

  /// Records which of the added responders were made by the session. An instance that replaces another continues its
  /// record; a responder without the mark belongs to the front end from then on.
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
      // An instance whose document has a view has loaded it; any other loads its view when it appears.
      if responders[index].links[.view] == nil {
        appearances?.loaded.remove(id)
      } else if before[id] == nil {
        appearances?.loaded.insert(id)
      }
      guard instances[id]?.owner != made.owner || instances[id] == nil else { continue }
      instances[id] = Instance(owner: made.owner)
    }
  }

  /// Turns an instance into a front end's responder; the record of its messages stays.
  private mutating func handOver(toFrontEnd id: ResponderID) {
    guard !instances.isEmpty || appearances != nil else { return }
    instances[id] = nil
    if graph.kind(of: id) != .viewController { appearances?.forget(id) }
  }
}

/// The names of removed responders, so that no new instance gets one of them (V2).
///
/// A name is a stem and a number: `detail-3` is number 3 of `detail`, and `detail` is number 1. The highest
/// number of each stem is kept; beyond `stems` stems, one number stands for all. Unused names may then count as
/// used, but no used name counts as new.
struct PastNames: Equatable, Sendable, Codable {
  private var highest: [String: Int] = [:]
  private var floor = 0

  /// An upper bound of all numbers.
  static let limit = 1 << 60
  /// The number of stems with a number of their own.
  static let stems = 1024

  /// The highest number recorded for a front end's name, so that its names cannot exhaust the numbers.
  static let highestOfFrontEnd = 1_000_000_000

  /// Records the name of a removed responder.
  mutating func note(_ id: ResponderID, isOfFrontEnd: Bool) {
    let (stem, number) = Self.parts(of: id.rawValue)
    if isOfFrontEnd, number > Self.highestOfFrontEnd { return }
    if number > max(highest[stem] ?? 0, floor) { highest[stem] = number }
    guard highest.count > Self.stems else { return }
    floor = max(floor, highest.values.max() ?? 0)
    highest = [:]
  }

  /// Returns the first number of `NAME`, `NAME-2` and so on from which all names are new; 1 for the name
  /// itself.
  func nextNumber(of name: String) -> Int {
    let (stem, number) = Self.parts(of: name)
    let last = lastNumber(of: name)
    return last == 0 && number > lastNumber(of: stem) ? 1 : max(last, 1) + 1
  }

  private func lastNumber(of stem: String) -> Int { max(highest[stem] ?? 0, floor) }

  /// Returns the stem and the number of a name; numbers have no leading zeros.
  private static func parts(of name: String) -> (stem: String, number: Int) {
    guard let dash = name.lastIndex(of: "-") else { return (name, 1) }
    let digits = name[name.index(after: dash)...]
    guard let number = Int(digits), 2..<limit ~= number, String(number) == digits else {
      return (name, 1)
    }
    return (String(name[..<dash]), number)
  }
}

/// The instantiation of view controllers from scenes (V2).
extension Performer {
  /// Makes an instance of a scene and of its related scenes, and returns its name.
  ///
  /// Embedded view controllers are prepared (V5) once all exist.
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

  /// Makes a responder of a class, of the class's kind.
  @discardableResult
  mutating func instantiate(
    _ className: ClassName, as id: ResponderID?
  ) throws(MutationFault) -> ResponderID {
    let kind = catalog.classes.kind(of: className)
    let name = try freeName(id, like: className.rawValue)
    guard catalog.classes.contains(className) else { throw .link(.unknownClass(name, className)) }
    var responder = Responder(bare: name, of: kind)
    responder.content.className = className
    try put(responder, as: kind == .viewController ? Instance(owner: nil) : nil)
    if kind == .viewController { try tell(.awakeFromNib, of: name) }
    return name
  }

  /// Children are notified before their containers, and all before any is prepared.
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
    responder.content.id = try freeName(id, like: scene.name.rawValue)
    responder.content.scene = reference
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

  mutating func put(_ responder: Responder, as instance: Instance?) throws(MutationFault) {
    try countEffect()
    try session.checkClass(responder.className, of: responder.id, in: catalog)
    let numbered = session.numbered(responder)
    let before = session.graph
    try session.graph.put([numbered])
    let freed = session.freeLateResponders(of: responder.id, since: before)
    session.instances[responder.id] = instance
    changes.append(.responder(session.responder(responder.id) ?? numbered))
    changes += freed
  }

  /// Returns the name of a new responder: the given one, which must be free, or else the first of `NAME`, `NAME-2` and
  /// so on that was never used (V2).
  ///
  /// **Decision:** a given name may have been used before, as for a responder added by a front end.
  func freeName(
    _ id: ResponderID?, like name: String
  ) throws(MutationFault) -> ResponderID {
    if let id {
      guard !session.graph.contains(id) else { throw .storyboard(.nameTaken(id)) }
      return id
    }
    let past = session.pastNames
    var number = past.nextNumber(of: name)
    while true {
      let text = number == 1 ? name : "\(name)-\(number)"
      guard let id = ResponderID(text) else {
        throw .storyboard(.nameTooLong(text))
      }
      if !session.graph.contains(id) { return id }
      number += 1
    }
  }
}

/// The instances made together.
private struct MadeScenes {
  /// The embed segues between them.
  var embedded: [(source: ResponderID, segue: Segue, destination: ResponderID)] = []
  /// The new view controllers, in the order of their notification.
  var awake: [ResponderID] = []
}

extension ResponderClasses {
  /// Returns the kind of a class: that of its nearest UIKit class.
  func kind(of name: ClassName) -> ResponderKind {
    let kinds: [ResponderKind] = [.application, .scene, .window, .viewController, .view]
    return kinds.first { inherits(name, from: $0.defaultClass) } ?? .responder
  }
}
