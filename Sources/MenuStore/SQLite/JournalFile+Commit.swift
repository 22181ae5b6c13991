extension JournalFile {
  /// The maximum number and bytes of states written with one batch, so that requests do not wait long.
  private static let statesAtOnce = 16
  private static let stateBytesAtOnce = 1 << 20
  /// The maximum number of records removed with one batch.
  private static let removalsAtOnce: Int64 = 4096

  /// Makes a batch durable, atomically; returns true if there is more to do.
  func commit(_ writes: [JournalWrite]) throws(JournalFault) -> Bool {
    try beginLogOnce()
    plan.noteDue(checksum: extent.lastChecksum)
    if sweep == nil { sweep = plan.ripe.map(Sweep.init) }
    var next = extent
    var step = SweepStep()
    let removal = min(extent.base, removed.addingSaturating(Self.removalsAtOnce))
    try JournalFault.of(path) { () throws(SQLiteFault) in
      try connection.transaction { () throws(SQLiteFault) in
        // Before the batch, which may close one of these sessions.
        step = try writeStates(&next)
        if writes.isEmpty { try tables.spoilExtent() }
        if removed < removal { try tables.removeRecords(through: removal) }
        try write(writes, &next)
        try tables.put(next)
      }
    }
    accept(writes, reaching: next, with: step, removing: removal)
    return sweep != nil || removed < extent.base
  }

  private func write(
    _ writes: [JournalWrite], _ extent: inout JournalExtent
  ) throws(SQLiteFault) {
    var entries: Int64 = 0
    for write in writes {
      if let record = write.record { try tables.append(record, to: &extent) }
      for key in write.forgotten { try tables.removeEntry(under: key, from: &extent) }
      guard let entry = write.entry else { continue }
      try tables.put(entry, in: &extent)
      entries += 1
    }
    // More than are added, so that expired ones cannot pile up.
    if entries > 0 {
      try tables.removeEntries(expiredAt: clock.now, limit: entries * 4, from: &extent)
    }
  }

  /// Writes some of the states that are due; at the end of the sweep, releases the records that they replace.
  private func writeStates(_ extent: inout JournalExtent) throws(SQLiteFault) -> SweepStep {
    var (step, bytes) = (SweepStep(), 0)
    guard let sweep else { return step }
    for subject in sweep.waiting.reversed() {
      guard step.count < Self.statesAtOnce, bytes < Self.stateBytesAtOnce else { return step }
      step.count += 1
      guard let pending = plan.due?.pending[subject] else { continue }
      guard let state = StoredState(subject, pending) else { return step.givenUp }
      bytes += state.payload.count
      try tables.put(state, in: &extent)
      step.written.append((subject, pending.sequence))
    }
    if let catalog = sweep.catalog {
      guard let state = StoredState(.catalog, catalog) else { return step.givenUp }
      try tables.put(state, in: &extent)
      step.written.append((.catalog, catalog.sequence))
    }
    (extent.base, extent.baseChecksum) = (sweep.last, sweep.lastChecksum)
    step.isLast = true
    return step
  }

  /// Takes over the results of a committed batch.
  private func accept(
    _ writes: [JournalWrite], reaching next: JournalExtent, with step: SweepStep,
    removing removal: Int64
  ) {
    removed = max(removed, removal)
    figures.states.add(step.written.count)
    for (subject, sequence) in step.written { plan.noteState(of: subject, at: sequence) }
    sweep?.waiting.removeLast(step.count)
    if step.isLast {
      sweep = nil
      plan.endDue()
    }
    var sequence = extent.last
    for write in writes where write.record != nil {
      sequence += 1
      plan.note(write, at: sequence)
    }
    extent = next
    plan.base = extent.base
  }
}

/// The writing of all states that are due, a few with each batch, so that the records up to `last` are no
/// longer needed.
struct Sweep {
  let last: Int64
  let lastChecksum: Int64
  /// The sessions whose states are still to be written.
  var waiting: [JournalSubject]
  /// The catalogue after `last`, if it changed.
  ///
  /// It is written at the end, and must not be a newer one: the records after `last` are replayed under it.
  let catalog: SnapshotPlan.Pending?

  init(of due: SnapshotPlan.Due) {
    last = due.last
    lastChecksum = due.checksum
    waiting = due.sessions
    catalog = due.pending[.catalog]
  }
}

/// The part of a sweep that belongs to one batch.
struct SweepStep {
  var count = 0
  var written: [(subject: JournalSubject, sequence: Int64)] = []
  var isLast = false

  /// The step if a state cannot be made: the sweep ends, and all records stay.
  var givenUp: SweepStep {
    var step = self
    step.isLast = true
    return step
  }
}

extension StoredState {
  /// Creates the state of a subject after its last record; nil if it cannot be made.
  init?(_ subject: JournalSubject, _ pending: SnapshotPlan.Pending) {
    guard let payload = pending.state?() else { return nil }
    self.init(
      subject: subject, sequence: pending.sequence, revision: pending.revision, payload: payload)
  }
}

extension Int64 {
  fileprivate func addingSaturating(_ other: Int64) -> Int64 {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
