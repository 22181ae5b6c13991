import JSONText
import Testing

@testable import MenuEngine

/// Links of a responder are in the order of their declaration, each once.
@Suite struct ResponderLinksTests {
  @Test func `links are in the order of their declaration, however they were set`() {
    var links = ResponderLinks()
    for link in ResponderLink.allCases.reversed() {
      links[link] = ResponderID(unchecked: link.rawValue)
    }
    #expect(links.map(\.link) == ResponderLink.allCases)
    for link in ResponderLink.allCases { #expect(links[link]?.rawValue == link.rawValue) }
  }

  @Test func `a link that is set again leads somewhere else, and one that is cleared nowhere`() {
    var links: ResponderLinks = [.view: "first", .next: "second"]
    links[.view] = "third"
    links[.parent] = nil
    #expect(links == [.next: "second", .view: "third"])
    #expect(links != [.next: "second"])
    links[.next] = nil
    #expect(links[.next] == nil)
    #expect(links == [.view: "third"])
    links[.view] = nil
    #expect(links == [:])
  }

  @Test func `they are stored as a dictionary by their names`() throws {
    let links: ResponderLinks = [.view: "root", .coordinatedRoot: "albums", .next: "window"]
    let stored = try JSON(encoding: links)
    #expect(
      stored == ["next": "window", "view": "root", "coordinating/rootViewController": "albums"])
    #expect(try stored.decoded(as: ResponderLinks.self) == links)
  }
}
