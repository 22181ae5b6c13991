// MARK: Reading

extension JournalFile {
  /// Checks that all records are present and unchanged, each after the previous one.
  ///
  /// If only the end is damaged, it is cut off, with a notice; damage before the end is a fault, and nothing is
  /// changed.
  func check(
    _ note: (JournalRecord.Kind, JournalSubject, _ sequence: Int64) -> Void
  ) throws(JournalFault) -> [JournalNotice] {
    var (last, checksum, damaged) = (extent.base, extent.baseChecksum, Int64?.none)
    let rows = try self.rows()
    while try rows.next() {
      if let damaged { throw .damaged(path: place, .record(sequence: damaged)) }
      let next = last + 1
      guard rows[0].int == next else {
        throw .damaged(path: place, .missingRecord(sequence: next))
      }
      guard let row = rows.record, row.checksum == row.1.checksum(at: next, after: checksum)
      else {
        damaged = next
        continue
      }
      (last, checksum) = (next, row.checksum)
      note(row.1.kind, row.1.subject, next)
    }
    let notices = notices + (try settleEnd(after: last, checksum, damaged: damaged))
    removed = try firstRow() - 1
    return notices
  }

  private func settleEnd(
    after last: Int64, _ checksum: Int64, damaged: Int64?
  ) throws(JournalFault) -> [JournalNotice] {
    if damaged == nil, last == extent.last {
      if checksum != extent.lastChecksum { throw .damaged(path: place, .extent) }
      return []
    }
    guard last < extent.last else { throw .damaged(path: place, .extent) }
    try checkNothingStandsFor(recordsAfter: last)
    var notices: [JournalNotice] = []
    if let damaged { notices.append(.lastRecordDamaged(sequence: damaged)) }
    let missing = (damaged ?? last) + 1
    if missing <= extent.last {
      notices.append(.recordsMissing(first: missing, last: extent.last))
    }
    try cut(after: last, checksum)
    return notices
  }

  /// Throws if a state includes missing records, which would leave a gap.
  private func checkNothingStandsFor(recordsAfter last: Int64) throws(JournalFault) {
    let states = try connection.prepare("SELECT 1 FROM state WHERE sequence > \(last) LIMIT 1")
    if try states.next() { throw .damaged(path: place, .missingRecord(sequence: last + 1)) }
  }

  /// Cuts off everything after a record, and the answers to the requests that wrote it.
  private func cut(after last: Int64, _ checksum: Int64) throws(JournalFault) {
    (extent.last, extent.lastChecksum) = (last, checksum)
    let entries = try connection.prepare("SELECT checksum FROM entry WHERE sequence > \(last)")
    while try entries.next() { extent.entries.remove(entries[0].int ?? 0) }
    guard !isOnlyRead else { return }
    try beginLogOnce()
    try connection.transaction { () throws(JournalFault) in
      for table in ["record", "entry"] + (histories == nil ? [] : ["history"]) {
        try connection.execute("DELETE FROM \(table) WHERE sequence > \(last)")
      }
      try tables.put(extent)
    }
  }

  private func firstRow() throws(JournalFault) -> Int64 {
    let rows = try connection.prepare("SELECT min(sequence) FROM record")
    return try rows.next() ? rows[0].int ?? extent.base + 1 : extent.base + 1
  }

  func readStates(_ read: (StoredState) throws(JournalFault) -> Void) throws(JournalFault) {
    var sum = JournalExtent.CheckedSum()
    for condition in ["=", "<>"] {
      let rows = try connection.prepare(
        "SELECT subject, sequence, revision, payload, checksum FROM state WHERE subject \(condition) ''"
      )
      while try rows.next() {
        let state = StoredState(
          subject: JournalSubject(text: rows[0].text ?? ""), sequence: rows[1].int ?? -1,
          revision: rows[2].int ?? -1, payload: rows[3].blob ?? [])
        guard state.checksum == rows[4].int else {
          throw .damaged(path: place, .state(state.subject))
        }
        sum.insert(state.checksum)
        try read(state)
      }
    }
    guard sum == extent.states else { throw .damaged(path: place, .states) }
  }

  func readRecords(
    _ read: (JournalRecord, _ sequence: Int64) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    let rows = try rows(through: extent.last)
    while try rows.next() {
      guard let (sequence, record, _) = rows.record else { throw .damaged(path: place, .tables) }
      try read(record, sequence)
    }
  }

