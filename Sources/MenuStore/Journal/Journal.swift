/// A durable log of accepted changes in order.
///
/// A journal holds *records* in one order; from time to time a *state* of each subject, so that older records need not
/// be replayed; and the *entries* that answer repeated requests. It treats all of them as bytes. A catalogue, if there
/// is one, precedes every session.
///
/// Call `recover` first, and once. After that one thread appends, one batch at a time.
package protocol Journal: AnyObject, Sendable {
  /// Reads the contents in order, from the oldest state needed to the last record.
  ///
  /// - Parameters:
  ///   - read: Called with each item. Items of closed sessions are skipped.
  ///   - state: Returns the state of a subject after its last item; called at the end for each subject with records.
  /// - Throws: The fault that `read` throws, or one that describes missing or damaged data. The journal must not be
  ///   used then.
  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery

  /// The journal as a shared one; nil, the default, if only this process commits to it.
  var shared: (any SharedJournal)? { get }

  /// Starts to write states in the background, and to read the commits of other processes. Does nothing for a journal
  /// of one process whose `append` writes states.
  ///
  /// - Parameter follower: Creates states, and receives the commits of other processes. It is held weakly.
  func begin(_ follower: any JournalFollower) throws(JournalFault)

  /// Checks, before the first batch, that a batch could be made durable.
  ///
  /// - Returns: The reason why none can be at the moment; nil if one can.
  func probe() throws(JournalFault) -> JournalFault?

  /// Replaces the records and states of subjects by their present states, durably, before the first addition. Called
  /// if records are missing after the recovery, which never happens in a database.
  ///
  /// - Parameter beginnings: The records that open the subjects in their present states.
  func beginAgain(with beginnings: [JournalRecord]) throws(JournalFault)

  /// Makes additions durable, atomically. Without additions, it performs pending maintenance, and checks that
  /// additions could be made durable.
  ///
  /// - Parameter publish: Called once they are durable, before later ones can be.
  /// - Returns: True if more maintenance is pending, which needs no additions.
  func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool

  /// The histories of the sessions (T5).
  var histories: any Histories { get }

  /// The reason why its storage cannot be reached; nil if it can.
  var fault: JournalFault? { get }

  /// The reason why additions are refused at the moment; nil if they may be tried.
  var refusal: JournalFault? { get }

  /// The time without additions after which an empty append checks that the storage can be reached; nil to skip the
  /// check.
  var interval: Duration? { get }
  /// The maximum time for which a batch waits for changes that are likely to follow, because each batch is costly
  /// whatever its size; nil if it does not wait.
  var gathering: Duration? { get }

  /// The clock by which answers expire.
  var clock: RetentionClock { get }

  /// The counters since it was opened.
  var figures: JournalFigures { get }

  /// Ends all present and future waits for unreachable storage.
  func interrupt()

  /// Releases the storage; later additions are refused.
  func close()
}

extension Journal {
  package var shared: (any SharedJournal)? { nil }
  package func begin(_ follower: any JournalFollower) throws(JournalFault) {}
  package func beginAgain(with beginnings: [JournalRecord]) throws(JournalFault) {}
  package func probe() throws(JournalFault) -> JournalFault? { nil }
  package var fault: JournalFault? { nil }
  package var refusal: JournalFault? { nil }
  package var interval: Duration? { nil }
  package var gathering: Duration? { nil }
  package func interrupt() {}
}

/// A journal that several processes share.
///
/// Each process has the *directory*: the set of open sessions, and the catalogue. It loads sessions on demand, and
/// follows the commits of loaded ones. A batch is made durable only if all its additions are based on the latest
/// commits of their subjects; otherwise `append` throws `conflict`.
package protocol SharedJournal: Journal {
  /// The age of this process's view of the directory; nil before the first reading.
  var age: Duration? { get }

  /// Locks the subjects of the next append against other processes, and passes the follower the latest commits of
  /// them. Opening and closing sessions and changing the catalogue require the lock.
  func lock(_ scope: BatchScope) throws(JournalFault)

  /// Makes additions durable; see `append(_:whenDurable:)`.
  ///
  /// - Parameter isCurrent: Returns true if the additions are based on the follower's present contents. It is called
  ///   once the follower receives no more commits of their subjects.
  /// - Throws: `JournalFault.conflict` if they are not based on the latest commits.
  func append(
    _ writes: [JournalWrite], ifStill isCurrent: () -> Bool, whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool

  /// Reads all earlier commits to the directory and to sessions, and the answers under some keys. Sessions that are
  /// not in memory are loaded, if they are open and intact.
  ///
  /// - Parameter done: Called on any thread: with nil once the follower has everything, otherwise with the fault that
  ///   prevented it.
  func refresh(
    _ sessions: [JournalSubject], keys: [[UInt8]],
    whenDone done: @escaping @Sendable (JournalFault?) -> Void)

  /// Unloads the sessions whose names `body` returns. `body` receives those that must stay loaded.
  func release(_ body: (Set<JournalSubject>) -> [JournalSubject])

  /// Notifies the other processes that sessions were read here.
  func tell(read sessions: [String])

  /// The nonce and the numbers that all processes on the journal agree upon; nil if it is not shared.
  var agreement: JournalAgreement? { get }

  /// The counters of sharing the journal.
  var sharingFigures: SharingFigures { get }

  /// True if this process performs the tasks that only one of them must perform.
  var isCaretaker: Bool { get }
}

extension SharedJournal {
  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try append(writes, ifStill: { true }, whenDurable: publish)
  }
}

