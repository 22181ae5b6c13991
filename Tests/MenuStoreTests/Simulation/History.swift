import JSONText
import MenuEngine

@testable import MenuStore

/// The line of history: all that was published and not taken back, in order, and what clients were told.
///
/// It knows nothing of editions and tickets but what the journal was given and what clients show.
struct History {
  /// The catalogue or a session after a write.
  struct Version {
    /// The number of the write.
    let line: Int
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

  /// A write.
  struct Line {
    let number: Int
    let write: JournalWrite
    /// Everything before it.
    let before: Contents
  }

  /// A batch that was taken back.
  private struct Ghost {
    var lines: [Line]
    /// The number of lines before it.
    var after: Int
    /// True until it is settled.
    var isOpen = true
  }

  private(set) var lines: [Line] = []
  private(set) var present = Contents()
  /// Batches that were taken back and may be found by the next start.
  private var ghosts: [Ghost] = []
  /// The last line that somebody was told of, or that was said to be durable.
  private(set) var floor = 0
  /// Answers that were sent, by their keys.
  private var replies: [[UInt8]: [UInt8]] = [:]
  /// Keys whose answers may be gone.
  private var unprotected: Set<[UInt8]> = []
  private var last = 0
  /// The latest time; answers that had expired by then may be there or not.
  private var latest: Int64 = 0
}

// MARK: What happens

extension History {
  /// Notes a write that was taken; answers what is wrong about it.
  mutating func add(_ write: JournalWrite, at now: Int64) -> String? {
    last += 1
    note(now)
    var wrong: String?
    if let key = write.entry?.key, let old = present.entries[key] {
      if old.expiry <= latest { unprotected.insert(key) }
      if !unprotected.contains(key) {
        wrong = "request \(String(decoding: key, as: UTF8.self)) is carried out twice"
      }
    }
    let line = Line(number: last, write: write, before: present)
    lines.append(line)
    present.add(line)
    unprotected.formUnion(write.forgotten)
    return wrong
  }

  /// Notes the time by which answers expire.
  mutating func note(_ now: Int64) { latest = max(latest, now) }

  /// The number of the last write.
  var lastNumber: Int { last }

  /// Takes back a write; answers what is wrong about that.
  mutating func takeBack(_ number: Int) -> String? {
    guard let line = lines.last, line.number == number else {
      return "write \(number) is taken back before later ones"
    }
    lines.removeLast()
    present = line.before
    if let ghost = ghosts.last, ghost.isOpen, ghost.after == lines.count + 1 {
      ghosts[ghosts.count - 1].lines.insert(line, at: 0)
      ghosts[ghosts.count - 1].after -= 1
    } else {
      ghosts.append(Ghost(lines: [line], after: lines.count))
    }
    if number <= floor { return "write \(number), which somebody saw, is taken back" }
    return nil
  }

  /// Notes how a write ended.
  mutating func settle(_ number: Int, _ outcome: Ticket.Outcome) {
    switch outcome {
    case .durable:
      tell(number)
      // It stands in the place of what failed before.
      ghosts = []
    case .failed(let fault):
      for index in ghosts.indices where ghosts[index].lines.contains(where: { $0.number == number })
      {
        ghosts[index].isOpen = false
        if fault != .outcomeUnknown { ghosts[index].lines.removeAll { $0.number == number } }
      }
      ghosts.removeAll(where: \.lines.isEmpty)
    }
  }

  /// Notes that somebody saw a write; answers what is wrong about that.
  @discardableResult
  mutating func tell(_ number: Int) -> String? {
    floor = max(floor, number)
    let isRecovered = number < lines.first?.number ?? last + 1
    if isRecovered || lines.contains(where: { $0.number == number }) { return nil }
    return "write \(number), which was taken back, is shown"
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

extension History.Contents {
  mutating func add(_ line: History.Line) {
    let write = line.write
    for key in write.forgotten { entries[key] = nil }
    if let entry = write.entry { entries[entry.key] = entry }
    guard let record = write.record else { return }
    records += 1
    let old = subjects[record.subject]
    subjects[record.subject] = History.Version(
      line: line.number, revision: record.revision, isOpen: record.kind != .closed, seen: catalog,
      changes: record.kind == .opened ? 0 : (old?.changes ?? 0) + 1, bytes: write.state ?? { nil })
  }
}

// MARK: What is seen

extension History {
  /// Compares what is read of a name with the line of history; answers what is wrong about it.
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

  /// The writes that an answer about a name shows.
  func lines(showing id: SessionID) -> [Int] {
    [.catalog, .session(id.rawValue)].compactMap { present.subjects[$0]?.line }
  }
}

extension History.Version {
  /// Compares a session, whose state says how it was made.
  func fault(of session: Session) -> String? {
    if Int64(session.revision) != revision {
      return "session \(session.id) is at \(session.revision) instead of \(revision)"
    }
    if session.state["seen"] != .int(seen) {
      return "session \(session.id) was made under catalogue \(session.state["seen"] ?? .null) "
        + "and stands behind \(seen)"
    }
    if session.state["changes"] != .int(Int64(changes)) {
      return "session \(session.id) has \(session.state["changes"] ?? .null) changes of \(changes)"
    }
    return nil
  }
}

extension JSON {
  fileprivate subscript(name: String) -> JSON? { self[JSONPointer([name])] }
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
  /// Finds the write up to which everything was recovered, and goes on from there; answers what is wrong
  /// if there is none, and whether something was lost that clients were told of.
  ///
  /// - Parameters:
  ///   - mayLose: True if what clients were told may be lost.
  ///   - isDurable: True if what was recovered must be there from now on.
  mutating func recover(
    _ found: Found, mayLose: Bool, isDurable: Bool
  ) -> (fault: String?, isLosing: Bool) {
    var mismatches: [String] = []
    for candidate in candidates.reversed() where mayLose || candidate.last >= floor {
      if let mismatch = candidate.contents.mismatch(with: found, latest) {
        mismatches.append("after write \(candidate.last): \(mismatch)")
        continue
      }
      let isLosing = candidate.last < floor
      if isLosing { replies = [:] }
      (lines, present, ghosts) = (candidate.lines, candidate.contents, [])
      let recovered = lines.last?.number ?? 0
      floor = isDurable ? recovered : min(floor, recovered)
      return (nil, isLosing)
    }
    let reasons = mismatches.prefix(6).joined(separator: "; ")
    return ("nothing that was is recovered, with write \(floor) durable: \(reasons)", false)
  }

  private struct Candidate {
    var contents = Contents()
    var lines: [Line] = []
    /// The last write that was not taken back.
    var last = 0

    mutating func add(_ line: Line) {
      contents.add(line)
      lines.append(line)
    }
  }

  /// All that may be recovered.
  private var candidates: [Candidate] {
    var candidate = Candidate()
    var all = [candidate] + ghostly(candidate)
    for line in lines {
      candidate.add(line)
      candidate.last = line.number
      all += [candidate] + ghostly(candidate)
    }
    return all
  }

  /// The recoveries that are allowed when a batch is found that was rolled back.
  private func ghostly(_ before: Candidate) -> [Candidate] {
    ghosts.filter { $0.after == before.lines.count }.flatMap { ghost in
      var candidate = before
      return ghost.lines.map { line in
        candidate.add(line)
        return candidate
      }
    }
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
      if version.bytes() != found.sessions[name] { return "another session \(name)" }
    }
    return names == Set(found.sessions.keys) ? nil : "other sessions"
  }
}