  var lastExpiry: Int64? {
    get throws(JournalFault) {
      let newest = try connection.prepare("SELECT max(expiry) FROM entry")
      return try newest.next() ? newest[0].int : nil
    }
  }

  func readEntries(_ read: (IdempotencyEntry) throws(JournalFault) -> Void) throws(JournalFault) {
    var sum = JournalExtent.CheckedSum()
    let rows = try connection.prepare(
      """
      SELECT sequence, key, fingerprint, status, headers, body, expiry, checksum FROM entry \
      WHERE sequence <= \(extent.last)
      """)
    while try rows.next() {
      let entry = IdempotencyEntry(
        key: rows[1].blob ?? [], fingerprint: rows[2].blob ?? [], status: rows[3].int ?? -1,
        headers: rows[4].blob ?? [], body: rows[5].blob ?? [], expiry: rows[6].int ?? -1)
      let checksum = entry.checksum(at: rows[0].int ?? -1)
      guard checksum == rows[7].int else { throw .damaged(path: place, .entries) }
      sum.insert(checksum)
      try read(entry)
    }
    guard sum == extent.entries else { throw .damaged(path: place, .entries) }
  }

  /// Returns the records that are needed, in order, through one of them; the default is the last one.
  private func rows(through last: Int64 = .max) throws(JournalFault) -> SQLiteStatement {
    try connection.prepare(
      """
      SELECT sequence, kind, subject, revision, payload, checksum FROM record \
      WHERE sequence > \(extent.base) AND sequence <= \(last) ORDER BY sequence
      """)
  }
}

extension SQLiteStatement {
  /// The record in the present row; nil if it is malformed.
  fileprivate var record: (sequence: Int64, JournalRecord, checksum: Int64)? {
    guard let sequence = self[0].int, let kind = self[1].int.flatMap(JournalRecord.Kind.init),
      let subject = self[2].text, let revision = self[3].int, let payload = self[4].blob,
      let checksum = self[5].int
    else { return nil }
    let record = JournalRecord(
      kind, JournalSubject(text: subject), revision: revision, payload: payload)
    return (sequence, record, checksum)
  }
}

// MARK: Writing

extension JournalFile {
  func commit(_ batch: RecordBatch) throws(JournalFault) {
    guard !isOnlyRead else { throw .closed }
    try beginLogOnce()
    _ = try historyTable()
    var next = extent
    if let base = batch.base { (next.base, next.baseChecksum) = (base, try checksum(of: base)) }
    do throws(JournalFault) {
      try commit(batch, &next)
    } catch {
      histories?.rollBack()
      throw error
    }
    extent = next
    removed = max(removed, batch.removal)
  }

  private func commit(
    _ batch: RecordBatch, _ next: inout JournalExtent
  ) throws(JournalFault) {
    try connection.transaction { () throws(JournalFault) in
      for state in batch.states { try tables.put(state, in: &next) }
      if batch.writes.isEmpty { try tables.spoilExtent() }
      if removed < batch.removal { try tables.removeRecords(through: batch.removal) }
      try write(batch.writes, &next, expiring: batch.now)
      try tables.put(next)
    }
  }

  /// Returns the checksum of a record and of all before it.
  private func checksum(of sequence: Int64) throws(JournalFault) -> Int64 {
    let rows = try connection.prepare("SELECT checksum FROM record WHERE sequence = \(sequence)")
    guard try rows.next(), let checksum = rows[0].int else {
      throw .damaged(path: place, .missingRecord(sequence: sequence))
    }
    return checksum
  }

  private func write(
    _ writes: [JournalWrite], _ extent: inout JournalExtent, expiring now: Int64
  ) throws(JournalFault) {
    var entries: Int64 = 0
    for write in writes {
      if let record = write.record { try tables.append(record, to: &extent) }
      if let row = write.history { try histories?.add(row, at: extent.last) }
      if let record = write.record, record.kind == .closed { try histories?.remove(record.subject) }
      for key in write.forgotten { try tables.removeEntry(under: key, from: &extent) }
      guard let entry = write.entry else { continue }
      try tables.put(entry, in: &extent)
      entries += 1
    }
    // Remove more than are added, so that expired ones do not accumulate.
    if entries > 0 {
      try tables.removeEntries(expiredAt: now, limit: entries * 4, from: &extent)
    }
  }
}
