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

  private init(_ name: String, _ kind: Kind, labels: [String] = [], help: String) {
    self.name = name
    self.kind = kind
    self.labels = labels
    self.help = help
  }
}

extension MetricFamily {
  /// All families, in the order of the page.
  package static let all =
    [
      requests, durations, refusals, requestsInFlight, connections, evictedConnections, unsentBytes,
      unreadEvictions, receivedBytes, streams,
      ready, notReady, sessions, opened, closed, expired, accepted, refused, catalogChanges, remade,
      ruleErrors,
    ] + events + deliveries + journal + recovery + process + [build]

  private static let deliveries = [
    openDeliveries, claimedDeliveries, oldestDelivery, delivered, settledDeliveries, expiredClaims,
    deliveryTimes, waitingRequests,
  ]
  private static let journal = [
    journalRecords, journalBytes, journalFlushes, journalBatches, journalStates, journalFailures,
    journalFailing, lostConnections, housekeepingFailures, followedRecords, confirmations,
    sharedReadings, followLag, caretaker, loadedSessions, sessionLoads, sessionUnloads,
  ]
  private static let recovery = [
    recoveryTime, recoveredRecords, replayedRecords, recoveredStates, recoveredEntries,
  ]
  private static let process = [
    processTime, residentMemory, virtualMemory, startTime, openDescriptors, maximumDescriptors,
  ]

  static let openDeliveries = Self("menud_deliveries_open", .gauge, help: "Open deliveries.")
  static let claimedDeliveries = Self(
    "menud_deliveries_claimed", .gauge, help: "Claimed deliveries.")
  static let oldestDelivery = Self(
    "menud_deliveries_oldest_seconds", .gauge,
    help: "The age of the oldest unsettled delivery; 0 if there is none.")
  static let delivered = Self(
    "menud_deliveries_total", .counter, help: "Deliveries that handlers made.")
  static let settledDeliveries = Self(
    "menud_deliveries_settled_total", .counter, labels: ["state"],
    help: "Settled deliveries: replied, failed or cancelled.")
  static let expiredClaims = Self(
    "menud_deliveries_expired_claims_total", .counter, help: "Expired claims of deliveries.")
  static let deliveryTimes = Self(
    "menud_delivery_duration_seconds", .histogram,
    help: "From the performed command to the settled delivery.")
  static let waitingRequests = Self(
    "menud_http_waiting_requests", .gauge, help: "Requests that wait, as `Prefer: wait` asks for.")
  static let requests = Self(
    "menud_http_requests_total", .counter, labels: ["route", "method", "status"],
    help: "Answered requests; `route` is `none` where no route matches.")
  static let durations = Self(
    "menud_http_request_duration_seconds", .histogram, labels: ["route", "method"],
    help: "From the end of a request to its answer, including the disk but not the network.")
  static let refusals = Self(
    "menud_http_refusals_total", .counter, labels: ["reason"],
    help: "Messages that the server refused itself: malformed, too large, too late, too many.")
  static let requestsInFlight = Self(
    "menud_http_requests_in_flight", .gauge,
    help: "Requests being read, answered or sent, this one included.")
  static let connections = Self("menud_http_connections", .gauge, help: "Open connections.")
  static let evictedConnections = Self(
    "menud_http_connections_evicted_total", .counter,
    help: "Connections closed for another one at `server.maximumConnections`.")
  static let unsentBytes = Self(
    "menud_http_unsent_bytes", .gauge,
    help: "Bytes of unread answers and events larger than 64 KiB; equal ones count once.")
  static let unreadEvictions = Self(
    "menud_http_unread_evictions_total", .counter,
    help: "Connections closed for room, since their clients did not read large answers.")
  static let receivedBytes = Self(
    "menud_http_received_bytes", .gauge,
    help: "Bytes of bodies larger than 16 KiB of requests being received or answered.")
  static let streams = Self(
    "menud_http_streams", .gauge, help: "Open streamed answers, such as streams of events.")
  static let ready = Self(
    "menud_ready", .gauge, help: "1 while `/health/ready` answers 200, else 0.")
  static let notReady = Self(
    "menud_not_ready", .gauge, labels: ["reason"],
    help: "1 for each reason why `/health/ready` does not answer 200, else 0.")
  static let sessions = Self("menud_sessions", .gauge, help: "Sessions that are open.")
  static let opened = Self(
    "menud_sessions_opened_total", .counter,
    help: "Opened sessions, without those recovered from the journal.")
  static let closed = Self(
    "menud_sessions_closed_total", .counter, help: "Sessions closed by a request.")
  static let expired = Self(
    "menud_sessions_expired_total", .counter, help: "Sessions closed after `limits.sessionIdle`.")
  static let accepted = Self(
    "menud_mutations_accepted_total", .counter, labels: ["kind"],
    help: "Accepted mutations, one for each in a list.")
  static let refused = Self(
    "menud_mutations_refused_total", .counter, labels: ["kind"],
    help: "Refused mutations, dry runs included; of a list the one at fault.")
  static let catalogChanges = Self(
    "menud_catalog_changes_total", .counter, help: "Changes of the catalogue, reloads included.")
  static let ruleErrors = Self(
    "menud_rule_errors_total", .counter,
    help: "Rules that failed in a question or while performing.")
}

