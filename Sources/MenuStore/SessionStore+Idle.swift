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
    var closed: [SessionID] = []
    let idle = allSessions.filter { $0.opening.isIdle(since: moment) }
    for edition in idle.sorted(by: { $0.session.id.rawValue < $1.session.id.rawValue })
    where !kept.contains(edition.session.id) {
      let proposal = Proposal(
        action: .close(edition, unlessReadSince: moment), catalog: catalog, entry: nil)
      do throws(JournalFault) {
        if case .committed = try commit(proposal) { closed.append(edition.session.id) }
      } catch {
        return (closed, error)
      }
    }
    return (closed, nil)
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
