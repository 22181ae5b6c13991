import Synchronization

/// A change for the writer to carry out.
///
/// It may have been made already, on a snapshot and on another thread. If something else was changed since, the writer
/// makes it again on its draft, where nothing can come in between.
final class Job: Sendable {
  /// The change as it was made on a snapshot; nil if the writer is to make it.
  let commit: Commit?
  /// Makes the change on a draft, and returns nil if there is nothing to change. Without it, a change that is outdated is
  /// not made.
  let make: (@Sendable (Draft) -> Proposal?)?
  /// Called once, on the writer's thread: when the change and all before it are durable and published, or with the
  /// reason why they are not. Then nothing is changed.
  let finish: @Sendable (Result<CommitResult, JournalFault>) -> Void
  /// True once it was made again: whoever asked for it has the answer of that, and a batch can be carried out twice.
  private let isMadeAgain = Atomic(false)

  init(
    commit: Commit?, make: (@Sendable (Draft) -> Proposal?)?,
    finish: @escaping @Sendable (Result<CommitResult, JournalFault>) -> Void
  ) {
    (self.commit, self.make, self.finish) = (commit, make, finish)
  }

  /// Carries it out on a draft.
  func run(on draft: Draft) -> Result<CommitResult, JournalFault> {
    Result { () throws(JournalFault) in
      if let commit, !isMadeAgain.load(ordering: .relaxed) {
        let result = draft.take(commit)
        if case .committed = result { return result }
        guard make != nil else { return result }
        isMadeAgain.store(true, ordering: .relaxed)
        draft.store.figures.remade.add()
      }
      guard let proposal = make?(draft) else { return .unchanged }
      return draft.take(try Commit(proposal, for: draft.store))
    }
  }
}

/// The result of a job.
package enum CommitResult: Sendable {
  /// The change is durable and published.
  case committed
  /// Something else was changed since the change was made, or it is more than may be.
  case outdated
  /// There was nothing to change when the writer made the change.
  case unchanged
  /// An answer is kept under the same idempotency key.
  case repeated(IdempotencyEntry)
}
