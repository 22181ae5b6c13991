import JSONText
import MenuEngine

@testable import MenuStore

/// All that is durable, in order, and the answers that clients got.
///
/// It knows nothing of editions: only what the journal was given and what is read.
struct History {
  /// The catalogue or a session after a write.
  struct Version {
    let revision: Int64
    /// False after a session was closed.
    var isOpen = true
    /// The revision of the catalogue that it was made under.
    var seen: Int64 = 0
    /// The number of changes since it was opened.
    var changes = 0
    let bytes: JournalState
  }

  /// Everything after some write.
  struct Contents {
    var subjects: [JournalSubject: Version] = [:]
    var entries: [[UInt8]: IdempotencyEntry] = [:]
    /// The number of records so far.
    var records: Int64 = 0

    var catalog: Int64 { subjects[.catalog]?.revision ?? 0 }
    var count: Int { subjects.count { $0.key != .catalog && $0.value.isOpen } }
  }

  /// The durable writes.
  private(set) var lines: [JournalWrite] = []
  private(set) var present = Contents()
  /// The numbers of lines at the beginning and after each batch.
  private var ends = [0]
  /// The batches that the next start may find or not.
  private var doubtful: [[JournalWrite]] = []
  /// True until the clients of the last of them are told how it ended.
  private var isLastOpen = false
  /// The indices of the lines that nobody is told of yet.
  private var unclaimed: Set<Int> = []
  /// Answers that were sent, by their keys.
  private var replies: [[UInt8]: [UInt8]] = [:]
  /// Keys whose answers may be gone.
  private var unprotected: Set<[UInt8]> = []
  /// The latest time; answers that had expired by then may be there or not.
  private var latest: Int64 = 0
}

// MARK: What happens

extension History {
  /// Notes a batch that may become durable from now on.
  mutating func begin(_ writes: [JournalWrite]) {
    guard !writes.isEmpty else { return }
    doubtful.append(writes)
    isLastOpen = true
  }

  /// Notes that a batch is durable, and stands in the place of those that failed before; answers what is wrong about it.
  mutating func add(_ writes: [JournalWrite], at now: Int64) -> String? {
    note(now)
    doubtful = []
    var wrong: String?
    for write in writes {
      wrong = wrong ?? fault(of: write)
      if write.record != nil, !write.isBeginning { unclaimed.insert(lines.count) }
      lines.append(write)
      present.add(write)
    }
    if !writes.isEmpty { ends.append(lines.count) }
    return wrong
  }

  private mutating func fault(of write: JournalWrite) -> String? {
    unprotected.formUnion(write.forgotten)
    if let key = write.entry?.key, let old = present.entries[key] {
      if old.expiry <= latest { unprotected.insert(key) }
      if !unprotected.contains(key) {
        return "request \(String(decoding: key, as: UTF8.self)) is carried out twice"
      }
    }
    guard let record = write.record, !write.isBeginning else { return nil }
    let isOpen = present.subjects[record.subject]?.isOpen == true
    if isOpen == (record.kind == .opened) { return "\(record.subject) is \(record.kind) twice" }
    if record.kind == .opened, present.count >= SimulatedClient.mostSessions {
      return "more sessions are open than may be"
    }
    return nil
  }

  /// Notes the time by which answers expire.
  mutating func note(_ now: Int64) { latest = max(latest, now) }

  /// Notes that a client is told that its change is carried out; answers what is wrong about that.
  mutating func acknowledge(_ record: JournalRecord?) -> String? {
    guard let line = unclaimed.filter({ lines[$0].record == record }).min() else {
      return "a change is acknowledged that is not durable"
    }
    unclaimed.remove(line)
    return nil
  }

  /// Notes that a client is told that its change is not carried out.
  mutating func refuse(_ fault: JournalFault) {
    if isLastOpen, fault != .outcomeUnknown { _ = doubtful.popLast() }
    isLastOpen = false
  }

  /// Answers what is wrong once all clients of a batch are told how it ended.
  var faultOfUnclaimed: String? {
    unclaimed.min().map { "write \($0 + 1) is durable, and nobody is told of it" }
  }

  /// Notes an answer that is sent; answers what is wrong about it.
  mutating func reply(_ key: [UInt8], _ body: [UInt8]) -> String? {
    let first = replies.updateValue(body, forKey: key)
    guard let first, first != body, !unprotected.contains(key) else { return nil }
    return "request \(String(decoding: key, as: UTF8.self)) gets another answer than the first time"
  }

  /// Notes the keys of the answers that the store still has, all others being gone.
  mutating func keep(_ keys: [[UInt8]]) {
    unprotected.formUnion(Set(present.entries.keys).union(replies.keys).subtracting(keys))
  }
}

extension JournalWrite {
  /// True if it begins the journal with the catalogue.
  var isBeginning: Bool { record?.subject == .catalog && record?.kind == .opened }
}

