import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// The order of what an outcome tells of the document, on which the digest of a plan depends (E2, T6).
struct DocumentDifferenceTests {
  private static let ids = (10..<30).map { "r\($0)" }

  private func stage(_ document: JSON) throws -> Stage {
    var responders: JSONObject = [
      "target": ["kind": "responder", "handlers": ["go:": [:]]],
      "main": [
        "kind": "responder",
        "handlers": [
          "clear:": [
            "perform": .array(
              Self.ids.reversed().map {
                ["op": "removeResponder", "responder": .string("'\($0)'")]
              }
            )
          ]
        ],
      ],
    ]
    for id in Self.ids { responders[id] = document }
    return try Stage(responders: .object(responders), focus: "main")
  }

  private func places(_ outcome: Outcome, below name: String) -> [String] {
    outcome.documentEdits.compactMap { edit in
      guard case .string(let place)? = edit.operation.json[JSONPointer(["path"])] else {
        return nil
      }
      return place.hasPrefix("/\(name)/") ? place : nil
    }
  }

  @Test func `T6: registrations of responders that go are told in document order`() throws {
    var stage = try stage(["kind": "responder", "coordinator": ["handlers": [:]]])
    let outcome = try stage.apply(.perform(ActionRequest(.action("clear:"))))
    #expect(places(outcome, below: "registrations") == Self.ids.map { "/registrations/\($0)" })
  }

  @Test func `T6: undo managers that lose actions against one that goes are told in one order`()
    throws
  {
    var stage = try stage(["kind": "responder", "undoManager": [:]])
    for id in Self.ids.reversed() {
      try stage.apply(
        .registerUndo(target: "target", "go:", of: ResponderID(stringLiteral: id)))
    }
    let told = places(try stage.apply(.removeResponder("target")), below: "undo")
    #expect(
      told.filter { $0.hasSuffix("/undo/0") } == Self.ids.map { "/undo/responders/\($0)/undo/0" })
  }
}
