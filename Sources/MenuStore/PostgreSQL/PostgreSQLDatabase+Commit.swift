import Synchronization

extension PostgreSQLDatabase {
  /// The maximum number of states that are written with one batch, so that requests do not wait
  /// long for it.
  static let statesAtOnce = 16
  private static let stateBytesAtOnce = 1 << 20
  /// The time after which states are written again if some could not be made.
  private static let sweepPause = Duration.seconds(60)
  /// The maximum number of records that are removed with one batch.
  private static let removalsAtOnce: Int64 = 4096
  /// From how many changes on the state of a session is written when the program stops, as in SQLite.
  private static let changesWorthAState = 8

  /// The last record that may be removed: no process that shares the journal lacks it.
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

  /// A subject as its state is to be written: as it was when that was due, or as it is if other processes may have
  /// changed it.
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

  /// Makes a batch durable, all or nothing; answers whether there is something else to do.
  ///
  /// An empty one is a look at the connection, unless there is something to try or to do.
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

  /// Writes states of the sessions that changed often, so that the next start need not do their changes
  /// again.
  func writeStatesForNextStart() throws(JournalFault) {
    // Others go on with a shared journal.
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
    // More than there are new ones, so that they cannot pile up.
    if entries > 0 { batch.add("menud_remove_expired", .int(clock.now), .int(entries * 4)) }
    return batch
  }

  /// Adds some of the states that are due, and at the end gives up the records they stand for.
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
    // All records stay when a state cannot be made.
    if sweep.isWhole {
      batch.base = max(plan.base, sweep.last)
    } else {
      sweepsAgain = .now + Self.sweepPause
    }
  }

  /// Adds the state of a session; false if none can be made, and nil if it is still to be read.
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
    // Not that of an earlier opening.
    return read.place.incarnation == place.incarnation
      ? batch.put(read.state, at: read.place) : nil
  }

  /// Commits a batch, and takes over what it leads to.
  private func commit(_ batch: PostgreSQLBatch) throws(JournalFault) {
    try commit(batch.statements, through: batch.last, base: batch.base)
    take(batch)
  }

  /// Takes over what a committed batch leads to.
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

/// The last record of a subject.
struct SubjectPosition: Equatable, Sendable {
  /// The record that opened the subject.
  let incarnation: Int64
  /// The number of records before it since then.
  let edition: Int64
  /// Its checksum, which includes that of the one before.
  let checksum: Int64
}

/// The writing of all states that are due, a few with each batch, so that the records up to `last` are no
/// longer needed.
struct PostgreSQLSweep {
  let last: Int64
  /// The sessions whose states are not written yet.
  var waiting: [JournalSubject]
  /// True if all states that were due could be made so far.
  var isWhole = true
  /// The catalogue as it was after `last`, if it changed.
  ///
  /// It is written at the end, and not a newer one: the records behind `last` are read under it.
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

/// The statements that become durable together, and the state that they lead to.
struct PostgreSQLBatch {
  private(set) var statements: [PostgreSQLStatement] = []
  /// Those with a record, and the number of that.
  private(set) var recorded: [(write: JournalWrite, sequence: Int64)] = []
  /// The last record.
  private(set) var last: Int64
  /// The last record that nobody needs any more.
  var base: Int64
  private let first: Int64
  /// The positions that it changes; nil for a closed session.
  private(set) var positions: [JournalSubject: SubjectPosition?] = [:]
  private(set) var states: [(subject: JournalSubject, sequence: Int64)] = []
  private(set) var stateBytes = 0
  /// The rest of the sweep, which is nil when that is over; nil if it stays as it is.
  var sweep: PostgreSQLSweep??
  /// The last record that is removed; nil if none is.
  var removal: Int64?

  /// True if it says nothing.
  var isEmpty: Bool { statements.isEmpty }

  init(after plan: SnapshotPlan) { (last, base, first) = (plan.last, plan.base, plan.last) }

  mutating func add(_ name: String, _ values: PostgreSQLValue...) {
    statements.append(PostgreSQLStatement(name, values))
  }

  /// Adds a record behind the last one; the places are those before the batch.
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

  /// Puts a state in the place of an older one of its subject; false if there is none.
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

  /// Puts an entry in the place of an older one under its key.
  mutating func put(_ entry: IdempotencyEntry) {
    // Others look behind the last number that they know.
    if last == first { last += 1 }
    add(
      "menud_put_answer", .bytes(entry.key), .bytes(entry.fingerprint), .int(entry.status),
      .bytes(entry.headers), .bytes(entry.body), .int(entry.expiry), .int(entry.checksum(at: 0)),
      .int(last))
  }
}

extension JournalRecord.Kind {
  /// The prepared statement that adds such a record.
  fileprivate var statement: String {
    switch self {
    case .opened: "menud_open"
    case .changed: "menud_change"
    case .closed: "menud_close"
    }
  }
}