extension MetricFamily {
  private static let events = [
    subscribers, sentEvents, mergedEvents, eventLag, subscriptions, memoryBytes,
    memoryEvictions, queuedSubscribers,
  ]
  static let subscribers = Self(
    "menud_event_subscribers", .gauge, help: "Subscribers to events, waiting requests included.")
  static let subscriptions = Self(
    "menud_event_subscriptions", .gauge, help: "Different subscriptions whose events are kept.")
  static let memoryBytes = Self(
    "menud_session_memory_bytes", .gauge,
    help: "Bytes kept beside sessions: answers, plans, searches, and what serves subscribers.")
  static let memoryEvictions = Self(
    "menud_session_memory_evictions_total", .counter,
    help: "Evictions of these, when a session or all exceeded their memory.")
  static let queuedSubscribers = Self(
    "menud_event_queue", .gauge, help: "Subscribers whose next event may have to be made.")
  static let sentEvents = Self(
    "menud_events_sent_total", .counter, labels: ["event"], help: "Events sent to subscribers.")
  static let mergedEvents = Self(
    "menud_events_merged_total", .counter, help: "Events `change` with more than one revision.")
  static let eventLag = Self(
    "menud_event_lag_seconds", .histogram,
    help: "From a durable change to its sent event, for each subscriber.")
}

extension MetricFamily {
  static let remade = Self(
    "menud_remade_changes_total", .counter,
    help: "Changes made again before they were written, since another change came first.")
  static let journalRecords = Self(
    "menud_journal_records_total", .counter, help: "Records given to the journal.")
  static let journalBytes = Self(
    "menud_journal_record_bytes_total", .counter, help: "Bytes of these records.")
  static let journalFlushes = Self(
    "menud_journal_flush_duration_seconds", .histogram,
    help: "Duration of each group commit, until it was durable.")
  static let journalBatches = Self(
    "menud_journal_flush_changes", .histogram, help: "Changes in each group commit.")
  static let journalStates = Self(
    "menud_journal_states_total", .counter,
    help: "Stored states of sessions and the catalogue, which replace older records.")
  static let journalFailures = Self(
    "menud_journal_failures_total", .counter, help: "Failed writes, whose changes were refused.")
  static let journalFailing = Self(
    "menud_journal_failing", .gauge, help: "1 while the last write failed, else 0.")
  static let lostConnections = Self(
    "menud_journal_connections_lost_total", .counter,
    help: "Lost connections to the database; always 0 for SQLite.")
  static let housekeepingFailures = Self(
    "menud_journal_housekeeping_failures_total", .counter,
    help: "Failed attempts to remove old records from the database; always 0 for SQLite.")
  static let followedRecords = Self(
    "menud_replica_followed_records_total", .counter, help: "Records applied from other replicas.")
  static let confirmations = Self(
    "menud_replica_confirmations_total", .counter,
    help: "Waits of requests for a reading of the database.")
  static let sharedReadings = Self(
    "menud_replica_readings_total", .counter,
    help: "Readings of the database, each for all requests that wait.")
  static let followLag = Self(
    "menud_replica_lag_seconds", .histogram,
    help: "The age of the newest commit of another replica when it was applied.")
  static let caretaker = Self(
    "menud_replica_caretaker", .gauge,
    help: "1 if this replica closes idle sessions and removes old records for all, else 0.")
  static let loadedSessions = Self(
    "menud_replica_loaded_sessions", .gauge, help: "Sessions in this replica's memory.")
  static let sessionLoads = Self(
    "menud_replica_session_loads_total", .counter,
    help: "Sessions read from the database on demand.")
  static let sessionUnloads = Self(
    "menud_replica_session_unloads_total", .counter, help: "Idle sessions dropped from memory.")
  static let recoveryTime = Self(
    "menud_recovery_duration_seconds", .gauge,
    help: "How long the start took to read and replay the journal.")
  static let recoveredRecords = Self(
    "menud_recovery_records", .gauge, help: "Records in the journal at the start.")
  static let replayedRecords = Self(
    "menud_recovery_replayed_records", .gauge, help: "Records replayed at the start.")
  static let recoveredStates = Self(
    "menud_recovery_states", .gauge, help: "States read at the start.")
  static let recoveredEntries = Self(
    "menud_recovery_idempotency_entries", .gauge, help: "Kept answers read at the start.")
  static let processTime = Self(
    "process_cpu_seconds_total", .counter, help: "Processor time of the program.")
  static let residentMemory = Self(
    "process_resident_memory_bytes", .gauge, help: "Resident memory.")
  static let virtualMemory = Self("process_virtual_memory_bytes", .gauge, help: "Virtual memory.")
  static let startTime = Self(
    "process_start_time_seconds", .gauge,
    help: "Start of the program, in seconds since 1970-01-01T00:00:00Z.")
  static let openDescriptors = Self(
    "process_open_fds", .gauge, help: "Open file descriptors, sockets included.")
  static let maximumDescriptors = Self(
    "process_max_fds", .gauge, help: "The limit of file descriptors.")
  static let build = Self(
    "menud_build_info", .gauge, labels: ["version"],
    help: "Always 1; the label is the program's version.")
}
