import ArgumentParser
import Logging
import MenuEngine
import MenuStore

extension Configuration {
  /// The store, with what the journal has, and with this catalogue, as far as it is another one than
  /// the last time.
  ///
  /// - Throws: `ExitCode.journal` when the journal cannot be used; why is logged.
  func store(of catalog: Catalog, _ log: Logger) throws -> SessionStore {
    switch journalStore {
    case .memory:
      log.notice("keeping nothing", metadata: ["reason": "journal.store is memory"])
      return SessionStore(
        catalog: catalog, keeping: idempotency, now: { Posix.monotonicMilliseconds })
    case .sqlite:
      do throws(JournalFault) {
        return try recoveredStore(of: catalog, log)
      } catch {
        log.critical("journal unusable", metadata: ["reason": "\(error)"])
        throw ExitCode.journal
      }
    }
  }

  private func recoveredStore(
    of catalog: Catalog, _ log: Logger
  ) throws(JournalFault) -> SessionStore {
    let start = ContinuousClock.now
    var place = journal
    place.path = journalPath
    let journal = try SQLiteJournal(place, now: { Posix.milliseconds })
    let store = try SessionStore(
      recovering: journal, catalog: catalog, keeping: idempotency,
      now: { Posix.monotonicMilliseconds })
    let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
    store.announceRecovery(from: place, milliseconds, log)
    if store.wouldChange(by: catalog) { store.replaceCatalog(by: catalog, log) }
    return store
  }

  /// Whether there is a journal from an earlier run.
  var hasJournal: Bool { journalStore == .sqlite && Posix.isPresent(journalPath) }

  /// The file of the journal.
  private var journalPath: String {
    guard journal.path.isEmpty else { return journal.path }
    guard let folder = Posix.environmentValue("STATE_DIRECTORY"), !folder.isEmpty else {
      return "menud.db"
    }
    return "\(folder)/menud.db"
  }
}

extension SessionStore {
  fileprivate func announceRecovery(
    from place: JournalConfiguration, _ milliseconds: Int, _ log: Logger
  ) {
    guard let recovery else { return }
    for notice in recovery.notices {
      log.log(
        level: notice.isLoss ? .warning : .notice, "journal", metadata: ["notice": "\(notice)"])
    }
    log.notice(
      "recovered",
      metadata: [
        "path": "\(place.path)", "durability": "\(place.durability.rawValue)",
        "records": "\(recovery.records)", "replayed": "\(recovery.replayed)",
        "states": "\(recovery.states)", "entries": "\(recovery.entries)",
        "lastRecord": "\(recovery.last)", "sessions": "\(count)",
        "milliseconds": "\(milliseconds)",
      ])
  }
}
