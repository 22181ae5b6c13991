import JSONText

/// What becomes of registries, and of those who were in one, when responders change.
extension ResponderGraph {
  /// Gives every registry its two ends (L1), and takes the ends of those that are gone.
  mutating func placeRegistryEnds() {
    let ends = responders.filter { $0.lateResponders != nil }.flatMap { host in
      [ResponderID.lateInitial(of: host.id), .lateLast(of: host.id)]
    }
    responders.removeAll { $0.id.isRegistryEnd && !ends.contains($0.id) }
    let present = Set(responders.map(\.id))
    responders += ends.filter { !present.contains($0) }.map(Responder.init(registryEnd:))
  }

  /// Brings late responders into the order in which they are asked (L3).
  mutating func sortRegistries() {
    for position in responders.indices {
      guard let registry = responders[position].lateResponders else { continue }
      let members = registry.members.enumerated()
        .map { (weight: self[$1]?.weight ?? 0, order: $0, id: $1) }
        .sorted { ($0.weight, $0.order) < ($1.weight, $1.order) }.map(\.id)
      responders[position].lateResponders?.members = members
    }
  }

  /// Leaves their `next` to responders that are in no registry any more (L5).
  mutating func keepNext(ofThoseReleasedSince before: ResponderGraph) {
    let released = before.registered.subtracting(registered)
    for (position, responder) in responders.enumerated() where released.contains(responder.id) {
      responders[position].links[.next] = before.ownNext(of: responder.id)
    }
  }

  /// Clears links to responders that are gone, and answers them.
  mutating func clearLinks(toThoseGoneSince before: ResponderGraph) -> [ClearedLink] {
    var cleared: [ClearedLink] = []
    for (position, holder) in responders.enumerated() {
      for link in ResponderLink.allCases {
        guard let destination = holder.links[link], positions[destination] == nil,
          before.positions[destination] != nil
        else { continue }
        responders[position].links[link] = nil
        cleared.append(ClearedLink(holder: holder.id, link: link, destination: destination))
      }
    }
    return cleared
  }
}

extension Responder {
  /// An end of a registry.
  init(registryEnd id: ResponderID) {
    self.init(
      id: id, kind: .responder, className: ResponderKind.responder.defaultClass, links: [:],
      properties: [:], canBecomeFirstResponder: nil, canResignFirstResponder: nil, handlers: [:],
      coordinator: nil, weight: 0, proxy: nil, lateResponders: nil, userActivity: nil,
      touchBar: nil)
  }
}