extension History.Contents {
  mutating func add(_ write: JournalWrite) {
    for key in write.forgotten { entries[key] = nil }
    if let entry = write.entry { entries[entry.key] = entry }
    guard let record = write.record else { return }
    records += 1
    let old = subjects[record.subject]
    subjects[record.subject] = History.Version(
      revision: record.revision, isOpen: record.kind != .closed, seen: catalog,
      changes: record.kind == .opened ? 0 : (old?.changes ?? 0) + 1, bytes: write.state ?? { nil })
  }
}

// MARK: What is seen

extension History {
  /// Compares what is read of a name with what is durable; answers what is wrong about it.
  func fault(of look: StoreSnapshot, at id: SessionID) -> String? {
    let version = present.subjects[.session(id.rawValue)]
    let catalog = look.catalog.catalog.revision
    if Int64(catalog) != present.catalog {
      return "the catalogue is at \(catalog) instead of \(present.catalog)"
    }
    if look.count != present.count { return "\(look.count) sessions instead of \(present.count)" }
    switch (look.session?.session, version?.isOpen == true ? version : nil) {
    case (nil, nil): return nil
    case (nil, .some): return "session \(id) is not there"
    case (.some, nil): return "session \(id) is there, which nobody opened or somebody closed"
    case (let session?, let version?): return version.fault(of: session)
    }
  }

  /// Compares a kept answer with those that are durable; answers what is wrong about it.
  func fault(of entry: IdempotencyEntry) -> String? {
    present.entries[entry.key] == entry ? nil : "an answer is repeated that is not durable"
  }
}

extension History.Version {
  /// Compares a session, whose state says how it was made.
  func fault(of session: Session) -> String? {
    if Int64(session.revision) != revision {
      return "session \(session.id) is at \(session.revision) instead of \(revision)"
    }
    if session.state[SimulatedClient.seen] != .int(seen) {
      return
        "session \(session.id) was made under catalogue \(session.state[SimulatedClient.seen] ?? .null) "
        + "and stands behind \(seen)"
    }
    if session.state[SimulatedClient.changes] != .int(Int64(changes)) {
      return
        "session \(session.id) has \(session.state[SimulatedClient.changes] ?? .null) changes of \(changes)"
    }
    return nil
  }
}

// MARK: Recovery

/// The findings of a start.
struct Found {
  let recovery: JournalRecovery
  let entries: [IdempotencyEntry]
  /// Nil if the journal had none.
  let catalog: [UInt8]?
  let sessions: [String: [UInt8]]
}

extension History {
  /// Finds the batch up to which everything was recovered, and goes on from there; answers what is wrong
  /// if there is none, and whether something durable was lost.
  ///
  /// - Parameter mayLose: True if the last batches may be lost.
  mutating func recover(_ found: Found, mayLose: Bool) -> (fault: String?, isLosing: Bool) {
    var mismatches: [String] = []
    let former = mayLose ? ends.dropLast() : []
    let candidates =
      doubtful.map { lines + $0 } + [lines] + former.reversed().map { Array(lines[..<$0]) }
    for candidate in candidates {
      var contents = Contents()
      for line in candidate { contents.add(line) }
      if let mismatch = contents.mismatch(with: found, latest) {
        mismatches.append("after write \(candidate.count): \(mismatch)")
        continue
      }
      let isLosing = candidate.count < lines.count
      if isLosing { replies = [:] }
      ends = ends.filter { $0 < candidate.count } + [candidate.count]
      (lines, present, doubtful, unclaimed) = (candidate, contents, [], [])
      return (nil, isLosing)
    }
    let reasons = mismatches.prefix(6).joined(separator: "; ")
    return ("nothing that was is recovered, with write \(lines.count) durable: \(reasons)", false)
  }
}

extension History.Contents {
  /// Compares with what was found; nil if it is the same to the byte.
  ///
  /// Answers that had expired at that time may be there or not.
  fileprivate func mismatch(with found: Found, _ latest: Int64) -> String? {
    if records != found.recovery.last { return "\(found.recovery.last) records of \(records)" }
    let unexpired = entries.values.filter { $0.expiry > latest }
    if !Set(found.entries).isSuperset(of: unexpired) { return "a missing answer" }
    if !Set(found.entries).isSubset(of: entries.values) { return "another answer" }
    if (subjects[.catalog]?.bytes() ?? nil) != found.catalog { return "another catalogue" }
    var names: Set<String> = []
    for (subject, version) in subjects where version.isOpen {
      guard case .session(let name) = subject else { continue }
      names.insert(name)
      if !Self.isSame(version.bytes(), found.sessions[name]) { return "another session \(name)" }
    }
    return names == Set(found.sessions.keys) ? nil : "other sessions"
  }

  /// Compares two sessions. After a loss one begins again, under another number.
  private static func isSame(_ bytes: [UInt8]?, _ found: [UInt8]?) -> Bool {
    if bytes == found { return true }
    let (old, new) = ((try? bytes.map(unnumbered)) ?? nil, (try? found.map(unnumbered)) ?? nil)
    return old != nil && old == new
  }

  private static func unnumbered(_ bytes: [UInt8]) throws -> [UInt8] {
    var session = try StoredReader().session(from: bytes)
    session.openingNumber = nil
    return try StoredFormat.bytes(of: session)
  }
}
