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
  private var sinceSweep = Duration.zero
  private var sinceForgetting = Duration.zero

  /// A watch on that service's store.
  init(of service: Service, _ configuration: Configuration, _ log: Logger) {
    self.service = service
    self.configuration = configuration
    self.log = log
  }

  /// Looks once: logs when the journal begins or ceases to fail, closes idle sessions when it is
  /// time to, ends what subscribers waited for long enough, and forgets what is kept only for those who ask or follow and did
  /// neither for a minute.
  ///
  /// - Returns: True unless the journal is lost to another process, for good.
  mutating func look() -> Bool {
    tellOfJournal()
    guard fault?.isFinal != true else { return false }
    // A fault of the journal is told by the line before, the next time.
    _ = service.tendDeliveries()
    sinceSweep += Self.interval
    sinceForgetting += Self.interval
    service.tickEvents()
    if sinceForgetting >= .seconds(60) {
      sinceForgetting = .zero
      service.forgetIdlePlans()
      service.store.forgetUnfollowed()
    }
    guard sinceSweep >= configuration.sweepInterval else { return true }
    sinceSweep = .zero
    guard service.store.isCaretaker else { return true }
    service.store.closeIdle(configuration, log)
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
