extension JournalFile {
  /// Checks that all records are there as they were written, each after the one before.
  ///
  /// When only the end is not, it is left out, with a notice; in the middle it is a fault, and
  /// nothing is changed.
  func checkChain(_ notices: inout [JournalNotice]) throws(JournalFault) -> JournalBeginnings {
    var beginnings = JournalBeginnings()
    var (last, checksum, damaged) = (extent.base, extent.baseChecksum, Int64?.none)
    let rows = try self.rows()
    while try rows.goOn(path) {
      if let damaged { throw .damaged(path: path, .record(sequence: damaged)) }
      let next = last + 1
      guard rows[0].int == next else {
        throw .damaged(path: path, .missingRecord(sequence: next))
      }
      guard let row = rows.record, row.checksum == row.1.checksum(at: next, after: checksum)
      else {
        damaged = next
        continue
      }
      (last, checksum) = (next, row.checksum)
      beginnings.note(row.1.kind, row.1.subject, at: next)
    }
    try settleEnd(after: last, checksum, damaged: damaged, &notices)
    removed = try firstRow() - 1
    return beginnings
  }

  private func settleEnd(
    after last: Int64, _ checksum: Int64, damaged: Int64?, _ notices: inout [JournalNotice]
  ) throws(JournalFault) {
    if damaged == nil, last == extent.last {
      if checksum != extent.lastChecksum { throw .damaged(path: path, .extent) }
      return
    }
    guard last < extent.last else { throw .damaged(path: path, .extent) }
    try checkNothingStandsFor(recordsAfter: last)
    if let damaged { notices.append(.lastRecordDamaged(sequence: damaged)) }
    let missing = (damaged ?? last) + 1
    if missing <= extent.last {
      notices.append(.recordsMissing(first: missing, last: extent.last))
    }
    try cut(after: last, checksum)
  }

  /// A state that stands for records which are not there would make a gap.
  private func checkNothingStandsFor(recordsAfter last: Int64) throws(JournalFault) {
    let states = try prepare("SELECT 1 FROM state WHERE sequence > \(last) LIMIT 1")
    if try states.goOn(path) { throw .damaged(path: path, .missingRecord(sequence: last + 1)) }
  }

  /// Leaves out what comes after a record, and the answers to requests that did it.
  private func cut(after last: Int64, _ checksum: Int64) throws(JournalFault) {
    var shorter = extent
    (shorter.last, shorter.lastChecksum) = (last, checksum)
    try beginLogOnce()
    try JournalFault.of(path) { () throws(SQLiteFault) in
      try connection.transaction { () throws(SQLiteFault) in
        try connection.execute("DELETE FROM record WHERE sequence > \(last)")
        let entries = try connection.prepare(
          "DELETE FROM entry WHERE sequence > \(last) RETURNING checksum")
        try entries.start()
        while try entries.next() { shorter.entries.remove(entries[0].int ?? 0) }
        try tables.put(shorter)
      }
    }
    extent = shorter
  }

  private func firstRow() throws(JournalFault) -> Int64 {
    let rows = try prepare("SELECT min(sequence) FROM record")
    return try rows.goOn(path) ? rows[0].int ?? extent.base + 1 : extent.base + 1
  }
}
