package import JSONText

/// The mark of a responder that the session made itself (V2, V9): it goes when nothing holds it any
/// more, while one that a front end put is the front end's to remove.
public struct MadeInstance: Equatable, Sendable, Codable {
  /// The view controller that a view was made for, and goes with; nil for a view controller.
  public let owner: ResponderID?
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
  public func responder(_ id: ResponderID) -> Responder? {
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
