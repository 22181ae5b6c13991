import JSONText
import MenuEngine
import MenuStore
import StoreSupport
import Testing

@testable import MenuAPI

/// The finders of many sessions take a bounded number of bytes.
@Suite(.inOneProcess("Finders are of one process."))
struct CommandFindersTests {
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

  private func find(_ snapshot: Snapshot, by finders: CommandFinders) throws -> [CommandID] {
    try finders.find(CommandQuery("command 7", limit: 3, includesDisabled: true), snapshot)
      .found.commands.map(\.item.command)
  }

  @Test func `the least recently asked ones are evicted when they take too much`() throws {
    let one = CommandFinders()
    let first = try snapshot(0)
    let answer = try find(first, by: one)
    #expect(answer.first == "act7:")
    let size = one.size
    #expect(size > 200 * 50)

    let finders = CommandFinders(maximumSize: 4 * size + size / 2)
    for number in 1...10 {
      #expect(try find(try snapshot(number), by: finders) == answer)
      #expect(try find(first, by: finders) == answer)
      #expect(finders.count <= 4)
      #expect(finders.size <= 4 * size + size / 2)
    }
    #expect(finders.count == 4)
  }

  @Test func `one stays, however large`() throws {
    let finders = CommandFinders(maximumSize: 1)
    for number in 0..<3 {
      _ = try find(try snapshot(number), by: finders)
      #expect(finders.count == 1)
      #expect(finders.size > 1)
    }
  }

  @Test func `a finder goes with its session, and when nobody asks`() throws {
    let finders = CommandFinders()
    let snapshots = [try snapshot(0), try snapshot(1)]
    for snapshot in snapshots { _ = try find(snapshot, by: finders) }
    finders.forget(snapshots[0].sessionEdition.opening)
    #expect(finders.count == 1)
    finders.forgetIdle()
    #expect(finders.count == 1)
    finders.forgetIdle()
    #expect(finders.count == 0)
    #expect(finders.size == 0)
  }

  @Test func `there are no more than so many`() throws {
    let finders = CommandFinders()
    for number in 0..<(CommandFinders.maximumCount + 3) {
      _ = try find(try snapshot(number), by: finders)
    }
    #expect(finders.count == CommandFinders.maximumCount)
  }
}
