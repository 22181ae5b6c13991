import JSONText
import MenuEngine
import MenuStore
import StoreSupport
import Testing

@testable import MenuAPI

/// The finders of many sessions take a bounded number of bytes.
@Suite(.inOneProcess("Finders are of one process."))
struct SessionFinderTests {
  private let store: SessionStore
  private let catalog: Catalog

  init() throws {
    let commands = (0..<200).map { number in
      JSON.object(["title": .string("Command \(number)"), "action": .string("act\(number):")])
    }
    catalog = try CatalogDocument([.commands: .array(commands)]).catalog()
    store = SessionStore(catalog: catalog)
  }

  private func snapshot(_ number: Int) throws -> Snapshot {
    let id = try #require(SessionID("s\(number)"))
    _ = try store.open(try Session(id, opening: SessionTemplate(), in: catalog))
    return try #require(store.snapshot(id))
  }

  private func find(_ snapshot: Snapshot, in sessions: LiveSessions) throws -> [CommandID] {
    try sessions.live(snapshot)
      .find(CommandQuery("command 7", limit: 3, includesDisabled: true), snapshot)
      .found.commands.map(\.item.command)
  }

  @Test func `the least recently asked ones are evicted when they take too much`() throws {
    let one = LiveSessions()
    let first = try snapshot(0)
    let answer = try find(first, in: one)
    #expect(answer.first == "act7:")
    let size = one.size
    #expect(size > 200 * 50)

    let sessions = LiveSessions(upTo: 4 * size + size / 2)
    for number in 1...10 {
      #expect(try find(try snapshot(number), in: sessions) == answer)
      #expect(try find(first, in: sessions) == answer)
      #expect(sessions.size <= 4 * size + size / 2)
      #expect(sessions.live(first).memory.size == size)
    }
    #expect(sessions.size > 2 * size)
  }

  @Test func `one stays, however large`() throws {
    let sessions = LiveSessions(upTo: 1)
    let sizes = try (0..<3).map { number in
      _ = try find(try snapshot(number), in: sessions)
      return sessions.size
    }
    #expect(sizes[0] > 1)
    #expect(Set(sizes).count == 1)
  }

  @Test func `a finder goes with its session, and when nobody asks`() throws {
    let sessions = LiveSessions()
    let snapshots = [try snapshot(0), try snapshot(1)]
    for snapshot in snapshots { _ = try find(snapshot, in: sessions) }
    sessions.release(snapshots[0].sessionEdition.opening)
    #expect(sessions.count == 1)
    #expect(sessions.size == sessions.live(snapshots[1]).memory.size)
    sessions.sweep()
    #expect(sessions.count == 1)
    sessions.sweep()
    #expect((sessions.count, sessions.size) == (0, 0))
  }
}
