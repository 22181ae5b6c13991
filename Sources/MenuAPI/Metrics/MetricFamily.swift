import MenuEngine
import MenuStore
import MicroHTTP

/// A metric: all samples of one name.
package struct MetricFamily: Sendable {
  /// The types of metrics.
  package enum Kind: String, Sendable {
    /// Monotonic until the program restarts.
    case counter
    case gauge
    /// The counts of values up to each of several bounds.
    case histogram
  }

  package let name: String
  package let kind: Kind
  /// The labels that distinguish its samples, beside `le`.
  package let labels: [String]
  /// The description, in one line.
  package let help: String
  /// Returns its samples; nil if they are unavailable.
  let samples: @Sendable (MetricSources) -> MetricSamples?

  private init(
    _ name: String, _ kind: Kind, labels: [String] = [],
    of samples: @escaping @Sendable (MetricSources) -> MetricSamples?, help: String
  ) {
    self.name = name
    self.kind = kind
    self.labels = labels
    self.help = help
    self.samples = samples
  }
}

extension MetricFamily {
  /// All families, in the order of the page.
  package static let all = http + sessions + events + deliveries + journal + recovery + process

  private static let http = [
    Self(
      "menud_http_requests_total", .counter, labels: ["route", "method", "status"],
      of: { $0.service.metrics.requests },
      help: "Answered requests; `route` is `none` where no route matches."),
    Self(
      "menud_http_request_duration_seconds", .histogram, labels: ["route", "method"],
      of: { $0.service.metrics.durations },
      help: "From the end of a request to its answer, including the disk but not the network."),
    Self(
      "menud_http_refusals_total", .counter, labels: ["reason"], of: { $0.service.metrics.refused },
      help: "Messages that the server refused itself: malformed, too large, too late, too many."),
    Self(
      "menud_http_requests_in_flight", .gauge, of: { .number($0.server?.requestsInFlight) },
      help: "Requests being read, answered or sent, this one included."),
    Self(
      "menud_http_connections", .gauge, of: { .number($0.server?.connections) },
      help: "Open connections."),
    Self(
      "menud_http_connections_evicted_total", .counter,
      of: { .number($0.server?.evictedConnections) },
      help: "Connections closed for another one at `server.maximumConnections`."),
    Self(
      "menud_http_unsent_bytes", .gauge, of: { .number($0.server?.unsentBytes) },
      help: "Bytes of unread answers and events larger than 64 KiB; equal ones count once."),
    Self(
      "menud_http_unread_evictions_total", .counter, of: { .number($0.server?.unreadEvictions) },
      help: "Connections closed for room, since their clients did not read large answers."),
    Self(
      "menud_http_received_bytes", .gauge, of: { .number($0.server?.receivedBytes) },
      help: "Bytes of bodies larger than 16 KiB of requests being received or answered."),
    Self(
      "menud_http_streams", .gauge, of: { .number($0.server?.streams) },
      help: "Open streamed answers, such as streams of events."),
  ]

  private static let sessions = [
    Self(
      "menud_ready", .gauge, of: { .number($0.reasons.isEmpty ? 1 : 0) },
      help: "1 while `/health/ready` answers 200, else 0."),
    Self(
      "menud_not_ready", .gauge, labels: ["reason"],
      of: { sources in
        .numbers(UnreadyReason.allCases) { sources.reasons.contains($0) ? 1 : 0 }
      },
      help: "1 for each reason why `/health/ready` does not answer 200, else 0."),
    Self(
      "menud_sessions", .gauge, of: { .number($0.store?.count) },
      help: "Sessions that are open."),
    Self(
      "menud_sessions_opened_total", .counter, of: { .number($0.figures?.opened.value) },
      help: "Opened sessions, without those recovered from the journal."),
    Self(
      "menud_sessions_closed_total", .counter, of: { .number($0.figures?.closed.value) },
      help: "Sessions closed by a request."),
    Self(
      "menud_sessions_expired_total", .counter, of: { .number($0.figures?.expired.value) },
      help: "Sessions closed after `limits.sessionIdle`."),
    Self(
      "menud_mutations_accepted_total", .counter, labels: ["kind"],
      of: { $0.figures.map { .mutations($0.accepted) } },
      help: "Accepted mutations, one for each in a list."),
    Self(
      "menud_mutations_refused_total", .counter, labels: ["kind"],
      of: { $0.figures.map { .mutations($0.refused) } },
      help: "Refused mutations, dry runs included; of a list the one at fault."),
    Self(
      "menud_catalog_changes_total", .counter, of: { .number($0.figures?.catalogChanges.value) },
      help: "Changes of the catalogue, reloads included."),
    Self(
      "menud_remade_changes_total", .counter, of: { .number($0.figures?.remade.value) },
      help: "Changes made again before they were written, since another change came first."),
    Self(
      "menud_rule_errors_total", .counter, of: { .number($0.service.metrics.ruleErrors.value) },
      help: "Rules that failed in a question or while performing."),
  ]

