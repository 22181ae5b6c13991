import Locks
import MenuEngine
import Synchronization

/// The progress of a replica on a shared journal: the position up to which its follower has applied all
/// commits.
///
/// Two threads use it: the one that commits, and the one that reads other replicas' commits.
final class Sharing: Sendable {
  private struct State {
    /// The number up to which the follower has everything.
    var position: Int64 = 0
    /// True while a batch of this replica is being committed, which must not be taken for another replica's.
    var isCommitting = false
    /// The records of other replicas, until the committing thread takes them over.
    var records: [FollowedRecord] = []
    weak var follower: (any JournalFollower)?
    /// The record of the last change of the catalogue.
    var catalogAt: Int64 = 0
    /// The sessions that requests wait for.
    var wanted: [JournalSubject: WantedSession] = [:]
  }

  private let state = Monitor(State())
  private let number = Atomic<Int64>(0)
  let isCaretaker = Atomic(false)
  let figures = SharingFigures()
  /// The start of the last applied reading; nil before the first.
  let lastReading = Lock<ContinuousClock.Instant?>(nil)
  private let place: String

  init(place: String) { self.place = place }

  /// The number up to which the follower has everything.
  var position: Int64 { number.load(ordering: .acquiring) }

  /// Begins at the end of the recovered records.
  func begin(at position: Int64) {
    state.withLock { $0.position = position }
    number.store(position, ordering: .releasing)
  }

  /// Records the last change of the catalogue before the start.
  func noteCatalog(at place: Int64) { state.withLock { $0.catalogAt = place } }

  /// Sets the follower of other replicas' commits.
  func begin(_ follower: any JournalFollower) { state.withLock { $0.follower = follower } }

  /// Hands a reading to the follower, once no batch of this replica is being committed.
  ///
  /// - Returns: False if a batch is being committed for too long.
  func take(
    _ reading: SharedReading, waiting patience: Duration
  ) throws(JournalFault) -> Bool {
    let result = state.wait(patience) { state -> Result<Void, JournalFault>? in
      if state.isCommitting { return nil }
      return Result { () throws(JournalFault) in try self.take(reading, &state) }
    }
    try result?.get()
    return result != nil
  }

  /// The same on the thread that commits, which need not wait.
  func take(_ reading: SharedReading) throws(JournalFault) {
    try state.withLock { (state) throws(JournalFault) in try take(reading, &state) }
  }

  private func take(_ reading: SharedReading, _ state: inout State) throws(JournalFault) {
    // Else the database is not the one that it was.
    guard reading.head >= reading.start else { throw .takenOver(database: place) }
    guard reading.removed <= state.position else { throw .fellBehind(database: place) }
    guard reading.head > state.position else { return }
    var (items, records) = try reading.items(after: state.position, in: place)
    // In their order, answers behind the records that they tell of.
    try state.follower?.follow(items)
    for index in records.indices where records[index].record.subject == .catalog {
      records[index].state = state.follower?.state(of: records[index].record.subject)
    }
    for record in records {
      let subject = record.record.subject
      if subject == .catalog { state.catalogAt = record.sequence }
      state.wanted[subject]?.last = record.sequence
    }
    // A reading of theirs may lack changes that this replica makes from now on.
    for session in state.wanted.keys where state.follower?.isUnloaded(session) == false {
      state.wanted[session]?.isObsolete = true
    }
    state.records += records
    state.position = reading.head
    number.store(reading.head, ordering: .releasing)
    figures.followed.add(records.count)
    if reading.age > 0, !records.isEmpty { figures.lag.note(reading.age) }
  }

  /// Records that a batch is about to be committed.
  func beginCommit() { state.withLock { $0.isCommitting = true } }

  /// Records that the batch is committed, up to a number; nil if it failed.
  func endCommit(of writes: [JournalWrite] = [], through position: Int64? = nil) {
    state.withLock { state in
      state.isCommitting = false
      guard let position else { return }
      if writes.contains(where: { $0.record?.subject == .catalog }) { state.catalogAt = position }
      state.position = position
      number.store(position, ordering: .releasing)
    }
    state.signal()
  }

  /// Removes and returns other replicas' records since the last call.
  func takeRecords() -> [FollowedRecord] {
    state.withLock { state in
      defer { state.records = [] }
      return state.records
    }
  }
}

