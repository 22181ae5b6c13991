import Dispatch
import Glibc
import Locks
import MenuEngine
import Synchronization
import Testing

@testable import MenuStore

/// Answers to requests with an idempotency key, as they are kept in memory and forgotten.
@Suite struct KeptAnswersTests {
  @Test func `an answer is found under its key until its time has come`() {
    let time = Time()
    let answers = answers(retention: 10, time)
    time.now = 500
    #expect(answers.clock.expiry == 10_500)
    answers.add(.answer(1, expiry: 10_500))
    time.now = 10_499
    #expect(answers.answer(under: [1])?.entry == .answer(1, expiry: 10_500))
    #expect(answers.answer(under: [2]) == nil)
    time.now = 10_500
    #expect(answers.answer(under: [1]) == nil)
  }

  @Test func `a clock at its end keeps answers for ever`() {
    #expect(RetentionClock(retention: 10) { .max }.expiry == .max)
  }

  @Test func `the oldest give way to more than there may be`() {
    let answers = answers(count: 3)
    for number in 1...5 { answers.add(.answer(UInt8(number))) }
    #expect(answers.entries.map(\.key) == [[3], [4], [5]])
  }

  @Test func `the oldest give way to what is larger than all may be, but it stays itself`() {
    let answers = answers(size: 2000)
    for number in 1...5 { answers.add(.answer(UInt8(number), size: 300)) }
    #expect(answers.entries.map(\.key) == [[3], [4], [5]])
    answers.add(.answer(6, size: 100_000))
    #expect(answers.entries.map(\.key) == [[6]])
    answers.add(.answer(7))
    #expect(answers.entries.map(\.key) == [[7]])
  }

  @Test func `a newer answer under a key takes its place, and is not forgotten with the older one`()
  {
    let answers = answers(count: 2)
    answers.add(.answer(1))
    answers.add(.answer(2))
    answers.add(.answer(1, size: 9))
    answers.add(.answer(3))
    #expect(answers.entries.map(\.key) == [[1], [3]])
    #expect(answers.answer(under: [1])?.entry == .answer(1, size: 9))
  }

  @Test func `thousands of answers come and go, and only the last are there`() {
    let answers = answers(count: 10)
    for number in 0..<5000 {
      answers.add(.answer(UInt8(number & 0xFF), size: number % 7))
      #expect(answers.count <= 10)
    }
    #expect(answers.entries.map { Int($0.key[0]) } == (4990..<5000).map { $0 & 0xFF })
  }

  @Test func `those that are too old give way to a new one`() {
    let time = Time()
    let answers = answers(retention: 10, time)
    for now in [0, 1000, 5000] as [Int64] {
      time.now = now
      answers.add(.answer(UInt8(now / 1000), expiry: answers.clock.expiry))
    }
    time.now = 11_000
    answers.add(.answer(9, expiry: answers.clock.expiry))
    #expect(answers.entries.map(\.key) == [[5], [9]])
  }

  @Test func `one after the other has its turn with a key`() {
    let answers = answers()
    let inside = Atomic(0)
    let most = Atomic(0)
    let done = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      answers.inTurn([7]) {
        let count = inside.add(1, ordering: .relaxed).newValue
        most.max(count, ordering: .relaxed)
        inside.subtract(1, ordering: .relaxed)
        done.add(1, ordering: .relaxed)
      }
    }
    #expect(most.load(ordering: .relaxed) == 1)
    #expect(done.load(ordering: .relaxed) == 64)
  }

  @Test func `of answers that are taken back nothing is left, however many they are`() {
    var queue = AnswerQueue()
    _ = queue.addTakingForgotten(.answer(0), within: bounds(), at: 0)
    for _ in 0..<1000 {
      let several = (1...3).map { queue.addTakingForgotten(.answer($0), within: bounds(), at: 0) }
      for added in several.reversed() { queue.undo(added) }
    }
    #expect(queue.entries.map(\.key) == [[0]])
    #expect(queue.order.map(\.key) == [[0]])
  }

  @Test func `answers are taken back in any order, and newer ones stay`() {
    var queue = AnswerQueue()
    let several = (1...4).map { queue.addTakingForgotten(.answer($0), within: bounds(), at: 0) }
    queue.undo(several[1])
    queue.undo(several[0])
    #expect(queue.entries.map(\.key) == [[3], [4]])
    queue.undo(several[3])
    #expect(queue.order.map(\.key) == [[1], [2], [3]])
    queue.undo(several[2])
    #expect(queue.order.isEmpty)
    _ = queue.addTakingForgotten(.answer(9), within: bounds(count: 1), at: 0)
    _ = queue.addTakingForgotten(.answer(8), within: bounds(count: 1), at: 0)
    #expect(queue.entries.map(\.key) == [[8]])
  }

  private func bounds(count: Int = 100, size: Int = 1 << 20) -> KeptAnswers.Bounds {
    var bounds = KeptAnswers.Bounds()
    (bounds.count, bounds.size) = (count, size)
    return bounds
  }

  private func answers(
    retention: Int = 86_400, count: Int = 100, size: Int = 1 << 20, _ time: Time = Time()
  ) -> KeptAnswers {
    KeptAnswers(
      bounds(count: count, size: size), by: RetentionClock(retention: retention) { time.now })
  }
}

/// A time that tests set.
private final class Time: Sendable {
  private let milliseconds = Atomic<Int64>(0)

  var now: Int64 {
    get { milliseconds.load(ordering: .relaxed) }
    set { milliseconds.store(newValue, ordering: .relaxed) }
  }
}

