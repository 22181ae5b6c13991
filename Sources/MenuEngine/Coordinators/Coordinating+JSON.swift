import JSONText

extension Coordinating {
  /// What makes the responder of a document a coordinator, or nil when nothing does; its root view
  /// controller goes to the links.
  ///
  /// Only plain responders can be coordinators, and of those only coordinators belong to another one
  /// or go on to something.
  init?(
    _ reader: inout ObjectReader, _ id: ResponderID, _ kind: ResponderKind?,
    _ links: inout [ResponderLink: ResponderID]
  ) {
    let isGiven = reader.json("coordinating") != nil
    let coordinating = reader.member("coordinating") { Self.read($0, $1, $2, id, &links) }
    if isGiven, let kind, kind != .responder {
      reader.log.note(
        .memberOfOtherKind("coordinating", kind: kind, kinds: [.responder]),
        at: reader.place(of: "coordinating"))
    }
    if !isGiven, kind == .responder,
      links[.parentCoordinator] != nil || links[.continuation] != nil
    {
      reader.log.note(.missingMember("coordinating"), at: reader.pointer)
    }
    guard let coordinating else { return nil }
    self = coordinating
  }

  private static func read(
    _ json: JSON, _ pointer: JSONPointer, _ log: FaultLog, _ id: ResponderID,
    _ links: inout [ResponderLink: ResponderID]
  ) -> Coordinating? {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let identifier: CoordinatorIdentifier? = reader.member("identifier", Read.identifier)
    links[.coordinatedRoot] = reader.member("rootViewController", Read.identifier)
    let kind: Kind? = reader.member("kind", Read.word)
    let isResponder = reader.member("isResponder", Read.bool)
    reader.finish()
    return Coordinating(
      identifier: identifier ?? CoordinatorIdentifier(unchecked: id.rawValue),
      kind: kind ?? .coordinator, isResponder: isResponder ?? true)
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
    object["coordinating"] = .object(value)
  }

  /// What rules see of a coordinator as `responder.coordinating`, its links among it; nil when the
  /// responder is none.
  var coordinatingRuleValue: JSON? {
    guard let coordinating else { return nil }
    func text(_ link: ResponderLink) -> JSON { links[link].map { .string($0.rawValue) } ?? .null }
    var value = JSONObject()
    value["identifier"] = .string(coordinating.identifier.rawValue)
    value["kind"] = .string(coordinating.kind.rawValue)
    value["rootViewController"] = text(.coordinatedRoot)
    value["parentCoordinator"] = text(.parentCoordinator)
    value["continuation"] = text(.continuation)
    return .object(value)
  }
}
