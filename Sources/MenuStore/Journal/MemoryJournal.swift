import Locks

/// A journal in memory; its data lasts as long as the given storage.
package final class MemoryJournal: Journal {
  /// The storage that outlives a journal.
  package final class Storage: Sendable {
    fileprivate let contents = Lock(Contents())

    package init() {}
  }

  fileprivate struct Contents: Sendable {
    var records: [(record: JournalRecord, sequence: Int64)] = []
    var states: [JournalSubject: StoredState] = [:]
    var entries: [[UInt8]: IdempotencyEntry] = [:]
    var histories: [JournalSubject: HistoryList<HistoryRow>] = [:]
    var (base, last): (Int64, Int64) = (0, 0)
  }

  private let log: Monitor<RecordLog<Storage>?>
  package let clock: RetentionClock
  package let figures = JournalFigures()

  /// Creates a journal on the contents that an earlier one left.
  ///
  /// - Parameters:
  ///   - snapshotEvery: The number of records per subject after which states replace them.
  ///   - keptRecords: The minimum number of last records that states do not replace.
  package init(
    on storage: Storage = Storage(), snapshotEvery: Int = 50, keptRecords: Int = 512,
    clock: RetentionClock
  ) {
    self.clock = clock
    let plan = SnapshotPlan(every: snapshotEvery, keepingLast: keptRecords)
    log = Monitor(RecordLog(in: storage, plan, clock: clock, figures))
  }

  package func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    try log.withLock { (log) throws(JournalFault) in
      guard let log else { throw .closed }
      return try log.recover(reading: read, stateOf: state)
    }
  }

  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    let hasMore = try log.withLock { (log) throws(JournalFault) in
      guard let log else { throw .closed }
      return try log.append(writes)
    }
    publish()
    return hasMore
  }

  package var histories: any Histories { self }

  package func close() { log.withLock { $0 = nil } }
}

extension MemoryJournal: Histories {
  package func rows(for question: HistoryQuestion) throws(JournalFault) -> [HistoryRow] {
    try withStorage { storage in
      storage.list(question).answer(to: question).map { row, position in
        var row = row
        row.position = position
        return row
      }
    }
  }

  package func extent(for question: HistoryQuestion) throws(JournalFault) -> HistoryExtent? {
    let rows = try withStorage { $0.list(question).all(since: question.oldest) }
    return HistoryExtent(of: rows.lazy.map { ($0.base, $0.revision) })
  }

  package func readAll(
    _ read: (HistoryRow) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    let lists = try withStorage { $0.contents.withLock(\.histories) }
    for row in lists.values.flatMap({ $0.all(since: .min) }) { try read(row) }
  }

  private func withStorage<Result>(
    _ body: (Storage) throws(JournalFault) -> Result
  ) throws(JournalFault) -> Result {
    try log.withLock { (log) throws(JournalFault) in
      guard let log else { throw .closed }
      return try body(log.storage)
    }
  }
}

extension MemoryJournal.Storage: RecordStorage {
  var place: String { "memory" }
  var base: Int64 { contents.withLock(\.base) }
  var last: Int64 { contents.withLock(\.last) }
  var removed: Int64 {
    contents.withLock { ($0.records.first?.sequence).map { $0 - 1 } ?? $0.base }
  }

  func check(
    _ note: (JournalRecord.Kind, JournalSubject, _ sequence: Int64) -> Void
  ) -> [JournalNotice] {
    for (record, sequence) in records { note(record.kind, record.subject, sequence) }
    return []
  }

  private var records: ArraySlice<(record: JournalRecord, sequence: Int64)> {
    contents.withLock { contents in contents.records.drop { $0.sequence <= contents.base } }
  }

  func readStates(_ read: (StoredState) throws(JournalFault) -> Void) throws(JournalFault) {
    let states = contents.withLock(\.states)
    if let catalog = states[.catalog] { try read(catalog) }
    for (subject, state) in states where subject != .catalog { try read(state) }
  }

  func readRecords(
    _ read: (JournalRecord, _ sequence: Int64) throws(JournalFault) -> Void
  ) throws(JournalFault) {
    for (record, sequence) in records { try read(record, sequence) }
  }

  var lastExpiry: Int64? { contents.withLock(\.entries).values.map(\.expiry).max() }

  func readEntries(_ read: (IdempotencyEntry) throws(JournalFault) -> Void) throws(JournalFault) {
    for entry in contents.withLock(\.entries).values { try read(entry) }
  }

  fileprivate func list(_ question: HistoryQuestion) -> HistoryList<HistoryRow> {
    let list = contents.withLock { $0.histories[question.subject] }
    guard let list, list.all(since: .min).first?.opening == question.opening else {
      return HistoryList()
    }
    return list
  }

  func commit(_ batch: RecordBatch) { contents.withLock { $0.commit(batch) } }
}

extension MemoryJournal.Contents {
  fileprivate mutating func commit(_ batch: RecordBatch) {
    for state in batch.states { states[state.subject] = state }
    if let base = batch.base {
      self.base = base
      entries = entries.filter { $0.value.expiry > batch.now }
    }
    let kept = records.firstIndex { $0.sequence > batch.removal } ?? records.endIndex
    records.removeFirst(kept)
    for write in batch.writes { add(write) }
  }

  private mutating func add(_ write: JournalWrite) {
    if let record = write.record {
      last += 1
      records.append((record, last))
      if record.kind == .closed {
        states[record.subject] = nil
        histories[record.subject] = nil
      }
    }
    if let row = write.history {
      histories[row.subject, default: HistoryList()].append(
        row, at: row.time, size: row.size, within: row.bounds)
    }
    for key in write.forgotten { entries[key] = nil }
    if let entry = write.entry { entries[entry.key] = entry }
  }
}
