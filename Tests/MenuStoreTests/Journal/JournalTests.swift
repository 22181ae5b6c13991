import Foundation
import Randomness
import StoreSupport
import Synchronization
import Testing

@testable import MenuStore

/// The contract of a journal.
@Suite struct JournalTests {
  @Test(arguments: Bed.all)
  func `a new journal is empty`(bed: Bed) throws {
    let model = try Place(bed).model()
    #expect(model.all == Model.Contents())
    #expect(model.recovery.last == 0)
    #expect(model.fault == nil)
  }

  @Test(arguments: Bed.all)
  func `what was added is handed out in order, whole, and numbered without gaps`(bed: Bed) throws {
    let place = try Place(bed)
    let model = try place.model()
    try model.open(.catalog, [9])
    try model.open("a")
    try model.change("a", [1, 2])
    try model.open("b")
    try model.change("b", [0, 255])
    try model.change("a", [])
    model.close()
    let journal = try place.journal()
    var items: [JournalItem] = []
    let recovery = try journal.recover { (item) throws(JournalFault) in
      items.append(item)
    } stateOf: { _ in
      nil
    }
    #expect(
      items == [
        .record(.init(.opened, .catalog, revision: 1, payload: [9]), sequence: 1),
        .record(.init(.opened, .session("a"), revision: 0), sequence: 2),
        .record(.init(.changed, .session("a"), revision: 3, payload: [1, 2]), sequence: 3),
        .record(.init(.opened, .session("b"), revision: 0), sequence: 4),
        .record(.init(.changed, .session("b"), revision: 3, payload: [0, 255]), sequence: 5),
        .record(.init(.changed, .session("a"), revision: 4), sequence: 6),
      ])
    #expect((recovery.records, recovery.replayed, recovery.last) == (6, 6, 6))
  }

  @Test(arguments: Bed.all)
  func `what was added is durable once it is told so`(bed: Bed) throws {
    let model = try Place(bed).model()
    let ticket = try model.open(.session("a"))
    #expect(ticket.wait() == .durable)
    #expect(ticket.outcome == .durable)
  }

  @Test(arguments: Bed.all)
  func `what was added together with a ticket that is settled is there after a restart`(
    bed: Bed
  ) throws {
    let place = try Place(bed)
    let model = try place.model()
    for number in 0..<200 { try model.open("s\(number)") }
    #expect(try model.change("s0", [7]).wait() == .durable)
    let recovered = try place.reopen(model)
    #expect(recovered.all == model.all)
    #expect(recovered.recovery.records == 201)
  }

  @Test(arguments: Bed.all)
  func `of closed sessions nothing is handed out, and one opened again begins anew`(
    bed: Bed
  ) throws {
    let place = try Place(bed)
    let model = try place.model()
    for name in ["a", "b"] {
      try model.open(name)
      try model.change(name, [1])
      try model.close(name)
    }
    try model.open("b")
    let recovered = try place.reopen(model)
    #expect(recovered.subjects == [.session("b"): []])
    #expect(recovered.recovery.replayed == 1)
    // PostgreSQL's may be gone already.
    #expect(recovered.recovery.records == 7 || bed.isDatabase)
  }

  @Test(arguments: Bed.all)
  func `it counts the records that it takes, their bytes, and the states that take their place`(
    bed: Bed
  ) throws {
    let place = try Place(bed)
    let model = try place.model(snapshotEvery: 2)
    let figures = model.journal.figures
    #expect((figures.records.value, figures.bytes.value, figures.states.value) == (0, 0, 0))
    try model.open("a")
    #expect(try model.change("a", [1, 2, 3]).wait() == .durable)
    #expect((figures.records.value, figures.bytes.value) == (2, 3))
    for _ in 0..<8 { #expect(try model.change("a", [4]).wait() == .durable) }
    #expect((figures.records.value, figures.bytes.value) == (10, 11))
    #expect(eventually { figures.states.value > 0 })
    #expect(figures.failures.value == 0)
    model.close()
    #expect(throws: JournalFault.closed) { try model.change("a", [5]) }
    #expect(figures.records.value == 10)
  }

  @Test(arguments: Bed.all)
  func `nothing is taken after it was closed`(bed: Bed) throws {
    let model = try Place(bed).model()
    model.close()
    #expect(throws: JournalFault.closed) { try model.open("a") }
    model.close()
  }

  @Test(arguments: Bed.all)
  func `what several threads add is all there, of each in its order`(bed: Bed) throws {
    let place = try Place(bed)
    let model = try place.model(snapshotEvery: 10)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      try? model.open("t\(thread)")
      for number in 0..<100 { _ = try? model.change("t\(thread)", [UInt8(number)]) }
    }
    let recovered = try place.reopen(model)
    #expect(recovered.all == model.all)
    for thread in 0..<8 {
      #expect(recovered["t\(thread)"] == (0..<100).flatMap { [UInt8($0), 0] })
    }
  }

  @Test(arguments: Bed.all, Seeds.first(4))
  func `whatever happened is there after every restart, however often states are due`(
    bed: Bed, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let place = try Place(bed)
    var model = try place.model(snapshotEvery: Int(seed * 2 - 1))
    for _ in 0..<6 {
      for _ in 0..<Int.random(in: 0...150, using: &random) { try model.doSomething(&random) }
      let recovered = try place.reopen(model, snapshotEvery: Int(seed * 2 - 1))
      #expect(recovered.all == model.all)
      #expect(recovered.recovery.last == model.recovery.last + model.added)
      model = recovered
    }
  }
}

