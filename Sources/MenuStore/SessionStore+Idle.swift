import Locks
package import MenuEngine
import Synchronization

extension SessionStore {
  /// Closes the sessions that were not read for more than that many milliseconds, except for some. A session that is
  /// read while its closing is being made durable is closed nevertheless.
  ///
  /// - Parameter whenClosed: Called for each session that is closed, on the writer's thread or on this one.
  /// - Throws: `JournalFault` if the journal accepts no changes at the moment.
  package func closeIdle(
    forMoreThan patience: Int64, besides kept: Set<SessionID> = [],
    whenClosed: @escaping @Sendable (SessionID) -> Void
  ) throws(JournalFault) {
    let moment = now() - patience - 1
    loadIdle(since: moment, besides: kept)
    let catalog = catalogEdition
    let idle = allSessions.filter {
      $0.opening.isIdle(since: moment) && !kept.contains($0.session.id)
    }
    for edition in idle.sorted(by: { $0.session.id.rawValue < $1.session.id.rawValue }) {
      let id = edition.session.id
      let closing = Proposal(
        action: .close(edition, unlessReadSince: moment), catalog: catalog, entry: nil)
      let result = try commit(closing, remaking: nil) { result in
        if case .success(.committed) = result { whenClosed(id) }
      }
      if case .committed? = result { whenClosed(id) }
    }
  }

  /// Loads up to 256 idle sessions that are not in memory; the next call loads more.
  private func loadIdle(since moment: Int64, besides kept: Set<SessionID>) {
    let idle = withWorld { world in
      world.unloaded.filter { !kept.contains($0.key) && $0.value.opening.isIdle(since: moment) }
        .keys
    }
    guard !idle.isEmpty else { return }
    let isDone = Monitor(false)
    refresh(idle.prefix(256)) { _ in
      isDone.withLock { $0 = true }
      isDone.signal()
    }
    _ = isDone.wait(.seconds(2)) { $0 ? true : nil }
  }
}