/// The same answers in the journal.
@Suite struct JournaledAnswersTests {
  @Test(arguments: Bed.all)
  func `an entry can give way to another one in the journal`(bed: Bed) throws {
    let place = try Place(bed)
    let model = try place.model()
    for number in 1...3 { try model.keep(.answer(UInt8(number), expiry: .max)) }
    let write = JournalWrite(entry: .answer(4, expiry: .max), forgotten: [[1], [3], [99]])
    #expect(try model.journal.append(write).wait() == .durable)
    #expect(Set(try place.reopen(model).entries.keys) == [[2], [4]])
  }

  @Test(arguments: Bed.all)
  func `the journal has as many answers as there may be, after a restart with fewer too`(
    bed: Bed
  ) throws {
    let application = try SampleApplication("photo-app")
    let place = try Place(bed)
    var bounds = KeptAnswers.Bounds()
    bounds.count = 4
    let store = try SessionStore(
      recovering: place.journal(), catalog: application.catalog, keeping: bounds)
    for number in 1...6 { _ = try store.keep(nil, nil, .answer(UInt8(number), expiry: .max)) {} }
    store.close()
    bounds.count = 2
    let second = try SessionStore(
      recovering: place.journal(), catalog: application.catalog, keeping: bounds)
    #expect(second.recovery?.entries == 4)
    #expect(second.answers.count == 2)
    _ = try second.keep(nil, nil, .answer(7, expiry: .max)) {}
    second.close()
    let third = try SessionStore(recovering: place.journal(), catalog: application.catalog)
    #expect(third.recovery?.entries == 2)
  }

  @Test func `what the journal does not take is not kept`() throws {
    let application = try SampleApplication("photo-app")
    let store = try Place().store(application)
    store.close()
    #expect(throws: JournalFault.closed) { try store.keep(nil, nil, .answer(1)) {} }
    #expect(store.answers.count == 0)
  }

  @Test func `what could not be made durable is taken back, whoever gave way to it`() throws {
    var bounds = KeptAnswers.Bounds()
    bounds.count = 1
    let answers = KeptAnswers(bounds, by: RetentionClock { 0 })
    _ = try answers.add(.answer(1, expiry: .max)) { forgotten, _ throws(JournalFault) in
      #expect(forgotten.isEmpty)
      return .durable
    }
    let ticket = Ticket()
    let undo = Lock<(@Sendable () -> Void)?>(nil)
    _ = try answers.add(.answer(2, expiry: .max)) { forgotten, takeBack throws(JournalFault) in
      #expect(forgotten == [[1]])
      undo.withLock { $0 = takeBack }
      return ticket
    }
    #expect(answers.answer(under: [2])?.ticket === ticket)
    undo.withLock(\.self)?()
    #expect(answers.count == 0)
    // The journal still has the first, and is told again to forget it.
    _ = try answers.add(.answer(3, expiry: .max)) { forgotten, _ throws(JournalFault) in
      #expect(forgotten == [[1]])
      return .durable
    }
  }

  @Test func `what gave way, came again and was taken back is still to be forgotten`() throws {
    var bounds = KeptAnswers.Bounds()
    bounds.count = 1
    let answers = KeptAnswers(bounds, by: RetentionClock { 0 })
    var forgotten: [[[UInt8]]] = []
    var undo: [@Sendable () -> Void] = []
    for key in [1, 2, 1, 3] as [UInt8] {
      _ = try answers.add(.answer(key, expiry: .max)) { keys, takeBack throws(JournalFault) in
        forgotten.append(keys)
        undo.append(takeBack)
        return .durable
      }
      // The second failed, and so did the third, which came after the second was taken back.
      if [2, 3].contains(undo.count) { undo[undo.count - 1]() }
    }
    #expect(forgotten == [[], [[1]], [], [[1]]])
    #expect(answers.entries.map(\.key) == [[3]])
  }

  @Test func `memory and the journal forget in the same order`() {
    var bounds = KeptAnswers.Bounds()
    bounds.count = 1
    let answers = KeptAnswers(bounds, by: RetentionClock { 0 })
    let journal = Lock<Set<[UInt8]>>([])
    for round in 0..<300 {
      DispatchQueue.concurrentPerform(iterations: 4) { client in
        let key = UInt8(client % 3)
        answers.inTurn([key]) {
          _ = try? answers.add(.answer(key, expiry: .max)) { forgotten, _ throws(JournalFault) in
            // Whoever comes in between, does so now.
            sched_yield()
            journal.withLock { journal in
              journal.subtract(forgotten)
              journal.insert([key])
            }
            return .durable
          }
        }
      }
      let kept = Set(answers.entries.map(\.key))
      #expect(journal.withLock(\.self) == kept, "round \(round)")
    }
  }

  @Test func `an answer without a change of the catalogue is kept too`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let store = try place.store(application)
    let revision = store.catalogRevision
    let change = try store.changeCatalog(
      by: { (_) throws(CatalogChangeFault) in .editMenus([]) }, refusal: { fault, _ in fault },
      entry: { _, _ in .answer(1, expiry: .max) })
    #expect(!change.outcome.isChanged)
    let recovered = try place.reopen(store, application)
    #expect(recovered.answers.answer(under: [1]) != nil)
    #expect(recovered.catalogRevision == revision)
  }
}

extension IdempotencyEntry {
  /// An answer under a key of one byte.
  fileprivate static func answer(
    _ key: UInt8, size: Int = 0, expiry: Int64 = 100_000_000
  ) -> IdempotencyEntry {
    IdempotencyEntry(
      key: [key], fingerprint: [1], status: 200, headers: [],
      body: Array(repeating: 2, count: size),
      expiry: expiry)
  }
}
