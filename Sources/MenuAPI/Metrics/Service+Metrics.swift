import MenuEngine
import MenuStore
import MicroHTTP

extension Service {
  /// The page of all metrics; unavailable ones are omitted.
  var metricsPage: [UInt8] {
    var page = MetricsPage()
    metrics.write(to: &page)
    if let server = serverFigures {
      page.add(.requestsInFlight, server.requestsInFlight)
      page.add(.connections, server.connections)
      page.add(.evictedConnections, server.evictedConnections)
      page.add(.unsentBytes, server.unsentBytes)
      page.add(.unreadEvictions, server.unreadEvictions)
      page.add(.receivedBytes, server.receivedBytes)
      page.add(.streams, server.streams)
    }
    let reasons = unreadyReasons
    page.add(.ready, reasons.isEmpty ? 1 : 0)
    page.add(
      .notReady,
      UnreadyReason.allCases.map { (labels: [$0.rawValue], value: reasons.contains($0) ? 1 : 0) })
    if let store = storeIfRecovered { page.add(store) }
    page.add(.ruleErrors, metrics.ruleErrors.value)
    page.add(.subscribers, events.subscriberCount)
    page.add(events.environment.figures)
    page.add(.subscriptions, events.channelCount)
    page.add(.memoryBytes, sessions.size)
    page.add(.memoryEvictions, sessions.evictions.value)
    page.add(.queuedSubscribers, events.environment.queue?.count ?? 0)
    if let store = storeIfRecovered { page.add(deliveriesOf: store, at: steadyTime) }
    page.add(.waitingRequests, waitingRequests.count)
    if let figures = storeIfRecovered?.journalFigures {
      page.add(figures, isFailing: storeIfRecovered?.fault != nil)
    }
    if let store = storeIfRecovered, let figures = store.sharingFigures {
      page.add(figures, of: store)
    }
    if let recovery = storeIfRecovered?.recovery { page.add(recovery, in: recoveryTime) }
    if let process = dependencies.process() { page.add(process) }
    page.add(.build, [(labels: [dependencies.version], value: 1)])
    return page.bytes
  }
}

extension MetricsPage {
  fileprivate mutating func add(_ figures: EventFigures) {
    add(
      .sentEvents,
      SessionEvent.Kind.allCases.map { (labels: [$0.rawValue], value: figures.sent($0)) })
    add(.mergedEvents, figures.merged.value)
    add(.eventLag, [(labels: [], reading: figures.lag.reading)], isTime: true)
  }

  fileprivate mutating func add(_ store: SessionStore) {
    let figures = store.figures
    add(.sessions, store.count)
    add(.opened, figures.opened.value)
    add(.closed, figures.closed.value)
    add(.expired, figures.expired.value)
    let labels = Mutation.labels.enumerated()
    add(.accepted, labels.map { (labels: [$1], value: figures.accepted($0)) })
    add(.refused, labels.map { (labels: [$1], value: figures.refused($0)) })
    add(.catalogChanges, figures.catalogChanges.value)
    add(.remade, figures.remade.value)
  }

  fileprivate mutating func add(deliveriesOf store: SessionStore, at time: Int64) {
    let (present, figures) = (store.deliveryFigures, store.figures)
    add(.openDeliveries, present.open)
    add(.claimedDeliveries, present.claimed)
    let age = present.oldest.map { time.subtractingReportingOverflow($0).partialValue } ?? 0
    add(.oldestDelivery, nanoseconds: min(max(0, Int(clamping: age)), 1 << 40) * 1_000_000)
    add(.delivered, figures.delivered.value)
    add(
      .settledDeliveries,
      Delivery.State.allCases.filter(\.isSettled).map {
        (labels: [$0.rawValue], value: figures.settled($0))
      })
    add(.expiredClaims, figures.expiredClaims.value)
    add(.deliveryTimes, [(labels: [], reading: figures.deliveryTimes.reading)], isTime: true)
  }

  fileprivate mutating func add(_ figures: JournalFigures, isFailing: Bool) {
    add(.journalRecords, figures.records.value)
    add(.journalBytes, figures.bytes.value)
    add(.journalFlushes, [(labels: [], reading: figures.flushes.reading)], isTime: true)
    add(.journalBatches, [(labels: [], reading: figures.batches.reading)], isTime: false)
    add(.journalStates, figures.states.value)
    add(.journalFailures, figures.failures.value)
    add(.journalFailing, isFailing ? 1 : 0)
    add(.lostConnections, figures.lostConnections.value)
    add(.housekeepingFailures, figures.housekeepingFailures.value)
  }

  fileprivate mutating func add(_ figures: SharingFigures, of store: SessionStore) {
    add(.caretaker, store.isCaretaker ? 1 : 0)
    add(.loadedSessions, store.loadedCount)
    add(.followedRecords, figures.followed.value)
    add(.confirmations, figures.confirmations.value)
    add(.sharedReadings, figures.readings.value)
    add(.followLag, [(labels: [], reading: figures.lag.reading)], isTime: true)
    add(.sessionLoads, figures.loads.value)
    add(.sessionUnloads, figures.unloads.value)
  }

  fileprivate mutating func add(_ recovery: JournalRecovery, in time: Int) {
    add(.recoveryTime, nanoseconds: time)
    add(.recoveredRecords, Int(recovery.records))
    add(.replayedRecords, Int(recovery.replayed))
    add(.recoveredStates, Int(recovery.states))
    add(.recoveredEntries, Int(recovery.entries))
  }

  fileprivate mutating func add(_ process: ProcessFigures) {
    add(.processTime, nanoseconds: process.processorTime)
    add(.residentMemory, process.residentMemory)
    add(.virtualMemory, process.virtualMemory)
    add(.startTime, nanoseconds: Int(process.startTime).multipliedSaturating(by: 1_000_000))
    add(.openDescriptors, process.openDescriptors)
    add(.maximumDescriptors, process.maximumDescriptors)
  }
}

extension Int {
  fileprivate func multipliedSaturating(by factor: Int) -> Int {
    let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
    return isTooLarge ? .max : product
  }
}
