import Testing

@testable import MenuStore

/// Copies of journals in other ones.
@Suite struct JournalCopyTests {
  @Test(arguments: Bed.all)
  func `a copy has all records, however many there are`(bed: Bed) throws {
    let (place, other) = (try Place(keptRecords: 512), try Place(bed))
    let model = try place.model(snapshotEvery: 10_000)
    for name in ["a", "b", "c"] { try model.open(name) }
    for number in 0..<1300 { try model.change(["a", "b", "c"][number % 3], [UInt8(number % 251)]) }
    model.close()
    let source = try place.journal(snapshotEvery: 10_000)
    defer { source.close() }
    let copy = try JournalCopy(of: source, into: try other.journal())
    #expect(copy.records > 1200)
    let found = try other.journal()
    defer { found.close() }
    try copy.check(found)
  }
}
