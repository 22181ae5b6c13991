import JSONText

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
  /// Notes of responders that were put whether the session made them. An instance that is replaced by one
  /// goes on as it is; without the mark it is the front end's from then on.
  ///
  /// - Throws: `MutationFault.storyboard` with `.unknownOwner`.
  mutating func noteInstances(among responders: [Responder]) throws(MutationFault) {
    for responder in responders {
      guard let made = responder.instance else {
        release(responder.id)
        continue
      }
      if let owner = made.owner, graph[owner]?.kind != .viewController {
        throw .storyboard(.unknownOwner(owner, of: responder.id))
      }
      if let present = instances[responder.id], present.owner == made.owner { continue }
      instances[responder.id] = Instance(
        owner: made.owner, isViewLoaded: responder.links[.view] != nil)
    }
  }

  /// Notes of the instances that a session is opened with who is on screen and who is held, as it was
  /// when their document was written: nobody is told again.
  mutating func resumeInstances(in catalog: Catalog) {
    guard !instances.isEmpty else { return }
    for id in visibleViewControllers(in: catalog, besides: nil)
    where instances[id]?.isViewLoaded == true {
      instances[id]?.isVisible = true
    }
    noteKept()
  }
}
