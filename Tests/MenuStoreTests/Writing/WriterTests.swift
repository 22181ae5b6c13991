import Locks
import StoreSupport
import Testing

@testable import MenuStore

/// Batches that wait for changes, and those that cannot be made durable.
@Suite struct WriterTests {
  /// Longer than a run of the tests may take, so that who waits in vain is seen.
  private static let longWait = Duration.seconds(36_000)

  @Test func `a batch that was written and not flushed is refused once it is replaced`() throws {
    let disk = Disk([.unflushed(path: "d", code: 5), .system(path: "d", code: 5), nil])
    let writer = try disk.writer()
    let ticket = try writer.add()
    #expect(ticket.wait() == .failed(.unflushed(path: "d", code: 5)))
    writer.close()
    #expect(disk.log.prefix(3) == [1, 0, 0])
  }

  @Test func `what is written in its place need not be flushed`() throws {
    let disk = Disk([.unflushed(path: "d", code: 5), .unflushed(path: "d", code: 5)])
    let writer = try disk.writer()
    #expect(try writer.add().wait() == .failed(.unflushed(path: "d", code: 5)))
    writer.close()
  }

  @Test func `when nothing takes its place the outcome is unknown`() throws {
    let failures = [JournalFault](repeating: .system(path: "d", code: 5), count: 100)
    let disk = Disk([.unflushed(path: "d", code: 5)] + failures)
    let writer = try disk.writer()
    #expect(try writer.add().wait() == .failed(.outcomeUnknown))
    writer.close()
  }

  @Test(arguments: [10, 250, 400, 3000])
  func `when flushes fail late, the outcome is said within a second or two flushes`(
    milliseconds: Int
  ) throws {
    let disk = SlowDisk(taking: .milliseconds(milliseconds))
    let writer = try disk.writer()
    let ticket = try writer.add()
    #expect(writer.step(waiting: .zero))
    #expect(ticket.wait() == .failed(.outcomeUnknown))
    #expect(disk.now <= max(.seconds(1), .milliseconds(2 * milliseconds)))
    #expect(throws: Never.self) { try writer.add() }
  }

  @Test func `a batch that was not written is refused at once, and the next one is tried`() throws {
    let disk = Disk([.noRoom(path: "d"), nil])
    let writer = try disk.writer()
    #expect(try writer.add().wait() == .failed(.noRoom(path: "d")))
    #expect(try writer.add().wait() == .durable)
    #expect(writer.fault == nil)
    // It is told once, although the next batch was written.
    #expect(writer.takeFault() == .noRoom(path: "d"))
    #expect(writer.takeFault() == nil)
    writer.close()
    #expect(throws: JournalFault.closed) { try writer.add() }
  }

  @Test func `a batch waits for as many changes as the last one had and those that came meanwhile`()
    throws
  {
    let disk = SlowDisk(taking: Self.longWait * 2, failing: false)
    let writer = try disk.writer(gathering: Self.longWait)
    for _ in 0..<3 { try writer.add() }
    #expect(writer.step(waiting: .zero))
    let first = try writer.add()
    let others = BackgroundThread()
    try others.start(or: JournalFault.ofThread) { for _ in 0..<2 { _ = try? writer.add() } }
    #expect(writer.step(waiting: .zero))
    others.finish()
    #expect(first.wait() == .durable)
    #expect(disk.log == [3, 3])
  }

  @Test(arguments: [1, 16, 40])
  func `nobody waits for a change that comes alone, or for more than a large batch`(
    count: Int
  ) throws {
    let disk = SlowDisk(taking: Self.longWait * 2, failing: false)
    let writer = try disk.writer(gathering: Self.longWait)
    for _ in 0..<2 {
      for _ in 0..<count { try writer.add() }
      #expect(writer.step(waiting: .zero))
    }
    // More come than were expected.
    for _ in 0..<(count + 1) { try writer.add() }
    #expect(writer.step(waiting: .zero))
    #expect(disk.log == [count, count, count + 1])
  }

  @Test func `a batch waits at most half as long as the last one took`() throws {
    let disk = SlowDisk(taking: .milliseconds(2), failing: false)
    let writer = try disk.writer(gathering: .seconds(600))
    for count in [3, 1, 2] {
      for _ in 0..<count { try writer.add() }
      #expect(writer.step(waiting: .zero))
    }
    #expect(disk.log == [3, 1, 2])
  }

  /// A disk whose flushes take some time, and fail or not, and a worker whose clock is the disk's.
  private final class SlowDisk: WriterWorker {
    private let time: Duration
    private let isFailing: Bool
    private let clock = Lock(Duration.zero)
    private let counts = Lock<[Int]>([])

    init(taking time: Duration, failing isFailing: Bool = true) {
      (self.time, self.isFailing) = (time, isFailing)
    }

    /// The number of jobs of each batch.
    var log: [Int] { counts.withLock(\.self) }

    var now: Duration { clock.withLock(\.self) }

    func start(_ writer: Writer) {}
    func finish() {}
    func sleep(for time: Duration) { clock.withLock { $0 += time } }

    func writer(gathering: Duration? = nil) throws(JournalFault) -> Writer {
      let writer = Writer(
        for: MemoryJournal(clock: RetentionClock { 0 }), by: self, gathering: gathering)
      try writer.start(after: nil) { [self] (jobs) throws(JournalFault) in
        sleep(for: time)
        counts.withLock { $0.append(jobs.count) }
        if isFailing { throw .unflushed(path: "d", code: 5) }
        return Writer.Batch(results: jobs.map { _ in .success(.committed) }, hasMore: false)
      }
      return writer
    }
  }

  /// A disk that fails as a test says, and does not once that is over.
  private final class Disk: Sendable {
    private let state: Lock<(faults: [JournalFault?], log: [Int])>

    init(_ faults: [JournalFault?]) { state = Lock((faults, [])) }

    /// The number of jobs of each batch.
    var log: [Int] { state.withLock(\.log) }

    func writer() throws(JournalFault) -> Writer {
      let writer = Writer(for: MemoryJournal(clock: RetentionClock { 0 }), by: WriterThread())
      try writer.start(after: nil) { [self] (jobs) throws(JournalFault) in
        let fault = state.withLock { state -> JournalFault? in
          state.log.append(jobs.count)
          return state.faults.isEmpty ? nil : state.faults.removeFirst()
        }
        if let fault { throw fault }
        return Writer.Batch(
          results: jobs.map { _ in .success(.committed) }, hasMore: false)
      }
      return writer
    }
  }
}

extension Writer {
  /// Adds a job that changes nothing; the ticket is settled with its result.
  @discardableResult
  fileprivate func add() throws(JournalFault) -> Ticket {
    let ticket = Ticket()
    try add(
      Job(commit: nil, make: nil) { result in
        switch result {
        case .success: ticket.settle(.durable)
        case .failure(let fault): ticket.settle(.failed(fault))
        }
      })
    return ticket
  }
}
