/// A proposal with everything that can be computed before the world is locked.
struct PreparedCommit {
  let proposal: Proposal
  /// The time by which answers expire.
  let now: Int64
  /// The answer to keep; nil if there is none.
  let answer: KeyedAnswer?
  private let record: JournalRecord?
  private let state: JournalState?

  /// - Parameter isKept: True if there is a journal.
  init(_ proposal: Proposal, isKept: Bool, at now: Int64) throws(JournalFault) {
    self.proposal = proposal
    self.now = now
    answer = proposal.entry.map(KeyedAnswer.init)
    (record, state) = isKept ? (try proposal.record(), proposal.state) : (nil, nil)
  }

  /// The key of the answer.
  var key: AnswerKey? { answer?.key }

  /// The addition to the journal.
  func write(
    forgetting forgotten: [AnswerKey], undo: @escaping @Sendable () -> Void
  ) -> JournalWrite {
    JournalWrite(
      record: record, state: state, entry: proposal.entry, forgotten: forgotten.map(\.bytes),
      undo: undo)
  }
}

/// The threads to wake after a commit, once the world is no longer locked: the journal's and followers.
struct Waking: Sendable {
  /// The subject whose followers are to be woken; nil if none are.
  var subject: Follower.Subject?
  /// The ticket whose settlement wakes the followers; nil if that is known to it already.
  var ticket: Ticket?
  /// Commits that nobody follows any more, which take time to release.
  var retired: [CommitRing] = []
}
