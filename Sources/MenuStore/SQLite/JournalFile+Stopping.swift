extension JournalFile {
  /// From how many changes on the state of a session is written when the program stops.
  ///
  /// Writing a state costs about as much as doing eight changes again (`make restart`). Those of
  /// sessions with fewer changes are done again by the next start.
  private static let changesWorthAState = 8
  private static let statesInTransaction = 256

  /// Writes states of the sessions that changed often, so that the next start need not do their changes
  /// again. No record is removed: should it fail, nothing is lost.
  func writeStatesForNextStart() throws(JournalFault) {
    let due = plan.pending.filter {
      $0.key != .catalog && $0.value.changes >= Self.changesWorthAState
    }
    var waiting = Array(due)[...]
    while !waiting.isEmpty {
      let part = waiting.prefix(Self.statesInTransaction)
      waiting = waiting.dropFirst(part.count)
      var next = extent
      let states = part.compactMap { StoredState($0.key, $0.value) }
      try JournalFault.of(path) { () throws(SQLiteFault) in
        try connection.transaction { () throws(SQLiteFault) in
          for state in states { try tables.put(state, in: &next) }
          try tables.put(next)
        }
      }
      extent = next
      figures.states.add(states.count)
      for state in states { plan.noteState(of: state.subject, at: state.sequence) }
    }
  }
}
