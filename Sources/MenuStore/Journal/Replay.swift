import MenuEngine

/// Replays a journal.
final class Replay {
  private(set) var catalog: Catalog?
  private(set) var sessions: [SessionID: Session] = [:]
  private(set) var entries: [IdempotencyEntry] = []
  /// The last changes of sessions under the last catalogue.
  private(set) var tail = ReplayedTail()
  private let reader = StoredReader()

  func read(_ item: JournalItem) throws(JournalFault) {
    switch item {
    case .entry(let entry): entries.append(entry)
    case .state(let subject, let revision, let bytes):
      try begin(
        subject, from: bytes, revision: revision,
        at: ReplayPosition(subject: subject, sequence: nil))
    case .record(let record, let sequence):
      let place = ReplayPosition(subject: record.subject, sequence: sequence)
      switch record.kind {
      case .opened:
        try begin(
          record.subject, from: record.payload, revision: record.revision, at: place)
      case .changed: try change(record, at: place)
      case .closed: if case .session(let name) = record.subject { try close(name, at: place) }
      }
    }
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
  ) throws(JournalFault) {
    switch subject {
    case .catalog:
      let read = try place.value { () throws(StoredFault) in try reader.catalog(from: bytes) }
      try place.expect(read.revision == revision)
      catalog = read
      tail.removeAll()
    case .session(let name):
      let session = try place.value { () throws(StoredFault) in try reader.session(from: bytes) }
      try place.expect(session.id.rawValue == name && session.revision == revision)
      sessions[session.id] = session
    }
  }

  private func change(_ record: JournalRecord, at place: ReplayPosition) throws(JournalFault) {
    guard var catalog else { throw place.fault("There is no catalogue before it.") }
    switch record.subject {
    case .catalog:
      let mutation = try place.value { () throws(StoredFault) in
        try StoredFormat.value(CatalogMutation.self, from: record.payload)
      }
      do throws(CatalogMutationFault) {
        _ = try catalog.apply(mutation)
      } catch {
        throw place.fault("The catalogue refuses now what it accepted then: \(error.fault).")
      }
      try place.expect(catalog.revision == record.revision)
      self.catalog = catalog
      tail.removeAll()
    case .session(let name):
      guard let session = SessionID(name).flatMap({ sessions[$0] }) else {
        throw place.fault("The session is not open.")
      }
      let change = try place.value { () throws(StoredFault) in
        try reader.record(from: record.payload)
      }
      do throws(ReplayFault) {
        sessions[session.id] = try change.replayed(
          on: session, in: catalog, reaching: record.revision)
      } catch {
        throw place.fault("It cannot be done again: \(error).")
      }
      try place.expect(sessions[session.id].map { Int64($0.revision) } == record.revision)
      if case .changed(let mutations) = change {
        tail.append(
          ReplayedChange(before: session, mutations: mutations, revision: Int(record.revision)))
      }
    }
  }

  private func close(_ name: String, at place: ReplayPosition) throws(JournalFault) {
    let closed = SessionID(name).flatMap { sessions.removeValue(forKey: $0) }
    try place.expect(closed != nil)
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
