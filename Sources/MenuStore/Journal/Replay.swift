import MenuEngine

/// The effect of an item of a journal.
enum ReplayedStep: Sendable {
  /// The catalogue was created.
  case began(Catalog)
  case changedCatalog(Catalog, by: CatalogMutation)
  case opened(Session)
  case changed(Session, by: SessionRecord, outcomes: [Outcome])
  /// A session is open, but not loaded.
  case unread(SessionID, SessionLabel)
  /// A session that is not loaded was changed.
  case passedOver
  case closed(SessionID)
  case kept(KeyedAnswer)
}

/// Replays a journal.
final class Replay {
  private(set) var catalog: Catalog?
  private(set) var sessions: [SessionID: Session] = [:]
  /// The labels of the sessions that remain unloaded after a start.
  private(set) var unread: [SessionID: SessionLabel] = [:]
  private(set) var entries: [IdempotencyEntry] = []
  /// The last changes of sessions and of the catalogue.
  private(set) var tail = ReplayedTail()
  private let reader: StoredReader
  /// True if there may be more open sessions than the loaded ones.
  private var mayLackSessions = false

  init(_ reader: StoredReader = StoredReader()) { self.reader = reader }

  /// Creates a replay that continues from a catalogue and some of the open sessions.
  init(_ reader: StoredReader, after catalog: Catalog?, _ sessions: [SessionID: Session]) {
    self.reader = reader
    self.catalog = catalog
    self.sessions = sessions
    mayLackSessions = true
  }

  func read(_ item: JournalItem) throws(JournalFault) {
    if case .entry(let entry) = item { entries.append(entry) } else { _ = try step(item) }
  }

  /// Replays an item, and returns its effect.
  func step(_ item: JournalItem) throws(JournalFault) -> ReplayedStep {
    switch item {
    case .entry(let entry): return .kept(KeyedAnswer(entry))
    case .unread(let subject, let label):
      let place = ReplayPosition(subject: subject, sequence: nil)
      guard case .session(let name) = subject, let id = SessionID(name) else {
        throw place.fault("It is no session.")
      }
      let known = try place.value { () throws(StoredFault) in
        try StoredFormat.value(SessionLabel.self, from: label)
      }
      unread[id] = known
      return .unread(id, known)
    case .state(let subject, let revision, let bytes):
      return try begin(
        subject, from: bytes, revision: revision,
        at: ReplayPosition(subject: subject, sequence: nil))
    case .record(let record, let sequence):
      let place = ReplayPosition(subject: record.subject, sequence: sequence)
      switch record.kind {
      case .opened:
        return try begin(
          record.subject, from: record.payload, revision: record.revision, at: place)
      case .changed: return try change(record, at: place)
      case .closed: return try close(record.subject, at: place)
      }
    }
  }

  /// Reads a session; see ``JournalFollower/load(_:from:)``.
  ///
  /// - Returns: The session, and the changes that were replayed; nil if the items do not contain it.
  func session(
    _ id: SessionID, from items: [JournalItem]
  ) throws(JournalFault) -> (session: Session, changes: [ReplayedChange])? {
    for item in items { _ = try step(item) }
    guard let session = sessions[id] else { return nil }
    return (session, tail.changes(of: [id: session], sinceCatalog: true))
  }

  /// Starts a new incarnation of each session in its present state.
  ///
  /// - Returns: The records that open them.
  func beginSessionsAgain(as number: () -> Int) throws(JournalFault) -> [JournalRecord] {
    var beginnings: [JournalRecord] = []
    for (id, var session) in sessions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      session.openingNumber = number()
      sessions[id] = session
      beginnings.append(
        JournalRecord(
          .opened, session.subject, revision: Int64(session.revision),
          payload: try session.stored()))
    }
    return beginnings
  }

  /// The state of a subject as it is so far.
  func state(of subject: JournalSubject) -> JournalState? {
    switch subject {
    case .catalog: catalog?.journalState
    case .session(let name): SessionID(name).flatMap { sessions[$0] }?.journalState
    }
  }

  private func begin(
    _ subject: JournalSubject, from bytes: [UInt8], revision: Int64, at place: ReplayPosition
  ) throws(JournalFault) -> ReplayedStep {
    switch subject {
    case .catalog:
      let read = try place.value { () throws(StoredFault) in try reader.catalog(from: bytes) }
      try place.expect(read.revision == revision)
      catalog = read
      tail.removeAll()
      return .began(read)
    case .session(let name):
      let session = try place.value { () throws(StoredFault) in try reader.session(from: bytes) }
      try place.expect(session.id.rawValue == name && session.revision == revision)
      sessions[session.id] = session
      return .opened(session)
    }
  }

  private func change(
    _ record: JournalRecord, at place: ReplayPosition
  ) throws(JournalFault) -> ReplayedStep {
    guard let catalog else { throw place.fault("There is no catalogue before it.") }
    guard case .session(let name) = record.subject else {
      return try change(catalog, by: record, at: place)
    }
    guard let id = SessionID(name), let session = sessions[id] else {
      if mayLackSessions { return .passedOver }
      throw place.fault("The session is not open.")
    }
    let change = try place.value { () throws(StoredFault) in
      try reader.record(from: record.payload)
    }
    let (changed, outcomes): (Session, [Outcome])
    do throws(ReplayFault) {
      (changed, outcomes) = try change.replayed(on: session, in: catalog)
    } catch {
      throw place.fault("It cannot be done again: \(error).")
    }
    try place.expect(Int64(changed.revision) == record.revision)
    sessions[session.id] = changed
    tail.append(
      ReplayedChange(
        before: .session(session), after: .session(changed),
        change: .changed(by: change, outcomes: outcomes),
        payload: record.payload.count))
    return .changed(changed, by: change, outcomes: outcomes)
  }

  private func change(
    _ catalog: Catalog, by record: JournalRecord, at place: ReplayPosition
  ) throws(JournalFault) -> ReplayedStep {
    let mutation = try place.value { () throws(StoredFault) in
      try StoredFormat.value(CatalogMutation.self, from: record.payload)
    }
    var changed = catalog
    do throws(CatalogMutationFault) {
      _ = try changed.apply(mutation)
    } catch {
      throw place.fault("The catalogue refuses now what it accepted then: \(error.fault).")
    }
    try place.expect(changed.revision == record.revision)
    tail.append(
      ReplayedChange(
        before: .catalog(catalog), after: .catalog(changed),
        change: .catalogChanged(by: mutation), payload: record.payload.count))
    self.catalog = changed
    return .changedCatalog(changed, by: mutation)
  }

  private func close(
    _ subject: JournalSubject, at place: ReplayPosition
  ) throws(JournalFault) -> ReplayedStep {
    guard case .session(let name) = subject, let id = SessionID(name),
      sessions.removeValue(forKey: id) != nil || mayLackSessions
    else { throw place.fault("It does not lead to what it did when it was written.") }
    return .closed(id)
  }
}

/// A position in a journal that is being read.
private struct ReplayPosition {
  let subject: JournalSubject
  let sequence: Int64?

  func fault(_ reason: String) -> JournalFault {
    .unreadable(subject, sequence: sequence, reason: reason)
  }

  func expect(_ condition: Bool) throws(JournalFault) {
    if !condition { throw fault("It does not lead to what it did when it was written.") }
  }

  func value<Value>(_ read: () throws(StoredFault) -> Value) throws(JournalFault) -> Value {
    do throws(StoredFault) {
      return try read()
    } catch {
      throw fault("\(error)")
    }
  }
}
