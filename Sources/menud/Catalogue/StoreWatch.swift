import Logging
import MenuAPI
import MenuEngine
import MenuStore

/// Watches the store while the program serves: the journal's faults, and sessions that nobody asks or follows any
/// more.
struct StoreWatch {
  /// The interval between two looks.
  static let interval = EventLimits.interval

  private let service: Service
  private let configuration: Configuration
  private let log: Logger
  private var fault: JournalFault?
  private var sweep: RecurringTime
  private var forgetting = RecurringTime(every: .seconds(60))
  private var unloading: RecurringTime

  /// A watch on that service's store.
  init(of service: Service, _ configuration: Configuration, _ log: Logger) {
    self.service = service
    self.configuration = configuration
    self.log = log
    sweep = RecurringTime(every: configuration.sweepInterval)
    unloading = RecurringTime(every: min(configuration.replicas.unloadAfter / 2, .seconds(60)))
  }

  /// Looks once: logs when the journal begins or ceases to fail, closes idle sessions, ends waits
  /// that took long enough, and forgets what was kept for clients that have neither asked nor
  /// followed for a minute.
  ///
  /// - Returns: True unless the journal is lost to another process, for good.
  mutating func look() -> Bool {
    tellOfJournal()
    guard fault?.isFinal != true else { return false }
    // A fault of the journal is told by the line before, the next time.
    _ = service.tendDeliveries()
    service.tickEvents()
    if forgetting.isDue(after: Self.interval) {
      service.forgetIdlePlans()
      service.store.forgetUnfollowed()
    }
    if unloading.isDue(after: Self.interval) { service.store.unloadIdle(configuration) }
    if sweep.isDue(after: Self.interval) {
      service.keepFollowedSessions()
      service.store.closeIdle(configuration, log)
    }
    return true
  }

  private mutating func tellOfJournal() {
    let present = service.store.fault
    guard present != fault else { return }
    fault = present
    if let present {
      log.error("journal failing", metadata: ["reason": "\(present)"])
    } else {
      log.notice("journal works again")
    }
  }
}

/// The time of something that is done again and again.
private struct RecurringTime {
  private let interval: Duration
  private var elapsed = Duration.zero

  init(every interval: Duration) { self.interval = interval }

  /// Lets time pass, and returns true if it is time, which begins anew then.
  mutating func isDue(after time: Duration) -> Bool {
    elapsed += time
    guard elapsed >= interval else { return false }
    elapsed = .zero
    return true
  }
}

extension SessionStore {
  /// Closes the sessions that nobody asked for too long, and logs which; one process does so for all on its journal,
  /// which let it know what they were asked for. Those that the configuration opens stay.
  func closeIdle(_ configuration: Configuration, _ log: Logger) {
    let patience = configuration.sessionIdle
    guard patience > .zero else { return }
    tellReads()
    guard isCaretaker else { return }
    // Others tell of a reading that much later.
    let delay = agreement == nil ? .zero : configuration.sweepInterval + .seconds(1)
    let milliseconds = Int64((patience + delay) / .milliseconds(1))
    let (closed, fault) = closeIdle(forMoreThan: milliseconds, besides: Set(configuration.sessions))
    for id in closed { log.notice("expired", metadata: ["session": "\(id)"]) }
    if let fault { log.error("not expired", metadata: ["reason": "\(fault)"]) }
  }
}

extension SessionStore {
  /// Lets go of the sessions that nobody asked this process for, if it shares its journal.
  func unloadIdle(_ configuration: Configuration) {
    let patience = configuration.replicas.unloadAfter
    if patience > .zero { unloadIdle(forMoreThan: Int64(patience / .milliseconds(1))) }
  }
}

extension Configuration {
  /// The interval of looking for idle sessions: a few times while one may be left alone,
  /// but neither more than twice a second nor less than once a minute.
  var sweepInterval: Duration {
    sessionIdle == .zero
      ? .seconds(60) : min(max(sessionIdle / 4, .milliseconds(500)), .seconds(60))
  }
}

extension SessionStore {
  /// Reads the application's folder again; when there are mistakes, they are logged and the
  /// catalogue stays as it is.
  ///
  /// The folder's catalogue takes the place of the present one; what clients changed there is changed
  /// again on top, and logged when that cannot be any more (M4). Sessions stay as they are. If nothing would
  /// differ, the catalogue keeps its revision, and nobody is told anything.
  func reload(from configuration: Configuration, _ log: Logger) {
    do throws(CatalogFaults) {
      let catalog = try CatalogFolder(
        path: configuration.application, ruleLimits: configuration.rules
      ).catalog()
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

  /// Puts a catalogue in the place of the present one, and logs what became of what clients changed.
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
