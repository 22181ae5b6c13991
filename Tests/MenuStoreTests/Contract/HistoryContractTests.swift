import JSONText
import MenuEngine
import StoreSupport
import Synchronization
import Testing

@testable import MenuStore

/// The contract of histories (T5), which every store keeps.
@Suite struct HistoryContractTests {
  @Test(arguments: StoreBed.all)
  func `T5: each change is an entry, the latest first`(bed: StoreBed) throws {
    let diary = Diary()
    let store = try StorePlace(bed).store(remembering: diary.settings())
    let session = try open("a", in: store, of: bed)
    #expect(try store.history(of: session, limit: 10).isEmpty)
    for value in 1...5 { try store.set("a", to: Int64(value), by: diary) }
    let entries = try store.history(of: session, limit: 10)
    #expect(entries.map(\.revision) == [5, 4, 3, 2, 1])
    #expect(entries.map(\.base) == [4, 3, 2, 1, 0])
    #expect(entries.map(\.time) == [1005, 1004, 1003, 1002, 1001])
    #expect(entries.allSatisfy { $0.record.actor == .session })
    #expect(
      entries.map { $0.record.mutations.map(\.json) }
        == (1...5).reversed().map { [Mutation.mergeState(["value": .int(Int64($0))]).json] })
    #expect(entries.map(\.told) == ["5", "4", "3", "2", "1"])
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.position > $1.position })
  }

  @Test(arguments: StoreBed.all)
  func `T5: a question begins before a place`(bed: StoreBed) throws {
    let diary = Diary()
    let store = try StorePlace(bed).store(remembering: diary.settings())
    let session = try open("a", in: store, of: bed)
    for value in 1...5 { try store.set("a", to: Int64(value), by: diary) }
    var (revisions, place) = ([Int](), Int64.max)
    while true {
      let page = try store.history(of: session, before: place, limit: 2)
      revisions += page.map(\.revision)
      guard let last = page.last else { break }
      place = last.position
    }
    #expect(revisions == [5, 4, 3, 2, 1])
    #expect(try store.historyBeginning(of: session) == 0)
  }

  @Test(arguments: StoreBed.kept)
  func `T5: it survives restarts`(bed: StoreBed) throws {
    let (place, diary) = (try StorePlace(bed), Diary())
    var store = try place.store(remembering: diary.settings())
    _ = try open("a", in: store, of: bed)
    for value in 1...60 {
      if value.isMultiple(of: 20) {
        store.close()
        store = try place.store(remembering: diary.settings())
      }
      try store.set("a", to: Int64(value), by: diary)
    }
    let entries = try store.history(of: try store.edition("a"), limit: 100)
    #expect(entries.map(\.revision) == (1...60).reversed())
    #expect(entries.map(\.told) == (1...60).reversed().map { "\($0)" })
    store.close()
  }

  @Test(arguments: StoreBed.all)
  func `T5: it has at most so many bytes, and always the last entry`(bed: StoreBed) throws {
    let diary = Diary()
    let store = try StorePlace(bed).store(remembering: diary.settings { $0.size = 32 << 10 })
    let (a, b) = (try open("a", in: store, of: bed), try open("b", in: store, of: bed))
    try store.set("b", to: 1, by: diary)
    let text = JSON.string(String(repeating: "x", count: 2000))
    for _ in 0..<100 {
      try store.change("a", by: diary, .mergeState(["value": text]))
      try store.change("a", by: diary, .mergeState(["value": .null]))
    }
    let entries = try store.history(of: a, limit: 1000)
    #expect(entries.first?.revision == 200)
    #expect(entries.count < 60 && entries.count > 10)
    #expect(entries.map(\.revision) == (0..<entries.count).map { 200 - $0 })
    #expect(try store.historyBeginning(of: a) == 200 - entries.count)
    #expect(try store.history(of: b, limit: 10).map(\.revision) == [1])
    let large = JSON.string(String(repeating: "x", count: 50_000))
    try store.change("a", by: diary, .mergeState(["value": large]))
    #expect(try store.history(of: a, limit: 1).map(\.revision) == [201])
  }

  @Test(arguments: StoreBed.all)
  func `T5: an entry that is too old is gone`(bed: StoreBed) throws {
    let diary = Diary()
    let store = try StorePlace(bed).store(remembering: diary.settings { $0.retention = 5000 })
    let session = try open("a", in: store, of: bed)
    for value in 1...20 { try store.set("a", to: Int64(value), by: diary) }
    diary.pass(4990)
    #expect(try store.history(of: session, limit: 100).map(\.revision).last == 10)
    for value in 21...30 { try store.set("a", to: Int64(value), by: diary) }
    #expect(
      try store.history(of: session, limit: 100).map(\.revision) == (20...30).reversed())
    diary.pass(60_000)
    #expect(try store.history(of: session, limit: 100).isEmpty)
    #expect(try store.historyBeginning(of: try store.edition("a")) == 30)
    try store.set("a", to: 31, by: diary)
    #expect(try store.historyBeginning(of: try store.edition("a")) == 30)
    #expect(try store.history(of: session, limit: 100).map(\.revision) == [31])
    // They are removed with later changes.
    let text = JSON.string(String(repeating: "x", count: 1000))
    for index in 0..<40 {
      try store.change(
        "a", by: diary, .mergeState(["text\(index % 2)": text, "n": .int(Int64(index))]))
    }
    try store.journal?.histories.readAll { #expect($0.revision > 30) }
  }

  @Test(arguments: StoreBed.all)
  func `T5: a closed session has none, and one of the same name begins anew`(bed: StoreBed) throws {
    let (place, diary) = (try StorePlace(bed), Diary())
    let store = try place.store(remembering: diary.settings())
    let former = try open("a", in: store, of: bed)
    try store.set("a", to: 1, by: diary)
    #expect(try store.close("a"))
    let present = try open("a", in: store, of: bed)
    #expect(try store.history(of: present, limit: 10).isEmpty)
    if bed.isKept { #expect(try store.history(of: former, limit: 10).isEmpty) }
    try store.set("a", to: 2, by: diary)
    #expect(try store.history(of: present, limit: 10).map(\.revision) == [1])
  }

  @Test(arguments: StoreBed.all)
  func `T5: a refusal is an entry, and changes nothing`(bed: StoreBed) throws {
    let diary = Diary()
    let store = try StorePlace(bed).store(remembering: diary.settings())
    let session = try open("a", in: store, of: bed)
    let look = store.read("a")
    var change = SessionChange(
      of: session, under: look.catalog, by: .session, store.figures, noting: store.history)
    let request = ActionRequest(.action("nobodyHandlesThis:"))
    #expect(throws: MutationFault.self) { _ = try change.apply(.perform(request)) }
    #expect(change.proposal == nil)
    #expect(try store.commit(try #require(change.proposalOfRefusal)).isCommitted)
    #expect(store.session("a")?.revision == 0)
    try store.set("a", to: 1, by: diary)
    let entries = try store.history(of: session, limit: 10)
    #expect(entries.map(\.revision) == [1, 0] && entries.map(\.base) == [0, 0])
    #expect(entries.map(\.told) == ["1", "refused"])
    // One that is noted late is no gap.
    #expect(try store.commit(try #require(change.proposalOfRefusal)).isCommitted)
    try store.set("a", to: 2, by: diary)
    #expect(try store.history(of: session, limit: 10).map(\.revision) == [2, 0, 1, 0])
    #expect(try store.historyBeginning(of: try store.edition("a")) == 0)
  }

  @Test(arguments: StoreBed.kept)
  func `T5: what was changed without a history is a gap, behind which it begins`(bed: StoreBed)
    throws
  {
    let (place, diary) = (try StorePlace(bed), Diary())
    var store = try place.store(remembering: diary.settings())
    _ = try open("a", in: store, of: bed)
    for value in 1...3 { try store.set("a", to: Int64(value), by: diary) }
    store.close()
    store = try place.store()
    try store.set("a", to: 4)
    store.close()
    store = try place.store(remembering: diary.settings())
    #expect(try store.historyBeginning(of: try store.edition("a")) == 4)
    for value in 5...7 { try store.set("a", to: Int64(value), by: diary) }
    let session = try store.edition("a")
    #expect(try store.history(of: session, limit: 10).map(\.revision) == [7, 6, 5, 3, 2, 1])
    #expect(try store.historyBeginning(of: session) == 4)
    store.close()
  }

  @Test(arguments: StoreBed.alone.filter(\.isKept))
  func `T5: a copy of a journal has the histories`(bed: StoreBed) throws {
    let (place, other, diary) = (try StorePlace(bed), try StorePlace(bed), Diary())
    let store = try place.store(remembering: diary.settings())
    for id: SessionID in ["a", "b"] {
      _ = try open(id, in: store, of: bed)
      for value in 1...600 { try store.set(id, to: Int64(value), by: diary) }
    }
    let entries = try store.history(of: try store.edition("b"), limit: 1000).map(\.told)
    store.close()
    let (source, target) = (try place.journal(), try other.journal())
    let copy = try JournalCopy(of: try #require(source), into: try #require(target))
    source?.close()
    #expect(copy.history == 2 * entries.count)
    let reopened = try other.journal()
    let again = try #require(reopened)
    try copy.check(again)
    again.close()
    let copied = try other.store(remembering: diary.settings())
    #expect(try copied.history(of: try copied.edition("b"), limit: 1000).map(\.told) == entries)
    copied.close()
  }

  @Test(arguments: StoreBed.all)
  func `T5: without settings there is no history`(bed: StoreBed) throws {
    let store = try StorePlace(bed).store()
    let session = try open("a", in: store, of: bed)
    try store.set("a", to: 1)
    #expect(try store.history(of: session, limit: 10).isEmpty)
  }

  @Test(arguments: [StoreBed.sharedPostgreSQL].filter { _ in PostgreSQLServer.isInstalled })
  func `T5: each replica knows the changes of all`(bed: StoreBed) throws {
    let (place, diary) = (try StorePlace(bed), Diary())
    let stores = try (0..<2).map { _ in try place.store(remembering: diary.settings()) }
    _ = try open("a", in: stores[0], of: bed)
    for value in 1...20 {
      let store = stores[value % 2]
      #expect(store.refresh(["a"]).wait() == .durable)
      try store.set("a", to: Int64(value), by: diary)
    }
    for store in stores {
      #expect(store.refresh(["a"]).wait() == .durable)
      let entries = try store.history(of: try store.edition("a"), limit: 100)
      #expect(entries.map(\.told) == (1...20).reversed().map { "\($0)" })
    }
    for store in stores { store.close() }
  }

  private func open(
    _ id: SessionID, in store: SessionStore, of bed: StoreBed
  ) throws -> SessionEdition {
    let application = try SampleApplication("photo-app")
    return try #require(try store.open(try application.session(id)))
  }
}

/// The clock of histories, and their writer.
private final class Diary: HistoryWriter, Sendable {
  private let time = Atomic<Int64>(1000)

  func pass(_ milliseconds: Int64) { time.add(milliseconds, ordering: .relaxed) }

  func settings(
    _ change: (inout HistoryBounds) -> Void = { _ in }
  ) -> HistorySettings {
    var bounds = HistoryBounds()
    change(&bounds)
    return HistorySettings(
      bounds, keepsRefusals: true, now: { [self] in time.load(ordering: .relaxed) }, writer: self)
  }

  func members(of outcomes: [Outcome]) -> [UInt8] { Array("{}".utf8) }

  func members(of fault: MutationFault) -> [UInt8]? { Array(#""refused""#.utf8) }
}

extension SessionStore {
  fileprivate func edition(_ id: SessionID) throws -> SessionEdition {
    try #require(read(id).session)
  }

  /// Changes the value of a session a millisecond later.
  fileprivate func set(_ id: SessionID, to value: Int64, by diary: Diary) throws {
    try change(id, by: diary, .mergeState(["value": .int(value)]))
  }

  fileprivate func change(_ id: SessionID, by diary: Diary, _ mutation: Mutation) throws {
    diary.pass(1)
    let look = read(id)
    var change = SessionChange(
      of: try edition(id), under: look.catalog, by: .session, figures, noting: history)
    _ = try change.apply(mutation)
    #expect(try commit(try #require(change.proposal)).isCommitted)
  }
}

extension HistoryEntry {
  /// The value that it set, or `refused`.
  fileprivate var told: String {
    if case .members(let bytes) = result, bytes == Array(#""refused""#.utf8) { return "refused" }
    guard case .object(let document) = record.mutations[0].json else { return "?" }
    return document["patch"]?[JSONPointer(["value"])]?.text() ?? "?"
  }
}
