package import MenuEngine
import Synchronization

/// Follows a session or the catalogue until it is released.
///
/// The last durable commits of its subject are kept in memory within ``Bounds``, for up to a minute after its last
/// follower left. A position is an edition's number: that of the last commit or state that a reader has received.
package final class Follower: Sendable {
  /// The subject of commits.
  package enum Subject: Hashable, Sendable {
    case catalog
    /// A session by its name, whether one is open or not.
    case session(SessionID)
  }

  /// The number of durable commits of each subject that are kept, and their size.
  package struct Bounds: Hashable, Sendable {
    /// The number of commits; the default is 1,024.
    package var count = 1024
    /// The approximate number of bytes of all commits, as in the journal and in answers; the default is 1 MiB. The
    /// last commit is kept whatever its size.
    package var size = 1 << 20

    /// The defaults.
    package init() {}
  }

  package let subject: Subject
  private let number: Int
  let store: SessionStore

  fileprivate init(_ subject: Subject, _ number: Int, of store: SessionStore) {
    self.subject = subject
    self.number = number
    self.store = store
  }

  deinit { store.unfollow(subject, number) }

  /// Returns the commits after a position, which may be the number of an edition that was read; nil is the position of
  /// a new follower.
  ///
  /// - Parameter most: The maximum number of commits returned.
  package func news(after position: Int?, atMost most: Int = 256) -> FollowedNews {
    store.withWorld { $0.rings[subject]?.news(after: position, atMost: most) ?? .none }
  }
}

extension SessionStore {
  /// Follows a subject from now on.
  ///
  /// - Parameter wake: Called when there may be news, on any thread and under no lock, possibly after the follower is
  ///   released. It must return quickly, because the journal waits for it, and must not retain the follower.
  package func follow(
    _ subject: Follower.Subject, wake: @escaping @Sendable () -> Void
  ) -> Follower {
    let time = retentionClock.now
    let number = withWorld { world in
      isFollowed.store(true, ordering: .relaxed)
      return world.addFollower(
        of: subject, wake, within: followerBounds, at: time, numbering: numbers)
    }
    wake()
    return Follower(subject, number, of: self)
  }

  fileprivate func unfollow(_ subject: Follower.Subject, _ number: Int) {
    let time = retentionClock.now
    // The waker is not released under the lock.
    let waker = withWorld { $0.rings[subject]?.remove(number, at: time) }
    withExtendedLifetime(waker) {}
  }

  /// Marks followed sessions as used; called before idle sessions are closed.
  package func noteFollowed() {
    let time = now()
    withWorld { world in
      for case (.session(let id), let ring) in world.rings where !ring.wakers.isEmpty {
        world.opening(of: id)?.lastRead.store(time, ordering: .relaxed)
      }
    }
  }

  /// Drops the commits of subjects without followers for more than a minute.
  ///
  /// Call it periodically, because quiet subjects trigger nothing else.
  package func forgetUnfollowed() {
    let time = retentionClock.now
    withWorld { world in
      world.forgetUnfollowed(at: time)
      world.forgetRecent(at: time)
      isFollowed.store(!world.rings.isEmpty || world.recent != nil, ordering: .relaxed)
    }
  }
}
