extension JournalFile {
  /// From how many changes on the state of a session is written when the program stops.
  ///
  /// Writing a state costs about as much as doing eight changes again (`make restart`). Those of
  /// sessions with fewer changes are done again by the next start.
  private static let changesWorthAState = 8
  /// The minimum number of bytes of states in a transaction, the last one excepted.
  private static let bytesInTransaction = 1 << 20

  /// Writes states of the sessions that changed often, so that the next start need not do their changes
  /// again. No record is removed: should it fail, nothing is lost.
  func writeStatesForNextStart() throws(JournalFault) {
    var waiting = plan.sessionsForNextStart(changedAtLeast: Self.changesWorthAState)[...]
    if !waiting.isEmpty { try beginLogOnce() }
    while !waiting.isEmpty {
      var (next, bytes) = (extent, 0)
      var written: [(subject: JournalSubject, sequence: Int64)] = []
      try JournalFault.of(path) { () throws(SQLiteFault) in
        try connection.transaction { () throws(SQLiteFault) in
          while bytes < Self.bytesInTransaction, let (subject, pending) = waiting.popFirst() {
            guard let state = StoredState(subject, pending) else { continue }
            try tables.put(state, in: &next)
            bytes += state.payload.count
            written.append((subject, pending.sequence))
          }
          try tables.put(next)
        }
      }
      extent = next
      figures.states.add(written.count)
      for (subject, sequence) in written { plan.noteState(of: subject, at: sequence) }
    }
  }
}
