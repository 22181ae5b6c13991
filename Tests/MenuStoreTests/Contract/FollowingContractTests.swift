import Dispatch
import JSONText
import Locks
import MenuEngine
import StoreSupport
import Synchronization
import Testing

@testable import MenuStore

/// The contract of the store: following.
@Suite struct FollowingContractTests {
  @Test(arguments: StoreBed.all)
  func `a follower gets each commit in order, with its number, mutations and outcomes`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    let reader = FollowingReader(of: .session("a"), in: store)
    #expect(reader.read() == ["no session"])
    try store.open(place.session("a"))
    for value in 1...3 { try store.set("a", to: Int64(value)) }
    #expect(try store.close("a"))
    try store.open(place.session("a"))
    #expect(
      reader.read() == [
        "opened 0", "value 1 at 1", "value 2 at 2", "value 3 at 3", "closed 3", "opened 0",
      ])
    #expect(reader.position == store.read("a").session?.number)
    #expect(reader.read() == [])
  }

  @Test(arguments: StoreBed.all)
  func `the catalogue is followed by itself`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    try store.open(place.session("a"))
    let reader = FollowingReader(of: .catalog, in: store)
    #expect(reader.read() == ["catalogue \(store.catalog.revision)"])
    let base = store.catalogEdition
    try store.commit(.changeCatalog(base, by: .editMenus([]), to: base.catalog))
    try store.set("a", to: 1)
    #expect(reader.read() == ["catalogue changed"])
  }

  @Test(arguments: StoreBed.all)
  func `who asks for few commits gets the state with the last of them`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    let follower = store.follow(.session("a")) {}
    let start = try #require(try store.open(place.session("a")))
    for value in 1...2 { try store.set("a", to: Int64(value)) }
    guard case .commits(let first, nil) = follower.news(after: start.number, atMost: 1),
      case .commits(let second, .session(let state)?) = follower.news(
        after: first.last?.number, atMost: 1)
    else {
      Issue.record("It gets something else.")
      return
    }
    #expect(first.count == 1 && second.count == 1)
    #expect(state === store.read("a").session && second[0].number == state.number)
  }

  @Test(arguments: StoreBed.failing)
  func `followers get nothing before it is durable, and nothing that cannot be`(bed: StoreBed)
    throws
  {
    let place = try StorePlace(bed)
    let store = try place.store()
    try store.open(place.session("a"))
    let reader = FollowingReader(of: .session("a"), in: store)
    #expect(reader.read() == ["session at 0"])
    place.become(.held)
    let base = store.catalogEdition
    let pending =
      try (1...2).map { try store.submit("a", to: $0) }
      + [store.submit(.open(place.session("b"), as: store.newOpening(), under: base))]
    let other = FollowingReader(of: .session("b"), in: store)
    #expect(reader.read() == [])
    #expect(other.read() == ["no session"])
    place.become(.failing)
    for commit in pending { #expect(commit.fault() != nil) }
    for reader in [reader, other] { #expect(reader.read() == []) }
    place.become(.well)
    try store.set("a", to: 9)
    #expect(reader.read() == ["value 9 at 1"])
  }

  // Processes that share a journal know the past for good, for those who followed others.
  @Test(arguments: StoreBed.alone)
  func `a position is known until a minute after the last follower left`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    try store.open(place.session("a"))
    var reader = FollowingReader(of: .session("a"), in: store)
    #expect(reader.read() == ["session at 0"])
    for (minutes, expected) in [(59, "value 59 at 1"), (61, "session at 2")] as [(Int64, String)] {
      let position = reader.position
      reader = FollowingReader(of: .session("other"), in: store)
      place.pass(minutes * 1000)
      try store.set("a", to: minutes)
      reader = FollowingReader(of: .session("a"), in: store, after: position)
      #expect(reader.read() == [expected])
    }
  }

  @Test(arguments: StoreBed.all)
  func `who is too far behind starts anew`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    let opened = try #require(try store.open(place.session("a")))
    let reader = FollowingReader(of: .session("a"), in: store, after: opened.number)
    let last = Int64(Follower.Bounds().count)
    for value in 1...last { try store.set("a", to: value) }
    try store.set("a", to: last + 1)
    let behind = FollowingReader(of: .session("a"), in: store, after: opened.number + 1)
    #expect(behind.read().count == Follower.Bounds().count)
    #expect(reader.read() == ["session at \(last + 1)"])
  }

  @Test(arguments: StoreBed.all)
  func `who is woken may ask the store, and is not woken when it is gone`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    let seen = Lock<[Int]>([])
    let wakes = Atomic(0)
    var follower: Follower? = store.follow(.session("a")) { [weak store] in
      wakes.add(1, ordering: .relaxed)
      guard let revision = store?.read("a").session?.session.revision else { return }
      seen.withLock { $0.append(revision) }
    }
    try store.open(place.session("a"))
    try store.set("a", to: 1)
    try store.open(place.session("b"))
    withExtendedLifetime(follower) {}
    #expect(seen.withLock(\.self).last == 1)
    follower = nil
    let before = wakes.load(ordering: .relaxed)
    try store.set("a", to: 2)
    #expect(wakes.load(ordering: .relaxed) == before)
  }

  @Test(arguments: StoreBed.all)
  func `followers beside writers get all that is durable, once and in order`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    try store.open(place.session("a"))
    let isOver = Atomic(false)
    let readers = DispatchGroup()
    let all = (0..<2).map { _ in FollowingReader(of: .session("a"), in: store) }
    let found = Lock<[[String]]>([])
    for reader in all {
      #expect(reader.read() == ["session at 0"])
      DispatchQueue.global().async(group: readers) {
        var lines: [String] = []
        while !isOver.load(ordering: .acquiring) { lines += reader.read() }
        lines += reader.read()
        found.withLock { $0.append(lines) }
      }
    }
    DispatchQueue.concurrentPerform(iterations: 2) { writer in
      for value in 1...200 {
        while (try? store.set("a", to: Int64(writer * 1000 + value))) == nil {}
      }
    }
    isOver.store(true, ordering: .releasing)
    readers.wait()
    for lines in found.withLock(\.self) {
      #expect(lines.map { $0.split(separator: " ").last } == (1...400).map { "\($0)" })
      let values = lines.compactMap { Int($0.split(separator: " ")[1]) }
      for writer in [0, 1] {
        let own = values.filter { $0 / 1000 == writer }
        #expect(own == (1...200).map { writer * 1000 + $0 })
      }
    }
  }
}
