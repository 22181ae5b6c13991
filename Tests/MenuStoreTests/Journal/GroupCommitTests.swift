import Locks
import StoreSupport
import Testing

@testable import MenuStore

extension GroupCommit {
  /// Adds to the batch that gathers, and lets it be taken.
  fileprivate func add(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    defer { startWriting() }
    return try append(write)
  }
}

/// Batches that cannot be made durable.
@Suite struct GroupCommitTests {
  @Test func `a batch that was written and not flushed is refused once it is replaced`() throws {
    let disk = Disk([.unflushed(path: "d", code: 5), .system(path: "d", code: 5), nil])
    let commits = try disk.commits()
    let ticket = try commits.add(JournalWrite(undo: { disk.note("undone") }))
    #expect(ticket.wait() == .failed(.unflushed(path: "d", code: 5)))
    commits.close()
    #expect(disk.log.prefix(4) == ["written 1", "undone", "written 0", "written 0"])
  }

  @Test func `what is written in its place need not be flushed`() throws {
    let disk = Disk([.unflushed(path: "d", code: 5), .unflushed(path: "d", code: 5)])
    let commits = try disk.commits()
    let ticket = try commits.add(JournalWrite())
    #expect(ticket.wait() == .failed(.unflushed(path: "d", code: 5)))
    commits.close()
  }

  @Test func `when nothing takes its place the outcome is unknown`() throws {
    let failures = [JournalFault](repeating: .system(path: "d", code: 5), count: 100)
    let disk = Disk([.unflushed(path: "d", code: 5)] + failures)
    let commits = try disk.commits()
    let ticket = try commits.add(JournalWrite(undo: { disk.note("undone") }))
    #expect(ticket.wait() == .failed(.outcomeUnknown))
    #expect(disk.log.contains("undone"))
    commits.close()
  }

  @Test(arguments: [10, 250, 400, 3000])
  func `when flushes fail late, the outcome is said within a second or two flushes`(
    milliseconds: Int
  ) throws {
    let disk = SlowDisk(taking: .milliseconds(milliseconds))
    let commits = disk.commits()
    let ticket = try commits.append(JournalWrite())
    #expect(commits.step(waiting: .zero))
    #expect(ticket.wait() == .failed(.outcomeUnknown))
    #expect(disk.now <= max(.seconds(1), .milliseconds(2 * milliseconds)))
    #expect(disk.refusals == Array(repeating: .unflushed(path: "d", code: 5), count: disk.attempts))
    #expect(throws: Never.self) { try commits.append(JournalWrite()) }
  }

  /// A disk whose flushes fail after some time, and a worker whose clock is the disk's. While what was written is being
  /// replaced, it adds something to the batch each time.
  private final class SlowDisk: CommitWorker {
    private struct State {
      var now = Duration.zero
      var attempts = 0
      var refusals: [JournalFault] = []
      var commits: GroupCommit?
    }

    private let state = Lock(State())
    private let time: Duration

    init(taking time: Duration) { self.time = time }

    var now: Duration { state.withLock(\.now) }
    var attempts: Int { state.withLock(\.attempts) }
    var refusals: [JournalFault] { state.withLock(\.refusals) }

    func start(_ commits: GroupCommit) {}
    func finish() { state.withLock { $0.commits = nil } }
    func sleep(for time: Duration) { state.withLock { $0.now += time } }

    func commits() -> GroupCommit {
      let commits = GroupCommit(JournalFigures(), by: self) {
        [self] (writes) throws(JournalFault) in
        if writes.isEmpty { noteAttempt() }
        state.withLock { $0.now += time }
        throw .unflushed(path: "d", code: 5)
      }
      state.withLock { $0.commits = commits }
      return commits
    }

    private func noteAttempt() {
      let commits = state.withLock(\.commits)
      do throws(JournalFault) { _ = try commits?.append(JournalWrite()) } catch {
        state.withLock { $0.refusals.append(error) }
      }
      state.withLock { $0.attempts += 1 }
    }
  }

  @Test func `a batch that was not written is refused at once`() throws {
    let disk = Disk([.noRoom(path: "d"), .system(path: "d", code: 5), nil])
    let commits = try disk.commits()
    let ticket = try commits.add(JournalWrite())
    #expect(ticket.wait() == .failed(.noRoom(path: "d")))
    commits.close()
  }

  /// A disk that fails as a test says, and does not once that is over.
  private final class Disk: Sendable {
    private let state: Lock<(faults: [JournalFault?], log: [String])>

    init(_ faults: [JournalFault?]) { state = Lock((faults, [])) }

    var log: [String] { state.withLock(\.log) }

    func note(_ text: String) { state.withLock { $0.log.append(text) } }

    func commits() throws(JournalFault) -> GroupCommit {
      let commits = GroupCommit(JournalFigures()) { [self] (writes) throws(JournalFault) in
        let fault = state.withLock { state -> JournalFault? in
          state.log.append("written \(writes.count)")
          return state.faults.isEmpty ? nil : state.faults.removeFirst()
        }
        if let fault { throw fault }
        return false
      }
      try commits.start(after: nil)
      return commits
    }
  }
}
