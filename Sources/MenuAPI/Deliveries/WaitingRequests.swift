import Locks
import MenuEngine
import MenuStore

/// The requests that wait for changes of sessions. None of them holds a thread.
///
/// When a session changes, its waiting requests are asked in the order of their arrival. So if two
/// wait for something to claim, the first one gets it.
final class WaitingRequests: Sendable {
  private struct Entry: Sendable {
    let number: Int
    let deadline: Int
    /// Returns true if the client is gone.
    let isAbandoned: @Sendable () -> Bool
    /// Answers the request if it is time for that; in any case if it is the last time.
    let answer: @Sendable (_ isLast: Bool) -> Bool
  }

  private struct Contents {
    var entries: [SessionID: [Entry]] = [:]
    var followers: [SessionID: Follower] = [:]
    /// The sessions whose requests are to be asked.
    var due: Set<SessionID> = []
    /// True if a thread asks them already.
    var isAsking = false
    var isDraining = false
    var count = 0
    var lastNumber = 0
  }

  private let contents = Lock(Contents())
  private let nanoseconds: @Sendable () -> Int
  /// Does something on another thread, and answers false if too much waits for that already; nil if there is no
  /// such thread.
  private let runLater: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
  private let capacity: Int

  init(
    atMost capacity: Int, nanoseconds: @escaping @Sendable () -> Int,
    runLater: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
  ) {
    self.capacity = capacity
    self.nanoseconds = nanoseconds
    self.runLater = runLater
  }

  /// The number of requests that wait.
  var count: Int { contents.withLock(\.count) }

  /// Adds a request, and returns false if it may not wait: there are too many, or the server is about to stop.
  func add(
    waitingFor session: SessionID, of store: SessionStore, seconds: Int,
    isAbandoned: @escaping @Sendable () -> Bool = { false },
    answer: @escaping @Sendable (_ isLast: Bool) -> Bool
  ) -> Bool {
    let deadline = nanoseconds() &+ seconds * 1_000_000_000
    let isUnfollowed = contents.withLock { contents -> Bool? in
      guard !contents.isDraining, contents.count < capacity else { return nil }
      contents.lastNumber += 1
      contents.count += 1
      contents.entries[session, default: []].append(
        Entry(
          number: contents.lastNumber, deadline: deadline, isAbandoned: isAbandoned,
          answer: answer))
      return contents.followers[session] == nil
    }
    guard let isUnfollowed else { return false }
    if isUnfollowed { follow(session, of: store) }
    // It may have changed since the request looked.
    ask { $0.due.insert(session) }
    return true
  }

  private func follow(_ session: SessionID, of store: SessionStore) {
    let follower = store.follow(.session(session)) { [weak self] in self?.wake(session) }
    let superfluous = contents.withLock { contents -> Follower? in
      guard contents.followers[session] == nil, contents.entries[session] != nil else {
        return follower
      }
      contents.followers[session] = follower
      return nil
    }
    withExtendedLifetime(superfluous) {}
  }

  /// Asks those again that have waited long enough, those whose clients are gone, and those for which there was no
  /// thread.
  func tick() {
    let now = nanoseconds()
    ask { contents in
      for (session, entries) in contents.entries
      where entries.contains(where: { $0.deadline <= now || $0.isAbandoned() }) {
        contents.due.insert(session)
      }
    }
  }

  /// Answers all of them, since the server is about to stop; nobody waits from now on.
  func drain() {
    ask { contents in
      contents.isDraining = true
      contents.due.formUnion(contents.entries.keys)
    }
  }

  private func wake(_ session: SessionID) {
    ask(isHere: false) { contents in
      if contents.entries[session] != nil { contents.due.insert(session) }
    }
  }

  /// Notes whom to ask, and has them asked unless that is being done.
  ///
  /// - Parameter isHere: True if this thread can do it when there is no other one. One that wakes cannot: it may
  ///   be about to change the session.
  private func ask(isHere: Bool = true, _ note: (inout Contents) -> Void) {
    let isFirst = contents.withLock { contents in
      note(&contents)
      guard !contents.due.isEmpty, !contents.isAsking, isHere || runLater != nil else {
        return false
      }
      contents.isAsking = true
      return true
    }
    guard isFirst else { return }
    guard let runLater else { return askDue() }
    if !runLater({ [self] in askDue() }) { contents.withLock { $0.isAsking = false } }
  }

  /// Asks all that are due, and those that come to be due meanwhile.
  private func askDue() {
    while let (session, entries, isDraining) = nextDue() {
      for entry in entries {
        let isLast = isDraining || entry.deadline <= nanoseconds() || entry.isAbandoned()
        if entry.answer(isLast) { remove(entry, of: session) }
      }
    }
  }

  private func nextDue() -> (SessionID, [Entry], isDraining: Bool)? {
    contents.withLock { contents in
      guard let session = contents.due.popFirst() else {
        contents.isAsking = false
        return nil
      }
      return (session, contents.entries[session] ?? [], contents.isDraining)
    }
  }

  private func remove(_ entry: Entry, of session: SessionID) {
    let follower = contents.withLock { contents -> Follower? in
      contents.count -= 1
      contents.entries[session]?.removeAll { $0.number == entry.number }
      guard contents.entries[session]?.isEmpty == true else { return nil }
      contents.entries[session] = nil
      return contents.followers.removeValue(forKey: session)
    }
    withExtendedLifetime(follower) {}
  }
}
