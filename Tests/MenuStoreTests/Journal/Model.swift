import Locks
import StoreSupport
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

  private struct State {
    /// The contents with everything that was added.
    var contents: Contents
    /// Those of them that are durable.
    var durable: Contents
    /// The writes of the jobs that are not carried out, and what they do to the contents.
    var writes: [(write: JournalWrite, change: @Sendable (inout Contents) -> Void)] = []
  }

  let journal: any Journal
  let recovery: JournalRecovery
  private let writer: Writer
  private let state: Lock<State>
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
    state = Lock(State(contents: contents.value, durable: contents.value))
    writer = Writer(for: journal, by: WriterThread())
    try journal.begin(self)
    try writer.start(after: journal.probe()) { [weak self] (jobs) throws(JournalFault) in
      guard let self else { throw .closed }
      return try carryOut(jobs)
    }
  }

  deinit { close() }

  private func carryOut(_ jobs: [Job]) throws(JournalFault) -> Writer.Batch {
    let writes = state.withLock { Array($0.writes.prefix(jobs.count)) }
    let start = ContinuousClock.now
    let hasMore = try journal.append(writes.map(\.write)) {
      state.withLock { state in
        for (_, change) in writes { change(&state.durable) }
      }
    }
    journal.figures.noteDurable(writes.map(\.write), in: start.duration(to: .now))
    return Writer.Batch(results: jobs.map { _ in .success(.committed) }, hasMore: hasMore)
  }

  /// Makes durable what was added, and closes the journal.
  func close() {
    journal.interrupt()
    writer.close()
    journal.close()
  }

  /// The reason why nothing can be added at the moment; nil if something can.
  var fault: JournalFault? { journal.fault ?? writer.fault }

  var subjects: [JournalSubject: [UInt8]] { all.subjects }
  var entries: [[UInt8]: IdempotencyEntry] { all.entries }
  var all: Contents { state.withLock(\.contents) }

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
    try add(JournalWrite(entry: entry))
  }

  /// Adds a write that changes no subject.
  func add(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    try state.withLock { (state) throws(JournalFault) in
      try add(write, to: &state) { contents in
        for key in write.forgotten { contents.entries[key] = nil }
        if let entry = write.entry { contents.entries[entry.key] = entry }
      }
    }
  }

  private func add(
    _ subject: JournalSubject, _ kind: JournalRecord.Kind, payload: [UInt8],
    _ entry: IdempotencyEntry? = nil, _ change: ([UInt8]?, Contents) -> [UInt8]?
  ) throws(JournalFault) -> Ticket {
    try state.withLock { (state) throws(JournalFault) in
      let new = change(state.contents.subjects[subject], state.contents)
      let record = JournalRecord(
        kind, subject, revision: Int64(new?.count ?? 0), payload: payload)
      var write = JournalWrite(record: record, state: new.map(always), entry: entry)
      if kind == .opened { write.opening = .random(in: 1...1 << 48) }
      let ticket = try add(write, to: &state) { contents in
        contents.subjects[subject] = new
        if let entry { contents.entries[entry.key] = entry }
      }
      additions.add(1, ordering: .relaxed)
      return ticket
    }
  }

  /// A refusal takes back everything that is not durable.
  private func add(
    _ write: JournalWrite, to state: inout State,
    _ change: @escaping @Sendable (inout Contents) -> Void
  ) throws(JournalFault) -> Ticket {
    if let refusal = journal.refusal { throw refusal }
    let ticket = Ticket()
    try writer.add(
      Job(commit: nil, make: nil) { [weak self] result in
        switch result {
        case .success:
          self?.state.withLock { _ = $0.writes.removeFirst() }
          ticket.settle(.durable)
        case .failure(let fault):
          self?.state.withLock { state in
            state.writes.removeFirst()
            state.contents = state.durable
          }
          ticket.settle(.failed(fault))
        }
      })
    state.writes.append((write, change))
    change(&state.contents)
    return ticket
  }
}

extension Model: JournalFollower {
  var catalogState: (revision: Int64, state: JournalState) {
    let bytes = state.withLock { $0.durable.subjects[.catalog] } ?? []
    return (Int64(bytes.count), always(bytes))
  }

  func state(
    of session: JournalSubject, from items: [JournalItem]
  ) throws(JournalFault) -> [UInt8]? {
    let contents = Box()
    for item in items { try contents.read(item) }
    return contents.value.subjects[session]
  }

  // Nobody else commits.
  var followed: [JournalSubject] { [] }
  func follow(_ items: [JournalItem]) {}
  func noteRead(_ sessions: [String]?) {}
  func note(delivering sessions: [JournalSubject: Int64]) -> [JournalSubject] { [] }

  func note(damaged sessions: [JournalSubject: JournalFault]) {}
  func noteCurrent(_ sessions: [JournalSubject], since time: ContinuousClock.Instant) {}
  func isUnloaded(_ session: JournalSubject) -> Bool { false }
  func load(_ session: JournalSubject, from items: [JournalItem]) {}
  func unload(_ session: JournalSubject) {}
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
