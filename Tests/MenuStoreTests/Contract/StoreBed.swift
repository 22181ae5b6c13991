import CSimulatedDisk
import Foundation
import JSONText
import Locks
import MenuEngine
import StoreSupport
import Synchronization
import Testing

@testable import MenuStore

/// An implementation of the store, on which the tests of its contract run.
///
/// A new one is added to `all`.
struct StoreBed: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// True if a store finds what an earlier one kept.
  var isKept = true
  /// True if making something durable takes time and can fail.
  var canFail = false
  fileprivate let journal:
    @Sendable (StorePlace, RetentionClock) throws(JournalFault) -> (any Journal)?

  /// Every implementation that can be had here.
  static let all = embedded + (PostgreSQLServer.isInstalled ? [postgreSQL, sharedPostgreSQL] : [])

  private static let postgreSQL = StoreBed(testDescription: "PostgreSQL", canFail: true) {
    (place, clock) throws(JournalFault) in
    try PostgreSQLJournal(
      PostgreSQLConfiguration(address: try place.schema.address), clock: clock)
  }

  /// PostgreSQL that other processes may use at the same time.
  static let sharedPostgreSQL = StoreBed(testDescription: "shared PostgreSQL", canFail: true) {
    (place, clock) throws(JournalFault) in
    var configuration = PostgreSQLConfiguration(address: try place.schema.address)
    configuration.isShared = true
    configuration.snapshotEvery = 5
    configuration.housekeeping = .milliseconds(100)
    configuration.stateDelay = .zero
    return try PostgreSQLJournal(configuration, clock: clock)
  }

  private static let embedded = [
    StoreBed(testDescription: "no journal", isKept: false) { _, _ in nil },
    StoreBed(testDescription: "memory") { place, clock in
      MemoryJournal(on: place.memory, clock: clock)
    },
    StoreBed(testDescription: "SQLite", canFail: true) { (place, clock) throws(JournalFault) in
      try SQLiteJournal(JournalConfiguration(path: place.disk.path), clock: clock)
    },
  ]

  /// Those of one process alone.
  static let alone = all.filter { $0.testDescription != sharedPostgreSQL.testDescription }

  /// Those where making something durable takes time and can fail.
  static let failing = all.filter(\.canFail)
  static let kept = all.filter(\.isKept)
}

extension PostgreSQLSchemaForTests {
  /// Holds the row that every batch changes, or adds a rule that no batch meets.
  fileprivate func become(_ weather: StorePlace.Weather) {
    switch weather {
    // The strongest lock, since an operator who has a weaker one and wants it can wait for who waits for that.
    case .held: run("BEGIN; LOCK TABLE menud_writer")
    case .failing:
      run("ALTER TABLE menud_writer ADD CONSTRAINT failing CHECK (batch < 0) NOT VALID; COMMIT")
    case .well: run("ROLLBACK; ALTER TABLE menud_writer DROP CONSTRAINT IF EXISTS failing")
    }
  }
}

/// The place at which stores of one implementation are opened one after another.
final class StorePlace: Sendable {
  /// The fate of what is to be made durable.
  enum Weather { case well, held, failing }

  let bed: StoreBed
  let application: SampleApplication
  fileprivate let memory = MemoryJournal.Storage()
  fileprivate let disk: Disk
  let schema = PostgreSQLSchemaForTests()
  private let weather = Monitor(Weather.well)
  private let time = Atomic<Int64>(0)

  init(_ bed: StoreBed) throws {
    self.bed = bed
    application = try SampleApplication("photo-app")
    disk = try Disk()
    disk.decide = { [weather] access, _ in
      guard access.operation == .write else { return SimulatedVerdict() }
      let fails = weather.wait { $0 == .held ? nil : $0 == .failing }
      return fails == true
        ? SimulatedVerdict(code: 13, system: ENOSPC, taken: 0, seed: 0) : SimulatedVerdict()
    }
  }

  /// Holds back from now on what is to be made durable, or lets it fail or succeed.
  func become(_ weather: Weather) {
    schema.become(weather)
    self.weather.withLock { $0 = weather }
    self.weather.signal()
  }

  /// Lets milliseconds pass.
  func pass(_ milliseconds: Int64) { time.add(milliseconds, ordering: .relaxed) }

  /// Opens the store, and loads its sessions if asked, which is the default.
  func store(
    keeping bounds: KeptAnswers.Bounds = KeptAnswers.Bounds(),
    following followerBounds: Follower.Bounds = Follower.Bounds(),
    remembering history: HistorySettings? = nil, loadingSessions: Bool = true
  ) throws(JournalFault) -> SessionStore {
    let store = try open(keeping: bounds, following: followerBounds, remembering: history)
    if loadingSessions { _ = store.refresh(store.names).wait() }
    return store
  }

  /// Opens the journal alone; nil if there is none.
  func journal() throws(JournalFault) -> (any Journal)? {
    try bed.journal(self, RetentionClock { [self] in time.load(ordering: .relaxed) })
  }

  private func open(
    keeping bounds: KeptAnswers.Bounds, following followerBounds: Follower.Bounds,
    remembering history: HistorySettings?
  ) throws(JournalFault) -> SessionStore {
    let now: @Sendable () -> Int64 = { [self] in time.load(ordering: .relaxed) }
    let clock = RetentionClock(retention: bounds.retention, now)
    guard let journal = try bed.journal(self, clock) else {
      return SessionStore(
        catalog: application.catalog, keeping: bounds, following: followerBounds,
        remembering: history, now: now)
    }
    return try SessionStore(
      recovering: journal, catalog: application.catalog, keeping: bounds,
      following: followerBounds, remembering: history, now: now)
  }

  func session(_ id: SessionID) throws -> Session { try application.session(id) }
}

extension SessionStore {
  /// Proposes to change a session as it is now.
  func proposal(
    changing id: SessionID, to value: Int64, entry: IdempotencyEntry? = nil
  ) throws -> Proposal {
    let look = read(id)
    var change = SessionChange(of: try #require(look.session), under: look.catalog, figures)
    _ = try change.apply(.mergeState(["value": .int(value)]))
    change.entry = entry
    return try #require(change.proposal)
  }

  /// Changes a session, without waiting for that. It is made again if something else was changed in the meantime.
  @discardableResult
  func submit(_ id: SessionID, to value: Int64) throws -> PendingCommit {
    try submit(proposal(changing: id, to: value)) { draft in
      guard let edition = draft.snapshot(of: id).session else { return nil }
      var change = SessionChange(of: edition, under: draft.catalogEdition, StoreFigures())
      _ = try? change.apply(.mergeState(["value": .int(value)]))
      return change.proposal
    }
  }

  /// Declares a command of this name, which changes the catalogue.
  func declare(_ id: String) throws {
    let json: JSON = ["action": .string(id), "title": "New"]
    let command = try #require(Command(reading: json, at: .root, log: FaultLog()))
    let (outcome, _) = try changeCatalog(by: .declareCommand(command))
    #expect(outcome.isChanged)
  }

  /// Changes a session.
  func set(_ id: SessionID, to value: Int64) throws {
    if let fault = try submit(id, to: value).fault() { throw fault }
  }
}

extension CommitResult {
  var isCommitted: Bool { if case .committed = self { true } else { false } }
  var isOutdated: Bool { if case .outdated = self { true } else { false } }
}
