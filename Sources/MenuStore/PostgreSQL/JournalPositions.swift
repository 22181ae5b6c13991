import Locks
import Synchronization

/// The positions up to which this process has applied the journal: of the directory, of the catalogue and of the
/// sessions in memory; and the states that are to be written.
///
/// Three threads use it: the committing one, the one that reads other replicas' commits, and the housekeeping one.
final class JournalPositions: Sendable {
  private struct State {
    /// The end of the applied part of the directory.
    var position: Int64 = 0
    /// The positions of the catalogue and of the sessions in memory.
    var held: [JournalSubject: SubjectPosition] = [:]
    /// The subjects of the batch being committed, so that their records are not mistaken for another replica's.
    var committing: Set<JournalSubject> = []
    /// True if that batch changes the directory.
    var isCommittingDirectory = false
    /// The record of the last change of the catalogue.
    var catalogAt: Int64 = 0
    /// The id of this process in the database.
    var writer: [UInt8] = []
    /// The states of sessions that this process has changed but not written yet.
    var lagging: LaggingStates
    weak var follower: (any JournalFollower)?
  }

  private let state: Monitor<State>
  let figures = SharingFigures()
  private let replaced = Atomic(false)
  /// The start of the last applied reading; nil before the first.
  let lastReading = Lock<ContinuousClock.Instant?>(nil)
  /// The database and its server, for messages.
  let place: String

  /// - Parameter delay: The time after which the state of a session is written.
  init(place: String, stateDelay delay: Duration) {
    self.place = place
    state = Monitor(State(lagging: LaggingStates(after: delay)))
  }

  /// Starts at the end of the recovered contents.
  func begin(as writer: [UInt8], at end: PostgreSQLDatabase.End) {
    state.withLock { state in
      (state.writer, state.position, state.held) = (writer, end.directory, end.positions)
      state.catalogAt = end.catalogAt
      for mark in end.marks { state.lagging.add(mark) }
    }
  }

  /// True if the database no longer has a row for this process.
  var isReplaced: Bool { replaced.load(ordering: .relaxed) }

  /// Records that the database no longer has a row for this process.
  func noteReplaced() { replaced.store(true, ordering: .relaxed) }

  /// The id of this process in the database.
  var writer: [UInt8] { state.withLock(\.writer) }

  /// Sets the follower of other replicas' commits, which also creates the states.
  func begin(_ follower: any JournalFollower) { state.withLock { $0.follower = follower } }

  /// The follower of other replicas' commits; nil once it is gone.
  var follower: (any JournalFollower)? { state.withLock(\.follower) }

  /// Unloads sessions, whose positions are dropped.
  ///
  /// - Parameter body: Returns the sessions. It receives those that must stay, because a change of them is being
  ///   committed.
  func release(_ body: (Set<JournalSubject>) -> [JournalSubject]) {
    state.withLock { state in
      for subject in body(state.committing) { state.held[subject] = nil }
    }
  }
}

// MARK: Committing

extension JournalPositions {
  /// Marks a batch as being committed, and returns the positions of its subjects and of the catalogue.
  func beginCommit(
    of subjects: Set<JournalSubject>, changingDirectory: Bool
  ) -> [JournalSubject: SubjectPosition] {
    state.withLock { state in
      (state.committing, state.isCommittingDirectory) = (subjects, changingDirectory)
      var held: [JournalSubject: SubjectPosition] = [:]
      for subject in subjects { held[subject] = state.held[subject] }
      held[.catalog] = state.held[.catalog]
      return held
    }
  }

  /// Marks the batch as failed.
  func endCommit() {
    state.withLock { ($0.committing, $0.isCommittingDirectory) = ([], false) }
    state.signal()
  }

  /// Marks the batch as committed and published.
  ///
  /// - Parameter end: The end of the directory, if the batch changed it.
  func endCommit(of batch: PostgreSQLBatch, directory end: Int64?) {
    state.withLock { state in
      for mark in batch.marks { state.lagging.add(mark) }
      for (subject, place) in batch.positions {
        state.held[subject] = place
        if place == nil { state.lagging.remove(subject) }
      }
      if let end {
        state.position = end
        if batch.positions[.catalog] != nil { state.catalogAt = end }
      }
      (state.committing, state.isCommittingDirectory) = ([], false)
    }
    state.signal()
  }
}

// MARK: Reading

extension JournalPositions {
  /// Returns the statements that read the commits of other processes: the records of sessions after their positions,
  /// the directory after its applied end, and answers.
  func statements(
    for sessions: some Sequence<JournalSubject>, keys: [[UInt8]] = [],
    readingDirectory: Bool = true
  ) -> SharedReading.Statements {
    state.withLock { state in
      let held = sessions.compactMap { subject in state.held[subject].map { (subject, $0) } }
      return SharedReading.Statements(
        after: state.position, held: held, keys: keys, readingDirectory: readingDirectory)
    }
  }

  /// Applies a reading without the directory, once none of its subjects is being committed. Returns false if the
  /// directory must be read too, if sessions were opened or loaded meanwhile, or on timeout.
  func takeSessions(
    _ reading: SharedReading, of wanted: Set<JournalSubject>, waiting patience: Duration
  ) throws(JournalFault) -> Bool {
    let result = state.wait(patience) { state -> Result<Bool, JournalFault>? in
      if state.isCommittingDirectory, reading.end != state.position { return nil }
      guard reading.end == state.position,
        wanted.allSatisfy({ state.held[$0] == nil || reading.subjects.contains($0) })
      else { return .success(false) }
      guard reading.isApart(from: state.committing) else { return nil }
      return Result { () throws(JournalFault) in
        try self.take(reading, &state)
        return true
      }
    }
    return try result?.get() ?? false
  }

