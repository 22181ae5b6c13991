/// The links of a responder, in the order in which `ResponderLink` declares them.
///
/// A responder has few, so that each is found by looking at one after the other.
public struct ResponderLinks: Sendable {
  private var links: [(link: ResponderLink, destination: ResponderID)] = []

  /// No links.
  public init() {}

  /// The responder that a link leads to; nil when there is no such link.
  public subscript(link: ResponderLink) -> ResponderID? {
    get {
      let links = links.span
      for index in links.indices where links[index].link == link { return links[index].destination }
      return nil
    }
    set {
      let index = links.firstIndex { $0.link.order >= link.order } ?? links.count
      let isThere = index < links.count && links[index].link == link
      switch newValue {
      case let destination? where isThere: links[index].destination = destination
      case let destination?: links.insert((link, destination), at: index)
      case nil: if isThere { links.remove(at: index) }
      }
    }
  }
}

extension ResponderLinks: Sequence {
  /// The links with what they lead to.
  public func makeIterator() -> IndexingIterator<[(link: ResponderLink, destination: ResponderID)]>
  {
    links.makeIterator()
  }
}

extension ResponderLinks: Equatable {
  /// True if both have the same links to the same responders.
  public static func == (a: ResponderLinks, b: ResponderLinks) -> Bool {
    a.links.elementsEqual(b.links, by: ==)
  }
}

extension ResponderLinks: ExpressibleByDictionaryLiteral {
  /// Links that are written in any order, each once.
  public init(dictionaryLiteral links: (ResponderLink, ResponderID)...) {
    for (link, destination) in links { self[link] = destination }
  }
}

/// They are stored as a dictionary.
extension ResponderLinks: Codable {
  /// Encodes the links by their names.
  public func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: links.map { ($0.link, $0.destination) })
      .encode(to: encoder)
  }

  /// Decodes links by their names.
  public init(from decoder: any Decoder) throws {
    for (link, destination) in try [ResponderLink: ResponderID](from: decoder) {
      self[link] = destination
    }
  }
}
