import Foundation
import JSONText
import Locks
import MenuEngine
import StoreSupport
import Testing

@testable import MenuStore

/// Several stores on one journal in PostgreSQL, as in several processes.
@Suite(PostgreSQLServer.isNeeded) struct SharedStoreTests {
  private let place: StorePlace

  init() throws { place = try StorePlace(.sharedPostgreSQL) }

  private func stores(_ count: Int = 2) throws -> [SessionStore] {
    try (0..<count).map { _ in try place.store() }
  }

  @Test func `what one commits the other has once it has caught up`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    #expect(try content(of: stores[1]) == content(of: stores[0]))
    #expect(
      stores[1].read("a").session?.opening.number == stores[0].read("a").session?.opening.number)
    #expect(try stores[1].close("a"))
    #expect(stores[0].catchUp())
    #expect(stores[0].session("a") == nil)
  }

  @Test func `of two changes of one session at once one is made behind the other`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    // Else the second might know of the first already.
    place.become(.held)
    let pending = try [stores[0].submit("a", to: 2), stores[1].submit("a", to: 3)]
    place.become(.well)
    for commit in pending { #expect(try commit.wait().get().isCommitted) }
    #expect(stores.allSatisfy { $0.catchUp() })
    #expect(stores.allSatisfy { $0.session("a")?.revision == 3 })
    #expect(try content(of: stores[1]) == content(of: stores[0]))
    #expect(stores.map(\.figures.remade.value).reduce(0, +) == 1)
  }

  @Test func `changes that gather in two processes are all made, each session's in one order`()
    throws
  {
    let stores = try stores()
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    try stores[0].set("b", to: 0)
    #expect(stores[1].catchUp())
    // Both gather behind the held journal, so that neither knows of the other.
    place.become(.held)
    let pending = try [
      stores[0].submit("a", to: 1), stores[0].submit("a", to: 2), stores[1].submit("a", to: 3),
      stores[1].submit("a", to: 4), stores[1].submit("b", to: 5),
    ]
    place.become(.well)
    for commit in pending { #expect(try commit.wait().get().isCommitted) }
    #expect(stores.allSatisfy { $0.catchUp() })
    #expect(try content(of: stores[1]) == content(of: stores[0]))
    #expect(stores[0].session("a")?.revision == 4)
    #expect(stores.allSatisfy { $0.session("b")?.state[JSONPointer(["value"])] == 5 })
  }

  @Test func `a database that went back is noticed by a process that only asks`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    place.schema.run("UPDATE menud_head SET sequence = sequence - 1")
    #expect(!stores[1].catchUp())
    guard case .takenOver? = stores[1].fault else {
      Issue.record("It is not noticed.")
      return
    }
  }

  @Test func `a session of a name is opened once`() throws {
    let stores = try stores()
    place.become(.held)
    let pending = try stores.map { store in
      try store.submit(
        .open(place.session("a"), as: store.newOpening(), under: store.catalogEdition))
    }
    place.become(.well)
    #expect(try pending.count { try $0.wait().get().isCommitted } == 1)
    #expect(stores.allSatisfy { $0.catchUp() })
    #expect(
      stores[0].read("a").session?.opening.number == stores[1].read("a").session?.opening.number)
  }

  @Test func `of openings at once no more are kept than sessions may be open`() throws {
    let stores = try stores()
    place.become(.held)
    let ids: [SessionID] = ["a", "b"]
    let pending = try zip(stores, ids).map { store, id in
      try store.submit(
        .open(
          place.session(id), as: store.newOpening(), under: store.catalogEdition, atMost: 1))
    }
    place.become(.well)
    #expect(try pending.count { try $0.wait().get().isCommitted } == 1)
    #expect(stores.allSatisfy { $0.catchUp() })
    #expect(stores.map(\.count) == [1, 1])
  }

  @Test func `a request is carried out once, whoever gets its repetition`() throws {
    let stores = try stores()
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    try stores[0].set("a", to: 0)
    #expect(stores[1].catchUp())
    let entry = IdempotencyEntry.sample("key", expiry: .max)
    place.become(.held)
    // The key counts, although the sessions are others.
    let pending = try [
      stores[0].submit(stores[0].proposal(changing: "a", to: 1, entry: entry)),
      stores[1].submit(stores[1].proposal(changing: "b", to: 1, entry: entry)),
    ]
    place.become(.well)
    let results = try pending.map { try $0.wait().get() }
    #expect(results.count(where: \.isCommitted) == 1)
    let repeated = results.contains { if case .repeated(entry) = $0 { true } else { false } }
    #expect(repeated)
  }

  @Test func `an eviction leaves what another process kept anew under the key`() throws {
    var bounds = KeptAnswers.Bounds()
    bounds.count = 1
    let stores = try (0..<2).map { _ in try place.store(keeping: bounds) }
    try stores[0].keep(.sample("first", expiry: .max))
    #expect(stores[1].catchUp())
    // The second process is to remove the first answer with its next batch.
    try stores[1].keep(.sample("second", expiry: .max))
    #expect(stores[0].catchUp())
    let renewed = IdempotencyEntry.sample("first", status: 201, expiry: .max)
    try stores[0].keep(renewed)
    try stores[1].keep(.sample("third", expiry: .max))
    bounds.count = 10
    #expect(try place.store(keeping: bounds).answer(under: renewed.key) == renewed)
  }

  @Test func `a change that was made under an earlier catalogue is made again`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    try stores[0].changeCatalog(by: .editMenus([]))
    try stores[1].set("a", to: 2)
    #expect(stores[1].catalog.revision == stores[0].catalog.revision)
    try stores[1].set("a", to: 3)
  }

  @Test func `a confirmation tells whether others committed something`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    let position = try #require(stores[1].sharedPosition)
    #expect(stores[1].confirm(position).wait() == .durable)
    try stores[0].set("a", to: 2)
    #expect(stores[1].confirm(position).wait() == .failed(.conflict))
    #expect(stores[1].session("a")?.state[JSONPointer(["value"])] == 2)
  }

  @Test func `what another commits is there without a question, soon`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    let deadline = ContinuousClock.now + .seconds(20)
    while stores[1].session("a")?.revision != 1 || !stores[1].hasCaughtUp(within: .seconds(20)),
      ContinuousClock.now < deadline
    { usleep(1000) }
    #expect(stores[1].session("a")?.revision == 1)
    #expect(stores[1].hasCaughtUp(within: .seconds(20)))
    #expect(!stores[1].hasCaughtUp(within: .zero))
  }

  @Test func `who follows one store gets what was committed by the other`() throws {
    let stores = try stores()
    let reader = FollowingReader(of: .session("a"), in: stores[1])
    #expect(reader.read() == ["no session"])
    try stores[0].open(place.session("a"))
    for value: Int64 in 1...3 { try stores[0].set("a", to: value) }
    #expect(try stores[0].close("a"))
    #expect(stores[1].catchUp())
    #expect(
      reader.read() == [
        "opened 0", "value 1 at 1", "value 2 at 2", "value 3 at 3", "closed 3",
      ])
  }

  @Test func `E3: whoever followed one store goes on at the other without a gap`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    for value: Int64 in 1...4 { try stores[0].set("a", to: value) }
    #expect(stores[1].catchUp())
    let past = try #require(stores[1].follow(.session("a")) {}.past)
    #expect(past.first.session.revision == 0)
    #expect(past.steps.map(\.session.session.revision) == [1, 2, 3, 4])
    #expect(try past.steps.last?.session.session.stored() == stores[0].session("a")?.stored())
    let reader = FollowingReader(
      of: .session("a"), in: stores[1], after: past.steps.last?.session.number)
    try stores[0].set("a", to: 5)
    #expect(stores[1].catchUp())
    #expect(reader.read() == ["value 5 at 5"])
  }

  @Test func `connections that break lose and repeat nothing`() throws {
    let stores = try stores(3)
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 0)
    for round in 1...10 {
      if round.isMultiple(of: 3) { place.schema.terminateOthers() }
      let store = stores[round % 3]
      while !store.catchUp() {}
      try increment("a", in: store)
    }
    while !stores[0].catchUp() {}
    #expect(stores[0].session("a")?.state[JSONPointer(["value"])] == 10)
  }

  @Test func `a later start has what all of them committed, from states and records`() throws {
    let stores = try stores()
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    try stores[0].set("b", to: 0)
    // One of them becomes the caretaker when it has nothing to do.
    let deadline = ContinuousClock.now + .seconds(20)
    while !stores.contains(where: \.isCaretaker), ContinuousClock.now < deadline { usleep(10_000) }
    for value: Int64 in 1...40 {
      let store = stores[Int(value) % 2]
      #expect(store.catchUp())
      try store.set(value.isMultiple(of: 3) ? "a" : "b", to: value)
    }
    #expect(stores.allSatisfy { $0.catchUp() })
    let third = try place.store()
    #expect(try content(of: third) == content(of: stores[0]))
    #expect(try content(of: stores[1]) == content(of: stores[0]))
    #expect(place.schema.number("SELECT count(*) FROM menud_state") ?? 0 > 0)
  }

  @Test func `many changes at once of one session are each made once, in one order`() throws {
    let stores = try stores(3)
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 0)
    #expect(stores.allSatisfy { $0.catchUp() })
    let failures = Lock<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { worker in
      for _ in 0..<15 {
        do {
          try increment("a", in: stores[worker % 3])
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock(\.self).isEmpty)
    #expect(stores.allSatisfy { $0.catchUp() })
    #expect(stores.map { $0.session("a")?.state[JSONPointer(["value"])] } == [90, 90, 90])
    #expect(Set(stores.map { $0.session("a")?.revision }).count == 1)
  }

  /// Adds one to the value of a session.
  private func increment(_ id: SessionID, in store: SessionStore) throws {
    let make = { @Sendable (look: StoreSnapshot) -> Proposal? in
      guard let edition = look.session,
        case .int(let number)? = edition.session.state[JSONPointer(["value"])]
      else { return nil }
      var change = SessionChange(of: edition, under: look.catalog, StoreFigures())
      _ = try? change.apply(.mergeState(["value": .int(number + 1)]))
      return change.proposal
    }
    let proposal = try #require(make(store.read(id)))
    let pending = try store.submit(proposal) { make($0.snapshot(of: id)) }
    guard try pending.wait().get().isCommitted else { throw StoreFailure() }
  }

  /// The sessions as a journal has them.
  private func content(of store: SessionStore) throws -> [[UInt8]] {
    try store.sessions.map { try $0.session.stored() }
  }

  private struct StoreFailure: Error {}
}
