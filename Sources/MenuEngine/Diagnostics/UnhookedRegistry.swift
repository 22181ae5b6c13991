/// A registry that leads nowhere at its end (L2).
public struct UnhookedRegistry: Equatable, Sendable {
  /// The host of the registry.
  public let host: ResponderID
  /// The responders that would follow the host without its registry, nearest first.
  public let unreachable: [ResponderID]
}

extension ResponderGraph {
  /// The registries that keep what follows their hosts from being reached.
  var unhookedRegistries: [UnhookedRegistry] {
    responders.compactMap { host in
      guard let registry = host.lateResponders, !registry.hooksLast else { return nil }
      let unreachable = ownNext(of: host.id).map { chain(from: $0) } ?? []
      return UnhookedRegistry(host: host.id, unreachable: unreachable)
    }
  }
}
