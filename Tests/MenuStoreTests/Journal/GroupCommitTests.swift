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
