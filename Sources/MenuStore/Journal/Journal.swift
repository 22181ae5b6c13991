/// The accepted changes in their order, stored where they outlive the process.
///
/// A journal holds *records* in one order, a *state* of each subject from time to time so that not
/// all records have to be read again, and the *entries* that answer a repeated request. To it all of
/// them are bytes. If it holds a catalogue, that was opened before any session.
///
/// `recover` comes first, once. Then one thread appends, one batch after the other.
package protocol Journal: AnyObject, Sendable {
  /// Hands out what is kept, in order, from the oldest state that is needed to the last record.
  ///
  /// - Parameters:
  ///   - read: Takes each item. Of a session that is closed it gets nothing.
  ///   - state: The state of a subject after all that was read of it; asked at the end about each
  ///     that had records.
  /// - Throws: The fault that `read` throws, or one that says what is missing or is not as it was
  ///   written. Then the journal is not to be used.
  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery

  /// The journal if other processes commit to it too; nil, the default, if it is this one's alone.
  var shared: (any SharedJournal)? { get }

  /// Begins to write states in the background, and to read what others commit from now on. A journal of one process whose
  /// `append` writes states does nothing.
  ///
  /// - Parameter follower: Makes the states, and has what others commit. It is held weakly.
  func begin(_ follower: any JournalFollower) throws(JournalFault)

  /// Finds out, before the first batch, whether one could be made durable.
  ///
  /// - Returns: The reason why none can be at the moment; nil if one can.
  func probe() throws(JournalFault) -> JournalFault?

  /// Makes states durable in the place of everything so far of their subjects, before the first addition. It is called if the
  /// recovery lacks records, which no journal in a database does.
  ///
  /// - Parameter beginnings: The records with which the subjects would begin as they are.
  func beginAgain(with beginnings: [JournalRecord]) throws(JournalFault)

  /// Makes additions durable, all of them or none. Without any it does what else there is to do, and finds out whether
  /// additions could be made durable.
  ///
  /// - Parameter publish: Called once they are durable, before anything else can be.
  /// - Returns: True if there is something else to do, for which no additions are needed.
  func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool

  /// The histories of the sessions (T5).
  var histories: any Histories { get }

  /// The reason why its storage cannot be reached; nil if it can.
  var fault: JournalFault? { get }

  /// The reason why nothing is taken at the moment; nil if additions may be tried.
  var refusal: JournalFault? { get }

  /// The time without additions after which an append without any finds out whether the storage can be reached; nil if
  /// that need not be known.
  var interval: Duration? { get }
  /// The longest time for which a batch waits for changes that are likely to come, since each batch costs much whatever
  /// its size; nil if it does not wait.
  var gathering: Duration? { get }

  /// The clock by which it forgets answers.
  var clock: RetentionClock { get }

  /// The counters since it was opened.
  var figures: JournalFigures { get }

  /// Ends every wait for storage that cannot be reached, now and later.
  func interrupt()

  /// Lets go of the storage; afterwards nothing is taken.
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
/// Each of them knows which sessions are open, and the catalogue: the *directory*. It holds those sessions in memory that
/// it is asked for, and reads the commits of these. All additions of a batch stand on what was committed before, or none
/// is made durable: then `append` throws `conflict`.
package protocol SharedJournal: Journal {
  /// The time since which this process may lack what others committed to the directory; nil if it has never looked.
  var age: Duration? { get }

  /// Locks what the next append is to change against other processes, and lets the follower have what they committed of
  /// it. Only after that sessions are opened and closed, and the catalogue is changed.
  func lock(_ scope: BatchScope) throws(JournalFault)

  /// Makes additions durable; see `append(_:whenDurable:)`.
  ///
  /// - Parameter isCurrent: Returns true if they were made of what the follower has. It is asked once the follower gets
  ///   no commits of their subjects any more.
  /// - Throws: `JournalFault.conflict` if they do not stand on what was committed before.
  func append(
    _ writes: [JournalWrite], ifStill isCurrent: () -> Bool, whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool

  /// Reads what was committed before now to the directory and to sessions, and the answers under some keys. Sessions that
  /// are not in memory are loaded, if they are open and not damaged.
  ///
  /// - Parameter done: Called on any thread: without a fault once the follower has all of that, otherwise with the reason
  ///   why it cannot.
  func refresh(
    _ sessions: [JournalSubject], keys: [[UInt8]],
    whenDone done: @escaping @Sendable (JournalFault?) -> Void)

  /// Lets the follower let go of sessions, whose names `body` returns. It is given those that must stay.
  func release(_ body: (Set<JournalSubject>) -> [JournalSubject])

  /// Lets the other processes know that sessions were read here.
  func tell(read sessions: [String])

  /// A word and numbers that all processes on the journal agree upon; nil if it is not shared.
  var agreement: JournalAgreement? { get }

  /// The counters of what others do to this process.
  var sharingFigures: SharingFigures { get }

  /// True if this process is the one that does what needs to be done by one of them only.
  var isCaretaker: Bool { get }
}

extension SharedJournal {
  package func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try append(writes, ifStill: { true }, whenDurable: publish)
  }
}

/// The data that processes sharing a journal have in common.
package struct JournalAgreement: Hashable, Sendable {
  /// The word for entity tags.
  package var nonce: String
  /// The number after which this process numbers openings, as nobody else does.
  package var openings: Int
  /// The database's time in milliseconds since 1970-01-01T00:00:00Z when the journal was opened.
  package var time: Int64
}

/// Makes states of what is in a journal, and follows what others commit to a shared one.
package protocol JournalFollower: AnyObject, Sendable {
  /// The revision of the catalogue, and its state.
  var catalogState: (revision: Int64, state: JournalState) { get }

  /// Returns the state of a session, whatever is in memory; nil if the items do not tell of it.
  ///
  /// - Parameter items: The state and the records of it in the journal, in order, with the catalogue and its changes.
  func state(of session: JournalSubject, from items: [JournalItem]) throws(JournalFault) -> [UInt8]?

  /// Publishes what others committed.
  ///
  /// - Throws: `JournalFault` if an item cannot be understood.
  func follow(_ items: [JournalItem]) throws(JournalFault)

  /// The sessions that somebody follows, as far as they are open.
  var followed: [JournalSubject] { get }

  /// Notes that another process read sessions; nil if nobody knows which, and it may be any.
  func noteRead(_ sessions: [String]?)

  /// Notes which sessions may have deliveries, each with its revision; returns those that are to be read, since they are
  /// not loaded at that revision and somebody waits for deliveries.
  func note(delivering sessions: [JournalSubject: Int64]) -> [JournalSubject]

  /// Notes that sessions cannot be read, and what is wrong.
  func note(damaged sessions: [JournalSubject: JournalFault])

  /// Notes that sessions have everything that was committed before a moment.
  func noteCurrent(_ sessions: [JournalSubject], since time: ContinuousClock.Instant)

  /// True if an open session is not loaded.
  func isUnloaded(_ session: JournalSubject) -> Bool

  /// Takes a session that is not loaded.
  ///
  /// - Parameter items: The state and the records of it in the journal, in order. If the catalogue changed between
  ///   them, they begin with the catalogue before, and have its changes too.
  func load(_ session: JournalSubject, from items: [JournalItem]) throws(JournalFault)

  /// Lets go of a session, since commits of it cannot be had. Whoever follows it begins anew once it is loaded again.
  func unload(_ session: JournalSubject)
}

/// The state of a subject as bytes, made when it is asked for, by any thread; nil when it cannot be
/// made, and then its records are kept.
package typealias JournalState = @Sendable () -> [UInt8]?

/// An addition to a journal, made as a whole or not at all.
package struct JournalWrite: Sendable {
  /// The change; nil when only an answer or a row of history is to be kept.
  package var record: JournalRecord?
  /// The state of the record's subject after it. Not needed of a closed session.
  package var state: JournalState?
  /// The part of an opened session that is known of it without reading it; nil, the default, if there is none.
  package var label: [UInt8]?
  /// The number of the opening that its record tells of; 0, the default, if it tells of none.
  package var opening: Int64 = 0
  /// True if its session may have deliveries after it. The default is false.
  package var delivers = false
  /// The answer to a request with an idempotency key.
  package var entry: IdempotencyEntry?
  /// The row of the session's history; nil, the default, if there is none.
  package var history: HistoryRow?
  /// The keys of entries that are removed before it.
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
/// With each of them a process that is killed loses nothing that it acknowledged, and what is left
/// after any crash is everything up to some change and nothing after it.
package enum Durability: String, CaseIterable, Sendable {
  /// On the disk. When the power fails, nothing is lost.
  case full
  /// With the operating system, which is told to bring it to the disk every thousand pages or so.
  /// When the power fails or the system crashes, the last changes are lost, seconds of them when it
  /// is busy and more when it is not; never one in the middle.
  case normal
  /// With the operating system, which brings it to the disk when and in which order it likes. When
  /// the power fails, any number of the last changes are lost, and the file can be damaged, which is
  /// noticed at the next start.
  case off
}