/// States, which bound a recovery.
@Suite struct JournalStateTests {
  @Test(arguments: Bed.all)
  func `a recovery reads few records of a session that changed often`(bed: Bed) throws {
    let place = try Place(bed)
    let model = try place.model(snapshotEvery: 10)
    try model.open("quiet")
    try model.open("busy")
    for number in 0..<1000 {
      #expect(try model.change("busy", [UInt8(number & 0xFF)]).wait() == .durable)
    }
    // PostgreSQL's are written behind the batches.
    if bed.isDatabase {
      #expect(
        place.schema.settles("SELECT count(*) FROM menud_record WHERE subject = 'busy'", at: 0))
    }
    let recovered = try place.reopen(model)
    #expect(recovered.all == model.all)
    #expect(recovered.recovery.states > 0)
    // Ten for each of two that changed, ten more for none, and what is added while states are written.
    #expect(recovered.recovery.records < 40)
    #expect(recovered.recovery.last == 1002)
  }

  @Test(arguments: Bed.all)
  func `sessions are read under the catalogue as it was for each change`(bed: Bed) throws {
    let place = try Place(bed)
    let model = try place.model(snapshotEvery: 3)
    try model.open(.catalog, [0])
    for name in ["a", "b", "c"] { try model.open(name) }
    for number in 0..<100 {
      try model.change(["a", "b", "c"][number % 3], [UInt8(number)])
      if number % 7 == 0 { #expect(try model.changeCatalog([UInt8(number)]).wait() == .durable) }
    }
    #expect(try place.reopen(model).all == model.all)
  }

  @Test(arguments: Bed.all)
  func `a closed session does not come back with its state`(bed: Bed) throws {
    let place = try Place(bed)
    let model = try place.model(snapshotEvery: 1)
    try model.open("gone")
    for number in 0..<50 { #expect(try model.change("gone", [UInt8(number)]).wait() == .durable) }
    #expect(try model.close("gone").wait() == .durable)
    try model.open("other")
    for number in 0..<50 { #expect(try model.change("other", [UInt8(number)]).wait() == .durable) }
    let recovered = try place.reopen(model)
    #expect(recovered.subjects.keys.map(\.self) == [.session("other")])
  }

  @Test(arguments: Bed.embedded)
  func `E5: the last records stay behind the states, which are as they were before them`(
    bed: Bed
  ) throws {
    let place = try Place(bed, keptRecords: 300)
    let model = try place.model(snapshotEvery: 50)
    try model.open(.catalog, [0])
    try model.open("a")
    try model.open("gone")
    for number in 0..<2000 {
      let subject = number < 900 && number % 10 == 0 ? "gone" : "a"
      let ticket = try model.change(subject, [UInt8(number % 200)])
      if number % 20 == 0 { #expect(ticket.wait() == .durable) }
      if number == 900 { #expect(try model.close("gone").wait() == .durable) }
      guard number % 250 == 0 else { continue }
      #expect(try model.changeCatalog([UInt8(number % 200)]).wait() == .durable)
    }
    let recovered = try place.reopen(model)
    #expect(recovered.all == model.all)
    // Twice the kept ones, those until states are due, and what is added while states are written.
    #expect((300..<900).contains(recovered.recovery.records))
  }

  @Test(arguments: Bed.embedded)
  func `E5: however often it is opened again, the records behind the states are bounded`(
    bed: Bed
  ) throws {
    let place = try Place(bed, keptRecords: 20)
    var model = try place.model(snapshotEvery: 5)
    try model.open("a")
    for number in 0..<60 {
      for step in 0..<7 {
        let last = try model.change("a", [UInt8(number), UInt8(step)])
        if step == 6 { #expect(last.wait() == .durable) }
      }
      let before = model.all
      model = try place.reopen(model, snapshotEvery: 5)
      #expect(model.all == before)
      #expect(model.recovery.records <= 4 * 20 + 10 + 14)
    }
  }

  @Test func `E5: states are ripe when enough was committed since they were due`() throws {
    var plan = SnapshotPlan(every: 3, keepingLast: 10)
    func add(_ name: String, _ kind: JournalRecord.Kind = .changed, size: Int = 1) {
      let payload = Array(repeating: UInt8(0), count: size)
      let record = JournalRecord(kind, .session(name), revision: 0, payload: payload)
      plan.note(JournalWrite(record: record, state: { [] }), at: plan.last + 1)
      plan.noteDue()
    }
    for _ in 0..<6 { add("a") }
    #expect(plan.due == nil)
    add("b")
    for _ in 0..<3 { add("a") }
    let due = try #require(plan.due)
    #expect(due.last == 10)
    #expect(due.pending.mapValues(\.sequence) == [.session("a"): 10, .session("b"): 7])
    for _ in 0..<8 { add("a") }
    add("b", .closed)
    #expect(plan.ripe == nil)
    add("c")
    let step = try #require(plan.nextStep())
    #expect(step.states.map(\.subject) == [.session("a")])
    plan.accept(step)
    #expect(plan.base == 10 && plan.due == nil)
    // Ten records stay, more than there are to be before states are due.
    add("c")
    #expect(plan.due?.last == 21)
    add("c", size: 1 << 20)
    #expect(plan.ripe != nil)
  }

  @Test func `E5: a stop writes no states of those that changed last, if these are few`() {
    var plan = SnapshotPlan(every: 50, keepingLast: 10)
    func add(_ name: String, _ count: Int) {
      for _ in 0..<count {
        let record = JournalRecord(.changed, .session(name), revision: 0)
        plan.note(JournalWrite(record: record, state: { [] }), at: plan.last + 1)
      }
    }
    add("old", 9)
    add("rare", 2)
    add("late", 25)
    add("last", 20)
    #expect(
      plan.sessionsForNextStart(changedAtLeast: 8).map(\.subject) == [.session("old")])
    add("last", 31)
    #expect(plan.sessionsForNextStart(changedAtLeast: 8).count == 3)
  }

  @Test func `E5: the changes of a session are counted from the state that was written last`() {
    var plan = SnapshotPlan(every: 3, keepingLast: 2)
    func add() {
      let record = JournalRecord(.changed, .session("a"), revision: 0)
      plan.note(JournalWrite(record: record, state: { [] }), at: plan.last + 1)
      plan.noteDue()
    }
    for _ in 0..<9 { add() }
    #expect(plan.ripe?.last == 7)
    #expect(plan.pending[.session("a")]?.changes == 9)
    plan.noteState(of: .session("a"), at: 7)
    #expect(plan.pending[.session("a")]?.changes == 2)
  }

  @Test func `states are due when there are more records than so many for each that has some`() {
    var plan = SnapshotPlan(every: 3)
    func add(_ name: String) {
      plan.note(
        JournalWrite(record: .init(.changed, .session(name), revision: 0), state: { [] }),
        at: plan.last + 1)
    }
    for _ in 0..<6 { add("a") }
    #expect(!plan.isDue)
    add("a")
    #expect(plan.isDue)
    for name in ["b", "c"] { add(name) }
    #expect(!plan.isDue)
    for _ in 0..<4 { add("a") }
    #expect(plan.isDue)
    plan.noteState(of: .session("b"), at: 8)
    plan.noteState(of: .session("a"), at: 1)
    #expect(plan.pending.keys.count == 2)
  }
}

/// The answers to requests with an idempotency key.
@Suite struct JournalEntryTests {
  @Test(arguments: Bed.all)
  func `answers are kept beside changes and alone, and a newer one takes its key`(
    bed: Bed
  ) throws {
    let place = try Place(bed)
    let model = try place.model()
    try model.open("a")
    try model.change("a", [1], entry: .sample("k"))
    try model.keep(.sample("other", status: 409))
    try model.change("a", [2], entry: .sample("k", status: 201))
    let recovered = try place.reopen(model)
    #expect(recovered.all == model.all)
    #expect(recovered.recovery.entries == 2)
    #expect(recovered.entries[Array("k".utf8)]?.status == 201)
  }

  @Test(arguments: Bed.all)
  func `keys are bytes, so that characters which look alike are not one`(bed: Bed) throws {
    let place = try Place(bed)
    let model = try place.model()
    for key in ["\u{E9}", "e\u{301}", "", "\0", "a\0b", "a"] { try model.keep(.sample(key)) }
    let recovered = try place.reopen(model)
    #expect(recovered.entries.count == 6)
    #expect(recovered.all == model.all)
  }

  @Test(arguments: Bed.all)
  func `answers are forgotten when their time has come`(bed: Bed) throws {
    let place = try Place(bed)
    let model = try place.model()
    try model.keep(.sample("early", expiry: 10))
    try model.keep(.sample("late", expiry: 20))
    place.setClock(9)
    #expect(try place.reopen(model).recovery.entries == 2)
    place.setClock(10)
    let recovered = try place.reopen(model)
    #expect(recovered.entries.keys.map(\.self) == [Array("late".utf8)])
  }

  @Test(arguments: Bed.all)
  func `a restart continues the time from the last answer`(bed: Bed) throws {
    let place = try Place(bed)
    let day = place.clock.retention
    let model = try place.model()
    place.setClock(1_000_000)
    try model.keep(.sample("early", expiry: model.journal.clock.expiry))
    place.setClock(5_000_000)
    try model.keep(.sample("late", expiry: model.journal.clock.expiry))
    // The clock of a process begins at zero.
    place.setClock(0)
    let second = try place.reopen(model)
    #expect(second.journal.clock.now == 5_000_000)
    #expect(second.entries.count == 2)
    // The first one's time has come when processes have run for long enough.
    place.setClock(day - 4_000_000)
    #expect(second.journal.clock.now == day + 1_000_000)
    try second.keep(.sample("later", expiry: second.journal.clock.expiry))
    place.setClock(0)
    let third = try place.reopen(second)
    let keys = third.entries.keys.map { String(decoding: $0, as: UTF8.self) }
    #expect(keys.sorted() == ["late", "later"])
  }
}
