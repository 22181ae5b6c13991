import JSONText

extension Scene {
  /// The scene that a document describes: the members of a responder that is no link, and `view`,
  /// `viewControllers` and `segues`; one that is at fault is left out.
  init?(_ name: SceneName, reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let prototype = ResponderID(unchecked: name.rawValue)
    viewController = Responder(prototype, &reader, as: .viewController)
    view =
      reader.member("view") { SceneView(reading: $0, at: $1, log: $2, isRoot: true) } ?? .empty
    viewControllers = reader.list("viewControllers", Read.identifier) ?? []
    segues = reader.list("segues", Segue.init(reading:at:log:)) ?? []
    reader.finish()
    self.name = name
  }

  /// The scene as a document, without its name.
  var json: JSON {
    var object = viewController.json.members
    object["kind"] = nil
    object["view"] = view.json
    if !viewControllers.isEmpty {
      object["viewControllers"] = .array(viewControllers.map { .string($0.rawValue) })
    }
    if !segues.isEmpty { object["segues"] = .array(segues.map(\.json)) }
    return .object(object)
  }

  /// Notes what it names that is not there, and what it names twice.
  func check(
    in storyboard: StoryboardName, _ scenes: Set<SceneName>, at place: JSONPointer, _ log: FaultLog
  ) {
    for (index, child) in viewControllers.enumerated() where !scenes.contains(child) {
      log.note(
        .declaration(.unknownScene(storyboard, child)),
        at: place.appending("viewControllers").appending(index))
    }
    checkSegues(in: storyboard, scenes, at: place.appending("segues"), log)
    var names: Set<Identifier<SceneView>> = []
    view.check(in: name, at: place.appending("view"), log, &names)
  }

  private func checkSegues(
    in storyboard: StoryboardName, _ scenes: Set<SceneName>, at place: JSONPointer, _ log: FaultLog
  ) {
    var places: [SegueIdentifier: JSONPointer] = [:]
    for (index, segue) in segues.enumerated() {
      let place = place.appending(index)
      if let destination = segue.destination, !scenes.contains(destination) {
        log.note(
          .declaration(.unknownScene(storyboard, destination)), at: place.appending("destination"))
      }
      guard let identifier = segue.identifier else { continue }
      if let other = places.updateValue(place, forKey: identifier) {
        log.note(
          .declaration(.duplicateSegue(name, identifier), other: other),
          at: place.appending("identifier"))
      }
    }
  }
}

extension SceneView {
  /// The empty view of a scene that describes none.
  static var empty: SceneView {
    SceneView(
      name: "view", prototype: Responder(bare: "view", of: .view),
      subviews: [])
  }

  /// The view that a document describes: the members of a responder that is no link, and `id` and
  /// `subviews`. Only the root view needs no `id`; it is then called `view`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog, isRoot: Bool) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let faults = log.faults.count
    let name: Identifier<SceneView>? =
      isRoot
      ? reader.member("id", Read.identifier) ?? "view" : reader.required("id", Read.identifier)
    let prototype = ResponderID(unchecked: name?.rawValue ?? "view")
    self.prototype = Responder(prototype, &reader, as: .view)
    subviews =
      reader.list("subviews") { SceneView(reading: $0, at: $1, log: $2, isRoot: false) } ?? []
    reader.finish()
    guard let name, log.faults.count == faults else { return nil }
    self.name = name
  }

  /// The view as a document.
  var json: JSON {
    var object = JSONObject()
    object["id"] = .string(name.rawValue)
    for member in prototype.json.members.members where !member.name.hasSameBytes(as: "kind") {
      object[member.name] = member.value
    }
    if !subviews.isEmpty { object["subviews"] = .array(subviews.map(\.json)) }
    return .object(object)
  }

  fileprivate func check(
    in scene: SceneName, at place: JSONPointer, _ log: FaultLog,
    _ names: inout Set<Identifier<SceneView>>
  ) {
    if !names.insert(name).inserted {
      log.note(.declaration(.duplicateView(scene, name)), at: place.appending("id"))
    }
    for (index, subview) in subviews.enumerated() {
      subview.check(
        in: scene, at: place.appending("subviews").appending(index), log, &names)
    }
  }

  /// Itself and the views in it, each before those in it.
  var all: [SceneView] { [self] + subviews.flatMap(\.all) }
}

extension JSON {
  /// The members of an object; of anything else, none.
  var members: JSONObject {
    if case .object(let object) = self { object } else { JSONObject() }
  }
}
