import Synchronization

/// A change for the writer to commit.
///
/// It may have been made on a snapshot by another thread. If something else has changed since, the writer makes it
/// again on its draft, where nothing can intervene.
final class Job: Sendable {
  /// The change as it was made on a snapshot; nil if the writer is to make it.
  let commit: Commit?
  /// Makes the change on a draft; returns nil if there is nothing to change. If the closure is nil, an outdated change
  /// is dropped.
  let make: (@Sendable (Draft) -> Proposal?)?
  /// Called once, on the writer's thread: when the change and all earlier ones are durable and published, or with the
  /// fault, in which case nothing is changed.
  let finish: @Sendable (Result<CommitResult, JournalFault>) -> Void
  /// True once it was made again. Its answer is then the one for the new change, even if the batch is repeated.
  private let isMadeAgain = Atomic(false)

  init(
    commit: Commit?, make: (@Sendable (Draft) -> Proposal?)?,
    finish: @escaping @Sendable (Result<CommitResult, JournalFault>) -> Void
  ) {
    (self.commit, self.make, self.finish) = (commit, make, finish)
  }

  /// Applies it to a draft.
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
  /// Something else has changed since the change was made, or it would exceed a limit.
  case outdated
  /// There was nothing to change when the writer made the change.
  case unchanged
  /// An answer is already kept under the same idempotency key.
  case repeated(IdempotencyEntry)
}
