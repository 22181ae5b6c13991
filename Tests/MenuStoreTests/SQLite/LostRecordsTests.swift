import Foundation
import MenuEngine
import StoreSupport
import Testing

@testable import MenuStore

/// Journals that lack what was acknowledged: nobody takes what comes for what is missing.
@Suite struct LostRecordsTests {
  private let place: Place
  private let catalog: Catalog

  init() throws {
    place = try Place()
    catalog = try SampleApplication("shop").catalog
  }

  private func start() throws(JournalFault) -> SessionStore {
    try SessionStore(recovering: place.journal(), catalog: catalog)
  }

  private func number(_ id: SessionID, in store: SessionStore) -> Int? {
    store.opening(of: id)?.number
  }

  /// Leaves a journal whose session `a` has four changes, and the mark of one with six.
  private func lose() throws -> Int? {
    let store = try start()
    for id: SessionID in ["a", "b"] {
      try store.open(Session(id, opening: SessionTemplate(), in: catalog))
    }
    for value in 1...4 { try store.set("a", to: Int64(value)) }
    let number = number("a", in: store)
    store.close()
    let earlier = try place.copy()
    let later = try start()
    for value in 5...6 { try later.set("a", to: Int64(value)) }
    later.close()
    try FileManager.default.removeItem(atPath: place.path)
    try FileManager.default.copyItem(atPath: earlier.path, toPath: place.path)
    return number
  }

  @Test func `E3: a session that lacks acknowledged changes begins again, once and for good`()
    throws
  {
    let former = try lose()
    let store = try start()
    #expect(store.recovery?.notices == [.acknowledgedMissing(first: 8, last: 9)])
    let numbers = [number("a", in: store), number("b", in: store)]
    #expect(numbers[0] != nil && numbers[0] != former && numbers[0] != numbers[1])
    #expect(store.read("a").session?.session.revision == 4)
    try store.set("a", to: 7)
    store.close()
    for _ in 0..<2 {
      let again = try start()
      #expect(again.recovery?.notices == [])
      #expect([number("a", in: again), number("b", in: again)] == numbers)
      #expect(again.read("a").session?.session.revision == 5)
      again.close()
    }
  }

  @Test func `E3: it is durable before anybody is answered`() throws {
    let former = try lose()
    let store = try start()
    let number = number("a", in: store)
    // As a process that is killed at once leaves it.
    let copy = try place.copy()
    let again = try SessionStore(recovering: copy.journal(), catalog: catalog)
    #expect(again.opening(of: "a")?.number == number)
    #expect(number != former)
  }

  @Test func `whoever only reads changes nothing, and leaves no doubt out`() throws {
    _ = try lose()
    let before = try place.bytes()
    let configuration = JournalConfiguration(path: place.path, isOnlyRead: true)
    for _ in 0..<2 {
      let journal = try SQLiteJournal(configuration, clock: place.clock)
      let reading = try JournalReading(of: journal)
      #expect(reading.recovery.notices == [.acknowledgedMissing(first: 8, last: 9)])
      #expect(reading.sessions == 2)
      #expect(throws: JournalFault.closed) { try journal.append([JournalWrite()]) {} }
      journal.close()
      #expect(try place.bytes() == before)
    }
  }

  @Test func `whoever only reads leaves the log of a killed process as it is`() throws {
    let journal = try SmallJournal(snapshotEvery: 100, isCutOff: true)
    var files = journal.files
    // The last record is damaged in it.
    files["-wal"]?.removeLast(100)
    try place.lay(files)
    let before = try place.bytes()
    let configuration = JournalConfiguration(path: place.path, isOnlyRead: true)
    let only = try SQLiteJournal(configuration, clock: place.clock)
    let recovery = try only.recover { _ in
    } stateOf: { _ in
      nil
    }
    #expect(recovery.last == journal.last - 1)
    only.close()
    #expect(try place.bytes() == before)
    #expect(try place.model().all == journal.history[journal.last - 1])
  }

  @Test func `what is only read must be there`() throws {
    let configuration = JournalConfiguration(path: place.path, isOnlyRead: true)
    #expect(throws: JournalFault.system(path: place.path, code: ENOENT)) {
      try SQLiteJournal(configuration, clock: place.clock)
    }
    #expect(!FileManager.default.fileExists(atPath: place.path))
  }

  @Test func `a journal that lacks acknowledged records is not copied`() throws {
    _ = try lose()
    let target = try Place()
    #expect {
      try JournalCopy(of: place.journal(), into: target.journal())
    } throws: { fault in
      guard
        case .lacksRecords([.acknowledgedMissing(first: 8, last: 9)])? = fault as? JournalCopyFault
      else { return false }
      return true
    }
  }

  // MARK: SQLite's log

  @Test func `damage in the middle of SQLite's log is refused, with full durability alone`() throws
  {
    let journal = try SmallJournal(snapshotEvery: 100, isCutOff: true)
    let log = try #require(journal.files["-wal"])
    var files = journal.files
    // The first frame of the first write behind the file.
    files["-wal"]?[32 + 100] ^= 1
    try place.lay(files)
    let before = try place.bytes()
    let fault = JournalFault.damaged(
      path: place.path, .log(path: place.path + "-wal", first: 6, last: 9))
    var configuration = JournalConfiguration(path: place.path)
    #expect(throws: fault) { try SQLiteJournal(configuration, clock: place.clock) }
    #expect(
      fault.description == """
        \(place.path): \(place.path)-wal: A write in it is not as it was written, and others stand behind it. Records \
        6 to 9 are lost with it, although acknowledged. Nothing was changed. Put back a copy of the file, or move it \
        and those beside it away to begin anew.
        """)
    #expect(try place.bytes() == before)
    configuration.durability = .normal
    let normal = try Model(recovering: SQLiteJournal(configuration, clock: place.clock))
    #expect(normal.recovery.notices.last == .acknowledgedMissing(first: 6, last: 9))
    #expect(WriteAheadLog(log).hasWritesBehindDamage == false)
  }

  @Test func `damage in the last write of SQLite's log leaves that one out`() throws {
    let journal = try SmallJournal(snapshotEvery: 100, isCutOff: true)
    let log = try #require(journal.files["-wal"])
    let last = log.count - WriteAheadLog(Array(log.dropLast(1))).unfinished - 1
    for offset in stride(from: last, to: log.count, by: 100) {
      var damaged = log
      damaged[offset] ^= 1
      #expect(!WriteAheadLog(damaged).hasWritesBehindDamage, "\(offset)")
    }
    for offset in stride(from: 32, to: last - 536, by: 100) {
      var damaged = log
      damaged[offset] ^= 1
      #expect(WriteAheadLog(damaged).hasWritesBehindDamage, "\(offset) of \(last)")
    }
  }
}

extension Place {
  /// All files, by their names.
  fileprivate func bytes() throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      bytes[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return bytes
  }
}
