/// The place of a journal, and how it is written.
package struct JournalConfiguration: Sendable {
  /// The file; others with longer names lie beside it.
  package var path: String
  /// The durability of acknowledged changes.
  package var durability = Durability.full
  /// The number of records of a changed session before its state replaces them.
  package var snapshotEvery = 50
  /// The minimum number of the last records that no state takes the place of, unless they take more than 1 MiB: those
  /// who followed a session before a start go on by them (E5).
  package var keptRecords = 512

  /// A journal in that file, which is made when it is not there.
  package init(path: String) { self.path = path }
}

/// A journal in a SQLite file.
///
/// One connection writes and checkpoints. Another process is kept away.
package final class SQLiteJournal: Journal {
  private let storage: JournalStorage
  package let clock: RetentionClock

  /// Opens a journal, makes it when there is none, and checks that it is as it was written.
  ///
  /// - Throws: `JournalFault`; then nothing was changed.
  package init(
    _ configuration: JournalConfiguration, clock: RetentionClock
  ) throws(JournalFault) {
    let lock = try JournalLock(beside: configuration.path)
    storage = JournalStorage(try JournalFile(configuration, clock: clock), lock)
    self.clock = clock
  }

  deinit { close() }

  package var figures: JournalFigures { storage.figures }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try storage.recover(reading: read, stateOf: state)
  }

  package func probe() throws(JournalFault) -> JournalFault? { try storage.attempt() }

  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    let hasMore = try storage.commit(writes)
    publish()
    return hasMore
  }

  package func close() { storage.close() }
}

/// The open file and the lock that goes with it, until it is closed.
private final class JournalStorage: Sendable {
  private struct Open {
    var file: JournalFile
    let lock: JournalLock
    /// The number of bytes for which there was no room the last time.
    var lacking = 0
  }

  private let open: Monitor<Open?>
  let figures: JournalFigures

  init(_ file: JournalFile, _ lock: JournalLock) {
    figures = file.figures
    open = Monitor(Open(file: file, lock: lock))
  }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try open.withLock { (open) throws(JournalFault) in
      guard let open else { throw .closed }
      let recovery = try open.file.recover(mark: open.lock.mark, reading: read, stateOf: state)
      open.lock.note(recovery.last)
      return recovery
    }
  }

  /// Finds out whether the file can be written; on a full disk nothing can be added at the moment,
  /// but what is there can be read.
  func attempt() throws(JournalFault) -> JournalFault? {
    do throws(JournalFault) {
      _ = try commit([])
      return nil
    } catch {
      guard error.isOfRoom else { throw error }
      return error
    }
  }

  /// Makes a batch durable; without one only tries whether it would succeed, where a little is no
  /// success as long as there is no room for what was refused.
  func commit(_ writes: [JournalWrite]) throws(JournalFault) -> Bool {
    try open.withLock { (open) throws(JournalFault) in
      guard let opened = open else { throw .closed }
      do throws(JournalFault) {
        let hasMore = try opened.file.commit(writes)
        opened.lock.note(opened.file.extent.last)
        if writes.isEmpty, !opened.lock.hasRoom(for: opened.lacking) {
          throw .noRoom(path: opened.file.path)
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

  /// Writes states for the next start, closes the file, which writes back what is in SQLite's log, and
  /// then lets others have it.
  func close() {
    let lock = open.withLock { open in
      // Without them the next start takes longer, and nothing else.
      try? open?.file.writeStatesForNextStart()
      let lock = open?.lock
      open = nil
      return lock
    }
    withExtendedLifetime(lock) {}
  }
}

extension JournalWrite {
  /// About how many bytes it takes.
  fileprivate var size: Int {
    let answer = entry.map { $0.key.count + $0.headers.count + $0.body.count } ?? 0
    return (record?.payload.count ?? 0) + answer
  }
}
