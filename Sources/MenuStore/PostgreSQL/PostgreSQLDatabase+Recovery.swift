extension PostgreSQLDatabase {
  /// Hands out the contents of the database, in order, and takes the journal over; see `Journal.recover`.
  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    guard sharing != nil else { return try readAll(read, stateOf: state) }
    // A snapshot, since other replicas commit meanwhile.
    try execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
    let recovery = try readAll(read, stateOf: state)
    try execute("COMMIT")
    try take(afterRecord: directoryEnd, base: plan.base)
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
    let ends = try readEnds(read)
    var chain = SubjectChain(in: place)
    recovery.states = try readStates(of: ends, &chain, read)
    let replayed = try readRecords(of: &chain, counting: &recovery, read)
    for (subject, end) in ends where chain.positions[subject] != end {
      throw .damagedDatabase(place, .recordsOf(subject))
    }
    positions = ends
    if sharing != nil {
      recovery.records = try row(of: "SELECT count(*) FROM menud_record")?.int(0) ?? 0
      catalogAt =
        try row(of: "SELECT max(sequence) FROM menud_record WHERE subject = ''")?.int(0) ?? 0
      return recovery
    }
    recovery.entries = try readEntries(read)
    for (subject, place) in replayed { note(subject, place, state: state(subject)) }
    try take(afterRecord: plan.last, base: plan.base)
    return recovery
  }

  private func execute(_ script: String) throws(JournalFault) {
    try JournalFault.of(database: place) { () throws(PostgreSQLFault) in
      try connection.execute(script)
    }
  }

  /// The last record read of a subject, with the number of its changes.
  private typealias LastRecord = (sequence: Int64, revision: Int64, changes: Int)

  /// Returns the last record, the last one that is no longer needed, and the last one that was removed.
  private func readExtent() throws(JournalFault) -> (last: Int64, base: Int64, removed: Int64) {
    let row = try row(
      of: """
        SELECT greatest(max(w.sequence), max(h.sequence)), greatest(max(w.base), max(h.base)),
          (SELECT min(sequence) FROM menud_record), (SELECT max(sequence) FROM menud_record),
          (SELECT last_value FROM menud_sequence WHERE is_called), max(h.sequence)
        FROM menud_head h LEFT JOIN menud_writer w ON true
        """)
    // Replicas number records by the sequence.
    let (last, base) = (max(row?.int(0) ?? 0, row?.int(4) ?? 0), row?.int(1) ?? 0)
    directoryEnd = row?.int(5) ?? 0
    guard row?.int(3) ?? 0 <= last, base <= last else {
      throw .damagedDatabase(place, .extent)
    }
    return (last, base, row?.int(2).map { $0 - 1 } ?? base)
  }

  /// Adds a subject with records after its state to the plan.
  private func note(_ subject: JournalSubject, _ place: LastRecord, state: JournalState?) {
    guard state != nil else { return }
    plan.note(
      subject,
      .init(
        sequence: place.sequence, revision: place.revision, changes: place.changes, state: state))
  }

  /// Reads the last records of the subjects to load, and which sessions stay unloaded.
  private func readEnds(
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> [JournalSubject: SubjectPosition] {
    var ends: [JournalSubject: SubjectPosition] = [:]
    try start("SELECT subject, incarnation, edition, checksum, label FROM menud_subject")
    while let row = try next() {
      if sharing != nil, let label = row.bytes(4) {
        try read(.unread(row.subject, label: label))
      } else {
        ends[row.subject] = SubjectPosition(
          incarnation: row.int(1) ?? -1, edition: row.int(2) ?? -1, checksum: row.int(3) ?? 0)
      }
    }
    return ends
  }

  /// The condition for the subjects that are loaded at the start.
  private var isRead: String { sharing == nil ? "true" : "e.label IS NULL" }

  private func readStates(
    of ends: [JournalSubject: SubjectPosition], _ chain: inout SubjectChain,
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> Int64 {
    var count: Int64 = 0
    // The catalogue first, since sessions are read under it.
    try start(
      """
      SELECT s.subject, s.incarnation, s.edition, s.sequence, 0::bigint, s.revision, s.payload,
        s.record_checksum, s.checksum
      FROM menud_state s LEFT JOIN menud_subject e USING (subject) WHERE \(isRead)
      ORDER BY s.subject <> ''
      """)
    while let row = try next() {
      let state = try chain.read(row)
      guard let end = ends[state.subject], let place = chain.positions[state.subject],
        end.incarnation == place.incarnation, place.edition <= end.edition
      else { throw .damagedDatabase(self.place, .state(state.subject)) }
      try read(state.item)
      count += 1
    }
    return count
  }

  /// Reads the records after each state.
  private func readRecords(
    of chain: inout SubjectChain, counting recovery: inout JournalRecovery,
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> [JournalSubject: LastRecord] {
    var replayed: [JournalSubject: LastRecord] = [:]
    try start(
      """
      SELECT r.subject, r.incarnation, r.edition, r.sequence, r.kind, r.revision, r.payload,
        r.checksum, NULL::bigint
      FROM menud_record r JOIN menud_subject e USING (subject, incarnation)
      LEFT JOIN menud_state s USING (subject)
      WHERE r.edition > coalesce(s.edition, -1) AND \(isRead) ORDER BY r.sequence
      """)
    while let row = try next() {
      let record = try chain.read(row)
      try read(record.item)
      recovery.replayed += 1
      let changes =
        record.kind == .changed ? (replayed[record.subject]?.changes ?? 0) + 1 : 0
      replayed[record.subject] = (record.sequence, record.revision, changes)
    }
    return replayed
  }

  private func readEntries(
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> Int64 {
    if let expiry = try row(of: "SELECT max(expiry) FROM menud_answer")?.int(0) {
      clock.resume(afterAnswerExpiringAt: expiry)
    }
    let now = clock.now
    var count: Int64 = 0
    try start(
      "SELECT key, fingerprint, status, headers, body, expiry, checksum FROM menud_answer")
    while let row = try next() {
      let entry = try IdempotencyEntry(checking: row, in: place)
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
  /// Reads the answer in the first six columns, and compares it with its checksum in the next.
  init(checking row: PostgreSQLRow, in database: String) throws(JournalFault) {
    self.init(
      key: row.bytes(0) ?? [], fingerprint: row.bytes(1) ?? [], status: row.int(2) ?? -1,
      headers: row.bytes(3) ?? [], body: row.bytes(4) ?? [], expiry: row.int(5) ?? -1)
    guard checksum(at: 0) == row.int(6) else { throw .damagedDatabase(database, .entries) }
  }
}

extension PostgreSQLRow {
  /// The subject in the first column.
  var subject: JournalSubject { JournalSubject(text: text(0) ?? "") }
}
