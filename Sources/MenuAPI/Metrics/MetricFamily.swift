/// One thing that is measured: all samples of one name.
package struct MetricFamily: Sendable {
  /// The ways to read samples.
  package enum Kind: String, Sendable {
    /// Only grows, until the program starts anew.
    case counter
    case gauge
    /// The numbers of values up to each of several bounds.
    case histogram
  }

  package let name: String
  package let kind: Kind
  /// The labels that tell its samples from each other, beside `le`.
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
  /// All there are, in the order of the page.
  package static let all =
    [
      requests, durations, refusals, requestsInFlight, connections, evictedConnections, unsentBytes,
      unreadEvictions, receivedBytes, streams,
      ready, notReady, sessions, opened, closed, expired, accepted, refused, catalogChanges,
      ruleErrors,
    ] + events + deliveries + journal + recovery + process + [build]

  private static let deliveries = [
    openDeliveries, claimedDeliveries, oldestDelivery, delivered, settledDeliveries, expiredClaims,
    deliveryTimes, waitingRequests,
  ]
  private static let journal = [
    journalRecords, journalBytes, journalFlushes, journalBatches, journalStates, journalFailures,
    journalFailing, lostConnections, followedRecords, conflicts, turns, confirmations,
    sharedReadings, followLag, caretaker, loadedSessions, sessionLoads, sessionUnloads,
  ]
  private static let recovery = [
    recoveryTime, recoveredRecords, replayedRecords, recoveredStates, recoveredEntries,
  ]
  private static let process = [
    processTime, residentMemory, virtualMemory, startTime, openDescriptors, maximumDescriptors,
  ]

  static let openDeliveries = Self(
    "menud_deliveries_open", .gauge, help: "Deliveries that nobody has claimed.")
  static let claimedDeliveries = Self(
    "menud_deliveries_claimed", .gauge, help: "Deliveries that somebody works on.")
  static let oldestDelivery = Self(
    "menud_deliveries_oldest_seconds", .gauge,
    help: "The age of the oldest delivery that is not settled; 0 if there is none.")
  static let delivered = Self(
    "menud_deliveries_total", .counter, help: "Deliveries that handlers made.")
  static let settledDeliveries = Self(
    "menud_deliveries_settled_total", .counter, labels: ["state"],
    help: "Deliveries that were settled: replied, failed or cancelled.")
  static let expiredClaims = Self(
    "menud_deliveries_expired_claims_total", .counter,
    help: "Claims of deliveries that expired, so that these were open again.")
  static let deliveryTimes = Self(
    "menud_delivery_duration_seconds", .histogram,
    help: "From when a command was performed until what it delivered was settled.")
  static let waitingRequests = Self(
    "menud_http_waiting_requests", .gauge,
    help: "Requests that wait at this moment, as `Prefer: wait` asks for.")
  static let requests = Self(
    "menud_http_requests_total", .counter, labels: ["route", "method", "status"],
    help: "Requests that were answered; `route` is `none` where no route has the path and method.")
  static let durations = Self(
    "menud_http_request_duration_seconds", .histogram, labels: ["route", "method"],
    help:
      "From the end of a request to its answer, the wait for the disk included and the network not."
  )
  static let refusals = Self(
    "menud_http_refusals_total", .counter, labels: ["reason"],
    help:
      "Messages that the server answered itself, with why: malformed, too large, too late, too many."
  )
  static let requestsInFlight = Self(
    "menud_http_requests_in_flight", .gauge,
    help: "Requests that are being read, answered or sent at this moment, this one among them.")
  static let connections = Self(
    "menud_http_connections", .gauge, help: "Connections that are open.")
  static let evictedConnections = Self(
    "menud_http_connections_evicted_total", .counter,
    help:
      "Connections that were closed for another one, since `server.maximumConnections` were open.")
  static let unsentBytes = Self(
    "menud_http_unsent_bytes", .gauge,
    help:
      "Bytes of answers, and of events, larger than 64 KiB that clients have not read yet; equal ones count once."
  )
  static let unreadEvictions = Self(
    "menud_http_unread_evictions_total", .counter,
    help:
      "Connections that were closed since their clients did not read large answers, and others needed the room."
  )
  static let receivedBytes = Self(
    "menud_http_received_bytes", .gauge,
    help: "Bytes of bodies larger than 16 KiB of requests that are being received or answered.")
  static let streams = Self(
    "menud_http_streams", .gauge,
    help: "Answers that come in pieces and have not ended, such as streams of events.")
  static let ready = Self(
    "menud_ready", .gauge, help: "1 while `/health/ready` answers 200, else 0.")
  static let notReady = Self(
    "menud_not_ready", .gauge, labels: ["reason"],
    help: "1 for each reason why `/health/ready` does not answer 200, else 0.")
  static let sessions = Self("menud_sessions", .gauge, help: "Sessions that are open.")
  static let opened = Self(
    "menud_sessions_opened_total", .counter,
    help: "Sessions that were opened; those recovered from the journal are not among them.")
  static let closed = Self(
    "menud_sessions_closed_total", .counter, help: "Sessions that were closed by a request.")
  static let expired = Self(
    "menud_sessions_expired_total", .counter,
    help: "Sessions that were closed because nobody asked for them any more.")
  static let accepted = Self(
    "menud_mutations_accepted_total", .counter, labels: ["kind"],
    help: "Mutations that sessions accepted, one for each in a list.")
  static let refused = Self(
    "menud_mutations_refused_total", .counter, labels: ["kind"],
    help: "Mutations that sessions refused, dry runs included; of a list the one at fault.")
  static let catalogChanges = Self(
    "menud_catalog_changes_total", .counter, help: "Changes of the catalogue, reloads included.")
  static let ruleErrors = Self(
    "menud_rule_errors_total", .counter,
    help:
      "Rules that failed while items, menus, keys and targets were asked about, or were to perform."
  )
}

