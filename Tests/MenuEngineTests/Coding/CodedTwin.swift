import JSONText
import Testing

@testable import MenuEngine

/// A session, another one that goes through the same and is stored and read back now and then, and the
/// stored records of what happened to them.
struct CodedTwin {
  let catalog: Catalog
  private(set) var session: Session
  private(set) var accepted = 0
  private var twin: Session
  private let opened: [UInt8]
  private var records: [[UInt8]]
  private var steps = 0
  /// As a recovery reads sessions, which share what is equal.
  private let reader = StoredReader()

  init(opening template: SessionTemplate, in catalog: Catalog) throws {
    self.catalog = catalog
    session = try Session("s", opening: template, in: catalog)
    twin = try reread(session)
    opened = try StoredFormat.bytes(of: session)
    records = []
    try expectSame()
  }

  /// Applies a mutation to both; the twin gets what was stored of it. They must do, or refuse, the same.
  mutating func apply(_ mutation: Mutation) throws {
    let record = try StoredFormat.bytes(of: SessionRecord([mutation]))
    let read: SessionRecord = try StoredFormat.value(from: record)
    #expect(try StoredFormat.bytes(of: read) == record)
    let copy = try #require(read.mutations.first)
    steps += 1
    if steps % 3 == 0 {
      let plain = try reread(twin)
      twin = try reader.session(from: StoredFormat.bytes(of: plain))
    }
    let done = outcome(of: mutation, &session)
    let again = outcome(of: copy, &twin)
    #expect(done.0 == again.0)
    #expect(done.1 == again.1)
    if done.0 != nil {
      accepted += 1
      records.append(record)
    }
    try expectSame()
  }

  private func outcome(
    of mutation: Mutation, _ session: inout Session
  ) -> (Outcome?, MutationFault?) {
    do throws(MutationFault) {
      return (try session.apply(mutation, in: catalog, isExplaining: true), nil)
    } catch {
      return (nil, error)
    }
  }

  /// Both have the same bytes, and chains and links that are not stored are the same too.
  private func expectSame() throws {
    #expect(try StoredFormat.bytes(of: session) == StoredFormat.bytes(of: twin))
    #expect(twin.graph.positions == session.graph.positions)
    #expect(twin.graph.nextPositions == session.graph.nextPositions)
    #expect(twin.graph.registrars == session.graph.registrars)
    #expect(twin.holdings == session.holdings)
    #expect(twin.graph.application == session.graph.application)
    #expect(
      twin.graph.holders.plain.filter { !$1.isEmpty }
        == session.graph.holders.plain.filter { !$1.isEmpty })
    #expect(twin.graph.owners.plain == session.graph.owners.plain)
  }

  /// Both give the same answers, and the records give the same session again.
  func finish() throws {
    #expect(items(session) == items(twin))
    #expect(items(session, .context) == items(twin, .context))
    #expect(session.document == twin.document)
    var replayed: Session = try StoredFormat.value(from: opened)
    for record in records {
      let record: SessionRecord = try StoredFormat.value(from: record)
      replayed = try record.replayed(on: replayed, in: reread(catalog)).session
    }
    #expect(try StoredFormat.bytes(of: replayed) == StoredFormat.bytes(of: session))
  }

  private func items(_ session: Session, _ kind: MenuKind = .main) -> [ValidatedItem]? {
    var request = ValidationRequest()
    request.kind = kind
    request.isExplaining = true
    return try? session.validate(request, in: catalog)
  }
}

/// A value that was stored and read back; it has the same bytes.
func reread<Value: Codable>(
  _ value: Value, _ location: SourceLocation = #_sourceLocation
) throws -> Value {
  let bytes = try StoredFormat.bytes(of: value)
  let copy: Value = try StoredFormat.value(from: bytes)
  let again = try StoredFormat.bytes(of: copy)
  #expect(
    String(decoding: again, as: UTF8.self) == String(decoding: bytes, as: UTF8.self),
    sourceLocation: location)
  return copy
}