/// The data on which all processes that share a journal agree.
package struct JournalAgreement: Hashable, Sendable {
  /// The nonce in entity tags.
  package var nonce: String
  /// The number after which this process numbers incarnations, in a range of its own.
  package var openings: Int
  /// The database's time in milliseconds since 1970-01-01T00:00:00Z when the journal was opened.
  package var time: Int64
}

/// Creates states for a journal, and follows the commits of other processes to a shared one.
package protocol JournalFollower: AnyObject, Sendable {
  /// The revision of the catalogue, and its state.
  var catalogState: (revision: Int64, state: JournalState) { get }

  /// Returns the state of a session from items alone, whatever is in memory; nil if the items do not contain it.
  ///
  /// - Parameter items: The state and the records of it in the journal, in order, with the catalogue and its changes.
  func state(of session: JournalSubject, from items: [JournalItem]) throws(JournalFault) -> [UInt8]?

  /// Publishes the commits of other processes.
  ///
  /// - Throws: `JournalFault` if an item cannot be decoded.
  func follow(_ items: [JournalItem]) throws(JournalFault)

  /// The followed sessions that are open.
  var followed: [JournalSubject] { get }

  /// Records that another process read sessions; nil stands for unknown ones, possibly any.
  func noteRead(_ sessions: [String]?)

  /// Records the sessions that may have deliveries, each with its revision. Returns the ones to load: those not in
  /// memory at that revision, if deliveries are being watched.
  func note(delivering sessions: [JournalSubject: Int64]) -> [JournalSubject]

  /// Records the sessions that cannot be read, each with its fault.
  func note(damaged sessions: [JournalSubject: JournalFault])

  /// Records that sessions include all commits before a moment.
  func noteCurrent(_ sessions: [JournalSubject], since time: ContinuousClock.Instant)

  /// True if an open session is not loaded.
  func isUnloaded(_ session: JournalSubject) -> Bool

  /// Loads a session.
  ///
  /// - Parameter items: The state and the records of it in the journal, in order. If the catalogue changed between
  ///   them, they begin with the earlier catalogue, and include its changes.
  func load(_ session: JournalSubject, from items: [JournalItem]) throws(JournalFault)

  /// Unloads a session whose commits are no longer available. Its followers restart once it is loaded again.
  func unload(_ session: JournalSubject)
}

/// Encodes the state of a subject, lazily, on any thread; nil if that fails, and then its records are kept.
package typealias JournalState = @Sendable () -> [UInt8]?

/// An addition to a journal, which is made atomically.
package struct JournalWrite: Sendable {
  /// The change; nil if the addition is only an answer or a history row.
  package var record: JournalRecord?
  /// The state of the record's subject after it. A closed session needs none.
  package var state: JournalState?
  /// The label of an opened session, which processes know without loading it. The default is nil.
  package var label: [UInt8]?
  /// The number of the incarnation that the record opens; 0, the default, if it opens none.
  package var opening: Int64 = 0
  /// True if its session may have deliveries after it. The default is false.
  package var delivers = false
  /// The answer to a request with an idempotency key.
  package var entry: IdempotencyEntry?
  /// The row of the session's history; nil, the default, if there is none.
  package var history: HistoryRow?
  /// The keys of the entries that are removed before it.
  package var forgotten: [[UInt8]]

  package init(
    record: JournalRecord? = nil, state: JournalState? = nil, label: [UInt8]? = nil,
    entry: IdempotencyEntry? = nil, history: HistoryRow? = nil, forgotten: [[UInt8]] = []
  ) {
    self.record = record
    self.state = state
    self.label = label
    self.entry = entry
    self.history = history
    self.forgotten = forgotten
  }
}

/// The durability of a change when it is acknowledged.
///
/// In every mode, killing the process loses no acknowledged change, and the contents after a crash are a prefix of the
/// changes.
package enum Durability: String, CaseIterable, Sendable {
  /// Flushed to the disk. A power failure loses nothing.
  case full
  /// Written to the operating system, and flushed about every thousand pages. A power failure or system crash loses
  /// the last changes: seconds of them on a busy system, more on a quiet one; never one in the middle.
  case normal
  /// Written to the operating system, which flushes when and in which order it likes. A power failure loses any number
  /// of the last changes, and can damage the file; the next start detects the damage.
  case off
}
