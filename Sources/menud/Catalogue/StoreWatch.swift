import Logging
import MenuStore

/// What the program looks after while it serves: whether the journal is written, and which sessions
/// nobody asks any more.
struct StoreWatch {
  /// How often to look.
  static let interval = Duration.milliseconds(500)

  private let store: SessionStore
  private let configuration: Configuration
  private let log: Logger
  private var fault: JournalFault?
  private var sinceSweep = Duration.zero

  /// A watch on that store.
  init(_ store: SessionStore, _ configuration: Configuration, _ log: Logger) {
    self.store = store
    self.configuration = configuration
    self.log = log
  }

  /// Looks once: logs when the journal begins or ceases to fail, and closes idle sessions when it is
  /// time to.
  mutating func look() {
    tellOfJournal()
    sinceSweep += Self.interval
    guard sinceSweep >= configuration.sweepInterval else { return }
    sinceSweep = .zero
    store.closeIdle(configuration, log)
  }

  private mutating func tellOfJournal() {
    let present = store.fault
    guard present != fault else { return }
    fault = present
    if let present {
      log.error("journal failing", metadata: ["reason": "\(present)"])
    } else {
      log.notice("journal works again")
    }
  }
}
