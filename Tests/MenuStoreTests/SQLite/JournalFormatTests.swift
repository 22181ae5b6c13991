import Foundation
import JSONText
import MenuEngine
import Randomness
import StoreSupport
import Testing

@testable import MenuStore

/// A journal of each format as SQL, and the contents that it has beside it: what a released menud wrote is
/// read for ever.
///
/// `MENUD_WRITE_FIXTURE=1` writes those of the last format anew. Once a version with that format is released, a journal
/// that differs is another format: give it the next number (`JournalSchema.format`) and a fixture beside these.
@Suite struct JournalFormatTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures")
  private static let last = JournalSchema.format

  private static func script(_ format: Int64) -> URL {
    fixtures.appending(path: "journal-\(format).sql")
  }

  private static func contents(_ format: Int64) -> URL {
    fixtures.appending(path: "journal-\(format).json")
  }

  private static let writing = Result {
    guard ProcessInfo.processInfo.environment["MENUD_WRITE_FIXTURE"] != nil else { return }
    let place = try Place()
    try EveryKindOfRecord().write(at: place)
    try SQLiteConnection(path: place.path, mayCreate: false).dump()
      .write(to: script(last), atomically: true, encoding: .utf8)
    try Data(try place.storeContents().bytes).write(to: contents(last))
  }

  init() throws { try Self.writing.get() }

  @Test(arguments: JournalSchema.earliestFormat...JournalSchema.format)
  func `a journal of a format has what it had, and goes on in the last one`(format: Int64) throws {
    let place = try Place()
    try SQLiteConnection(path: place.path, mayCreate: true)
      .execute(try String(contentsOf: Self.script(format), encoding: .utf8))
    let expected = try JSON(parsing: Array(Data(contentsOf: Self.contents(format))))
    for _ in 0..<2 {
      let found = try place.storeContents()
      for part in ["catalog", "sessions", "answers", "histories"] {
        let name = JSONPointer([part])
        #expect(found[name]?.text() == expected[name]?.text(), "\(part)")
      }
    }
    let connection = try SQLiteConnection(path: place.path, mayCreate: false)
    #expect(try connection.value(of: "PRAGMA user_version")?.int == Self.last)
  }

  @Test func `the same is written as it was when the format got its number`() throws {
    let place = try Place()
    try EveryKindOfRecord().write(at: place)
    let written = try SQLiteConnection(path: place.path, mayCreate: false).dump()
    let lines = written.split(separator: "\n")
    let expected = try String(contentsOf: Self.script(Self.last), encoding: .utf8).split(
      separator: "\n")
    #expect(lines.count == expected.count)
    for (line, other) in zip(lines, expected) { try #require(line == other) }
  }
}

/// The events in the journal of the fixture: a sample application, every mutation, every effect, every change of
/// a catalogue, and answers that are kept.
private struct EveryKindOfRecord {
  private let operations: JSON

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../MenuEngineTests/Fixtures/every-operation.json")
    operations = try JSON(parsing: Array(Data(contentsOf: file)))
  }

  func write(at place: Place) throws {
    let store = try SessionStore(
      recovering: place.journal(snapshotEvery: 1000),
      catalog: try SampleApplication("shop").catalog,
      remembering: .ofFixture)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<60 { _ = try store.doSomething(&random) }
    for stored in try list("catalogMutations") {
      _ = try? store.changeCatalog(by: try read(stored, "stored"))
    }
    let run = try #require(try list("runs").first)
    try store.changeCatalog(by: .replace(read(run, "catalog")))
    let session: Session = try read(run, "opened")
    try store.open(session)
    for step in try list(run, "steps") {
      let record: SessionRecord = try read(step, "record")
      try store.change(session.id) { try? $0.apply(record.mutations) }
    }
    let view = try #require(session.graph.ids.first)
    let handler: JSON = [
      "perform": .array(try list("effects").compactMap { $0[JSONPointer(["document"])] })
    ]
    let effects = try FaultLog.collecting {
      Handler(reading: handler, at: .root, log: $0)
    }
    try store.change(session.id) { change in
      change.entry = .sample("changed", expiry: 100_000)
      return try change.apply([.putHandler(effects, for: "every:", of: view)])
    }
    try store.keep(.sample("refused", status: 409, expiry: 100_000))
    store.close()
  }

  private func list(_ json: JSON, _ name: String) throws -> [JSON] {
    guard case .array(let list)? = json[JSONPointer([name])] else { throw StoredFault.notStored }
    try #require(!list.isEmpty)
    return list
  }

  private func list(_ name: String) throws -> [JSON] { try list(operations, name) }

  private func read<Value: Decodable>(_ json: JSON, _ name: String) throws -> Value {
    try StoredFormat.value(from: #require(json[JSONPointer([name])]).bytes)
  }
}