  private static let events = [
    Self(
      "menud_event_subscribers", .gauge, of: { .number($0.service.events.subscriberCount) },
      help: "Subscribers to events, waiting requests included."),
    Self(
      "menud_events_sent_total", .counter, labels: ["event"],
      of: { .numbers(SessionEvent.Kind.allCases, $0.events.sent) },
      help: "Events sent to subscribers."),
    Self(
      "menud_events_merged_total", .counter, of: { .number($0.events.merged.value) },
      help: "Events `change` with more than one revision."),
    Self(
      "menud_event_lag_seconds", .histogram, of: { .durations($0.events.lag.reading) },
      help: "From a durable change to its sent event, for each subscriber."),
    Self(
      "menud_event_subscriptions", .gauge, of: { .number($0.service.events.channelCount) },
      help: "Different subscriptions whose events are kept."),
    Self(
      "menud_session_memory_bytes", .gauge, of: { .number($0.service.sessions.size) },
      help: "Bytes kept beside sessions: answers, plans, searches, and what serves subscribers."),
    Self(
      "menud_session_memory_evictions_total", .counter,
      of: { .number($0.service.sessions.evictions.value) },
      help: "Evictions of these, when a session or all exceeded their memory."),
    Self(
      "menud_event_queue", .gauge, of: { .number($0.service.events.environment.queue?.count ?? 0) },
      help: "Subscribers whose next event may have to be made."),
  ]

  private static let deliveries = [
    Self(
      "menud_deliveries_open", .gauge, of: { .number($0.deliveries?.open) },
      help: "Open deliveries."),
    Self(
      "menud_deliveries_claimed", .gauge, of: { .number($0.deliveries?.claimed) },
      help: "Claimed deliveries."),
    Self(
      "menud_deliveries_oldest_seconds", .gauge, of: { .nanoseconds($0.ageOfOldestDelivery) },
      help: "The age of the oldest unsettled delivery; 0 if there is none."),
    Self(
      "menud_deliveries_total", .counter, of: { .number($0.figures?.delivered.value) },
      help: "Deliveries that handlers made."),
    Self(
      "menud_deliveries_settled_total", .counter, labels: ["state"],
      of: { sources in
        sources.figures.map {
          .numbers(Delivery.State.allCases.filter(\.isSettled), $0.settled)
        }
      },
      help: "Settled deliveries: replied, failed or cancelled."),
    Self(
      "menud_deliveries_expired_claims_total", .counter,
      of: { .number($0.figures?.expiredClaims.value) },
      help: "Expired claims of deliveries."),
    Self(
      "menud_delivery_duration_seconds", .histogram,
      of: { .durations($0.figures?.deliveryTimes.reading) },
      help: "From the performed command to the settled delivery."),
    Self(
      "menud_http_waiting_requests", .gauge, of: { .number($0.service.waitingRequests.count) },
      help: "Requests that wait, as `Prefer: wait` asks for."),
  ]

