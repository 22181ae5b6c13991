import Foundation
import JSONText
import Locks
import MenuEngine
import StoreSupport
import Synchronization
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

  @Test func `a change during which another process's comes in is made again behind that`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    #expect(stores[1].catchUp())
    let outdated = try stores[1].proposal(changing: "a", to: 1)
    try stores[1].set("a", to: 2)
    let attempts = Atomic(0)
    let pending = try stores[1].submit(outdated) { draft in
      guard let edition = draft.snapshot(of: "a").session else { return nil }
      if attempts.add(1, ordering: .relaxed).newValue == 1 {
        #expect(stores[0].catchUp())
        #expect(throws: Never.self) { try stores[0].set("a", to: 3) }
        #expect(stores[1].refresh(["a"]).wait() == .durable)
      }
      var change = SessionChange(of: edition, under: draft.catalogEdition, StoreFigures())
      _ = try? change.apply(.mergeState(["other": 4]))
      return change.proposal
    }
    #expect(try pending.wait().get().isCommitted)
    #expect(attempts.load(ordering: .relaxed) == 2)
    #expect(stores[0].catchUp())
    #expect(stores[0].session("a")?.state[JSONPointer(["value"])] == 3)
    #expect(try content(of: stores[1]) == content(of: stores[0]))
    #expect(try content(of: place.store()) == content(of: stores[0]))
  }

  /// As a claim of the pool does, which takes the next delivery of any session.
  @Test func `a change of another session than was proposed is made behind what others did to it`()
    throws
  {
    let stores = try stores()
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    #expect(stores[1].catchUp())
    let proposed = try stores[1].proposal(changing: "a", to: 1)
    try stores[1].set("a", to: 2)
    try stores[0].set("b", to: 3)
    let pending = try stores[1].submit(proposed) { draft in
      guard let edition = draft.snapshot(of: "b").session else { return nil }
      var change = SessionChange(of: edition, under: draft.catalogEdition, StoreFigures())
      _ = try? change.apply(.mergeState(["other": 4]))
      return change.proposal
    }
    #expect(try pending.wait().get().isCommitted)
    #expect(stores[0].catchUp())
    #expect(stores[0].session("b")?.state[JSONPointer(["value"])] == 3)
    #expect(stores[0].session("b")?.state[JSONPointer(["other"])] == 4)
    #expect(try content(of: stores[1]) == content(of: stores[0]))
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

  @Test func `a change that was made again in a batch that failed is made again in the next one`()
    throws
  {
    let stores = try stores()
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    try stores[0].set("b", to: 0)
    #expect(stores[1].catchUp())
    let entry = IdempotencyEntry.sample("key", expiry: .max)
    try stores[0].keep(entry)
    let repetition = try stores[1].proposal(changing: "a", to: 1, entry: entry)
    let other = try stores[1].proposal(changing: "a", to: 2)
    // Both gather behind the first change. The second is made again behind the first, which turns out to be a repetition.
    place.become(.held)
    let first = try stores[1].submit("b", to: 1)
    let revisions = Lock<[Int]>([])
    let pending = try [
      stores[1].submit(repetition) { _ in nil },
      stores[1].submit(other) { draft in
        guard let edition = draft.snapshot(of: "a").session else { return nil }
        var change = SessionChange(of: edition, under: draft.catalogEdition, StoreFigures())
        _ = try? change.apply(.mergeState(["value": 2]))
        revisions.withLock { $0.append(edition.session.revision + 1) }
        return change.proposal
      },
    ]
    place.become(.well)
    #expect(try first.wait().get().isCommitted)
    _ = try pending[0].wait().get()
    #expect(try pending[1].wait().get().isCommitted)
    // The client is told the revision of the last one.
    #expect(revisions.withLock(\.last) == nil || revisions.withLock(\.last) == 1)
    #expect(stores[1].session("a")?.revision == 1)
  }

  @Test func `an answer that left the memory of a process counts, and is found again`() throws {
    var bounds = KeptAnswers.Bounds()
    bounds.count = 1
    let stores = try (0..<2).map { _ in try place.store(keeping: bounds) }
    let first = IdempotencyEntry.sample("first", expiry: .max)
    try stores[0].keep(first)
    try stores[0].keep(.sample("second", expiry: .max))
    #expect(stores[0].answer(under: first.key) == nil)
    #expect(try !stores[0].keep(.sample("first", status: 201, expiry: .max)))
    #expect(stores[0].answer(under: first.key) == first)
    #expect(stores[1].answer(under: first.key) == nil)
    #expect(stores[1].refresh([], keys: [first.key]).wait() == .durable)
    #expect(stores[1].answer(under: first.key) == first)
  }

  @Test func `changes are read under the catalogue that they were made under`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    #expect(stores[1].catchUp())
    for value: Int64 in 1...2 { try stores[0].set("a", to: value) }
    try stores[0].declare("new:")
    try stores[0].set("a", to: 3)
    // The second process has the catalogue before it reads the changes.
    #expect(stores[1].refresh([]).wait() == .durable)
    #expect(stores[1].catalog.revision == stores[0].catalog.revision)
    #expect(stores[1].session("a")?.revision == 0)
    #expect(stores[1].refresh(["a"]).wait() == .durable)
    #expect(try content(of: stores[1]) == content(of: stores[0]))
    // It was loaded, with the catalogue before.
    #expect(stores[1].sharingFigures?.loads.value == 2)
    try stores[1].set("a", to: 4)
    #expect(stores[0].catchUp())
    #expect(try content(of: stores[1]) == content(of: stores[0]))
  }

  @Test func `an answer that is kept alone stands on the catalogue`() throws {
    let stores = try stores()
    #expect(stores[1].catchUp())
    let known = stores[1].catalogEdition
    try stores[0].declare("new:")
    // It is outdated, whether or not the other catalogue is read already.
    let kept = try stores[1].submit(.keep(.sample("key", expiry: .max), under: known))
    #expect(try kept.wait().get().isOutdated)
  }

  @Test func `the row of a replica that is cut off stays for an hour`() throws {
    let stores = try stores()
    let rows = "SELECT count(*) FROM menud_writer"
    place.schema.run(
      """
      INSERT INTO menud_writer (batch, sequence, shared, process, started)
        VALUES (1, 0, true, 1, now() - interval '1 day')
      """)
    #expect(place.schema.settles("\(rows) WHERE gone IS NOT NULL", at: 1))
    #expect(place.schema.number(rows) == 3)
    place.schema.run("UPDATE menud_writer SET gone = gone - interval '2 hours'")
    #expect(place.schema.settles(rows, at: 2))
    withExtendedLifetime(stores) {}
  }

  @Test func `a change that was made under an earlier catalogue is made again`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    try stores[0].set("a", to: 1)
    #expect(stores[1].catchUp())
    try stores[0].declare("new:")
    try stores[1].set("a", to: 2)
    #expect(stores[1].catalog.revision == stores[0].catalog.revision)
    try stores[1].set("a", to: 3)
  }

  @Test func `a reading is of the sessions that it names, and of no others`() throws {
    let stores = try stores()
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    #expect(stores[1].catchUp())
    try stores[0].set("b", to: 1)
    try stores[0].set("a", to: 2)
    #expect(stores[1].refresh(["a"]).wait() == .durable)
    #expect(stores[1].session("a")?.state[JSONPointer(["value"])] == 2)
    #expect(stores[1].session("b")?.revision == 0)
  }

  @Test func `what another commits is there without a question while somebody follows it`() throws {
    let stores = try stores()
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    #expect(stores[1].catchUp())
    let follower = stores[1].follow(.session("a")) {}
    for id: SessionID in ["a", "b"] { try stores[0].set(id, to: 1) }
    #expect(
      eventually {
        stores[1].session("a")?.revision == 1 && stores[1].hasCaughtUp(within: .seconds(120))
      })
    #expect(stores[1].session("a")?.revision == 1 && stores[1].session("b")?.revision == 0)
    #expect(stores[1].hasCaughtUp(within: .seconds(120)))
    #expect(!stores[1].hasCaughtUp(within: .zero))
    withExtendedLifetime(follower) {}
  }

  @Test func `who follows one store gets what was committed by the other`() throws {
    let stores = try stores()
    let reader = FollowingReader(of: .session("a"), in: stores[1])
    #expect(reader.read() == ["no session"])
    try stores[0].open(place.session("a"))
    #expect(stores[1].catchUp())
    #expect(reader.read() == ["opened 0"])
    for value: Int64 in 1...3 { try stores[0].set("a", to: value) }
    #expect(try stores[0].close("a"))
    #expect(stores[1].catchUp())
    #expect(reader.read() == ["value 1 at 1", "value 2 at 2", "value 3 at 3", "closed 3"])
  }

  @Test func `E3: whoever followed one store goes on at the other without a gap`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    for value: Int64 in 1...4 { try stores[0].set("a", to: value) }
    #expect(stores[1].catchUp())
    let past = stores[1].follow(.session("a")) {}.past
    #expect(past.map(\.session.session.revision) == [0, 1, 2, 3, 4])
    #expect(try past.last?.session.session.stored() == stores[0].session("a")?.stored())
    let reader = FollowingReader(
      of: .session("a"), in: stores[1], after: past.last?.session.number)
    try stores[0].set("a", to: 5)
    #expect(stores[1].catchUp())
    #expect(reader.read() == ["value 5 at 5"])
  }

  @Test func `a session whose records are gone is read anew`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    #expect(stores[1].catchUp())
    let reader = FollowingReader(of: .session("a"), in: stores[1])
    _ = reader.read()
    place.become(.held)
    let pending = try (1...10).map { try stores[0].submit("a", to: $0) }
    place.become(.well)
    for commit in pending { #expect(try commit.wait().get().isCommitted) }
    #expect(place.schema.settles("SELECT edition FROM menud_state WHERE subject = 'a'", at: 10))
    place.schema.run("DELETE FROM menud_record WHERE subject = 'a' AND edition < 10")
    #expect(stores[1].refresh(["a"]).wait() == .durable)
    #expect(stores[1].session("a")?.state[JSONPointer(["value"])] == 10)
    try stores[1].set("a", to: 11)
    #expect(stores[0].catchUp())
    #expect(try content(of: stores[1]) == content(of: stores[0]))
  }

  @Test func `a process that was away for longer than others remember is told so`() throws {
    let stores = try stores()
    try stores[0].open(place.session("a"))
    #expect(stores[1].catchUp())
    place.schema.run("UPDATE menud_head SET sequence = sequence + 9, removed = sequence + 8")
    #expect(stores[1].refresh([]).wait() != .durable)
    #expect(stores[1].fault?.isFinal == true)
  }

  @Test func `what a state stands for, and what is closed, is removed after a minute`() throws {
    let stores = try stores()
    for id: SessionID in ["a", "b"] { try stores[0].open(place.session(id)) }
    for value: Int64 in 1...6 { try stores[0].set("a", to: value) }
    try stores[0].set("b", to: 1)
    try stores[0].close("b")
    let records = "SELECT count(*) FROM menud_record WHERE subject <> ''"
    #expect(place.schema.number(records) == 10 && stores[1].catchUp())
    #expect(place.schema.settles("SELECT edition FROM menud_state WHERE subject = 'a'", at: 5))
    place.schema.run("UPDATE menud_record SET time = time - interval '90 seconds'")
    #expect(place.schema.settles(records, at: 1))
    #expect(stores[1].catchUp() && stores[1].count == 1)
    let third = try place.store()
    #expect(try content(of: third) == content(of: stores[0]))
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
    for value: Int64 in 1...40 {
      let store = stores[Int(value) % 2]
      #expect(store.catchUp())
      try store.set(value.isMultiple(of: 3) ? "a" : "b", to: value)
    }
    #expect(stores.allSatisfy { $0.catchUp() })
    let third = try place.store()
    #expect(try content(of: third) == content(of: stores[0]))
    #expect(try content(of: stores[1]) == content(of: stores[0]))
    #expect(place.schema.settles("SELECT sign(count(*))::bigint FROM menud_state", at: 1))
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
