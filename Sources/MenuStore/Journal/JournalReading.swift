/// The contents of a journal, read and replayed as at a start.
package struct JournalReading {
  package let recovery: JournalRecovery
  /// The number of open sessions.
  package let sessions: Int

  /// Reads a journal, which must be open and not recovered.
  package init(of journal: any Journal) throws(JournalFault) {
    let replay = Replay()
    recovery = try journal.recover { (item) throws(JournalFault) in
      try replay.read(item)
    } stateOf: { _ in
      nil
    }
    sessions = replay.sessions.count
  }
}
