import Synchronization

extension PostgreSQLDatabase {
  /// The maximum number of states written with one batch, so that requests do not wait long.
  static let statesAtOnce = 16
  private static let stateBytesAtOnce = 1 << 20
  /// The time before states are written again after some could not be made.
  private static let sweepPause = Duration.seconds(60)
  /// The maximum number of records removed with one batch.
  private static let removalsAtOnce: Int64 = 4096
  /// The number of changes from which a session's state is written at the end of the program, as in SQLite.
  private static let changesWorthAState = 8

  /// The last record that may be removed: every replica has applied it.
  private var removable: Int64 {
    guard let sharing else { return plan.base }
    return sharing.isCaretaker.load(ordering: .relaxed) ? sharedBases.removable : removed
  }

  /// True if states or removals are due.
  var hasMore: Bool { sweep != nil || removed < removable }

  /// Begins to write states if that is due.
  func sweepIfDue() {
    if plan.due == nil {
      plan.noteDue()
      duePositions = plan.due == nil ? [:] : positions
    }
    guard sweep == nil, let due = plan.ripe, sweepsAgain.map({ $0 <= .now }) ?? true else {
      return
    }
    sweep = PostgreSQLSweep(of: due, catalogAt: duePositions[.catalog])
  }

  /// Returns the state of a subject to write: the one when the sweep became due or, if other replicas may have
  /// changed it, the present one.
  private func due(_ subject: JournalSubject) -> (
    pending: SnapshotPlan.Pending, place: SubjectPosition
  )? {
    let isShared = sharing != nil
    let pending = isShared ? plan.pending[subject] : plan.due?.pending[subject]
    guard let pending, let place = isShared ? positions[subject] : duePositions[subject] else {
      return nil
    }
    return (pending, place)
  }

  /// Makes a batch durable, atomically; returns true if there is more to do.
  ///
  /// An empty batch checks the connection, unless there is something to retry or to do.
  func commit(_ writes: [JournalWrite]) throws(JournalFault) -> Bool {
    sweepIfDue()
    guard !writes.isEmpty || hasFailed || hasMore else {
      try checkConnection()
      return false
    }
    do throws(JournalFault) {
      try commit(batch(of: writes))
      hasFailed = false
    } catch {
      hasFailed = true
      throw error
    }
    return hasMore
  }

  /// Writes the states of sessions with many changes, so that the next start need not replay these.
  func writeStatesForNextStart() throws(JournalFault) {
    // Other replicas go on with a shared journal.
    guard !hasFailed, sharing == nil else { return }
    let often = plan.sessionsForNextStart(changedAtLeast: Self.changesWorthAState)
    var waiting = often.map(\.subject)[...]
    while !waiting.isEmpty {
      var batch = PostgreSQLBatch(after: plan)
      while batch.stateBytes < Self.stateBytesAtOnce, let subject = waiting.popFirst() {
        if let pending = plan.pending[subject], let place = positions[subject] {
          _ = batch.put(StoredState(subject, pending), at: place)
        }
      }
      try commit(batch)
    }
  }

  func batch(of writes: [JournalWrite]) throws(JournalFault) -> PostgreSQLBatch {
    var batch = PostgreSQLBatch(after: plan)
    // Before the changes, which may close one of these sessions.
    addStates(to: &batch)
    let removal = min(removable, removed + Self.removalsAtOnce)
    if removed < removal {
      batch.removal = removal
      batch.add("menud_remove_records", .int(removed), .int(removal))
    }
    var entries: Int64 = 0
    for write in writes {
      if write.record != nil { try batch.append(write, after: positions) }
      for key in write.forgotten { batch.add("menud_remove_answer", .bytes(key)) }
      guard let entry = write.entry else { continue }
      batch.put(entry)
      entries += 1
    }
    // More than are added, so that expired ones cannot pile up.
    if entries > 0 { batch.add("menud_remove_expired", .int(clock.now), .int(entries * 4)) }
    return batch
  }

  /// Adds some of the states that are due; at the end of the sweep, releases the records that they replace.
  private func addStates(to batch: inout PostgreSQLBatch) {
    guard var sweep else { return }
    var unread: [JournalSubject] = []
    for subject in sweep.waiting.suffix(Self.statesAtOnce).reversed()
    where batch.stateBytes < Self.stateBytesAtOnce {
      sweep.waiting.removeLast()
      guard let (pending, place) = due(subject) else { continue }
      if let isPut = putState(of: subject, pending, at: place, in: &batch) {
        sweep.isWhole = sweep.isWhole && isPut
      } else {
        unread.append(subject)
      }
    }
    sweep.waiting = unread + sweep.waiting
    batch.sweep = sweep
    guard sweep.waiting.isEmpty else { return }
    batch.sweep = .some(nil)
    if let (pending, place) = sweep.catalog, sweep.isWhole {
      sweep.isWhole = batch.put(StoredState(.catalog, pending), at: place)
    }
    // If a state cannot be made, all records stay.
    if sweep.isWhole {
      batch.base = max(plan.base, sweep.last)
    } else {
      sweepsAgain = .now + Self.sweepPause
    }
  }

  /// Adds the state of a session; false if it cannot be made, nil if it must be read first.
  private func putState(
    of subject: JournalSubject, _ pending: SnapshotPlan.Pending, at place: SubjectPosition,
    in batch: inout PostgreSQLBatch
  ) -> Bool? {
    guard let sharing else { return batch.put(StoredState(subject, pending), at: place) }
    if let state = sharing.state(of: subject) {
      var pending = pending
      pending.state = state
      return batch.put(StoredState(subject, pending), at: place)
    }
    guard let found = unloadedStates[subject] else { return nil }
    guard let read = found else { return false }
    // The state must not be of an earlier incarnation.
    return read.place.incarnation == place.incarnation
      ? batch.put(read.state, at: read.place) : nil
  }

