extension PostgreSQLDatabase {
  /// Reads the contents of the database in order, and takes the journal over; see `Journal.recover`.
  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    if configuration.isOnlyRead, try PostgreSQLSchema.format(of: connection) == 0 {
      return JournalRecovery()
    }
    // Read a snapshot, because other replicas commit meanwhile. The server is idle while the last rows are processed.
    try connection.execute(
      """
      BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL idle_in_transaction_session_timeout = 0;
      """)
    var end = End()
    var recovery = try readAll(read, stateOf: state, &end)
    try connection.execute("COMMIT")
    if !configuration.isOnlyRead { recovery.openings = Int(try begin(at: end)) }
    return recovery
  }

  private func readAll(
    _ read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?, _ end: inout End
  ) throws(JournalFault) -> JournalRecovery {
    var found = RecoveredItems()
    found.recovery = try readExtent(&end)
    end.positions = try readEnds(read)
    var chain = SubjectChain(in: place)
    try readStates(of: end.positions, &chain) { (item) throws(JournalFault) in
      try found.hand(item, to: read)
    }
    try readRecords(of: &chain) { (item) throws(JournalFault) in try found.hand(item, to: read) }
    try chain.checkEnds(end.positions)
    // Replicas read answers on demand.
    if !configuration.isShared {
      try readEntries { (item) throws(JournalFault) in try found.hand(item, to: read) }
    }
    for (subject, last) in found.lastRecords
    where subject != .catalog && last.changes >= configuration.snapshotEvery {
      guard let place = end.positions[subject], let state = state(subject) else { continue }
      end.marks.append(.init(subject, at: place, revision: last.revision, state: state))
    }
    return found.recovery
  }

  /// Reads the ends of the journal and of the directory.
  private func readExtent(_ end: inout End) throws(JournalFault) -> JournalRecovery {
    let row = try connection.row(
      of: """
        SELECT (SELECT last_value FROM menud_sequence WHERE is_called),
          (SELECT max(sequence) FROM menud_record), (SELECT count(*) FROM menud_record),
          (SELECT max(sequence) FROM menud_record WHERE subject = ''), sequence
        FROM menud_head
        """)
    var recovery = JournalRecovery()
    recovery.notices = notices
    recovery.last = row?.int(0) ?? 0
    recovery.records = row?.int(2) ?? 0
    (end.catalogAt, end.directory) = (row?.int(3) ?? 0, row?.int(4) ?? 0)
    guard row?.int(1) ?? 0 <= recovery.last, end.directory <= recovery.last else {
      throw .damagedDatabase(place, .extent)
    }
    return recovery
  }

  /// Reads the last records of the subjects to load, and which sessions stay unloaded.
  private func readEnds(
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) -> [JournalSubject: SubjectPosition] {
    var ends: [JournalSubject: SubjectPosition] = [:]
    try connection.start("SELECT subject, incarnation, edition, checksum, label FROM menud_subject")
    while let row = try connection.next() {
      if configuration.isShared, let label = row.bytes(4) {
        try read(.unread(row.subject, label: label))
      } else {
        ends[row.subject] = SubjectPosition(
          incarnation: row.int(1) ?? -1, edition: row.int(2) ?? -1, checksum: row.int(3) ?? 0)
      }
    }
    return ends
  }

  /// The condition for the subjects that are loaded at the start.
  private var isRead: String { configuration.isShared ? "e.label IS NULL" : "true" }

  private func readStates(
    of ends: [JournalSubject: SubjectPosition], _ chain: inout SubjectChain,
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    // Read the catalogue first, because sessions depend on it.
    try connection.start(
      """
      SELECT s.subject, s.incarnation, s.edition, s.sequence, 0::bigint, s.revision, s.payload,
        s.record_checksum, s.checksum
      FROM menud_state s LEFT JOIN menud_subject e USING (subject) WHERE \(isRead)
      ORDER BY s.subject <> ''
      """)
    while let row = try connection.next() {
      let state = try chain.read(row)
      guard let end = ends[state.subject], let place = chain.positions[state.subject],
        end.incarnation == place.incarnation, place.edition <= end.edition
      else { throw .damagedDatabase(self.place, .state(state.subject)) }
      try read(state.item)
    }
  }

  /// Reads the records after each state.
  private func readRecords(
    of chain: inout SubjectChain, _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    try connection.start(
      """
      SELECT r.subject, r.incarnation, r.edition, r.sequence, r.kind, r.revision, r.payload,
        r.checksum, NULL::bigint
      FROM menud_record r JOIN menud_subject e USING (subject, incarnation)
      LEFT JOIN menud_state s USING (subject)
      WHERE r.edition > coalesce(s.edition, -1) AND \(isRead) ORDER BY r.sequence
      """)
    while let row = try connection.next() { try read(try chain.read(row).item) }
  }

  private func readEntries(
    _ read: (JournalItem) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    let last = try connection.row(of: "SELECT max(expiry) FROM menud_answer")
    if let expiry = last?.int(0) {
      clock.resume(afterAnswerExpiringAt: expiry)
    }
    let now = clock.now
    try connection.start(
      "SELECT key, fingerprint, status, headers, body, expiry, checksum FROM menud_answer")
    while let row = try connection.next() {
      let entry = try IdempotencyEntry(checking: row, in: place)
      if entry.expiry > now { try read(.entry(entry)) }
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
