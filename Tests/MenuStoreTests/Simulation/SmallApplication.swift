import JSONText
import MenuEngine

@testable import MenuStore

/// An application with next to nothing in it, so that schedules are short, and its empty journal.
struct SmallApplication: Sendable {
  let catalog: Catalog
  /// Commands that are declared and removed again.
  let commands: [Command]
  /// A disk with a journal that has the catalogue and nothing else.
  let disk: Disk

  /// The one that all schedules share.
  static let shared = Result { try SmallApplication() }

  private init() throws {
    catalog = try CatalogDocument([:]).catalog()
    commands = try ["one:", "two:"].map { name in
      try FaultLog.collecting { log in
        Command(
          reading: ["title": "New", "action": .string(name)], at: .root, log: log,
          id: CommandID(name))
      }
    }
    disk = try Disk()
    let journal = try SQLiteJournal(
      JournalConfiguration(path: disk.path), clock: RetentionClock { 0 })
    try SessionStore(recovering: journal, catalog: catalog).close()
  }
}
