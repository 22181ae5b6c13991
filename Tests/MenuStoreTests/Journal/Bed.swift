import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import MenuStore

/// The place at which journals of one implementation are opened one after another, as after
/// restarts.
struct Bed: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// True if it is in a database.
  var isDatabase = false
  fileprivate let journal: @Sendable (Place, Int) throws(JournalFault) -> any Journal

  /// Every implementation that can be had here.
  static let all = embedded + (PostgreSQLServer.isInstalled ? [postgreSQL] : [])

  /// A journal in a schema of its own of the tests' server.
  static let postgreSQL = Bed(testDescription: "PostgreSQL", isDatabase: true) {
    (place, every) throws(JournalFault) in
    var configuration = PostgreSQLConfiguration(address: try place.schema.address)
    configuration.snapshotEvery = every
    configuration.stateDelay = .zero
    configuration.housekeeping = .milliseconds(100)
    configuration.durability = .off
    return try PostgreSQLJournal(configuration, clock: place.clock)
  }

  /// Those that write states with their batches.
  static let embedded = [
    Bed(testDescription: "memory") { (place, every) throws(JournalFault) in
      MemoryJournal(
        on: place.memory, snapshotEvery: every, keptRecords: place.keptRecords, clock: place.clock)
    },
    Bed(testDescription: "SQLite") { (place, every) throws(JournalFault) in
      var configuration = JournalConfiguration(path: place.path)
      configuration.snapshotEvery = every
      configuration.keptRecords = place.keptRecords
      configuration.durability = .off
      return try SQLiteJournal(configuration, clock: place.clock)
    },
  ]
}

/// The storage of journals that are opened one after another; it is gone with this.
final class Place: Sendable {
  let bed: Bed
  let folder: URL
  /// The minimum number of the last records that no state takes the place of.
  let keptRecords: Int
  fileprivate let memory = MemoryJournal.Storage()
  let schema = PostgreSQLSchemaForTests()
  private let time = Atomic<Int64>(0)

  /// In a file system that is in memory, where there is one: nobody wants these files to last.
  init(_ bed: Bed = Bed.all[1], keptRecords: Int = 0) throws {
    self.bed = bed
    self.keptRecords = keptRecords
    let shared = URL(filePath: "/dev/shm")
    let isWritable = FileManager.default.isWritableFile(atPath: shared.path)
    folder = (isWritable ? shared : .temporaryDirectory)
      .appending(path: "menud-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The file of a journal that has one.
  var path: String { folder.appending(path: "menud.db").path }

  /// A clock that only tests advance, as a process gets it when it starts.
  var clock: RetentionClock { RetentionClock { self.time.load(ordering: .relaxed) } }

  func setClock(_ milliseconds: Int64) { time.store(milliseconds, ordering: .relaxed) }

  /// Opens the journal.
  func journal(snapshotEvery: Int = 50) throws(JournalFault) -> any Journal {
    try bed.journal(self, snapshotEvery)
  }

  /// Opens the journal and recovers what is in it.
  func model(snapshotEvery: Int = 50) throws(JournalFault) -> Model {
    try Model(recovering: journal(snapshotEvery: snapshotEvery))
  }

  /// Closes the journal of a model and opens it again.
  func reopen(_ model: Model, snapshotEvery: Int = 50) throws(JournalFault) -> Model {
    model.close()
    return try self.model(snapshotEvery: snapshotEvery)
  }
}
