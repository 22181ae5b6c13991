import JSONText

extension Coordinating {
  /// Reads the coordinator part of a responder's document, or nil when there is none; its root view
  /// controller goes to the links.
  ///
  /// Only plain responders can be coordinators, and of those only coordinators belong to another one
  /// or go on to something.
  init?(
    _ reader: inout ObjectReader, of id: ResponderID, kind: ResponderKind?,
    _ links: inout ResponderLinks
  ) {
    guard let json = reader.json("coordinating") else {
      if kind == .responder, links[.parentCoordinator] != nil || links[.continuation] != nil {
        reader.log.note(.missingMember("coordinating"), at: reader.pointer)
      }
      return nil
    }
    let place = reader.place(of: "coordinating")
    if let kind, kind != .responder {
      reader.log.note(
        .memberOfOtherKind("coordinating", kind: kind, kinds: [.responder]), at: place)
    }
    guard let coordinating = Self.read(json, at: place, log: reader.log, of: id, &links) else {
      return nil
    }
    self = coordinating
  }

  private static func read(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog, of id: ResponderID,
    _ links: inout ResponderLinks
  ) -> Coordinating? {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let identifier: CoordinatorIdentifier? = reader.member("identifier", Read.identifier)
    links[.coordinatedRoot] = reader.member("rootViewController", Read.identifier)
    let kind: Kind? = reader.member("kind", Read.word)
    let isResponder = reader.member("isResponder", Read.bool)
    let isStarted = reader.member("isStarted", Read.bool)
    let isReplaced = reader.member("isReplaced", Read.bool)
    let viewControllers: [ResponderID]? = reader.list("viewControllers", Read.identifier)
    if viewControllers != nil, (kind ?? .coordinator) == .coordinator {
      reader.log.note(.conflictingMembers("kind", "viewControllers"), at: pointer)
    }
    if isReplaced == true, links[.parentCoordinator] == nil {
      log.note(.missingMember("parentCoordinator"), at: JSONPointer(pointer.tokens.dropLast() + []))
    }
    reader.finish()
    return Coordinating(
      identifier: identifier ?? CoordinatorIdentifier(unchecked: id.rawValue),
      kind: kind ?? .coordinator, isResponder: isResponder ?? true,
      isStarted: isStarted ?? false, viewControllers: viewControllers ?? [],
      replacedUnder: isReplaced == true ? links[.parentCoordinator] : nil)
  }
}

extension Responder {
  /// Writes what makes a responder a coordinator.
  func writeCoordinating(to object: inout JSONObject) {
    guard let coordinating else { return }
    var value = JSONObject()
    value["identifier"] = .string(coordinating.identifier.rawValue)
    value["rootViewController"] = links[.coordinatedRoot].map { .string($0.rawValue) }
    value["kind"] = .string(coordinating.kind.rawValue)
    if !coordinating.isResponder { value["isResponder"] = false }
    if coordinating.isStarted { value["isStarted"] = true }
    if isReplaced { value["isReplaced"] = true }
    if !coordinating.viewControllers.isEmpty {
      value["viewControllers"] = .array(
        coordinating.viewControllers.map { .string($0.rawValue) })
    }
    object["coordinating"] = .object(value)
  }

  /// The coordinator as rules see it in `responder.coordinating`, with its links, apart from its
  /// children; nil when the responder is none.
  fileprivate var coordinatingRuleValue: JSONObject? {
    guard let coordinating else { return nil }
    func text(_ link: ResponderLink) -> JSON { links[link].map { .string($0.rawValue) } ?? .null }
    var value = JSONObject()
    value["identifier"] = .string(coordinating.identifier.rawValue)
    value["kind"] = .string(coordinating.kind.rawValue)
    value["rootViewController"] = text(.coordinatedRoot)
    value["parentCoordinator"] = text(.parentCoordinator)
    value["continuation"] = text(.continuation)
    value["isStarted"] = .bool(coordinating.isStarted)
    value["isReplaced"] = .bool(isReplaced)
    value["viewControllers"] = .array(
      coordinating.viewControllers.map { .string($0.rawValue) })
    return value
  }
}

extension ResponderGraph {
  /// Returns the number of other responders that are read for what rules see of a responder.
  func ruleMemberCount(of id: ResponderID) -> Int {
    guard let responder = self[id] else { return 0 }
    guard let coordinating = responder.coordinating else { return responder.viewControllers.count }
    return coordinating.viewControllers.count + (holders[id]?.count ?? 0)
  }

  /// Returns a coordinator as rules see it in `responder.coordinating`; nil when the responder is
  /// none.
  func coordinatingRuleValue(of responder: Responder) -> JSON? {
    guard var value = responder.coordinatingRuleValue else { return nil }
    var children = JSONObject()
    for child in childCoordinators(of: responder.id) {
      children[child.identifier.rawValue] = .string(child.id.rawValue)
    }
    value["childCoordinators"] = .object(children)
    return .object(value)
  }
}
