import JSONText
import Testing

@testable import MenuEngine

/// Sessions that are read from a journal share what they shared when they lived.
@Suite struct StoredReaderTests {
  private static let responders: JSON = [
    "window": ["kind": "window"],
    "view": [
      "kind": "view", "superview": "window",
      "handlers": ["zoom:": ["validate": ["enabled": "state.zoom < 4"]]],
    ],
    "other": ["kind": "view", "superview": "window"],
  ]

  private static func stage() throws -> Stage { try Stage(responders: responders, focus: "view") }

  private static func read(_ session: Session, _ reader: StoredReader) throws -> Session {
    try reader.session(from: StoredFormat.bytes(of: session))
  }

  private static func rule(of session: Session) throws -> Rule {
    try #require(session.graph["view"]?.handlers["zoom:"]?.validate.rules.first?.rule)
  }

  @Test func `equal graphs are one in memory, and so are equal rules of different graphs`() throws {
    let session = try Self.stage().session
    let reader = StoredReader()
    let first = try Self.read(session, reader)
    let second = try Self.read(session, reader)
    #expect(first.graph.responders.isIdentical(to: second.graph.responders))
    #expect(first.document == session.document)
    let stranger = try Self.read(session, StoredReader())
    #expect(!first.graph.responders.isIdentical(to: stranger.graph.responders))
    #expect(try Self.rule(of: first).isIdentical(to: Self.rule(of: stranger)))
  }

  @Test func `sessions that differ by identifier and opening alone share all else`() throws {
    let stage = try Self.stage()
    let reader = StoredReader()
    let sessions = try [("a", 17), ("b", 281_474_976_710_656), ("c", nil)].map {
      (id: SessionID, opening: Int?) in
      var session = try Session(id, opening: stage.opening, in: stage.catalog)
      session.openingNumber = opening
      return session
    }
    let read = try sessions.map { try Self.read($0, reader) }
    #expect(read.map(\.id) == ["a", "b", "c"])
    #expect(read.map(\.openingNumber) == [17, 281_474_976_710_656, nil])
    #expect(read.map(\.document) == sessions.map(\.document))
    #expect(read[0].graph.responders.isIdentical(to: read[1].graph.responders))
  }

  @Test func `equal records are read once, and others as they are`() throws {
    let reader = StoredReader()
    for zoom in [1, 1, 2] {
      let record = SessionRecord([.mergeState(["zoom": .int(Int64(zoom))])])
      let bytes = try StoredFormat.bytes(of: record)
      #expect(try StoredFormat.bytes(of: reader.record(from: bytes)) == bytes)
    }
    #expect(throws: StoredFault.self) {
      try reader.record(from: Array(#"[1,{"mutations":[{}]}]"#.utf8))
    }
  }

  @Test func `responders that are equal are shared by graphs that differ`() throws {
    let stage = try Self.stage()
    var changed = stage.session
    _ = try changed.apply(
      .putResponder(responder("other", ["kind": "view", "superview": "view"])), in: stage.catalog)
    let reader = StoredReader()
    let first = try Self.read(stage.session, reader)
    let second = try Self.read(changed, reader)
    let position = try #require(first.graph.position(of: "view"))
    let same = first.graph.responders.isIdentical(
      at: position, to: second.graph.responders, at: position)
    #expect(same)
    #expect(second.graph.next(of: "other") == "view")
    #expect(first.graph.next(of: "other") == "window")
  }

  @Test func `a session that is changed leaves those that it shared with as they are`() throws {
    let stage = try Self.stage()
    let reader = StoredReader()
    let first = try Self.read(stage.session, reader)
    var second = try Self.read(stage.session, reader)
    _ = try second.apply(.mergeState(["zoom": 3]), in: stage.catalog)
    _ = try second.apply(.removeResponder("other"), in: stage.catalog)
    #expect(first.document == stage.session.document)
    #expect(try Self.read(second, reader).document == second.document)
    #expect(try Self.read(stage.session, reader).document == stage.session.document)
  }

  @Test func `sessions as the template opens them share with those that are opened later`() throws {
    let template = try Self.stage().opening
    let catalog = try Catalog(template: template)
    let stored = try StoredFormat.bytes(of: Session("a", opening: template, in: catalog))
    let reader = StoredReader()
    let again = try reader.catalog(from: StoredFormat.bytes(of: catalog))
    let recovered = try reader.session(from: stored)
    let opened = try Session("b", opening: try #require(again.template), in: again)
    #expect(recovered.graph.responders.isIdentical(to: opened.graph.responders))
  }

  @Test func `faults are reported as if nothing were shared`() throws {
    let reader = StoredReader()
    for text in [
      "", "[1]", #"[1,{}]"#, #"[2,{"graph":{"responders":[]},"state":{}}]"#,
      #"[1,{"graph":{"responders":[{}]},"state":{}}]"#,
      #"[1,{"graph":{"responders":[]},"state":{"a":1,"a":2}}]"#,
      #"[1,{"graph":{"responders":[]},"state":{"a":}}]"#,
    ] {
      let bytes = Array(text.utf8)
      var faults: [StoredFault] = []
      do throws(StoredFault) { _ = try reader.session(from: bytes) } catch { faults.append(error) }
      do throws(StoredFault) {
        _ = try StoredFormat.value(Session.self, from: bytes)
      } catch { faults.append(error) }
      #expect(faults.count == 2)
      #expect(faults.first == faults.last)
    }
  }
}
