import ArgumentParser
import Logging
import MenuAPI
import MenuEngine
import MenuStore

extension Configuration {
  /// Returns the journal, once no other process has it; nil if the configuration has none.
  ///
  /// It waits for up to `journalWait`.
  ///
  /// - Throws: `ExitCode.inputOutput` if the journal cannot be used; the reason is logged.
  func openJournal(_ log: Logger) throws -> (any Journal)? {
    guard journalStore != .memory else {
      log.notice("keeping nothing", metadata: ["reason": "journal.store is memory"])
      return nil
    }
    return try reporting(to: log) { () throws(JournalFault) in try awaitedJournal(log) }
  }

  /// Returns the store with the journal's contents, and with this catalogue if it differs from the journal's.
  ///
  /// If the database becomes unreachable, it waits for up to `journalWait`, and restarts.
  ///
  /// - Throws: `ExitCode.inputOutput` if the journal cannot be read; the reason is logged.
  func store(
    of catalog: Catalog, keptIn journal: (any Journal)?, _ log: Logger
  ) throws -> SessionStore {
    guard let journal else {
      return SessionStore(
        catalog: catalog, keeping: idempotency, following: limits.events.kept,
        remembering: history, openingsAfter: Self.firstOpening, now: { Posix.monotonicMilliseconds }
      )
    }
    return try reporting(to: log) { () throws(JournalFault) in
      try awaitedStore(of: catalog, in: journal, log)
    }
  }

  /// A random number, with room for those of all later incarnations.
  private static var firstOpening: Int { Int.random(in: 0..<(1 << 48)) }

  /// True if there is a journal from an earlier run, or a part of one.
  ///
  /// Assumed of a database, since that is known only once it is reached.
  var hasJournal: Bool {
    switch journalStore {
    case .sqlite: ["", "-wal", "-journal"].contains { Posix.isPresent(journalPath + $0) }
    case .postgresql: true
    case .memory: false
    }
  }

  /// The path of SQLite's log beside the journal; nil if there is none, as after a checkpoint.
  var remainingLog: String? {
    let path = journalPath + "-wal"
    return journalStore == .sqlite && Posix.isPresent(path) ? path : nil
  }

  /// Opens the journal without waiting.
  ///
  /// - Parameter isOnlyRead: True if nothing in it may be changed. The default is false.
  func openedJournal(isOnlyRead: Bool = false) throws(JournalFault) -> any Journal {
    let start = Posix.monotonicMilliseconds
    let clock = RetentionClock(retention: idempotency.retention) {
      Posix.monotonicMilliseconds - start
    }
    guard journalStore == .postgresql else {
      var place = journalPlace
      place.isOnlyRead = isOnlyRead
      return try SQLiteJournal(place, clock: clock)
    }
    var place = PostgreSQLConfiguration(address: journalAddress ?? .ofVariables)
    place.durability = journal.durability
    place.snapshotEvery = journal.snapshotEvery
    place.keptAnswers = idempotency.count
    place.isShared = replicas.isEnabled && !isOnlyRead
    place.isOnlyRead = isOnlyRead
    return try PostgreSQLJournal(place, clock: clock)
  }

  /// Returns the result of `use`; an error is logged and ends the program.
  private func reporting<Result>(
    to log: Logger, _ use: () throws(JournalFault) -> Result
  ) throws -> Result {
    do throws(JournalFault) {
      return try use()
    } catch {
      log.critical("journal unusable", metadata: ["reason": "\(error)"])
      throw ExitCode.inputOutput
    }
  }

  private func awaitedJournal(_ log: Logger) throws(JournalFault) -> any Journal {
    let deadline = ContinuousClock.now + journalWait
    var isWaiting = false
    while true {
      do throws(JournalFault) {
        return try openedJournal()
      } catch {
        guard error.passes, ContinuousClock.now < deadline else { throw error }
        if !isWaiting { announceWaiting(log, error) }
        isWaiting = true
        Posix.sleep(min(.milliseconds(50), ContinuousClock.now.duration(to: deadline)))
      }
    }
  }

  private func announceWaiting(_ log: Logger, _ fault: JournalFault) {
    log.notice(
      "waiting for journal",
      metadata: [
        "path": "\(journalName)", "reason": "\(fault)",
        "seconds": .stringConvertible(journalWait / .seconds(1)),
      ])
  }

  private func awaitedStore(
    of catalog: Catalog, in opened: any Journal, _ log: Logger
  ) throws(JournalFault) -> SessionStore {
    let deadline = ContinuousClock.now + journalWait
    var journal = opened
    while true {
      do throws(JournalFault) {
        return try recoveredStore(of: catalog, in: journal, log)
      } catch {
        journal.close()
        guard error.passes, ContinuousClock.now < deadline else { throw error }
        log.notice("recovery begins again", metadata: ["reason": "\(error)"])
        journal = try awaitedJournal(log)
      }
    }
  }

  private func recoveredStore(
    of catalog: Catalog, in journal: any Journal, _ log: Logger
  ) throws(JournalFault) -> SessionStore {
    let start = ContinuousClock.now
    let store = try SessionStore(
      recovering: journal, catalog: catalog, keeping: idempotency, following: limits.events.kept,
      remembering: history, openingsAfter: Self.firstOpening, now: { Posix.monotonicMilliseconds })
    let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
    store.announceRecovery(
      from: journalName, self.journal.durability, milliseconds: milliseconds, log)
    if store.wouldChange(by: catalog) { store.replaceCatalog(by: catalog, log) }
    return store
  }

  private var journalName: String { journalStore == .postgresql ? "PostgreSQL" : journalPath }

  private var journalPlace: JournalConfiguration {
    var place = journal
    place.path = journalPath
    return place
  }

  private var journalPath: String {
    guard journal.path.isEmpty else { return journal.path }
    guard let folder = Posix.environmentValue("STATE_DIRECTORY"), !folder.isEmpty else {
      return "menud.db"
    }
    return "\(folder)/menud.db"
  }
}

extension JournalFault {
  /// True if the fault may be temporary: another process may release the journal, or the database may become
  /// reachable.
  fileprivate var passes: Bool {
    switch self {
    case .locked, .busy, .lockedDatabase, .unreachable: true
    case .noRoom, .system, .danglingLink, .removed, .unflushed, .outcomeUnknown, .refused,
      .foreign, .unreleased, .newer, .damaged, .unreadable, .unwritable, .closed,
      .refusedByDatabase, .noSchema, .takenOver, .unresolved, .conflict, .fellBehind,
      .damagedDatabase:
      false
    }
  }
}

extension SessionStore {
  fileprivate func announceRecovery(
    from place: String, _ durability: Durability, milliseconds: Int, _ log: Logger
  ) {
    guard let recovery else { return }
    for notice in recovery.notices {
      log.log(
        level: notice.isLoss ? .warning : .notice, "journal", metadata: ["notice": "\(notice)"])
    }
    log.notice(
      "recovered",
      metadata: [
        "path": "\(place)", "durability": "\(durability.rawValue)",
        "records": .stringConvertible(recovery.records),
        "replayed": .stringConvertible(recovery.replayed),
        "states": .stringConvertible(recovery.states),
        "entries": .stringConvertible(recovery.entries),
        "lastRecord": .stringConvertible(recovery.last), "sessions": .stringConvertible(count),
        "milliseconds": .stringConvertible(milliseconds),
      ])
  }
}
