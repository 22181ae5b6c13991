package import MenuEngine
import Synchronization

extension SessionStore {
  /// Closes the sessions that nobody read for more than that many milliseconds, except for some.
  ///
  /// - Returns: The names of the closed sessions in alphabetical order, and the reason why the others
  ///   could not be closed; nil if there is none.
  package func closeIdle(
    forMoreThan patience: Int64, besides kept: Set<SessionID> = []
  ) -> (closed: [SessionID], fault: JournalFault?) {
    let moment = now() - patience - 1
    loadIdle(since: moment, besides: kept)
    let catalog = catalogEdition
    let idle = allSessions.filter {
      $0.opening.isIdle(since: moment) && !kept.contains($0.session.id)
    }.sorted { $0.session.id.rawValue < $1.session.id.rawValue }
    let results = commit(
      idle.map {
        Proposal(action: .close($0, unlessReadSince: moment), catalog: catalog, entry: nil)
      })
    var (closed, fault) = ([SessionID](), JournalFault?.none)
    for (edition, result) in zip(idle, results) {
      switch result {
      case .success(.committed): closed.append(edition.session.id)
      case .success: continue
      case .failure(let reason): fault = fault ?? reason
      }
    }
    return (closed, fault)
  }

  /// Reads idle sessions that are not in memory, some at a time: the next call has the others.
  private func loadIdle(since moment: Int64, besides kept: Set<SessionID>) {
    let idle = withWorld { world in
      world.unloaded.filter { !kept.contains($0.key) && $0.value.opening.isIdle(since: moment) }
        .keys
    }
    guard !idle.isEmpty else { return }
    _ = load(Array(idle.prefix(256))).outcome(within: .seconds(2))
  }
}
