import Foundation
import Testing

@testable import MenuStore

/// The notices about SQLite's log, which SQLite itself reads without a word.
@Suite struct WriteAheadLogTests {
  @Test func `a log that ends with a whole write is not mentioned, nor is none`() throws {
    let bytes = try Self.log()
    #expect(WriteAheadLog(bytes).unfinished == 0)
    #expect(WriteAheadLog([]).unfinished == 0)
  }

  @Test func `whatever comes after the last whole write is`() throws {
    let bytes = try Self.log()
    // The last write is several frames of 536 bytes, and the one before ends where it begins.
    let unfinished = (1..<536).map { WriteAheadLog(Array(bytes.dropLast($0))).unfinished + $0 }
    #expect(Set(unfinished).count == 1)
    let last = try #require(unfinished.first)
    #expect(last % 536 == 0 && last < bytes.count)
    #expect(WriteAheadLog(Array(bytes.dropLast(last))).unfinished == 0)
  }

  @Test func `what is left of an earlier use of the file is not`() throws {
    var bytes = try Self.log()
    let end = bytes.count
    bytes += bytes[32...]
    bytes[end + 8] ^= 1
    #expect(WriteAheadLog(bytes).unfinished == 0)
  }

  @Test func `what is left of an earlier use is not counted behind a write that is cut off`() throws
  {
    let bytes = try Self.log()
    let torn = Array(bytes.dropLast(536)) + [UInt8](repeating: 7, count: 3 * 536)
    #expect(
      WriteAheadLog(torn).unfinished == WriteAheadLog(Array(bytes.dropLast(536))).unfinished)
  }

  @Test func `a log that does not begin as one is unfinished as a whole`() throws {
    var bytes = try Self.log()
    bytes[25] ^= 1
    #expect(WriteAheadLog(bytes).unfinished == bytes.count)
    #expect(WriteAheadLog([1, 2, 3]).unfinished == 3)
  }

  @Test func `it is said when a journal is opened`() throws {
    let place = try Place()
    let journal = try SmallJournal(snapshotEvery: 100, isCutOff: true)
    var files = journal.files
    files["-wal"]?.removeLast(100)
    try place.lay(files)
    let notices = try place.model().recovery.notices
    guard case .unfinishedWrite(path: place.path + "-wal", let bytes)? = notices.first else {
      Issue.record("\(notices)")
      return
    }
    #expect(
      notices.first?.description == """
        \(place.path)-wal: It ends in \(bytes) bytes that are no whole write; they were left out.
        """)
    #expect(notices.last == .acknowledgedMissing(first: 9, last: 9))
  }

  private static func log() throws -> [UInt8] {
    try #require(try SmallJournal(snapshotEvery: 100, isCutOff: true).files["-wal"])
  }
}
