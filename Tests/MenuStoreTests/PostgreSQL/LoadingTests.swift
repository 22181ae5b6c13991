import Foundation
import JSONText
import MenuEngine
import Randomness
import StoreSupport
import Synchronization
import Testing

@testable import MenuStore

/// Sessions of a shared journal that are in memory only while somebody asks for them.
@Suite(PostgreSQLServer.isNeeded) struct LoadingTests {
  private let place: StorePlace

  init() throws { place = try StorePlace(.sharedPostgreSQL) }

  /// A store that has no session in memory.
  private func store() throws -> SessionStore {
    try place.store(loadingSessions: false)
  }

  private func value(of id: SessionID, in store: SessionStore) -> JSON? {
    store.session(id)?.state[JSONPointer(["value"])]
  }

  /// Lets go of all sessions that can be.
  @discardableResult
  private func unloadAll(_ store: SessionStore) -> Int {
    place.pass(10)
    return store.unloadIdle(forMoreThan: 5)
  }

  @Test func `a start reads no session, and knows of all of them`() throws {
    let first = try store()
    let token = TokenDigest(words: (1, 2, 3, 4))
    var template = SessionTemplate()
    template.token = token
    try first.open(Session("a", opening: template, in: first.catalog))
    try first.open(place.session("b"))
    try first.set("b", to: 7)

    let second = try store()
    #expect(second.count == 2 && second.loadedCount == 0)
    #expect(second.names == ["a", "b"])
    #expect(
      second.opening(of: token)?.opening.number == first.read("a").session?.opening.number)
    #expect(second.read("a").session == nil && second.read("a").isUnloaded)
    #expect(!second.read("c").isUnloaded)