// MARK: Sessions that are not in memory

/// A session that requests wait for.
struct WantedSession {
  let ticket = Ticket()
  let time = ContinuousClock.now
  /// The last change of it that was followed since.
  var last: Int64 = 0
  /// True if the catalogue changed among its records.
  var needsCatalog = false
  /// True if it need not be read any more: another replica closed it, or reopened it, which loaded it.
  var isObsolete = false
}

extension Sharing {
  /// Tells the follower that other replicas read sessions; nil stands for any sessions.
  func noteRead(_ sessions: [String]?) { state.withLock(\.follower)?.noteRead(sessions) }

  /// True if a session is open, and the follower has not loaded it.
  func isUnloaded(_ session: JournalSubject) -> Bool {
    state.withLock(\.follower)?.isUnloaded(session) == true
  }

  /// Returns the durable state of a subject; nil if it is not loaded.
  func state(of subject: JournalSubject) -> JournalState? {
    state.withLock(\.follower)?.state(of: subject)
  }

  /// True if a session must be read with the catalogue, which changed after its first change.
  func needsCatalog(_ contents: SubjectContents) -> Bool {
    state.withLock { !contents.hasCatalog(lastChangedAt: $0.catalogAt) }
  }

  /// Returns the state of a subject's contents; nil if they include commits that are not applied yet, so that
  /// their catalogue is unknown.
  func state(of contents: SubjectContents) throws(JournalFault) -> UnloadedState? {
    let bytes = try state.withLock { (state) throws(JournalFault) -> [UInt8]? in
      guard contents.hasCatalog || contents.last.sequence <= state.position,
        contents.hasCatalog(lastChangedAt: state.catalogAt)
      else { return nil }
      return try state.follower?.state(of: contents.subject, from: contents.items())
    }
    guard let bytes else { return nil }
    let last = contents.last
    return UnloadedState(
      state: StoredState(
        subject: contents.subject, sequence: last.sequence, revision: last.revision,
        payload: bytes), place: contents.place)
  }

  /// Registers that a request waits for a session. The ticket is settled once it is loaded, or closed.
  func want(_ session: JournalSubject) -> Ticket {
    state.withLock { state in
      guard state.follower?.isUnloaded(session) == true else { return .durable }
      let wanted = state.wanted[session] ?? WantedSession()
      state.wanted[session] = wanted
      return wanted.ticket
    }
  }

  /// Returns the next sessions to read, with or without the catalogue, up to a number.
  func wanted(atMost most: Int) -> [(session: JournalSubject, withCatalog: Bool)] {
    state.withLock { state in
      state.wanted.prefix(most).map { ($0.key, $0.value.needsCatalog) }
    }
  }

  /// Hands the contents of a session to the follower, unless later changes were followed meanwhile: then it is
  /// read again.
  ///
  /// - Returns: The ticket to settle; nil if it is read again.
  func load(
    _ session: JournalSubject, _ contents: SubjectContents?
  ) throws(JournalFault) -> Ticket? {
    try state.withLock { (state) throws(JournalFault) in
      guard let wanted = state.wanted[session], let follower = state.follower else { return nil }
      if !wanted.isObsolete, follower.isUnloaded(session) {
        guard let contents, contents.isUpToDate(wanted, at: state.position) else { return nil }
        guard contents.hasCatalog(lastChangedAt: state.catalogAt) else {
          state.wanted[session]?.needsCatalog = true
          return nil
        }
        try follower.load(session, from: contents.items(through: state.position))
      }
      state.wanted[session] = nil
      return wanted.ticket
    }
  }

  /// Stops waiting for a session, and returns its ticket.
  func giveUp(_ session: JournalSubject) -> Ticket? {
    state.withLock { $0.wanted.removeValue(forKey: session)?.ticket }
  }

  /// Stops waiting for the sessions requested before a moment, and returns their tickets.
  func giveUp(wantedBefore moment: ContinuousClock.Instant) -> [Ticket] {
    state.withLock { state in
      let old = state.wanted.filter { $0.value.time <= moment }
      for session in old.keys { state.wanted[session] = nil }
      return old.values.map(\.ticket)
    }
  }
}

