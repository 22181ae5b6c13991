package import MenuEngine

/// The deliveries of all open sessions at one moment.
package struct DeliveryFigures: Sendable {
  /// The number of unclaimed deliveries.
  package var open = 0
  /// The number of claimed deliveries, including those being cancelled.
  package var claimed = 0
  /// The time of the oldest unclaimed or claimed delivery, in milliseconds since 1970-01-01T00:00:00Z; nil if there is
  /// none.
  package var oldest: Int64?
}

extension SessionStore {
  /// Reopens deliveries whose claims have expired, and removes those settled before `past`.
  ///
  /// Call it often: claims expire only here.
  ///
  /// - Returns: The fault that prevented some of the changes; nil if all were made.
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
      // Without remaking, an outdated change waits for the next call.
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
      case .claimed, .cancelling: figures.claimed += 1
      case .replied, .failed, .cancelled: continue
      }
      guard let when = delivery.invocation.when else { continue }
      figures.oldest = min(figures.oldest ?? when, when)
    }
    return figures
  }

  /// The names of the open sessions with deliveries, in no order. Deliveries of other processes appear within a
  /// second.
  package var delivering: [SessionID] { withWorld { Array($0.delivering) } }

  /// Watches all deliveries from now on.
  ///
  /// - Parameter wake: Called when there may be another delivery to claim, on any thread and under no lock, possibly
  ///   after the watch is released. It must return quickly, because the journal waits for it.
  package func watchDeliveries(wake: @escaping @Sendable () -> Void) -> DeliveryWatch {
    let number = withWorld { world in
      world.lastFollower += 1
      world.deliveryWakers[world.lastFollower] = wake
      return world.lastFollower
    }
    return DeliveryWatch(number, of: self)
  }

  fileprivate func endWatch(_ number: Int) {
    let waker = withWorld { $0.deliveryWakers.removeValue(forKey: number) }
    withExtendedLifetime(waker) {}
  }

  /// The sessions in memory that have deliveries.
  private var sessionsWithDeliveries: [SessionEdition] {
    withWorld { world in world.delivering.compactMap { world.sessions[$0] } }
  }
}

/// A watch of the deliveries of all sessions, which ends when it is released.
package final class DeliveryWatch: Sendable {
  private let number: Int
  private let store: SessionStore

  fileprivate init(_ number: Int, of store: SessionStore) {
    self.number = number
    self.store = store
  }

  deinit { store.endWatch(number) }
}