  /// Commits a batch, and takes over its results.
  private func commit(_ batch: PostgreSQLBatch) throws(JournalFault) {
    try commit(batch.statements, through: batch.last, base: batch.base)
    take(batch)
  }

  /// Takes over the results of a committed batch.
  func take(_ batch: PostgreSQLBatch) {
    figures.states.add(batch.states.count)
    for (subject, sequence) in batch.states { plan.noteState(of: subject, at: sequence) }
    for (subject, place) in batch.positions { positions[subject] = place }
    if let sweep = batch.sweep {
      self.sweep = sweep
      if sweep == nil { plan.endDue() }
    }
    if let removal = batch.removal { removed = removal }
    for (write, sequence) in batch.recorded { plan.note(write, at: sequence) }
    (plan.last, plan.base) = (batch.last, batch.base)
  }
}

/// The position of a subject's last record.
struct SubjectPosition: Equatable, Sendable {
  /// The record that opened the subject.
  let incarnation: Int64
  /// The number of earlier records of this incarnation.
  let edition: Int64
  /// The record's checksum, which covers that of the previous one.
  let checksum: Int64
}

/// The writing of all states that are due, a few with each batch, so that the records up to `last` are no
/// longer needed.
struct PostgreSQLSweep {
  let last: Int64
  /// The sessions whose states are still to be written.
  var waiting: [JournalSubject]
  /// True if all states so far could be made.
  var isWhole = true
  /// The catalogue after `last`, if it changed.
  ///
  /// It is written at the end, and must not be a newer one: the records after `last` are replayed under it.
  let catalog: (pending: SnapshotPlan.Pending, place: SubjectPosition)?

  init(of due: SnapshotPlan.Due, catalogAt place: SubjectPosition?) {
    last = due.last
    waiting = due.sessions
    if let pending = due.pending[.catalog], let place {
      catalog = (pending, place)
    } else {
      catalog = nil
    }
  }
}

/// The statements that become durable together, and the state after them.
struct PostgreSQLBatch {
  private(set) var statements: [PostgreSQLStatement] = []
  /// Those with a record, and the number of that.
  private(set) var recorded: [(write: JournalWrite, sequence: Int64)] = []
  /// The last record.
  private(set) var last: Int64
  /// The last record that is no longer needed.
  var base: Int64
  private let first: Int64
  /// The new positions of subjects; nil for a closed session.
  private(set) var positions: [JournalSubject: SubjectPosition?] = [:]
  private(set) var states: [(subject: JournalSubject, sequence: Int64)] = []
  private(set) var stateBytes = 0
  /// The new value of the sweep, which is nil when it is over; nil if it is unchanged.
  var sweep: PostgreSQLSweep??
  /// The last record that is removed; nil if none is.
  var removal: Int64?

  var isEmpty: Bool { statements.isEmpty }

  init(after plan: SnapshotPlan) { (last, base, first) = (plan.last, plan.base, plan.last) }

  mutating func add(_ name: String, _ values: PostgreSQLValue...) {
    statements.append(PostgreSQLStatement(name, values))
  }

  /// Adds a record after the last one; `places` are the positions before the batch.
  mutating func append(
    _ write: JournalWrite, after places: [JournalSubject: SubjectPosition]
  ) throws(JournalFault) {
    guard let record = write.record else { return }
    let subject = record.subject
    let former = positions[subject] ?? places[subject]
    last += 1
    recorded.append((write, last))
    let checksum = record.checksum(
      at: last, after: record.kind == .opened ? 0 : former?.checksum ?? 0)
    let present: SubjectPosition
    if record.kind == .opened {
      present = SubjectPosition(incarnation: last, edition: 0, checksum: checksum)
    } else if let former {
      present = SubjectPosition(
        incarnation: former.incarnation, edition: former.edition + 1, checksum: checksum)
    } else {
      throw .unwritable(subject, reason: "It is not open.")
    }
    var values: [PostgreSQLValue] = [
      .text(subject.text), .int(present.incarnation), .int(present.edition), .int(last),
      .int(record.kind.rawValue), .int(record.revision), .bytes(record.payload), .int(checksum),
    ]
    if record.kind == .opened { values.append(.bytes(write.label ?? [])) }
    statements.append(PostgreSQLStatement(record.kind.statement, values))
    positions.updateValue(record.kind == .closed ? nil : present, forKey: subject)
  }

  /// Adds a state in place of an older one of its subject; false without a state.
  mutating func put(_ state: StoredState?, at place: SubjectPosition) -> Bool {
    guard let state else { return false }
    add(
      "menud_put_state", .text(state.subject.text), .int(place.incarnation), .int(place.edition),
      .int(state.sequence), .int(state.revision), .bytes(state.payload), .int(place.checksum),
      .int(state.checksum))
    states.append((state.subject, state.sequence))
    stateBytes += state.payload.count
    return true
  }

  /// Adds an entry in place of an older one under its key.
  mutating func put(_ entry: IdempotencyEntry) {
    // Other replicas read after the last number that they have applied.
    if last == first { last += 1 }
    add(
      "menud_put_answer", .bytes(entry.key), .bytes(entry.fingerprint), .int(entry.status),
      .bytes(entry.headers), .bytes(entry.body), .int(entry.expiry), .int(entry.checksum(at: 0)),
      .int(last))
  }
}

extension JournalRecord.Kind {
  /// The name of the prepared statement for such a record.
  fileprivate var statement: String {
    switch self {
    case .opened: "menud_open"
    case .changed: "menud_change"
    case .closed: "menud_close"
    }
  }
}
