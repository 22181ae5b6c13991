import Logging
import MenuAPI
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
