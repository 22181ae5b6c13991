import Dispatch
import MenuEngine
import StoreSupport
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
    #expect(answers.answer(under: [1]) == .answer(1, expiry: 10_500))
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
    #expect(answers.answer(under: [1]) == .answer(1, size: 9))
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

  private func bounds(count: Int = 100, size: Int = 1 << 20) -> KeptAnswers.Bounds {
    var bounds = KeptAnswers.Bounds()
    (bounds.count, bounds.size) = (count, size)
    return bounds
  }

  private func answers(
    retention: Int = 86_400, count: Int = 100, size: Int = 1 << 20, _ time: Time = Time()
  ) -> TimedAnswers {
    TimedAnswers(
      bounds: bounds(count: count, size: size),
      clock: RetentionClock(retention: retention) { time.now })
  }
}

/// Answers within bounds, by a clock.
private final class TimedAnswers {
  let bounds: KeptAnswers.Bounds
  let clock: RetentionClock
  private var answers = KeptAnswers()

  init(bounds: KeptAnswers.Bounds, clock: RetentionClock) {
    self.bounds = bounds
    self.clock = clock
  }

  var entries: [IdempotencyEntry] { answers.entries }
  var count: Int { answers.count }

  func add(_ entry: IdempotencyEntry) {
    answers.put(KeyedAnswer(entry), within: bounds, at: clock.now, isJournaled: true)
  }

  func answer(under key: AnswerKey) -> IdempotencyEntry? {
    answers.answer(under: key, at: clock.now)
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
    #expect(try model.add(write).wait() == .durable)
    #expect(Set(try place.reopen(model).entries.keys) == [[2], [4]])
  }

  // The journal forgets with a batch what gave way to the batch before.
  @Test(arguments: Bed.all)
  func `the journal has one batch more than there may be, after a restart with fewer too`(
    bed: Bed
  ) throws {
    let application = try SampleApplication("photo-app")
    let place = try Place(bed)
    var bounds = KeptAnswers.Bounds()
    bounds.count = 4
    let store = try SessionStore(
      recovering: place.journal(), catalog: application.catalog, keeping: bounds)
    for number in 1...6 { _ = try store.keep(.answer(UInt8(number), expiry: .max)) }
    store.close()
    bounds.count = 2
    let second = try SessionStore(
      recovering: place.journal(), catalog: application.catalog, keeping: bounds)
    #expect(second.recovery?.entries == 5)
    #expect(second.answerCount == 2)
    _ = try second.keep(.answer(7, expiry: .max))
    second.close()
    let third = try SessionStore(recovering: place.journal(), catalog: application.catalog)
    #expect(third.recovery?.entries == 3)
  }

  @Test func `what the journal does not take is not kept`() throws {
    let application = try SampleApplication("photo-app")
    let store = try Place().store(application)
    store.close()
    #expect(throws: JournalFault.closed) { try store.keep(.answer(1)) }
    #expect(store.answerCount == 0)
  }

  @Test func `what gave way is to be forgotten until the journal has, unless it came again`() {
    var bounds = KeptAnswers.Bounds()
    bounds.count = 1
    var answers = KeptAnswers()
    func put(_ key: UInt8, isJournaled: Bool = true) {
      answers.put(
        KeyedAnswer(.answer(key, expiry: .max)), within: bounds, at: 0, isJournaled: isJournaled)
    }
    put(1)
    #expect(answers.forgotten.isEmpty)
    put(2)
    #expect(answers.forgotten == [[1]])
    put(1)
    #expect(answers.forgotten == [[2]])
    let forgotten = answers.forgotten
    put(3)
    answers.endForgetting(forgotten)
    #expect(answers.forgotten == [[1]])
    put(4, isJournaled: false)
    #expect(answers.forgotten == [[1]])
    #expect(answers.entries.map(\.key) == [[4]])
  }

  @Test func `of two commits with one key the second is a repetition, even if it is outdated`()
    throws
  {
    let store = SessionStore(catalog: try SampleApplication("photo-app").catalog)
    let base = store.catalogEdition
    let proposal = Proposal.changeCatalog(
      base, by: .editMenus([]), to: base.catalog, entry: .answer(1, expiry: .max))
    guard case .committed = try store.commit(proposal), case .repeated = try store.commit(proposal)
    else {
      Issue.record("The second commit is no repetition.")
      return
    }
    #expect(store.answers == [.answer(1, expiry: .max)])
  }

  @Test func `the journal has what memory has, and besides what gave way to the last batch`() throws
  {
    let (storage, bounds) = (MemoryJournal.Storage(), KeptAnswers.Bounds.of(count: 1))
    let journal = MemoryJournal(on: storage, clock: RetentionClock { 0 })
    let store = try SessionStore(
      recovering: journal, catalog: SampleApplication("photo-app").catalog, keeping: bounds)
    for _ in 0..<300 {
      DispatchQueue.concurrentPerform(iterations: 4) { client in
        _ = try? store.keep(.answer(UInt8(client % 3), expiry: .max))
      }
      var kept: [IdempotencyEntry] = []
      _ = try MemoryJournal(on: storage, clock: RetentionClock { 0 }).recover(
        reading: { item in if case .entry(let entry) = item { kept.append(entry) } },
        stateOf: { _ in nil })
      #expect(kept.count <= 5 && store.answers.allSatisfy(kept.contains))
    }
  }

  @Test func `an answer without a change of the catalogue is kept too`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let store = try place.store(application)
    let revision = store.catalog.revision
    try store.keep(.answer(1, expiry: .max))
    let recovered = try place.reopen(store, application)
    #expect(recovered.answer(under: [1]) != nil)
    #expect(recovered.catalog.revision == revision)
  }
}

extension AnswerKey: ExpressibleByArrayLiteral {
  /// A key of these bytes.
  public init(arrayLiteral bytes: UInt8...) { self.init(bytes) }
}

extension KeptAnswers.Bounds {
  fileprivate static func of(count: Int) -> Self {
    var bounds = Self()
    bounds.count = count
    return bounds
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
