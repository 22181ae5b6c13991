package import MenuEngine

/// Follows a session or the catalogue as long as it exists.
///
/// It keeps the last durable commits of its subject in memory, 1,024 of them; they are kept for a minute after the
/// last follower of the subject left. A position is the number of an edition: that of the last commit or state that
/// a reader of it got.
package final class Follower: Sendable {
  /// The subject of commits.
  package enum Subject: Hashable, Sendable {
    case catalog
    /// A session by its name, whether one is open or not.
    case session(SessionID)
  }

  package let subject: Subject
  private let number: Int
  private let store: SessionStore

  fileprivate init(_ subject: Subject, _ number: Int, of store: SessionStore) {
    self.subject = subject
    self.number = number
    self.store = store
  }

  deinit { store.unfollow(subject, number) }

  /// Returns the news for who knows the commits up to a position, which may be that of an edition that was read;
  /// nil for who knows nothing.
  ///
  /// - Parameter most: The number of commits that it returns at most.
  package func news(after position: Int?, atMost most: Int = 256) -> FollowedNews {
    store.news(of: subject, after: position, atMost: most)
  }
}

extension SessionStore {
  /// Follows a subject from now on.
  ///
  /// - Parameter wake: Called when there may be news, on any thread and under no lock, also after the follower is
  ///   gone. It only wakes somebody: the journal waits for it. It must not keep the follower.
  package func follow(
    _ subject: Follower.Subject, wake: @escaping @Sendable () -> Void
  ) -> Follower {
    let time = retentionClock.now
    let (number, waking) = withWorld { $0.addFollower(of: subject, wake, at: time) }
    finish(waking)
    return Follower(subject, number, of: self)
  }

  fileprivate func unfollow(_ subject: Follower.Subject, _ number: Int) {
    let time = retentionClock.now
    let waker = withWorld { $0.removeFollower(number, of: subject, at: time) }
    withExtendedLifetime(waker) {}
  }

  fileprivate func news(
    of subject: Follower.Subject, after position: Int?, atMost most: Int
  ) -> FollowedNews {
    withWorld { $0.rings[subject]?.news(after: position, atMost: most) ?? .none }
  }

  /// Wakes those who follow a subject once a ticket is settled.
  func wakeFollowers(of subject: Follower.Subject, onceSettled ticket: Ticket) {
    ticket.whenSettled { [self] _ in
      let wakers = withWorld { $0.rings[subject].map { Array($0.wakers.values) } ?? [] }
      for wake in wakers { wake() }
    }
  }
}
