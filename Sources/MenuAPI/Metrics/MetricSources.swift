import MenuEngine
import MenuStore
import MicroHTTP

/// The sources of metrics at one moment.
struct MetricSources {
  let service: Service
  /// The load of the HTTP server; nil if it is unavailable.
  let server: ServerFigures?
  let process: ProcessFigures?
  let reasons: [UnreadyReason]
  /// The store; nil until it is recovered.
  let store: SessionStore?
  let deliveries: DeliveryFigures?

  init(_ service: Service, _ store: SessionStore?) {
    (self.service, self.store) = (service, store)
    server = service.serverFigures
    process = service.dependencies.process()
    reasons = service.unreadyReasons
    deliveries = store?.deliveryFigures
  }

  var events: EventFigures { service.events.environment.figures }
  var figures: StoreFigures? { store?.figures }
  var journal: JournalFigures? { store?.journalFigures }
  var recovery: JournalRecovery? { store?.recovery }
  /// The counters of a shared journal.
  var sharing: SharingFigures? { store?.sharingFigures }

  var recoveryTime: Int? { recovery.map { _ in service.recoveryTime } }
  var loadedSessions: Int? { sharing.flatMap { _ in store?.loadedCount } }
  /// 1 if the last write failed, else 0.
  var isFailing: Int? { journal.map { _ in store?.fault != nil ? 1 : 0 } }
  /// 1 if this replica is the caretaker, else 0.
  var isCaretaker: Int? { sharing.map { _ in store?.isCaretaker == true ? 1 : 0 } }

  /// The age of the oldest unsettled delivery in nanoseconds; 0 if there is none.
  var ageOfOldestDelivery: Int? {
    guard let deliveries else { return nil }
    let time = service.steadyTime
    let age = deliveries.oldest.map { time.subtractingReportingOverflow($0).partialValue } ?? 0
    return min(max(0, Int(clamping: age)), 1 << 40) * 1_000_000
  }

  /// The time of the start in nanoseconds since 1970-01-01T00:00:00Z.
  var startTime: Int? {
    guard let process else { return nil }
    let (time, isTooLarge) = Int(process.startTime).multipliedReportingOverflow(by: 1_000_000)
    return isTooLarge ? .max : time
  }
}

extension Service {
  /// The page of all metrics; unavailable ones are omitted.
  var metricsPage: [UInt8] {
    var page = MetricsPage()
    let sources = MetricSources(self, storeIfRecovered)
    for family in MetricFamily.all {
      if let samples = family.samples(sources) { page.add(family, samples) }
    }
    return page.bytes
  }
}
