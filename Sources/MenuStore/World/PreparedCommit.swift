import MenuEngine

/// A proposal with everything that can be computed before the world is locked.
struct PreparedCommit {
  let proposal: Proposal
  /// The time by which answers expire.
  let now: Int64
  /// The answer to keep; nil if there is none.
  let answer: KeyedAnswer?
  /// About the number of bytes that it takes among the commits of its subject; 0 if nothing is followed.
  let size: Int
  private let record: JournalRecord?
  private let state: JournalState?
  private let label: [UInt8]?

  /// - Parameters:
  ///   - isKept: True if there is a journal.
  ///   - isFollowed: True if a session or the catalogue is followed.
  init(
    _ proposal: Proposal, isKept: Bool, isFollowed: Bool, at now: Int64
  ) throws(JournalFault) {
    self.proposal = proposal
    self.now = now
    answer = proposal.entry.map(KeyedAnswer.init)
    (record, state, label) =
      isKept ? (try proposal.record(), proposal.state, proposal.label) : (nil, nil, nil)
    size = isFollowed ? proposal.size(besides: record) : 0
  }

  var key: AnswerKey? { answer?.key }

  /// The addition to the journal.
  func write(
    forgetting forgotten: [AnswerKey], undo: @escaping @Sendable () -> Void
  ) -> JournalWrite {
    JournalWrite(
      record: record, state: state, label: label, entry: proposal.entry,
      forgotten: forgotten.map(\.bytes), undo: undo)
  }
}

extension Proposal {
  /// About the number of bytes that its commit takes: that of its record, and of its outcomes.
  fileprivate func size(besides record: JournalRecord?) -> Int {
    let overhead = 256
    switch action {
    case .open, .close, .keepAnswer: return overhead
    case .change(_, to: _, by: _, let outcomes):
      return outcomes.reduce(overhead + size(of: record)) { $0 + $1.size }
    case .changeCatalog: return overhead + size(of: record)
    }
  }

  /// The size of the record, which is made here if there is no journal; 0 if it cannot be.
  private func size(of record: JournalRecord?) -> Int {
    (record ?? (try? self.record()))?.payload.count ?? 0
  }
}

/// The threads to wake after a commit, once the world is no longer locked: the journal's and followers.
struct Waking: Sendable {
  /// The subject whose followers are to be woken; nil if none are.
  var subject: Follower.Subject?
  /// The ticket whose settlement wakes the followers; nil if that is known to it already.
  var ticket: Ticket?
}
