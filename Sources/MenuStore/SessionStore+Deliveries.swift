import MenuEngine
import Synchronization

/// The deliveries of all open sessions at one moment.
package struct DeliveryFigures: Sendable {
  /// The number of those that nobody has claimed.
  package var open = 0
  /// The number of those that are claimed.
  package var claimed = 0
  /// The time since which the oldest of both is there, in milliseconds since 1970-01-01T00:00:00Z; nil if there
  /// is none.
  package var oldest: Int64?
}

extension SessionStore {
  /// Opens the deliveries again whose claims have expired, and forgets those that were settled before a moment.
  ///
  /// It is to be called often: nothing else lets a claim expire that nobody asks for.
  ///
  /// - Returns: The reason why some could not be; nil if there is none.
  package func tendDeliveries(at time: Int64, settledBefore past: Int64) -> JournalFault? {
    let catalog = catalogEdition
    let proposals = sessionsWithDeliveries.compactMap { edition -> Proposal? in
      guard edition.session.deliveries.isDue(at: time, settledBefore: past) else { return nil }
      var change = SessionChange(of: edition, under: catalog, figures)
      _ = try? change.apply(
        [.expireClaims(at: time), .forgetDeliveries(settledBefore: past)], limits: .unlimited)
      return change.proposal
    }
    do throws(JournalFault) {
      // A change that is outdated meanwhile is made the next time.
      for proposal in proposals { _ = try commit(proposal, remaking: nil) { _ in } }
    } catch {
      return error
    }
    return nil
  }

  /// The deliveries of all open sessions.
  package var deliveryFigures: DeliveryFigures {
    var figures = DeliveryFigures()
    for delivery in sessionsWithDeliveries.lazy.flatMap(\.session.deliveries.all) {
      switch delivery.state {
      case .open: figures.open += 1
      case .claimed: figures.claimed += 1
      case .replied, .failed, .cancelled: continue
      }
      guard let when = delivery.invocation.when else { continue }
      figures.oldest = min(figures.oldest ?? when, when)
    }
    return figures
  }

  /// Notes that a session may have deliveries.
  func expectDeliveries() { mayHaveDeliveries.store(true, ordering: .sequentiallyConsistent) }

  /// The sessions that have deliveries. They are looked for only if one was committed since the last time that
  /// there were none.
  private var sessionsWithDeliveries: [SessionEdition] {
    guard mayHaveDeliveries.exchange(false, ordering: .sequentiallyConsistent) else { return [] }
    let found = allSessions.filter { !$0.session.deliveries.isEmpty }
    if !found.isEmpty { expectDeliveries() }
    return found
  }
}
