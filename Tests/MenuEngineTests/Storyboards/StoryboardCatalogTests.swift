import JSONText
import Testing

@testable import MenuEngine

/// Storyboards and protocols that clients declare and remove, also when the catalogue is read again
/// (M4).
@Suite struct StoryboardCatalogTests {
  private func catalog(_ classes: JSON = ["List": ["superclass": "UIViewController"]]) throws
    -> Catalog
  {
    try CatalogDocument([.classes: classes]).catalog()
  }

  private func storyboard(_ name: StoryboardName, _ className: String = "List") throws
    -> Storyboard
  {
    let json: JSON = [
      "initialViewController": "list", "scenes": ["list": ["class": .string(className)]],
    ]
    return try FaultLog.collecting { Storyboard(name, reading: json, at: .root, log: $0) }
  }

  private func delegateProtocol(_ name: ProtocolName, _ message: Selector = "done:") throws
    -> DelegateProtocol
  {
    let json: JSON = ["required": [.string(message.rawValue)]]
    return try FaultLog.collecting { DelegateProtocol(name, reading: json, at: .root, log: $0) }
  }

  @Test func `the same declaration again changes nothing, a different one is refused`() throws {
    var catalog = try catalog()
    #expect(try catalog.declare(storyboard("Main")))
    #expect(try catalog.declare(delegateProtocol("P")))
    #expect(catalog.revision == 2)
    #expect(try !catalog.declare(storyboard("Main")))
    #expect(try !catalog.declare(delegateProtocol("P")))
    #expect(catalog.revision == 2)
    #expect(throws: DeclarationFault.storyboard(.duplicateStoryboard("Main"))) {
      try catalog.declare(storyboard("Main", "UIViewController"))
    }
    #expect(throws: DeclarationFault.protocol(.duplicateProtocol("P"))) {
      try catalog.declare(delegateProtocol("P", "other:"))
    }
    #expect(catalog.revision == 2 && catalog.storyboards.count == 1)
  }

  @Test func `a storyboard of unknown classes is refused`() throws {
    var catalog = try catalog()
    #expect(throws: DeclarationFault.scene(.undeclaredClass("list", "Grid"))) {
      try catalog.declare(storyboard("Main", "Grid"))
    }
    #expect(throws: DeclarationFault.scene(.notAViewController("list", "UIView"))) {
      try catalog.declare(storyboard("Main", "UIView"))
    }
  }

  @Test func `what was declared and removed again leaves nothing behind`() throws {
    var catalog = try catalog()
    _ = try catalog.declare(storyboard("Main"))
    try catalog.removeStoryboard("Main")
    _ = try catalog.declare(delegateProtocol("P"))
    try catalog.removeProtocol("P")
    #expect(catalog.changes == [] && catalog.revision == 4)
    #expect(throws: DeclarationFault.storyboard(.unknownStoryboard("Main"))) {
      try catalog.removeStoryboard("Main")
    }
    #expect(throws: DeclarationFault.protocol(.unknownProtocol("P"))) {
      try catalog.removeProtocol("P")
    }
  }

  @Test func `V7: a protocol that a class names is not removed`() throws {
    var catalog = try CatalogDocument([
      .protocols: ["P": [:]],
      .classes: ["A": ["superclass": "UIView", "delegateProtocol": "P"]],
    ]).catalog()
    #expect(throws: DeclarationFault.protocol(.protocolInUse("P", ["A"]))) {
      try catalog.removeProtocol("P")
    }
  }

  @Test func `M4: what clients declared and removed survives, as far as it can`() throws {
    let read = try CatalogDocument([
      .storyboards: ["Old": ["initialViewController": "a", "scenes": ["a": [:]]]],
      .classes: ["List": ["superclass": "UIViewController"]],
    ]).catalog()
    var present = read
    _ = try present.declare(delegateProtocol("P"))
    _ = try present.declare(storyboard("Main"))
    _ = try present.declare(storyboard("Plain", "UIViewController"))
    try present.removeStoryboard("Old")
    let same = read.succeeding(present)
    #expect(same.leftOut == [])
    #expect(same.storyboards.map(\.name) == ["Main", "Plain"])
    #expect(same.protocols == present.protocols)
    let without = try CatalogDocument([.classes: [:]]).catalog().succeeding(present)
    #expect(
      without.leftOut == [
        .init(
          change: .declareStoryboard(try storyboard("Main")),
          fault: .scene(.undeclaredClass("list", "List")))
      ])
    #expect(without.storyboards.map(\.name) == ["Plain"])
    let list = try storyboard("Main").json
    #expect(without.leftOut.map(\.change.json) == [["declareStoryboard": ["Main": list]]])
    #expect(without.revision == present.revision + 1)
  }
}