  private static let journal = [
    Self(
      "menud_journal_records_total", .counter, of: { .number($0.journal?.records.value) },
      help: "Records given to the journal."),
    Self(
      "menud_journal_record_bytes_total", .counter, of: { .number($0.journal?.bytes.value) },
      help: "Bytes of these records."),
    Self(
      "menud_journal_flush_duration_seconds", .histogram,
      of: { .durations($0.journal?.flushes.reading) },
      help: "Duration of each group commit, until it was durable."),
    Self(
      "menud_journal_flush_changes", .histogram, of: { .histogram($0.journal?.batches.reading) },
      help: "Changes in each group commit."),
    Self(
      "menud_journal_states_total", .counter, of: { .number($0.journal?.states.value) },
      help: "Stored states of sessions and the catalogue, which replace older records."),
    Self(
      "menud_journal_failures_total", .counter, of: { .number($0.journal?.failures.value) },
      help: "Failed writes, whose changes were refused."),
    Self(
      "menud_journal_failing", .gauge, of: { .number($0.isFailing) },
      help: "1 while the last write failed, else 0."),
    Self(
      "menud_journal_connections_lost_total", .counter,
      of: { .number($0.journal?.lostConnections.value) },
      help: "Lost connections to the database; always 0 for SQLite."),
    Self(
      "menud_journal_housekeeping_failures_total", .counter,
      of: { .number($0.journal?.housekeepingFailures.value) },
      help: "Failed attempts to remove old records from the database; always 0 for SQLite."),
    Self(
      "menud_replica_followed_records_total", .counter, of: { .number($0.sharing?.followed.value) },
      help: "Records applied from other replicas."),
    Self(
      "menud_replica_confirmations_total", .counter,
      of: { .number($0.sharing?.confirmations.value) },
      help: "Waits of requests for a reading of the database."),
    Self(
      "menud_replica_readings_total", .counter, of: { .number($0.sharing?.readings.value) },
      help: "Readings of the database, each for all requests that wait."),
    Self(
      "menud_replica_lag_seconds", .histogram, of: { .durations($0.sharing?.lag.reading) },
      help: "The age of the newest commit of another replica when it was applied."),
    Self(
      "menud_replica_caretaker", .gauge, of: { .number($0.isCaretaker) },
      help: "1 if this replica closes idle sessions and removes old records for all, else 0."),
    Self(
      "menud_replica_loaded_sessions", .gauge, of: { .number($0.loadedSessions) },
      help: "Sessions in this replica's memory."),
    Self(
      "menud_replica_session_loads_total", .counter, of: { .number($0.sharing?.loads.value) },
      help: "Sessions read from the database on demand."),
    Self(
      "menud_replica_session_unloads_total", .counter, of: { .number($0.sharing?.unloads.value) },
      help: "Idle sessions dropped from memory."),
  ]

  private static let recovery = [
    Self(
      "menud_recovery_duration_seconds", .gauge, of: { .nanoseconds($0.recoveryTime) },
      help: "How long the start took to read and replay the journal."),
    Self(
      "menud_recovery_records", .gauge, of: { .number($0.recovery?.records) },
      help: "Records in the journal at the start."),
    Self(
      "menud_recovery_replayed_records", .gauge, of: { .number($0.recovery?.replayed) },
      help: "Records replayed at the start."),
    Self(
      "menud_recovery_states", .gauge, of: { .number($0.recovery?.states) },
      help: "States read at the start."),
    Self(
      "menud_recovery_idempotency_entries", .gauge, of: { .number($0.recovery?.entries) },
      help: "Kept answers read at the start."),
  ]

  private static let process = [
    Self(
      "process_cpu_seconds_total", .counter, of: { .nanoseconds($0.process?.processorTime) },
      help: "Processor time of the program."),
    Self(
      "process_resident_memory_bytes", .gauge, of: { .number($0.process?.residentMemory) },
      help: "Resident memory."),
    Self(
      "process_virtual_memory_bytes", .gauge, of: { .number($0.process?.virtualMemory) },
      help: "Virtual memory."),
    Self(
      "process_start_time_seconds", .gauge, of: { .nanoseconds($0.startTime) },
      help: "Start of the program, in seconds since 1970-01-01T00:00:00Z."),
    Self(
      "process_open_fds", .gauge, of: { .number($0.process?.openDescriptors) },
      help: "Open file descriptors, sockets included."),
    Self(
      "process_max_fds", .gauge, of: { .number($0.process?.maximumDescriptors) },
      help: "The limit of file descriptors."),
    Self(
      "menud_build_info", .gauge, labels: ["version"],
      of: { .numbers([(labels: [$0.service.dependencies.version], value: 1)]) },
      help: "Always 1; the label is the program's version."),
  ]
}
