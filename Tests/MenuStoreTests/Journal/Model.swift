import Locks
import Synchronization

@testable import MenuStore

/// The subject of a journal in these tests: a catalogue and sessions that are bytes, to which changes
/// add some.
///
/// A session also notes under which catalogue each change was made, as a real one depends on it.
final class Model: Sendable {
  struct Contents: Hashable, Sendable {
    var subjects: [JournalSubject: [UInt8]] = [:]
    var entries: [[UInt8]: IdempotencyEntry] = [:]
  }

  let journal: any Journal
  let recovery: JournalRecovery
  private let contents: Lock<Contents>
  private let additions = Atomic<Int64>(0)

  /// The contents of a journal.
  init(recovering journal: any Journal) throws(JournalFault) {
    self.journal = journal
    let contents = Box()
    recovery = try journal.recover { (item) throws(JournalFault) in
      try contents.read(item)
    } stateOf: { subject in
      contents.value.subjects[subject].map(always)
    }
    self.contents = Lock(contents.value)
  }

  var subjects: [JournalSubject: [UInt8]] { contents.withLock(\.subjects) }
  var entries: [[UInt8]: IdempotencyEntry] { contents.withLock(\.entries) }
  var all: Contents { contents.withLock(\.self) }

  /// The number of records that were added.
  var added: Int64 { additions.load(ordering: .relaxed) }

  /// The bytes of a session, by its name.
  subscript(name: String) -> [UInt8]? { subjects[.session(name)] }

  @discardableResult
  func open(_ subject: JournalSubject, _ bytes: [UInt8] = []) throws(JournalFault) -> Ticket {
    try add(subject, .opened, payload: bytes) { _, _ in bytes }
  }

  func open(_ name: String) throws(JournalFault) { try open(.session(name)) }

  /// Adds bytes to a session, and how many the catalogue has.
  @discardableResult
  func change(
    _ name: String, _ bytes: [UInt8], entry: IdempotencyEntry? = nil
  ) throws(JournalFault) -> Ticket {
    try add(.session(name), .changed, payload: bytes, entry) { old, contents in
      (old ?? []) + contents.marked(bytes)
    }
  }

  @discardableResult
  func changeCatalog(_ bytes: [UInt8]) throws(JournalFault) -> Ticket {
    try add(.catalog, .changed, payload: bytes) { old, _ in (old ?? []) + bytes }
  }

  @discardableResult
  func close(_ name: String) throws(JournalFault) -> Ticket {
    try add(.session(name), .closed, payload: []) { _, _ in nil }
  }

  /// Keeps an answer without a change.
  @discardableResult
  func keep(_ entry: IdempotencyEntry) throws(JournalFault) -> Ticket {
    try contents.withLock { (contents) throws(JournalFault) in
      contents.entries[entry.key] = entry
      return try journal.add(JournalWrite(entry: entry))
    }
  }

  private func add(
    _ subject: JournalSubject, _ kind: JournalRecord.Kind, payload: [UInt8],
    _ entry: IdempotencyEntry? = nil, _ change: ([UInt8]?, Contents) -> [UInt8]?
  ) throws(JournalFault) -> Ticket {
    try contents.withLock { (contents) throws(JournalFault) in
      let old = contents.subjects[subject]
      let new = change(old, contents)
      let ticket = try journal.add(
        JournalWrite(
          record: JournalRecord(kind, subject, revision: Int64(new?.count ?? 0), payload: payload),
          state: new.map(always), entry: entry,
          undo: { [weak self] in self?.contents.withLock { $0.subjects[subject] = old } }))
      contents.subjects[subject] = new
      additions.add(1, ordering: .relaxed)
      if let entry { contents.entries[entry.key] = entry }
      return ticket
    }
  }
}

extension Journal {
  /// Appends a write, and lets it be written.
  func add(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    defer { startWriting() }
    return try append(write)
  }
}

/// A state that is these bytes.
private func always(_ bytes: [UInt8]) -> JournalState { { bytes } }

extension Model.Contents {
  /// The bytes, and how many the catalogue has.
  fileprivate func marked(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8(truncatingIfNeeded: subjects[.catalog]?.count ?? 0)]
  }
}

/// The contents of a journal while it is read.
private final class Box {
  var value = Model.Contents()

  func read(_ item: JournalItem) throws(JournalFault) {
    switch item {
    case .unread: break
    case .entry(let entry): value.entries[entry.key] = entry
    case .state(let subject, let revision, let bytes):
      try expect(revision == bytes.count, subject)
      value.subjects[subject] = bytes
    case .record(let record, let sequence):
      try replay(record, sequence)
    }
  }

  private func replay(_ record: JournalRecord, _ sequence: Int64) throws(JournalFault) {
    let subject = record.subject
    switch record.kind {
    case .opened: value.subjects[subject] = record.payload
    case .changed:
      let old = value.subjects[subject]
      try expect(old != nil, subject)
      value.subjects[subject] =
        (old ?? []) + (subject == .catalog ? record.payload : value.marked(record.payload))
    case .closed: value.subjects[subject] = nil
    }
    try expect(record.revision == value.subjects[subject]?.count ?? 0, subject)
  }

  private func expect(_ condition: Bool, _ subject: JournalSubject) throws(JournalFault) {
    if !condition { throw .unreadable(subject, sequence: nil, reason: "It does not fit.") }
  }
}

extension IdempotencyEntry {
  /// Some entry.
  static func sample(_ key: String, status: Int64 = 200, expiry: Int64 = 1000) -> Self {
    IdempotencyEntry(
      key: Array(key.utf8), fingerprint: [1, 2, 3], status: status,
      headers: Array("content-type: application/json\r\n".utf8), body: Array("{}".utf8),
      expiry: expiry)
  }
}
