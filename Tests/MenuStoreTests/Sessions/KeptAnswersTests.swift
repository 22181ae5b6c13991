import Dispatch
import MenuEngine
import Synchronization
import Testing

@testable import MenuStore

/// Answers to requests with an idempotency key, as they are kept in memory and forgotten.
@Suite struct KeptAnswersTests {
  @Test func `an answer is found under its key until its time has come`() {
    let answers = KeptAnswers(bounds(retention: 10))
    #expect(answers.expiry(at: 500) == 10_500)
    answers.add(.answer(1, expiry: 10_500))
    #expect(answers.answer(under: [1], at: 10_499)?.entry == .answer(1, expiry: 10_500))
    #expect(answers.answer(under: [1], at: 10_500) == nil)
    #expect(answers.answer(under: [2], at: 0) == nil)
  }

  @Test func `when the clock goes back an answer is kept for longer`() {
    let answers = KeptAnswers(bounds(retention: 10))
    answers.add(.answer(1, expiry: answers.expiry(at: 1_000_000)))
    answers.add(.answer(2, expiry: answers.expiry(at: 5)))
    #expect(answers.answer(under: [1], at: 5) != nil)
    #expect(answers.answer(under: [2], at: 5) != nil)
  }

  @Test func `a clock at its end keeps answers for ever`() {
    #expect(KeptAnswers(bounds(retention: 10)).expiry(at: .max) == .max)
  }

  @Test func `the oldest give way to more than there may be`() {
    let answers = KeptAnswers(bounds(count: 3))
    for number in 1...5 { answers.add(.answer(UInt8(number))) }
    #expect(answers.entries.map(\.key) == [[3], [4], [5]])
  }

  @Test func `the oldest give way to what is larger than all may be, but it stays itself`() {
    let answers = KeptAnswers(bounds(size: 2000))
    for number in 1...5 { answers.add(.answer(UInt8(number), size: 300)) }
    #expect(answers.entries.map(\.key) == [[3], [4], [5]])
    answers.add(.answer(6, size: 100_000))
    #expect(answers.entries.map(\.key) == [[6]])
    answers.add(.answer(7))
    #expect(answers.entries.map(\.key) == [[7]])
  }

  @Test func `a newer answer under a key takes its place, and is not forgotten with the older one`()
  {
    let answers = KeptAnswers(bounds(count: 2))
    answers.add(.answer(1))
    answers.add(.answer(2))
    answers.add(.answer(1, size: 9))
    answers.add(.answer(3))
    #expect(answers.entries.map(\.key) == [[1], [3]])
    #expect(answers.answer(under: [1], at: 0)?.entry == .answer(1, size: 9))
  }

  @Test func `thousands of answers come and go, and only the last are there`() {
    let answers = KeptAnswers(bounds(count: 10))
    for number in 0..<5000 {
      answers.add(.answer(UInt8(number & 0xFF), size: number % 7))
      #expect(answers.count <= 10)
    }
    #expect(answers.entries.map { Int($0.key[0]) } == (4990..<5000).map { $0 & 0xFF })
  }

  @Test func `those that are too old give way to a new one`() {
    let answers = KeptAnswers(bounds(retention: 10))
    for now in [0, 1000, 5000] as [Int64] {
      answers.add(.answer(UInt8(now / 1000), expiry: answers.expiry(at: now)))
    }
    answers.add(.answer(9, expiry: answers.expiry(at: 11_000)))
    #expect(answers.entries.map(\.key) == [[5], [9]])
  }

  @Test func `one after the other has its turn with a key`() {
    let answers = KeptAnswers(bounds())
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

  private func bounds(
    retention: Int = 86_400, count: Int = 100, size: Int = 1 << 20
  ) -> KeptAnswers.Bounds {
    var bounds = KeptAnswers.Bounds()
    (bounds.retention, bounds.count, bounds.size) = (retention, count, size)
    return bounds
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
    let answers = KeptAnswers(bounds)
    _ = try answers.add(.answer(1, expiry: .max)) { forgotten, _ throws(JournalFault) in
      #expect(forgotten.isEmpty)
      return .durable
    }
    let ticket = Ticket()
    let undo = Mutex<(@Sendable () -> Void)?>(nil)
    _ = try answers.add(.answer(2, expiry: .max)) { forgotten, takeBack throws(JournalFault) in
      #expect(forgotten == [[1]])
      undo.withLock { $0 = takeBack }
      return ticket
    }
    #expect(answers.answer(under: [2], at: 0)?.ticket === ticket)
    undo.withLock(\.self)?()
    #expect(answers.count == 0)
    // The journal still has the first, and is told again to forget it.
    _ = try answers.add(.answer(3, expiry: .max)) { forgotten, _ throws(JournalFault) in
      #expect(forgotten == [[1]])
      return .durable
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
    #expect(recovered.answers.answer(under: [1], at: 0) != nil)
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
