import Foundation
import JSONText
import Testing

@testable import MenuEngine

/// A session that menud stored under the first rules, which replays as it happened then: nobody but
/// instances hears of views, focus is lost at once, every answer counts, and a delegate loses what its
/// protocol requires.
@Suite struct FirstRulesTests {
  private struct Step {
    let record: SessionRecord
    let revision: Int
    let document: JSON
    /// The session as it was stored after the step; nil for most of them.
    let session: Session?
  }

  private let catalog: Catalog
  private let opened: Session
  private let steps: [Step]

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/first-rules.json")
    let json = try JSON(parsing: Array(Data(contentsOf: file)))
    func stored<Value: Decodable>(_ json: JSON?) throws -> Value {
      try StoredFormat.value(from: #require(json).bytes)
    }
    catalog = try stored(json.object?["catalog"])
    let reader = StoredReader()
    opened = try reader.session(from: #require(json.object?["opened"]).bytes)
    guard case .array(let documents)? = json.object?["steps"] else {
      steps = []
      return
    }
    steps = try documents.map { document in
      let members = try #require(document.object)
      guard case .int(let revision)? = members["revision"] else { throw StoredFault.notStored }
      return Step(
        record: try stored(members["record"]), revision: Int(revision), document: document,
        session: try members["session"].map { try reader.session(from: $0.bytes) })
    }
  }

  /// The session as it says itself, what it told view controllers included.
  private func document(_ session: Session) -> JSON {
    var copy = session
    copy.noteOpeningAppearances(in: SessionContext(catalog))
    return copy.document
  }

  private func replay(_ steps: ArraySlice<Step>, on start: Session) throws {
    var session = start
    for (index, step) in zip(steps.indices, steps) {
      session = try step.record.replayed(
        on: session, in: catalog, reaching: Int64(step.revision))
      #expect(session.revision == step.revision, "step \(index)")
      let focus = session.firstResponder.map { JSON.string($0.rawValue) } ?? .null
      #expect(focus == step.document.object?["firstResponder"], "step \(index)")
      #expect(session.state.object?["log"] == step.document.object?["log"], "step \(index)")
      if let stored = step.session { #expect(document(session) == document(stored)) }
    }
  }

  @Test func `it replays as it happened`() throws {
    #expect(opened.isOfFirstRules && steps.count == 27)
    try replay(steps[...], on: opened)
  }

  @Test func `it goes on from a state that was stored in the middle`() throws {
    let middle = try #require(steps.firstIndex { $0.session != nil })
    let session = try #require(steps[middle].session)
    #expect(!session.instances.isEmpty)
    try replay(steps[(middle + 1)...], on: session)
    let read = try StoredReader().session(from: StoredFormat.bytes(of: session))
    try replay(steps[(middle + 1)...], on: read)
  }

  @Test func `a session that is opened now takes none of it`() throws {
    #expect(try !Session("s", opening: #require(catalog.template), in: catalog).isOfFirstRules)
  }
}
