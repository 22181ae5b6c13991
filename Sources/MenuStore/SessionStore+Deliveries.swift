package import MenuEngine

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
      case .claimed, .cancelling: figures.claimed += 1
      case .replied, .failed, .cancelled: continue
      }
      guard let when = delivery.invocation.when else { continue }
      figures.oldest = min(figures.oldest ?? when, when)
    }
    return figures
  }

  /// The names of the open sessions with deliveries, in no order. A process learns within a second which sessions of
  /// others have some.
  package var delivering: [SessionID] { withWorld { Array($0.delivering) } }

  /// Watches all deliveries from now on.
  ///
  /// - Parameter wake: Called when there may be another delivery to claim, on any thread and under no lock, also after
  ///   the watch is gone. It only wakes somebody: the journal waits for it.
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

/// Watches the deliveries of all sessions as long as it exists.
package final class DeliveryWatch: Sendable {
  private let number: Int
  private let store: SessionStore

  fileprivate init(_ number: Int, of store: SessionStore) {
    self.number = number
    self.store = store
  }

  deinit { store.endWatch(number) }
}
