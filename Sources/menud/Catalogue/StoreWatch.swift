import Logging
import MenuAPI
import MenuEngine
import MenuStore

/// Watches the store while the program serves: journal faults and idle sessions.
struct StoreWatch {
  /// The interval between two checks.
  static let interval = EventLimits.interval

  private let service: Service
  private let configuration: Configuration
  private let log: Logger
  private var fault: JournalFault?
  private var sweep: RecurringTime
  private var forgetting = RecurringTime(every: .seconds(60))
  private var unloading: RecurringTime

  /// Creates a watch of a service's store.
  init(of service: Service, _ configuration: Configuration, _ log: Logger) {
    self.service = service
    self.configuration = configuration
    self.log = log
    sweep = RecurringTime(every: configuration.sweepInterval)
    unloading = RecurringTime(every: min(configuration.replicas.unloadAfter / 2, .seconds(60)))
  }

  /// Performs one check: logs when the journal begins or stops to fail, and which sessions are damaged; closes idle
  /// sessions; ends expired long polls; and evicts the caches of sessions idle for a minute.
  ///
  /// - Returns: False if the journal is lost to another process for good.
  mutating func look() -> Bool {
    tellOfJournal()
    for (session, damage) in service.store.takeDamage() {
      log.error("session damaged", metadata: ["session": "\(session)", "reason": "\(damage)"])
    }
    guard fault?.isFinal != true else { return false }
    // A fault of the journal is logged by the first line at the next check.
    _ = service.tendDeliveries()
    service.tickEvents()
    if forgetting.isDue(after: Self.interval) {
      service.forgetIdle()
      service.store.forgetUnfollowed()
    }
    if unloading.isDue(after: Self.interval) { service.store.unloadIdle(configuration) }
    if sweep.isDue(after: Self.interval) {
      service.store.noteFollowed()
      service.store.closeIdle(configuration, log)
    }
    return true
  }

  private mutating func tellOfJournal() {
    // A write can fail, and the next one succeed, between two checks.
    let refused = service.store.takeWriteFault()
    let present = service.store.fault
    if let reason = present ?? refused, reason != fault {
      log.error("journal failing", metadata: ["reason": "\(reason)"])
      fault = reason
    }
    if present == nil, fault != nil {
      log.notice("journal works again")
      fault = nil
    }
  }
}

/// The schedule of a recurring task.
private struct RecurringTime {
  private let interval: Duration
  private var elapsed = Duration.zero

  init(every interval: Duration) { self.interval = interval }

  /// Advances the time, and returns true if the task is due; the interval then starts over.
  mutating func isDue(after time: Duration) -> Bool {
    elapsed += time
    guard elapsed >= interval else { return false }
    elapsed = .zero
    return true
  }
}

extension SessionStore {
  /// Closes and logs idle sessions, except those that the configuration opens. Of several replicas one does so
  /// for all; the others report the reads of sessions to it.
  func closeIdle(_ configuration: Configuration, _ log: Logger) {
    let patience = configuration.sessionIdle
    guard patience > .zero else { return }
    tellReads()
    guard isCaretaker else { return }
    // Replicas report reads with this delay.
    let delay = agreement == nil ? .zero : configuration.sweepInterval + .seconds(1)
    let milliseconds = Int64((patience + delay) / .milliseconds(1))
    do throws(JournalFault) {
      try closeIdle(forMoreThan: milliseconds, besides: Set(configuration.sessions)) { id in
        log.notice("expired", metadata: ["session": "\(id)"])
      }
    } catch {
      log.error("not expired", metadata: ["reason": "\(error)"])
    }
  }
}

extension SessionStore {
  /// Unloads the sessions that this replica has not used for a while, if it shares its journal.
  func unloadIdle(_ configuration: Configuration) {
    let patience = configuration.replicas.unloadAfter
    if patience > .zero { unloadIdle(forMoreThan: Int64(patience / .milliseconds(1))) }
  }
}

extension Configuration {
  /// The interval between checks for idle sessions: a quarter of the idle time, but between half a second and a
  /// minute.
  var sweepInterval: Duration {
    sessionIdle == .zero
      ? .seconds(60) : min(max(sessionIdle / 4, .milliseconds(500)), .seconds(60))
  }
}

extension SessionStore {
  /// Reloads the application's folder; mistakes are logged, and the catalogue stays unchanged.
  ///
  /// The folder's catalogue replaces the present one; changes by clients are replayed on it, and logged if they
  /// no longer apply (M4). Sessions are unchanged. If nothing differs, the catalogue keeps its revision, and
  /// there is no event.
  func reload(from configuration: Configuration, _ log: Logger) {
    do throws(CatalogFaults) {
      let catalog = try CatalogFolder(configuration).catalog()
      guard wouldChange(by: catalog) else {
        let revision = catalogEdition.catalog.revision
        return log.notice(
          "unchanged", metadata: ["catalogRevision": .stringConvertible(revision)])
      }
      replaceCatalog(by: catalog, log)
    } catch {
      for fault in error.faults { log.error("mistake", metadata: ["fault": "\(fault)"]) }
      log.error("not reloaded", metadata: ["faults": .stringConvertible(error.faults.count)])
    }
  }

  /// Replaces the catalogue, and logs the changes by clients that no longer apply.
  func replaceCatalog(by catalog: Catalog, _ log: Logger) {
    do throws(CatalogChangeFault) {
      let (outcome, catalog) = try changeCatalog(by: .replace(catalog))
      for leftOut in outcome.leftOut {
        log.warning("left out", metadata: ["change": "\(leftOut.description)"])
      }
      log.notice(
        "reloaded",
        metadata: [
          "commands": .stringConvertible(catalog.commands.count),
          "catalogRevision": .stringConvertible(catalog.revision),
          "leftOut": .stringConvertible(outcome.leftOut.count),
        ])
    } catch {
      let sentence =
        switch error {
        case .refused(let fault): fault.fault.sentence
        case .unkept(let fault): fault.description
        }
      log.error("not reloaded", metadata: ["fault": "\(sentence)"])
    }
  }
}
