import Foundation
import Testing

@testable import MenuStore

/// Journals that an older menud wrote.
@Suite struct JournalFormatTests {
  @Test func `format 1, without answers, becomes the present one, and all in it is there`() throws {
    let place = try Self.placeOfFormat1()
    let model = try place.model()
    #expect(model.recovery.notices == [.upgraded(from: 1, to: 2)])
    #expect(
      model.recovery.notices[0].description == "The journal had format 1 and now has format 2.")
    #expect(
      model.subjects == [
        .catalog: [1, 2, 3], .session("demo"): [7, 2, 8, 3], .session("other"): [5],
      ])
    #expect(model.recovery.last == 9)
    try model.change("demo", [4], entry: .sample("k"))
    let recovered = try place.reopen(model)
    #expect(recovered.all == model.all)
    #expect(recovered.recovery.notices.isEmpty)
  }

  @Test func `an upgrade that finds damage changes nothing`() throws {
    let place = try Self.placeOfFormat1()
    do {
      let connection = try SQLiteConnection(path: place.path, mayCreate: false)
      try connection.execute("CREATE TABLE entry (mine)")
    }
    #expect(throws: JournalFault.damaged(path: place.path, .tables)) { try place.model() }
    let connection = try SQLiteConnection(path: place.path, mayCreate: false)
    #expect(try connection.value(of: "PRAGMA user_version") == .int(1))
  }

  @Test func `an upgraded file has the same tables as a new one`() throws {
    let place = try Self.placeOfFormat1()
    try place.model().journal.close()
    let connection = try SQLiteConnection(path: place.path, mayCreate: false)
    #expect(try JournalSchema.isMet(by: connection, format: 2))
    #expect(try connection.value(of: "PRAGMA user_version") == .int(2))
  }

  /// The stored file, as the script from which SQLite makes it.
  private static func placeOfFormat1() throws -> Place {
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/format-1.sql")
    let place = try Place()
    let connection = try SQLiteConnection(path: place.path, mayCreate: true)
    try connection.execute(try String(contentsOf: script, encoding: .utf8))
    return place
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
