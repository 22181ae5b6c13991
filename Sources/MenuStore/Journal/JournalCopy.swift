/// A copy of a journal in another, empty one.
///
/// States become the records that open their subjects, so that the copy answers like the original. Expired answers are
/// omitted.
package struct JournalCopy {
  /// The number of records that were copied.
  package var records: Int { contents.records.count }
  /// The number of kept answers that were copied.
  package var entries: Int { contents.entries.count }
  /// The number of rows of histories that were copied.
  package var history: Int { contents.histories.values.reduce(0) { $0 + $1.count } }
  private var contents = JournalContents()

  /// The number of items that are written together.
  private static let writesAtOnce = 512

  /// Copies a journal into another one. Both must be open and not recovered; the target is closed afterwards.
  package init(of source: any Journal, into target: any Journal) throws(JournalCopyFault) {
    let found = try Self.read(target)
    guard found.records.isEmpty, found.entries.isEmpty else { throw .notEmpty }
    var writes: [JournalWrite] = []
    contents = try Self.read(source) { (write) throws(JournalFault) in
      writes.append(write)
      guard writes.count == Self.writesAtOnce else { return }
      _ = try target.append(writes) {}
      writes = []
    }
    guard !contents.recovery.lacksRecords else {
      throw .lacksRecords(contents.recovery.notices)
    }
    try JournalCopyFault.of { () throws(JournalFault) in _ = try target.append(writes) {} }
    target.close()
  }

  /// Compares the reopened copy with the original, item by item.
  package func check(_ copy: any Journal) throws(JournalCopyFault) {
    let found = try Self.read(copy)
    for (index, pair) in zip(found.records, contents.records).enumerated()
    where pair.0 != pair.1 {
      throw .recordDiffers(sequence: Int64(index + 1))
    }
    guard found.records.count == contents.records.count else {
      throw .recordDiffers(sequence: Int64(min(found.records.count, contents.records.count) + 1))
    }
    guard found.entries == contents.entries else { throw .answersDiffer }
    guard found.histories == contents.histories else { throw .historiesDiffer }
  }

  /// Returns the contents of a journal, and passes the additions that recreate them to a closure.
  private static func read(
    _ journal: any Journal, _ add: (JournalWrite) throws(JournalFault) -> Void = { _ in }
  ) throws(JournalCopyFault) -> JournalContents {
    var contents = JournalContents()
    try JournalCopyFault.of { () throws(JournalFault) in
      contents.recovery = try journal.recover { (item) throws(JournalFault) in
        let item = item.asBeginning
        contents.note(item)
        try add(item.write)
      } stateOf: { _ in
        nil
      }
      try journal.histories.readAll { (row) throws(JournalFault) in
        contents.note(row)
        var write = JournalWrite(history: row)
        write.history?.bounds = .unlimited
        try add(write)
      }
    }
    return contents
  }
}

/// A reason why a journal cannot be copied.
package enum JournalCopyFault: Error {
  case journal(JournalFault)
  /// The target journal is not empty.
  case notEmpty
  /// The source journal lacks acknowledged records.
  case lacksRecords([JournalNotice])
  /// A record of the copy is missing or different.
  case recordDiffers(sequence: Int64)
  /// The kept answers of the copy differ.
  case answersDiffer
  /// The histories of the copy differ.
  case historiesDiffer

  fileprivate static func of(
    _ body: () throws(JournalFault) -> Void
  ) throws(JournalCopyFault) {
    do throws(JournalFault) { try body() } catch { throw .journal(error) }
  }
}

/// The items of a journal, each as the checksum of all its bytes.
private struct JournalContents {
  var recovery = JournalRecovery()
  /// The records, in order.
  private(set) var records: [UInt64] = []
  /// The kept answers, in no order.
  private(set) var entries: Set<UInt64> = []
  /// The history rows of each incarnation, in order.
  private(set) var histories: [Opening: [Int64]] = [:]

  struct Opening: Hashable {
    let subject: JournalSubject
    let number: Int64
  }

  mutating func note(_ row: HistoryRow) {
    let opening = Opening(subject: row.subject, number: row.opening)
    histories[opening, default: []].append(row.checksum)
  }

  mutating func note(_ item: JournalItem) {
    switch item {
    case .unread: break
    case .entry(let entry): entries.insert(UInt64(bitPattern: entry.checksum(at: 0)))
    case .record(let record, sequence: _):
      records.append(UInt64(bitPattern: record.checksum(at: 0, after: 0)))
    case .state(let subject, let revision, let bytes):
      let record = JournalRecord(.opened, subject, revision: revision, payload: bytes)
      records.append(UInt64(bitPattern: record.checksum(at: 0, after: 0)))
    }
  }
}

extension JournalItem {
  /// The item; a state becomes the record that opens its subject.
  fileprivate var asBeginning: JournalItem {
    guard case .state(let subject, let revision, let bytes) = self else { return self }
    return .record(
      JournalRecord(.opened, subject, revision: revision, payload: bytes), sequence: 0)
  }

  /// The addition that writes the item. It has no state, so that all records stay.
  fileprivate var write: JournalWrite {
    switch self {
    case .entry(let entry): return JournalWrite(entry: entry)
    case .record(let record, sequence: _):
      let label = record.label
      var write = JournalWrite(record: record, state: { nil }, label: label?.stored)
      write.opening = Int64(label?.opening ?? 0)
      // States are not decoded here, so any session may have deliveries.
      write.delivers = record.subject != .catalog
      return write
    case .state, .unread: return JournalWrite()
    }
  }
}
