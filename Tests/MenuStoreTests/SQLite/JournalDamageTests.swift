import Foundation
import Testing

@testable import MenuStore

/// Journals whose files were cut or have other bits somewhere, at every offset.
///
/// A recovery finds everything up to some record, said when that is not the last one, or
/// the journal is refused: never a crash, a gap, or something that was not so.
///
/// By default every 13th offset is tried, each with another bit. `MENUD_DAMAGE=every` tries all
/// offsets, and `MENUD_DAMAGE=all` every bit of each and all bits of each at once, which takes hours.
@Suite struct JournalDamageTests {
  private static let extent = ProcessInfo.processInfo.environment["MENUD_DAMAGE"]
  static let isThorough = extent == "all"
  /// From one offset to the next; the default divides no size of anything in the files.
  static let stride = extent == nil ? 13 : 1

  @Test(arguments: ["", "-wal", ".lock"], [1, 100])
  func `cut anywhere`(end: String, snapshotEvery: Int) throws {
    let journal = try SmallJournal(snapshotEvery: snapshotEvery, isCutOff: true)
    try Self.judge(journal, end) { [.cut($0)] }
  }

  @Test(arguments: ["", "-wal", ".lock"], [1, 100])
  func `flipped anywhere`(end: String, snapshotEvery: Int) throws {
    let journal = try SmallJournal(snapshotEvery: snapshotEvery, isCutOff: true)
    try Self.judge(journal, end, Self.flips)
  }

  @Test(arguments: [1, 100])
  func `cut or flipped anywhere after it was closed`(snapshotEvery: Int) throws {
    let journal = try SmallJournal(snapshotEvery: snapshotEvery, isCutOff: false)
    #expect(journal.files["-wal"] == nil)
    try Self.judge(journal, "") { [.cut($0)] + Self.flips($0) }
  }

  @Test func `in the middle it is refused with the record and what to do`() throws {
    let place = try Place()
    try place.lay(SmallJournal(snapshotEvery: 100, isCutOff: false).files)
    try Self.change(place, "UPDATE record SET payload = x'00' WHERE sequence = 4")
    let fault = JournalFault.damaged(path: place.path, .record(sequence: 4))
    #expect(throws: fault) { try place.model() }
    #expect(
      fault.description == """
        \(place.path): Record 4 is not as it was written, and others stand behind it. Nothing was \
        changed. Put back a copy of the file, or move it and those beside it away to begin anew.
        """)
  }

  @Test func `the last record is left out when it is damaged, with a notice and its answer`() throws
  {
    let place = try Place()
    let journal = try SmallJournal(snapshotEvery: 100, isCutOff: false)
    try place.lay(journal.files)
    try Self.change(place, "UPDATE record SET payload = x'00' WHERE sequence = \(journal.last)")
    let model = try place.model()
    #expect(model.all == journal.history[journal.last - 1])
    #expect(
      model.recovery.notices == [
        .lastRecordDamaged(sequence: 9), .acknowledgedMissing(first: 9, last: 9),
      ])
    #expect(
      model.recovery.notices[0].description
        == "Record 9, the last one, is not as it was written and was left out.")
    #expect(model.entries.count == 1)
  }

  @Test(
    arguments: [
      ("DELETE FROM record WHERE sequence = 5", .missingRecord(sequence: 5)),
      ("UPDATE record SET kind = 7 WHERE sequence = 3", .record(sequence: 3)),
      ("UPDATE record SET subject = 'other' WHERE sequence = 4", .record(sequence: 4)),
      ("UPDATE record SET revision = revision + 1 WHERE sequence = 4", .record(sequence: 4)),
      ("DELETE FROM entry", .entries), ("UPDATE entry SET expiry = 5000", .entries),
      ("DELETE FROM extent", .extent), ("UPDATE extent SET numbers = zeroblob(64)", .extent),
      ("CREATE TABLE mine (x)", .tables), ("DROP INDEX entryExpiry", .tables),
    ] as [(String, JournalFault.Damage)])
  func `what somebody changed in the tables is noticed`(
    statement: String, damage: JournalFault.Damage
  ) throws {
    try Self.expect(damage, after: statement, snapshotEvery: 100)
  }

  @Test(
    arguments: [
      ("DELETE FROM state WHERE subject = 'demo'", .states),
      ("UPDATE state SET payload = x'' WHERE subject = 'demo'", .state(.session("demo"))),
      (
        "INSERT INTO state SELECT 'twin', sequence, revision, payload, checksum FROM state "
          + "WHERE subject = 'demo'", .state(.session("twin"))
      ),
    ] as [(String, JournalFault.Damage)])
  func `what somebody changed in the states is noticed`(
    statement: String, damage: JournalFault.Damage
  ) throws {
    try Self.expect(damage, after: statement, snapshotEvery: 1)
  }

  private static func expect(
    _ damage: JournalFault.Damage, after statement: String, snapshotEvery: Int
  ) throws {
    let place = try Place()
    try place.lay(SmallJournal(snapshotEvery: snapshotEvery, isCutOff: false).files)
    try change(place, statement)
    #expect(throws: JournalFault.damaged(path: place.path, damage)) { try place.model() }
  }

  private static func change(_ place: Place, _ statement: String) throws {
    let connection = try SQLiteConnection(path: place.path, mayCreate: false)
    try connection.execute(statement)
  }

  private static func flips(_ offset: Int) -> [Damage] {
    let bits: [UInt8] = isThorough ? Array(0..<8) : [UInt8(offset % 8)]
    let flips: [Damage] = bits.map { .flip(offset, 1 << $0) }
    return isThorough ? flips + [.flip(offset, 0xFF)] : flips
  }

  private static func judge(
    _ journal: SmallJournal, _ end: String, _ damages: (Int) -> [Damage]
  ) throws {
    let place = try Place()
    var report = DamageReport()
    let size = journal.files[end]?.count ?? 0
    for offset in Swift.stride(from: 0, to: size, by: stride) {
      for damage in damages(offset) {
        // That it goes on well is tried now and then only, since it takes long.
        let goesOn = isThorough || offset % 16 == 0
        report.judge(damage, to: end, of: journal, in: place, goesOn: goesOn)
      }
    }
    print("menud.db\(end), \(size) bytes: \(report)")
    #expect(report.wrong.isEmpty)
  }
}
