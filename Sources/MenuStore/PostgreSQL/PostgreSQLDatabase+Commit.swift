import Synchronization

extension PostgreSQLDatabase {
  /// The maximum number of states written with one batch, so that requests do not wait long.
  static let statesAtOnce = 16
  private static let stateBytesAtOnce = 1 << 20
  /// The time before states are written again after some could not be made.
  private static let sweepPause = Duration.seconds(60)
  /// The maximum number of records removed with one batch.
  static let removalsAtOnce: Int64 = 4096
  /// The number of changes from which a session's state is written at the end of the program, as in SQLite.
  private static let changesWorthAState = 8

  /// True if states or removals are due.
  var hasMore: Bool { sweep != nil || removed < plan.base }

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
    let removal = min(plan.base, removed + Self.removalsAtOnce)
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
    for subject in sweep.waiting.suffix(Self.statesAtOnce).reversed()
    where batch.stateBytes < Self.stateBytesAtOnce {
      sweep.waiting.removeLast()
      guard let pending = plan.due?.pending[subject], let place = duePositions[subject] else {
        continue
      }
      let isPut = batch.put(StoredState(subject, pending), at: place)
      sweep.isWhole = sweep.isWhole && isPut
    }
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
  /// The new positions of subjects; nil for a closed session.
  private(set) var positions: [JournalSubject: SubjectPosition?] = [:]
  private(set) var states: [(subject: JournalSubject, sequence: Int64)] = []
  private(set) var stateBytes = 0
  /// The new value of the sweep, which is nil when it is over; nil if it is unchanged.
  var sweep: PostgreSQLSweep??
  /// The last record that is removed; nil if none is.
  var removal: Int64?

  var isEmpty: Bool { statements.isEmpty }

  init(after plan: SnapshotPlan) { (last, base) = (plan.last, plan.base) }

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
    let present: SubjectPosition
    if record.kind == .opened {
      present = SubjectPosition(
        incarnation: last, edition: 0, checksum: record.checksum(at: 0, after: 0))
    } else if let former {
      let edition = former.edition + 1
      present = SubjectPosition(
        incarnation: former.incarnation, edition: edition,
        checksum: record.checksum(at: edition, after: former.checksum))
    } else {
      throw .unwritable(subject, reason: "It is not open.")
    }
    var values: [PostgreSQLValue] = [
      .text(subject.text), .int(present.incarnation), .int(present.edition), .int(last),
      .int(record.kind.rawValue), .int(record.revision), .bytes(record.payload),
      .int(present.checksum),
    ]
    if record.kind == .opened { values.append(.bytes(write.label ?? [])) }
    statements.append(PostgreSQLStatement(record.kind.statement, values))
    positions.updateValue(record.kind == .closed ? nil : present, forKey: subject)
  }

  /// Adds a state in place of an older one of its subject; false without a state.
  mutating func put(_ state: StoredState?, at place: SubjectPosition) -> Bool {
    guard let state else { return false }
    let checked = StoredState(
      subject: state.subject, sequence: place.edition, revision: state.revision,
      payload: state.payload)
    add(
      "menud_put_state", .text(state.subject.text), .int(place.incarnation), .int(place.edition),
      .int(state.sequence), .int(state.revision), .bytes(state.payload), .int(place.checksum),
      .int(checked.checksum))
    states.append((state.subject, state.sequence))
    stateBytes += state.payload.count
    return true
  }

  /// Adds an entry in place of an older one under its key.
  mutating func put(_ entry: IdempotencyEntry) {
    add(
      "menud_put_answer", .bytes(entry.key), .bytes(entry.fingerprint), .int(entry.status),
      .bytes(entry.headers), .bytes(entry.body), .int(entry.expiry), .int(entry.checksum(at: 0)))
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
