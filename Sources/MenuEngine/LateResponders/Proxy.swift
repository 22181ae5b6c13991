/// The part of a responder that is a proxy: it stands for the one that its link `proxied` leads to
/// (L8).
///
/// A proxy whose responder was deleted has no such link, and stays a proxy (L10).
///
/// **Decision:** what a proxy has of its own (L7) it answers itself, before the one that it stands for
/// is asked: the filter is about that one alone, and so is its being gone.
public struct Proxy: Equatable, Sendable, Codable {
  /// The selectors that it can be found for; nil for all, and none when it is empty.
  public internal(set) var proxiedSelectors: [Selector]?

  /// True if it can be found for a selector; the names have to be the same, colons included.
  public func isFound(for selector: Selector) -> Bool {
    proxiedSelectors?.contains(selector) ?? true
  }
}

extension ResponderGraph {
  /// The responder that a proxy stands for in the end, over other proxies; nil when that is gone
  /// (L10), and for a responder that is no proxy itself.
  func proxied(by id: ResponderID) -> ResponderID? {
    var current = self[id]
    while let here = current, here.proxy != nil {
      current = here.links[.proxied].flatMap { self[$0] }
    }
    return current?.id == id ? nil : current?.id
  }

  /// The proxies that stand for nobody, over other proxies (L10). Each is looked at once, however long
  /// the rows are.
  var deadProxies: [ResponderID] {
    var isDead: [ResponderID: Bool] = [:]
    return ids.filter { id in
      var row: [ResponderID] = []
      var current = self[id]
      while let here = current, here.proxy != nil, isDead[here.id] == nil {
        isDead[here.id] = true
        row.append(here.id)
        current = here.links[.proxied].flatMap { self[$0] }
      }
      let leadsToSomebody = current.map { isDead[$0.id] != true } ?? false
      if leadsToSomebody { for proxy in row { isDead[proxy] = false } }
      return isDead[id] == true
    }
  }
}
