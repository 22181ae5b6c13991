import Locks

/// The file of a journal, and its settings.
package struct JournalConfiguration: Sendable {
  /// The path of the file; others with this prefix are beside it.
  package var path: String
  /// The durability of acknowledged changes.
  package var durability = Durability.full
  /// The number of records of a changed session before its state replaces them.
  package var snapshotEvery = 50
  /// The minimum number of last records that are kept beside states, up to 1 MiB: followers resume from them
  /// after a restart (E5).
  package var keptRecords = 512
  /// True if the journal is read-only. The default is false.
  package var isOnlyRead: Bool

  /// Creates the configuration of a journal in a file, which is created if there is none, unless it is only read.
  package init(path: String, isOnlyRead: Bool = false) {
    (self.path, self.isOnlyRead) = (path, isOnlyRead)
  }
}

/// A journal in a SQLite file.
///
/// One connection writes and checkpoints. Other processes are locked out.
package final class SQLiteJournal: Journal {
  private struct Open {
    let log: RecordLog<JournalFile>
    let lock: JournalLock
    /// The size in bytes of the last batch that did not fit on the disk.
    var lacking = 0
  }

  /// The open file with its lock; nil once it is closed.
  private let open: Monitor<Open?>
  private let files: OpenFiles
  package let clock: RetentionClock
  package let figures = JournalFigures()

  /// Opens a journal, creates it if there is none, and checks that it is intact.
  ///
  /// - Throws: `JournalFault`; nothing is changed then.
  package init(
    _ configuration: JournalConfiguration, clock: RetentionClock
  ) throws(JournalFault) {
    var configuration = configuration
    configuration.path = try JournalFile.path(of: configuration.path)
    let lock = try JournalLock(beside: configuration.path)
    let plan = SnapshotPlan(
      every: configuration.snapshotEvery, keepingLast: configuration.keptRecords)
    let file: JournalFile
    do throws(JournalFault) {
      file = try JournalFile(configuration, acknowledged: lock.mark?.last)
    } catch {
      lock.removeIfNew()
      throw error
    }
    files = OpenFiles(of: configuration.path)
    let log = RecordLog(in: file, plan, clock: clock, figures)
    open = Monitor(Open(log: log, lock: lock))
    self.clock = clock
  }

  deinit { close() }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try open.withLock { (open) throws(JournalFault) in
      guard let open else { throw .closed }
      var recovery = try open.log.recover(reading: read, stateOf: state)
      if let notice = open.lock.mark?.notice(of: recovery.last) { recovery.notices.append(notice) }
      // Until sessions have new incarnations, the mark still shows that records are missing.
      if !recovery.lacksRecords, !open.log.storage.isOnlyRead { open.lock.note(recovery.last) }
      return recovery
    }
  }

  package func beginAgain(with beginnings: [JournalRecord]) throws(JournalFault) {
    try open.withLock { (open) throws(JournalFault) in
      guard let open else { throw .closed }
      try open.log.beginAgain(with: beginnings)
      open.lock.note(open.log.storage.last)
    }
  }

  /// Changes in a removed or replaced file would be lost.
  package var fault: JournalFault? { files.missing.map { .removed(path: $0) } }

  /// A full disk prevents additions at the moment, but not reading.
  package func probe() throws(JournalFault) -> JournalFault? {
    do throws(JournalFault) {
      _ = try commit([])
      return nil
    } catch {
      guard error.isOfRoom else { throw error }
      return error
    }
  }

  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    let hasMore = try commit(writes)
    publish()
    return hasMore
  }

  /// Makes a batch durable. An empty batch only checks whether a batch would succeed; it fails until there is room for
  /// the refused batch.
  private func commit(_ writes: [JournalWrite]) throws(JournalFault) -> Bool {
    if let fault { throw fault }
    return try open.withLock { (open) throws(JournalFault) in
      guard let opened = open else { throw .closed }
      do throws(JournalFault) {
        let hasMore = try opened.log.append(writes)
        opened.lock.note(opened.log.storage.last)
        if writes.isEmpty, !opened.lock.hasRoom(for: opened.lacking) {
          throw .noRoom(path: opened.log.storage.place)
        }
        open?.lacking = 0
        return hasMore
      } catch {
        if !writes.isEmpty, case .noRoom = error {
          open?.lacking = writes.reduce(65_536) { $0 + $1.size }
        }
        throw error
      }
    }
  }

  /// Writes states for the next start, closes the file, which checkpoints SQLite's log, and then releases the
  /// lock.
  package func close() {
    let lock = open.withLock { open in
      if let log = open?.log, !log.storage.isOnlyRead {
        // If that fails, only the next start takes longer.
        try? log.writeStatesForNextStart()
      }
      let lock = open?.lock
      open = nil
      return lock
    }
    withExtendedLifetime(lock) {}
  }
}

extension SQLiteJournal: Histories {
  package var histories: any Histories { self }

  package func rows(for question: HistoryQuestion) throws(JournalFault) -> [HistoryRow] {
    try withFile { (file) throws(JournalFault) in try file.history(question) }
  }

  package func extent(for question: HistoryQuestion) throws(JournalFault) -> HistoryExtent? {
    try withFile { (file) throws(JournalFault) in try file.historyExtent(question) }
  }

  package func readAll(_ read: (HistoryRow) throws(JournalFault) -> Void) throws(JournalFault) {
    try withFile { (file) throws(JournalFault) in try file.readHistories(read) }
  }

  private func withFile<Result>(
    _ body: (JournalFile) throws(JournalFault) -> Result
  ) throws(JournalFault) -> Result {
    try open.withLock { (open) throws(JournalFault) in
      guard let open else { throw .closed }
      return try body(open.log.storage)
    }
  }
}

extension JournalLock.Mark {
  /// The last record that was acknowledged; nil if that is unknown.
  fileprivate var last: Int64? { if case .last(let last) = self { last } else { nil } }

  /// Returns the notice for a journal that ends with this record; nil if no acknowledged record is missing.
  fileprivate func notice(of end: Int64) -> JournalNotice? {
    switch self {
    case .last(let last):
      last > end ? .acknowledgedMissing(first: end + 1, last: last) : nil
    case .unreadable(let path): .markUnreadable(path: path)
    }
  }
}

extension JournalWrite {
  /// The approximate bytes of the write.
  fileprivate var size: Int {
    let answer = entry.map { $0.key.count + $0.headers.count + $0.body.count } ?? 0
    return (record?.payload.count ?? 0) + answer + Int(history?.size ?? 0)
  }
}
