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
    let catalog = catalogEdition
    var closed: [SessionID] = []
    let idle = sessions { $0.opening.lastRead.load(ordering: .relaxed) <= moment }
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
}
