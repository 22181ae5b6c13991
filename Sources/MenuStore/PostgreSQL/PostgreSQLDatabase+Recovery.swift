extension PostgreSQLDatabase {
  /// Hands out what the database holds, in order, and takes it over; see `Journal.recover`.
  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    guard sharing != nil else { return try readAll(read, stateOf: state) }
    // Others commit meanwhile.
    try execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    let recovery = try readAll(read, stateOf: state)
    try execute("COMMIT")
    try take(afterRecord: plan.last, base: plan.base)
    return recovery
  }

  private func readAll(
    _ read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    var recovery = JournalRecovery()
    recovery.notices = notices
    (plan.last, plan.base, removed) = try readExtent()
    recovery.last = plan.last
    recovery.records = plan.last - plan.base
    let ends = try readEnds()
    recovery.states = try readStates(of: ends, read)
    let replayed = try readRecords(read, &recovery)
    try check(positions, against: ends)
    recovery.entries = try readEntries(read)
    for (subject, place) in replayed {
      guard let state = state(subject) else { continue }
      plan.note(
        subject,
        .init(
          sequence: place.sequence, revision: place.revision, changes: place.changes, state: state))
    }
    if sharing == nil { try take(afterRecord: plan.last, base: plan.base) }
    return recovery
  }

  private func execute(_ script: String) throws(JournalFault) {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.execute(script)
    }
  }

  /// The last record of a subject that was read, and the number of changes read of it.
  private typealias LastRecord = (sequence: Int64, revision: Int64, changes: Int)

  /// The last record, the last one that is no longer needed, and the last one that is not there.
  private func readExtent() throws(JournalFault) -> (last: Int64, base: Int64, removed: Int64) {
    let row = try row(
      of: """
        SELECT greatest(max(w.sequence), max(h.sequence)), greatest(max(w.base), max(h.base)),
          (SELECT min(sequence) FROM menud_record), (SELECT max(sequence) FROM menud_record)
        FROM menud_head h LEFT JOIN menud_writer w ON true
        """)
    let (last, base) = (row?.int(0) ?? 0, row?.int(1) ?? 0)
    guard row?.int(3) ?? 0 <= last, base <= last else {
      throw .damagedDatabase(place, .extent)
    }
    return (last, base, row?.int(2).map { $0 - 1 } ?? base)
  }

  private func readEnds() throws(JournalFault) -> [JournalSubject: SubjectPosition] {
    var ends: [JournalSubject: SubjectPosition] = [:]
    try start("SELECT subject, incarnation, edition, checksum FROM menud_subject")
    while let row = try next() {
      ends[row.subject] = SubjectPosition(
        incarnation: row.int(1) ?? -1, edition: row.int(2) ?? -1, checksum: row.int(3) ?? 0)
    }
    return ends
  }

  private func readStates(
    of ends: [JournalSubject: SubjectPosition],
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> Int64 {
    var count: Int64 = 0
    // The catalogue first, since sessions are read under it.
    try start(
      """
      SELECT subject, incarnation, edition, sequence, revision, payload, record_checksum, checksum
      FROM menud_state ORDER BY subject <> ''
      """)
    while let row = try next() {
      let state = StoredState(
        subject: row.subject, sequence: row.int(3) ?? -1, revision: row.int(4) ?? -1,
        payload: row.bytes(5) ?? [])
      let place = SubjectPosition(
        incarnation: row.int(1) ?? -1, edition: row.int(2) ?? -1, checksum: row.int(6) ?? 0)
      guard state.checksum == row.int(7), let end = ends[state.subject],
        end.incarnation == place.incarnation, place.edition <= end.edition
      else { throw .damagedDatabase(self.place, .state(state.subject)) }
      positions[state.subject] = place
      try read(.state(state.subject, revision: state.revision, state.payload))
      count += 1
    }
    return count
  }

  /// Reads the records that no state stands for, each of which follows the one before of its subject.
  private func readRecords(
    _ read: (JournalItem) throws(JournalFault) -> Void, _ recovery: inout JournalRecovery
  ) throws(JournalFault) -> [JournalSubject: LastRecord] {
    var replayed: [JournalSubject: LastRecord] = [:]
    try start(
      """
      SELECT r.subject, r.incarnation, r.edition, r.sequence, r.kind, r.revision, r.payload,
        r.checksum
      FROM menud_record r JOIN menud_subject e USING (subject, incarnation)
      LEFT JOIN menud_state s USING (subject) WHERE r.edition > coalesce(s.edition, -1)
      ORDER BY r.sequence
      """)
    while let row = try next() {
      guard let sequence = row.int(3), let kind = row.int(4).flatMap(JournalRecord.Kind.init),
        let revision = row.int(5), let payload = row.bytes(6), let checksum = row.int(7)
      else { throw .damagedDatabase(place, .tables) }
      let record = JournalRecord(kind, row.subject, revision: revision, payload: payload)
      let former = positions[record.subject]
      guard row.int(2) == (former?.edition ?? -1) + 1, (kind == .opened) == (former == nil),
        checksum == record.checksum(at: sequence, after: former?.checksum ?? 0)
      else { throw .damagedDatabase(place, .record(sequence: sequence)) }
      positions[record.subject] = SubjectPosition(
        incarnation: row.int(1) ?? -1, edition: (former?.edition ?? -1) + 1, checksum: checksum)
      try read(.record(record, sequence: sequence))
      recovery.replayed += 1
      let changes = kind == .changed ? (replayed[record.subject]?.changes ?? 0) + 1 : 0
      replayed[record.subject] = (sequence, revision, changes)
    }
    return replayed
  }

  /// Checks that of each subject everything was read.
  private func check(
    _ found: [JournalSubject: SubjectPosition], against ends: [JournalSubject: SubjectPosition]
  ) throws(JournalFault) {
    for (subject, end) in ends where found[subject] != end {
      throw .damagedDatabase(place, .recordsOf(subject))
    }
  }

  private func readEntries(
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> Int64 {
    if sharing == nil,
      let expiry = try row(of: "SELECT max(expiry) FROM menud_answer")?.int(0)
    {
      clock.resume(afterAnswerExpiringAt: expiry)
    }
    let now = clock.now
    var count: Int64 = 0
    try start(
      "SELECT key, fingerprint, status, headers, body, expiry, checksum FROM menud_answer")
    while let row = try next() {
      let entry = IdempotencyEntry(row)
      guard entry.checksum(at: 0) == row.int(6) else { throw .damagedDatabase(place, .entries) }
      guard entry.expiry > now else { continue }
      try read(.entry(entry))
      count += 1
    }
    return count
  }

  private func start(_ text: String) throws(JournalFault) {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.start(text)
    }
  }

  private func next() throws(JournalFault) -> PostgreSQLRow? {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in try connection.next() }
  }

  private func row(of text: String) throws(JournalFault) -> PostgreSQLRow? {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.row(of: text)
    }
  }
}

extension IdempotencyEntry {
  /// The answer in the first six columns.
  init(_ row: PostgreSQLRow) {
    self.init(
      key: row.bytes(0) ?? [], fingerprint: row.bytes(1) ?? [], status: row.int(2) ?? -1,
      headers: row.bytes(3) ?? [], body: row.bytes(4) ?? [], expiry: row.int(5) ?? -1)
  }
}

extension PostgreSQLRow {
  /// The subject in the first column.
  var subject: JournalSubject { JournalSubject(text: text(0) ?? "") }
}