  /// Applies a reading, once none of its subjects is being committed; returns false on timeout.
  func take(
    _ reading: SharedReading, waiting patience: Duration
  ) throws(JournalFault) -> Bool {
    let result = state.wait(patience) { state -> Result<Void, JournalFault>? in
      guard !state.isCommittingDirectory, reading.isApart(from: state.committing) else {
        return nil
      }
      return Result { () throws(JournalFault) in try self.take(reading, &state) }
    }
    try result?.get()
    return result != nil
  }

  /// Applies a reading on the committing thread. It need not wait, because the rows are locked.
  func takeLocked(_ reading: SharedReading) throws(JournalFault) {
    try state.withLock { (state) throws(JournalFault) in
      try take(reading, &state)
      // Otherwise the database was replaced.
      if reading.isBehind(state.held) { throw .takenOver(database: place) }
    }
  }

  private func take(_ reading: SharedReading, _ state: inout State) throws(JournalFault) {
    // Otherwise the database was replaced.
    guard reading.end >= reading.start else { throw .takenOver(database: place) }
    guard reading.removed <= state.position else { throw .fellBehind(database: place) }
    var held = state.held
    let found = try reading.items(
      after: state.position, catalogAt: state.catalogAt, &held, in: place)
    try follow(found.items, &held, with: state.follower)
    state.held = held
    if let catalogAt = found.catalogAt { state.catalogAt = catalogAt }
    state.position = max(state.position, reading.end)
    // The commits of these are gone, so the sessions are loaded again.
    for subject in reading.lost(behind: held) {
      state.follower?.unload(subject)
      state.held[subject] = nil
    }
    figures.followed.add(found.count)
    if let age = found.age { figures.lag.note(age) }
  }

  /// Passes items to the follower. A session whose changes cannot be decoded is unloaded; loading it reports the
  /// fault.
  private func follow(
    _ items: [JournalItem], _ held: inout [JournalSubject: SubjectPosition],
    with follower: (any JournalFollower)?
  ) throws(JournalFault) {
    var items = items
    while true {
      do throws(JournalFault) {
        try follower?.follow(items)
        return
      } catch {
        guard case .unreadable(let subject, _, _) = error, subject != .catalog else { throw error }
        let count = items.count
        items.removeAll { $0.isChange(of: subject) }
        guard items.count < count else { throw error }
        follower?.unload(subject)
        held[subject] = nil
      }
    }
  }

  /// The outcome of reading a session.
  enum Loading {
    /// The follower has it, or the session is not open.
    case done
    /// It must be read again with the catalogue, which changed after the session's first change.
    case needsCatalog
    /// It must be read again, because sessions were opened or closed after the reading.
    case tooEarly
  }

  /// Passes the contents of a session to the follower, unless it is loaded.
  ///
  /// - Parameter end: The end of the directory at the reading. If it has moved since, the session may have changed
  ///   too.
  func load(
    _ session: JournalSubject, _ contents: SubjectContents?, at end: Int64,
    waiting patience: Duration
  ) throws(JournalFault) -> Loading {
    let result = state.wait(patience) { state -> Result<Loading, JournalFault>? in
      guard !state.committing.contains(session), !state.isCommittingDirectory else { return nil }
      return Result { () throws(JournalFault) in
        guard let follower = state.follower, follower.isUnloaded(session) else { return .done }
        guard let contents, end == state.position else { return .tooEarly }
        guard contents.hasCatalog || contents.firstChange >= state.catalogAt else {
          return .needsCatalog
        }
        try follower.load(session, from: contents.items)
        state.held[session] = contents.place
        return .done
      }
    }
    return try result?.get() ?? .tooEarly
  }
}

// MARK: States

extension JournalPositions {
  /// The states that are due.
  var dueMarks: [LaggingStates.Mark] { state.withLock(\.lagging.due) }

  /// Removes marks whose states are written or cannot be made.
  func remove(_ marks: [LaggingStates.Mark]) { state.withLock { $0.lagging.remove(marks) } }

  /// Returns the state of a session from its contents, which include the catalogue of each change.
  func state(of contents: SubjectContents) throws(JournalFault) -> SubjectState? {
    guard let payload = try follower?.state(of: contents.subject, from: contents.items) else {
      return nil
    }
    return SubjectState(
      subject: contents.subject, place: contents.place, revision: contents.revision,
      payload: payload)
  }

  /// The catalogue at its position; nil while it may be changing.
  var catalogMark: LaggingStates.Mark? {
    // Released after the lock: its deinit may wait for a thread that waits for this lock.
    let follower = follower
    return state.withLock { state in
      guard !state.isCommittingDirectory, let place = state.held[.catalog], let follower else {
        return nil
      }
      let (revision, made) = follower.catalogState
      return LaggingStates.Mark(.catalog, at: place, revision: revision, state: made)
    }
  }
}

extension JournalItem {
  /// True if it is a change of a subject.
  fileprivate func isChange(of subject: JournalSubject) -> Bool {
    if case .record(let record, sequence: _) = self {
      record.kind == .changed && record.subject == subject
    } else {
      false
    }
  }
}