extension MetricFamily {
  private static let events = [
    subscribers, sentEvents, mergedEvents, eventLag, subscriptions, followingBytes,
    followingEvictions, queuedSubscribers,
  ]
  static let subscribers = Self(
    "menud_event_subscribers", .gauge,
    help: "Subscribers that are told of events, those that wait for one among them.")
  static let subscriptions = Self(
    "menud_event_subscriptions", .gauge,
    help: "Different subscriptions whose events are kept.")
  static let followingBytes = Self(
    "menud_event_kept_bytes", .gauge,
    help:
      "Bytes that are kept for subscribers: events, documents, items and menus to compare with, and plans."
  )
  static let followingEvictions = Self(
    "menud_event_evictions_total", .counter,
    help: "Times that something of these was evicted, since a session or all took too much.")
  static let queuedSubscribers = Self(
    "menud_event_queue", .gauge,
    help: "Subscribers for whom an event may have to be made.")
  static let sentEvents = Self(
    "menud_events_sent_total", .counter, labels: ["event"],
    help: "Events that subscribers were sent; a `reset` tells everything anew.")
  static let mergedEvents = Self(
    "menud_events_merged_total", .counter,
    help: "Events `change` that tell of more than one revision.")
  static let eventLag = Self(
    "menud_event_lag_seconds", .histogram,
    help: "From a change that is durable to the sending of its event, for each subscriber.")
}

extension MetricFamily {
  static let journalRecords = Self(
    "menud_journal_records_total", .counter, help: "Records that the journal was given.")
  static let journalBytes = Self(
    "menud_journal_record_bytes_total", .counter, help: "Bytes of what these records say.")
  static let journalFlushes = Self(
    "menud_journal_flush_duration_seconds", .histogram,
    help: "How long each write of what had gathered took, until it was durable.")
  static let journalBatches = Self(
    "menud_journal_flush_changes", .histogram, help: "How many changes each of these writes had.")
  static let journalStates = Self(
    "menud_journal_states_total", .counter,
    help: "States of sessions and the catalogue that were written in the place of older records.")
  static let journalFailures = Self(
    "menud_journal_failures_total", .counter,
    help: "Writes that failed; what they had was taken back, and refused.")
  static let journalFailing = Self(
    "menud_journal_failing", .gauge, help: "1 while the last attempt to write failed, else 0.")
  static let lostConnections = Self(
    "menud_journal_connections_lost_total", .counter,
    help: "Connections to the database of the journal that were lost; always 0 for SQLite.")
  static let followedRecords = Self(
    "menud_replica_followed_records_total", .counter,
    help: "Records of other replicas that were taken over.")
  static let conflicts = Self(
    "menud_replica_conflicts_total", .counter,
    help: "Changes that others outdated before they were durable, and that were made again.")
  static let turns = Self(
    "menud_replica_turns_total", .counter,
    help: "Times for which the end of the journal stayed locked for what was made again.")
  static let confirmations = Self(
    "menud_replica_confirmations_total", .counter,
    help: "Answers that waited until it was known that they are current.")
  static let sharedReadings = Self(
    "menud_replica_readings_total", .counter,
    help:
      "Readings of the database that confirmed answers, followed other replicas or read sessions.")
  static let followLag = Self(
    "menud_replica_lag_seconds", .histogram,
    help: "How old the newest commit of another replica was when it was taken over.")
  static let caretaker = Self(
    "menud_replica_caretaker", .gauge,
    help: "1 if this replica closes idle sessions and writes states for all, else 0.")
  static let loadedSessions = Self(
    "menud_replica_loaded_sessions", .gauge, help: "Sessions in the memory of this replica.")
  static let sessionLoads = Self(
    "menud_replica_session_loads_total", .counter,
    help: "Sessions that were read from the database, since somebody asked for them.")
  static let sessionUnloads = Self(
    "menud_replica_session_unloads_total", .counter,
    help: "Sessions that left the memory, since nobody asked for them.")
  static let recoveryTime = Self(
    "menud_recovery_duration_seconds", .gauge,
    help: "How long the start took to read the journal and do again what it says.")
  static let recoveredRecords = Self(
    "menud_recovery_records", .gauge, help: "Records that the journal had at the start.")
  static let replayedRecords = Self(
    "menud_recovery_replayed_records", .gauge, help: "Those of them that were done again.")
  static let recoveredStates = Self(
    "menud_recovery_states", .gauge, help: "States that were read at the start.")
  static let recoveredEntries = Self(
    "menud_recovery_idempotency_entries", .gauge,
    help: "Answers kept for repeated requests that were read at the start.")
  static let processTime = Self(
    "process_cpu_seconds_total", .counter, help: "Processor time of the program.")
  static let residentMemory = Self(
    "process_resident_memory_bytes", .gauge, help: "Memory of the program that is in use.")
  static let virtualMemory = Self(
    "process_virtual_memory_bytes", .gauge, help: "Memory that the program has addresses for.")
  static let startTime = Self(
    "process_start_time_seconds", .gauge,
    help: "When the program was started, in seconds since 1970-01-01T00:00:00Z.")
  static let openDescriptors = Self(
    "process_open_fds", .gauge, help: "File descriptors that are open, sockets included.")
  static let maximumDescriptors = Self(
    "process_max_fds", .gauge, help: "File descriptors that may be open.")
  static let build = Self(
    "menud_build_info", .gauge, labels: ["version"],
    help: "Always 1; the version of the program is its label.")
}