    #expect(second.refresh(["a", "b", "c"]).wait() == .durable)
    #expect(second.loadedCount == 2)
    for id: SessionID in ["a", "b"] {
      #expect(try second.session(id)?.stored() == first.session(id)?.stored())
      #expect(
        second.read(id).session?.opening.number == first.read(id).session?.opening.number)
    }
    #expect(second.opening(of: token)?.opening === second.read("a").session?.opening)
    #expect(second.sharingFigures?.loads.value == 2)
  }

  @Test func `a session leaves the memory when nobody asks for it, unless it is followed`() throws {
    let store = try store()
    for id: SessionID in ["a", "b", "c"] { try store.open(place.session(id)) }
    try store.set("c", to: 1)
    let follower = store.follow(.session("b")) {}
    place.pass(100)
    _ = store.read("c")
    #expect(store.unloadIdle(forMoreThan: 50) == 1)
    #expect(store.read("a").isUnloaded && !store.read("b").isUnloaded)
    #expect(store.count == 3 && store.loadedCount == 2)
    withExtendedLifetime(follower) {}
    #expect(store.refresh(["a"]).wait() == .durable)
    #expect(store.session("a")?.revision == 0)
  }

  @Test func `a session that leaves the memory while it is changed comes back with the change`()
    throws
  {
    let store = try store()
    try store.open(place.session("a"))
    place.become(.held)
    let pending = try store.submit("a", to: 2)
    // It stays if the writer has the change already.
    #expect(unloadAll(store) <= 1)
    place.become(.well)
    if try pending.wait().get().isCommitted {
      #expect(value(of: "a", in: store) == 2)
    }
    #expect(store.refresh(["a"]).wait() == .durable)
    #expect(store.count == 1 && store.loadedCount == 1 && unloadAll(store) == 1)
  }

  @Test func `what others change meanwhile is there when it is loaded`() throws {
    let stores = try [store(), store()]
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    #expect(unloadAll(stores[1]) == 1)
    // States take the place of records among these.
    for value: Int64 in 2...23 {
      try stores[0].set("a", to: value)
      if value.isMultiple(of: 7) {
        #expect(stores[1].refresh(["a"]).wait() == .durable)
        #expect(self.value(of: "a", in: stores[1]) == .int(value))
        #expect(unloadAll(stores[1]) == 1)
      }
    }
    #expect(stores[1].refresh(["a"]).wait() == .durable)
    #expect(try stores[1].session("a")?.stored() == stores[0].session("a")?.stored())
    // It goes on there.
    try stores[1].set("a", to: 24)
    #expect(stores[0].catchUp())
    #expect(value(of: "a", in: stores[0]) == 24)
  }

  @Test func `a session is read under the catalogue of each of its changes`() throws {
    let stores = try [store(), store()]
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    #expect(unloadAll(stores[1]) == 2)
    try stores[0].declare("new:")
    try stores[0].set("a", to: 2)
    #expect(stores[1].refresh(["a", "b"]).wait() == .durable)
    #expect(try stores[1].session("a")?.stored() == stores[0].session("a")?.stored())
    #expect(stores[1].session("b")?.revision == 0)
    #expect(stores[1].catalog.revision == stores[0].catalog.revision)
  }

  @Test func `a session that is not in memory cannot be opened again, and can be closed`() throws {
    let stores = try [store(), store()]
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    #expect(unloadAll(stores[1]) == 1)
    #expect(try stores[1].open(place.session("a")) == nil)
    #expect(try stores[0].close("a"))
    #expect(stores[1].refresh(["a"]).wait() == .durable)
    #expect(stores[1].count == 0 && !stores[1].read("a").isUnloaded)
    try stores[1].open(place.session("a"))
    try stores[1].set("a", to: 5)
    #expect(stores[0].catchUp())
    #expect(value(of: "a", in: stores[0]) == 5)
  }

  @Test func `idle sessions are closed, although they are not in memory`() throws {
    let first = try store()
    for id: SessionID in ["a", "b"] { try first.open(place.session(id)) }
    try first.set("a", to: 1)
    let second = try store()
    // Until it listens, it does not know what others read.
    #expect(second.catchUp())
    place.pass(1000)
    #expect(second.closeIdle(forMoreThan: 500, besides: ["b"]).closed == ["a"])
    #expect(second.names == ["b"])
  }

  @Test func `a session that another process was asked for is not idle`() throws {
    let stores = try [store(), store()]
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    let isTold = { [stores] (id: SessionID, time: Int64) in
      stores[1].withWorld { $0.opening(of: id)?.isIdle(since: time) } == false
    }
    place.pass(1000)
    stores[0].tellReads()
    #expect(eventually { isTold("a", 500) })
    place.pass(1000)
    _ = stores[0].read("b")
    // Nothing that was read since the last time is left out, however long that is ago.
    place.pass(1000)
    stores[0].tellReads()
    #expect(eventually { isTold("b", 2500) })
    #expect(stores[1].closeIdle(forMoreThan: 1500).closed == ["a"])
    #expect(stores[1].names == ["b"])
  }

  @Test func `whoever makes a session's changes writes its state now and then`() throws {
    let stores = try [store(), store()]
    try stores[0].open(place.session("a"))
    #expect(stores[1].catchUp())
    for value: Int64 in 1...7 { try stores[Int(value) % 2].set("a", to: value) }
    let edition = "SELECT max(edition) FROM menud_state WHERE subject = 'a'"
    #expect(place.schema.settles(edition, at: 5))
  }

  @Test func `after a change of the catalogue the caretaker writes states, besides damaged ones`()
    throws
  {
    let first = try store()
    for id: SessionID in ["a", "b", "c"] { try first.open(place.session(id)) }
    for id: SessionID in ["a", "b", "c"] { try first.set(id, to: 1) }
    try first.declare("new:")
    #expect(unloadAll(first) == 3)
    place.schema.run("UPDATE menud_record SET checksum = checksum + 1 WHERE subject = 'c'")
    #expect(
      place.schema.settles("SELECT count(*) FROM menud_state WHERE subject IN ('a', 'b')", at: 2))
    // Its records are read under the catalogue before.
    #expect(place.schema.number("SELECT count(*) FROM menud_state WHERE subject = ''") == 0)
    place.schema.run("UPDATE menud_record SET checksum = checksum - 1 WHERE subject = 'c'")
    #expect(place.schema.settles("SELECT count(*) FROM menud_state", at: 4))
    let second = try place.store()
    #expect(second.sessions.allSatisfy { $0.session.state[JSONPointer(["value"])] == 1 })
    #expect(second.catalog.revision == first.catalog.revision)
  }

  @Test func `E3: a subscriber goes on at a process that had not loaded the session`() throws {
    let stores = try [store(), store()]
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    #expect(unloadAll(stores[1]) == 1)
    for value: Int64 in 2...4 { try stores[0].set("a", to: value) }
    #expect(stores[1].refresh(["a"]).wait() == .durable)
    let past = stores[1].follow(.session("a")) {}.past
    #expect(past.map(\.session.session.revision).suffix(3) == [2, 3, 4])
    #expect(try past.last?.session.session.stored() == stores[0].session("a")?.stored())
  }

  @Test func `E3: a subscriber goes on elsewhere after a change of the catalogue`() throws {
    let stores = try [store(), store()]
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].refresh(["a"]).wait() == .durable)
    try stores[0].declare("one:")
    try stores[0].set("a", to: 2)
    #expect(stores[1].refresh(["a"]).wait() == .durable)
    let past = stores[1].follow(.session("a")) {}.past
    #expect(past.map(\.session.session.revision) == [1, 2])
    #expect(past.allSatisfy { $0.catalog === stores[1].catalogEdition })
  }

  @Test func `a session that is closed and opened again is followed, whenever it was let go of`()
    throws
  {
    let stores = try [store(), store()]
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    let isOver = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: 2) { worker in
      guard worker == 0 else {
        while !isOver.load(ordering: .relaxed) {
          _ = stores[1].refresh(["a", "b"]).wait()
          usleep(.random(in: 0..<3000))
          unloadAll(stores[1])
        }
        return
      }
      defer { isOver.store(true, ordering: .relaxed) }
      for number: Int64 in 1...40 {
        do {
          // All in one batch, which takes long to follow.
          try stores[0].close("a")
          try stores[0].open(place.session("a"))
          for value: Int64 in 0..<40 { try stores[0].set("b", to: value) }
          try stores[0].set("a", to: number)
          try stores[0].set("a", to: -number)
        } catch {
          Issue.record(error)
        }
        #expect(stores[1].catchUp())
        let value = value(of: "a", in: stores[1])
        #expect(value == nil || value == .int(-number))
      }
    }
  }

  @Test func `a session that is damaged cannot be had, and the others can`() throws {
    let first = try store()
    for id: SessionID in ["a", "b"] { try first.open(place.session(id)) }
    try first.set("a", to: 1)
    let second = try store()
    place.schema.run("UPDATE menud_record SET checksum = checksum + 1 WHERE subject = 'a'")
    for _ in 0..<2 { #expect(second.refresh(["a", "b"]).wait() == .durable) }
    #expect(second.read("a").isUnloaded && second.read("a").isDamaged)
    #expect(second.session("b")?.revision == 0 && !second.read("b").isDamaged)
    // Once, for the log.
    guard case .damagedDatabase? = second.takeDamage()["a"], second.takeDamage().isEmpty else {
      Issue.record("It is not told.")
      return
    }
    place.schema.run("UPDATE menud_record SET checksum = checksum - 1 WHERE subject = 'a'")
    #expect(second.refresh(["a"]).wait() == .durable)
    #expect(value(of: "a", in: second) == 1 && !second.read("a").isDamaged)
  }

  @Test func `a session whose last change is missing cannot be had`() throws {
    let first = try store()
    try first.open(place.session("a"))
    for value: Int64 in 1...2 { try first.set("a", to: value) }
    let second = try store()
    place.schema.run(
      "DELETE FROM menud_record WHERE sequence = (SELECT max(sequence) FROM menud_record)")
    #expect(second.refresh(["a"]).wait() == .durable)
    #expect(second.read("a").isDamaged)
  }

  @Test func `a damaged session that an operator removes is gone after a start, and can be opened`()
    throws
  {
    let first = try store()
    try first.open(place.session("a"))
    for value: Int64 in 1...7 { try first.set("a", to: value) }
    #expect(place.schema.settles("SELECT count(*) FROM menud_state WHERE subject = 'a'", at: 1))
    place.schema.run("UPDATE menud_state SET checksum = checksum + 1 WHERE subject = 'a'")
    for table in ["subject", "record", "state", "history"] {
      place.schema.run("DELETE FROM menud_\(table) WHERE subject = 'a'")
    }
    let second = try place.store()
    #expect(second.count == 0)
    try second.open(place.session("a"))
    try second.set("a", to: 1)
    #expect(try value(of: "a", in: place.store()) == 1)
  }

  @Test(arguments: Seeds.first(2))
  func `sessions that are loaded while others change them are as these left them`(
    seed: UInt64
  ) throws {
    let stores = try [store(), store(), store()]
    DispatchQueue.concurrentPerform(iterations: 3) { worker in
      let store = stores[worker]
      var random = SeededGenerator(seed: seed &* 3 &+ UInt64(worker))
      for _ in 0..<80 {
        if Int.random(in: 0..<5, using: &random) == 0 { unloadAll(store) }
        _ = store.refresh(store.names).wait()
        // Others come in between now and then.
        _ = try? store.doSomething(&random)
      }
    }
    let contents = try stores.map { store in
      #expect(store.catchUp())
      #expect(store.refresh(store.names).wait() == .durable)
      return try store.sessions.map { try $0.session.stored() }
    }
    #expect(contents[0] == contents[1] && contents[1] == contents[2])
    #expect(try place.store().sessions.map { try $0.session.stored() } == contents[0])
  }
}