extension SubjectContents {
  /// True if the catalogue of each change is known: it is included, or has not changed since.
  fileprivate func hasCatalog(lastChangedAt place: Int64) -> Bool {
    hasCatalog || firstChange >= place
  }

  /// True if the contents are complete up to a position.
  fileprivate func isUpToDate(_ wanted: WantedSession, at position: Int64) -> Bool {
    // A state may be of a commit that is not applied yet.
    last.sequence >= wanted.last && first.sequence <= position
  }
}

/// A record of another replica.
struct FollowedRecord {
  /// The record, without its payload.
  let record: JournalRecord
  let sequence: Int64
  let place: SubjectPosition
  /// The catalogue after the whole reading; nil for a record of a session.
  var state: JournalState?
}

/// A reading of a shared journal: its end, and the records and answers from a number on.
struct SharedReading {
  /// The number after which it reads.
  let start: Int64
  /// The number of the last commit.
  let head: Int64
  /// The last record that a start no longer needs.
  let base: Int64
  /// The last record that may be gone.
  let removed: Int64
  /// The nanoseconds since the last commit; 0 if unknown.
  let age: Int
  private let records: PostgreSQLRow
  private let answers: PostgreSQLRow

  /// Creates a reading from the three results of its statements; nil if they are malformed.
  init?(_ results: ArraySlice<PostgreSQLRow>, after start: Int64) {
    guard results.count == 3, let head = results.first, let sequence = head.int(0) else {
      return nil
    }
    self.start = start
    self.head = sequence
    base = head.int(1) ?? 0
    removed = head.int(2) ?? 0
    age = Int(head.int(3) ?? 0)
    records = results[results.startIndex + 1]
    answers = results[results.startIndex + 2]
  }

  /// Returns the statements of a reading after a number.
  static func statements(
    locking isLocking: Bool, after position: Int64
  ) -> [PostgreSQLStatement] {
    [
      PostgreSQLStatement(isLocking ? "menud_lock_head" : "menud_read_head"),
      PostgreSQLStatement("menud_records_after", [.int(position)]),
      PostgreSQLStatement("menud_answers_after", [.int(position)]),
    ]
  }

  /// Returns the items after a number, up to the end, records first. Later ones were committed during the
  /// reading.
  fileprivate func items(
    after position: Int64, in database: String
  ) throws(JournalFault) -> ([JournalItem], [FollowedRecord]) {
    var (items, found): ([JournalItem], [FollowedRecord]) = ([], [])
    for index in 0..<records.count {
      records.seek(index)
      guard let sequence = records.int(3),
        let kind = records.int(4).flatMap(JournalRecord.Kind.init),
        let revision = records.int(5), let payload = records.bytes(6)
      else { throw .damagedDatabase(database, .tables) }
      guard position < sequence, sequence <= head else { continue }
      var record = JournalRecord(kind, records.subject, revision: revision, payload: payload)
      items.append(.record(record, sequence: sequence))
      record.payload = []
      let place = SubjectPosition(
        incarnation: records.int(1) ?? -1, edition: records.int(2) ?? -1,
        checksum: records.int(7) ?? 0)
      found.append(FollowedRecord(record: record, sequence: sequence, place: place))
    }
    for index in 0..<answers.count {
      answers.seek(index)
      guard let sequence = answers.int(7), position < sequence, sequence <= head else { continue }
      let entry = IdempotencyEntry(answers)
      guard entry.checksum(at: 0) == answers.int(6) else {
        throw .damagedDatabase(database, .entries)
      }
      items.append(.entry(entry))
    }
    return (items, found)
  }
}

/// The bases of a journal, from the oldest that some replica may still need.
struct SharedBases {
  /// The time for which a disconnected replica can still catch up.
  private static let patience = Duration.seconds(60)
  private var bases: [(base: Int64, since: ContinuousClock.Instant)] = []
  /// The last record that may be removed.
  private(set) var removable: Int64 = 0

  /// Records the present base.
  mutating func note(_ base: Int64) {
    let now = ContinuousClock.now
    if bases.last?.base ?? removable < base { bases.append((base, now)) }
    while let first = bases.first, first.since.duration(to: now) > Self.patience {
      removable = max(removable, first.base)
      bases.removeFirst()
    }
  }
}