extension Place {
  /// The contents of the store that is recovered from the journal here, as it is stored.
  fileprivate func storeContents() throws -> JSON {
    let store = try SessionStore(
      recovering: journal(snapshotEvery: 1000), catalog: try SampleApplication("shop").catalog,
      remembering: .ofFixture)
    defer { store.close() }
    var sessions = JSONObject()
    for id in store.sessionIDs {
      sessions[id.rawValue] = try JSON(parsing: StoredFormat.bytes(of: #require(store.session(id))))
    }
    let answers = store.answers.map { "\(String(decoding: $0.key, as: UTF8.self)) \($0.status)" }
    let histories = try store.sessions.map { edition -> JSON in
      let revisions = try store.history(of: edition, limit: 1000).map(\.revision)
      return .array(revisions.map { .int(Int64($0)) })
    }
    return [
      "catalog": try JSON(parsing: StoredFormat.bytes(of: store.catalog)),
      "sessions": .object(sessions), "answers": .array(answers.sorted().map(JSON.string)),
      "histories": .array(histories),
    ]
  }
}

extension HistorySettings {
  /// Those of the fixtures, in which no time passes.
  fileprivate static let ofFixture = HistorySettings(now: { 1000 }, writer: Nothing())

  private struct Nothing: HistoryWriter {
    func members(of outcomes: [Outcome]) -> [UInt8] { Array("{}".utf8) }
    func members(of fault: MutationFault) -> [UInt8]? { nil }
  }
}

extension SQLiteConnection {
  /// The file as a script that makes it again.
  fileprivate func dump() throws -> String {
    var lines = try ["application_id", "user_version"].map { pragma in
      "PRAGMA \(pragma) = \(try value(of: "PRAGMA \(pragma)")?.int ?? 0);"
    }
    lines += (JournalSchema.tables + [HistoryTable.table]).map { "\($0);" }
    for (table, columns) in [
      ("record", 6), ("state", 5), ("entry", 8), ("extent", 3), ("history", 10),
    ] {
      let rows = try prepare("SELECT * FROM \(table) ORDER BY 1, 2, 3")
      try rows.start()
      while try rows.next() {
        let values = (0..<columns).map { rows[$0].literal }
        lines.append("INSERT INTO \(table) VALUES (\(values.joined(separator: ", ")));")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension SQLiteValue {
  /// The value as SQL has it; bytes that are one line of text as that text.
  fileprivate var literal: String {
    switch self {
    case .int(let int): return "\(int)"
    case .text(let text): return "'\(text.replacing("'", with: "''"))'"
    case .blob(let bytes):
      if bytes.allSatisfy({ $0 >= 0x20 }), let text = String(validating: bytes, as: UTF8.self) {
        return "CAST('\(text.replacing("'", with: "''"))' AS BLOB)"
      }
      return "X'\(bytes.map { String(format: "%02X", $0) }.joined())'"
    case .other: return "NULL"
    }
  }
}

/// The checksums of records, states and entries.
@Suite struct ChecksumTests {
  @Test(
    arguments: [
      ("", 0), ("123456789", 0x995D_C9BB_DF19_39FA),
      ("This is a test of the emergency broadcast system.", 0x27DB_187F_C15B_BC72),
    ] as [(String, UInt64)])
  func `it is CRC-64/XZ`(text: String, value: UInt64) {
    var checksum = Checksum()
    checksum.add(Array(text.utf8))
    #expect(checksum.value == value)
  }

  @Test func `it is the same in whatever pieces bytes come`() {
    let bytes = (0..<100).map { UInt8($0 &* 37 & 0xFF) }
    var whole = Checksum()
    whole.add(bytes)
    for cut in 0...100 {
      var pieces = Checksum()
      pieces.add(Array(bytes[..<cut]))
      pieces.add(Array(bytes[cut...]))
      #expect(pieces.value == whole.value)
    }
  }

  @Test func `an integer is its eight bytes`() {
    var (integer, bytes) = (Checksum(), Checksum())
    integer.add(Int64(0x0102_0304_0506_0708))
    bytes.add([1, 2, 3, 4, 5, 6, 7, 8])
    #expect(integer.value == bytes.value)
  }
}
