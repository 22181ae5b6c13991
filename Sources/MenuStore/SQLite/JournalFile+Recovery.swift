extension JournalFile {
  /// Hands out the contents of the file, in order; see `Journal.recover`.
  ///
  /// `mark` is the last record that the previous process acknowledged.
  func recover(
    mark: JournalLock.Mark?, reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    var recovery = JournalRecovery()
    recovery.notices = notices
    var beginnings = try checkChain(&recovery.notices)
    recovery.notices += mark.flatMap(notice).map { [$0] } ?? []
    recovery.records = extent.last - extent.base
    recovery.last = extent.last
    recovery.states = try readStates(&beginnings, read)
    let replayed = try readRecords(from: beginnings, read, &recovery)
    recovery.entries = try readEntries(read)
    (plan.base, plan.last) = (extent.base, extent.last)
    for (subject, place) in replayed {
      guard let state = state(subject) else { continue }
      plan.note(
        subject,
        .init(
          sequence: place.sequence, revision: place.revision, changes: place.changes, state: state))
    }
    return recovery
  }

  /// The last record read of a subject, with the number of its changes.
  private typealias LastRecord = (sequence: Int64, revision: Int64, changes: Int)

  private func notice(_ mark: JournalLock.Mark) -> JournalNotice? {
    switch mark {
    case .last(let last) where last > extent.last:
      .acknowledgedMissing(first: extent.last + 1, last: last)
    case .last: nil
    case .unreadable(let path): .markUnreadable(path: path)
    }
  }

  private func readStates(
    _ beginnings: inout JournalBeginnings, _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> Int64 {
    var (count, sum) = (Int64(0), JournalExtent.CheckedSum())
    // The catalogue first, since sessions are read under it.
    for condition in ["=", "<>"] {
      let rows = try prepare(
        "SELECT subject, sequence, revision, payload, checksum FROM state WHERE subject \(condition) ''"
      )
      while try rows.goOn(path) {
        let state = StoredState(
          subject: JournalSubject(text: rows[0].text ?? ""), sequence: rows[1].int ?? -1,
          revision: rows[2].int ?? -1, payload: rows[3].blob ?? [])
        guard state.checksum == rows[4].int else {
          throw .damaged(path: path, .state(state.subject))
        }
        sum.insert(state.checksum)
        guard beginnings.noteState(of: state.subject, at: state.sequence) else { continue }
        try read(.state(state.subject, revision: state.revision, state.payload))
        count += 1
      }
    }
    guard sum == extent.states else { throw .damaged(path: path, .states) }
    return count
  }

  private func readRecords(
    from beginnings: JournalBeginnings, _ read: (JournalItem) throws(JournalFault) -> Void,
    _ recovery: inout JournalRecovery
  ) throws(JournalFault) -> [JournalSubject: LastRecord] {
    var replayed: [JournalSubject: LastRecord] = [:]
    let rows = try self.rows()
    while try rows.goOn(path) {
      guard let (sequence, record, _) = rows.record else { throw .damaged(path: path, .tables) }
      guard let isNeeded = beginnings.needs(record.subject, at: sequence) else {
        throw .damaged(path: path, .state(record.subject))
      }
      guard isNeeded else { continue }
      try read(.record(record, sequence: sequence))
      recovery.replayed += 1
      let changes =
        record.kind == .changed ? (replayed[record.subject]?.changes ?? 0) + 1 : 0
      replayed[record.subject] = (sequence, record.revision, changes)
    }
    return replayed
  }

  private func readEntries(
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> Int64 {
    var (count, sum) = (Int64(0), JournalExtent.CheckedSum())
    let newest = try prepare("SELECT max(expiry) FROM entry")
    if try newest.goOn(path), let expiry = newest[0].int {
      clock.resume(afterAnswerExpiringAt: expiry)
    }
    let now = clock.now
    let rows = try prepare(
      "SELECT sequence, key, fingerprint, status, headers, body, expiry, checksum FROM entry")
    while try rows.goOn(path) {
      let entry = IdempotencyEntry(
        key: rows[1].blob ?? [], fingerprint: rows[2].blob ?? [], status: rows[3].int ?? -1,
        headers: rows[4].blob ?? [], body: rows[5].blob ?? [], expiry: rows[6].int ?? -1)
      let checksum = entry.checksum(at: rows[0].int ?? -1)
      guard checksum == rows[7].int else { throw .damaged(path: path, .entries) }
      sum.insert(checksum)
      guard entry.expiry > now else { continue }
      try read(.entry(entry))
      count += 1
    }
    guard sum == extent.entries else { throw .damaged(path: path, .entries) }
    return count
  }

  func prepare(_ text: String) throws(JournalFault) -> SQLiteStatement {
    try JournalFault.of(path) { () throws(SQLiteFault) in
      let statement = try connection.prepare(text)
      try statement.start()
      return statement
    }
  }

  /// Returns the records that are needed, in order.
  func rows() throws(JournalFault) -> SQLiteStatement {
    try prepare(
      """
      SELECT sequence, kind, subject, revision, payload, checksum FROM record \
      WHERE sequence > \(extent.base) ORDER BY sequence
      """)
  }
}

extension SQLiteStatement {
  /// Moves to the next row; returns false at the end.
  func goOn(_ path: String) throws(JournalFault) -> Bool {
    try JournalFault.of(path) { () throws(SQLiteFault) in try next() }
  }

  /// The record in the present row; nil if it is malformed.
  var record: (sequence: Int64, JournalRecord, checksum: Int64)? {
    guard let sequence = self[0].int, let kind = self[1].int.flatMap(JournalRecord.Kind.init),
      let subject = self[2].text, let revision = self[3].int, let payload = self[4].blob,
      let checksum = self[5].int
    else { return nil }
    let record = JournalRecord(
      kind, JournalSubject(text: subject), revision: revision, payload: payload)
    return (sequence, record, checksum)
  }
}
