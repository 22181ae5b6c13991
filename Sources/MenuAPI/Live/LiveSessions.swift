import Locks
import MenuEngine
import MenuStore

/// The live sessions of a service, and their memory budget.
///
/// When the parts of one session, or of all sessions, take too many bytes, the least recently used ones are evicted.
/// The most recently used part stays, whatever its size.
final class LiveSessions: Sendable {
  /// The maximum bytes of all sessions.
  private let maximum: Int
  /// The maximum bytes of one session.
  let maximumOfSession: Int
  let beginnings = PlanBeginnings()
  let limitedCatalogs = LimitedCatalogs()
  /// The number of evictions for lack of room.
  let evictions = Counter()
  /// The live sessions by the numbers of their incarnations.
  private let sessions = Lock<[Int: LiveSession]>([:])
  private let bytes = Atomic(0)
  private let uses = Atomic(0)
  /// The number of the last use before the last sweep.
  private let sweptUse = Atomic(0)
  private let isMakingRoom = Atomic(false)

  init(upTo maximum: Int = 256 << 20, ofSession maximumOfSession: Int = 64 << 20) {
    (self.maximum, self.maximumOfSession) = (maximum, maximumOfSession)
  }

  var count: Int { sessions.withLock(\.count) }

  /// The bytes of all parts.
  var size: Int { bytes.load(ordering: .relaxed) }

  func live(_ opening: Incarnation, named id: SessionID) -> LiveSession {
    sessions.withLock { sessions in
      if let known = sessions[opening.number] { return known }
      let live = LiveSession(of: opening, named: id, in: self)
      sessions[opening.number] = live
      return live
    }
  }

  func live(_ snapshot: Snapshot) -> LiveSession {
    live(snapshot.sessionEdition.opening, named: snapshot.session.id)
  }

  /// Returns the live session of a name; a temporary one if no such session is open.
  func live(_ id: SessionID, of store: SessionStore) -> LiveSession {
    if let opening = store.opening(of: id) { return live(opening, named: id) }
    return LiveSession(of: store.newOpening(), named: id, in: self)
  }

  /// Returns the live session with a number; nil if there is none.
  func known(_ number: Int) -> LiveSession? { sessions.withLock { $0[number] } }

  /// All of them, in no order.
  var all: [LiveSession] { sessions.withLock { Array($0.values) } }

  /// Releases a session that is closed.
  func release(_ opening: Incarnation) {
    let released = sessions.withLock { $0.removeValue(forKey: opening.number) }
    withExtendedLifetime(released) {}
  }

  /// Releases everything, since the service ends.
  func releaseAll() {
    let released = sessions.withLock { sessions in
      defer { sessions = [:] }
      return sessions
    }
    withExtendedLifetime(released) {}
  }

  /// Releases closed and unloaded sessions, unless they are followed; called every half second.
  func releaseClosed() {
    let released = sessions.withLock { sessions in
      let released = sessions.values.filter { !$0.opening.isInMemory && !$0.isFollowed }
      for live in released { sessions[live.opening.number] = nil }
      return released
    }
    withExtendedLifetime(released) {}
  }

  /// Evicts parts not used since the last call, and releases empty sessions; called once a minute.
  func sweep() {
    let use = sweptUse.exchange(uses.load(ordering: .relaxed), ordering: .relaxed)
    for number in sessions.withLock({ Array($0.keys) }) {
      known(number)?.sweep(since: use)
      releaseIfUnused(number)
    }
  }

  /// Releases an empty session, unless it is about to be used.
  private func releaseIfUnused(_ number: Int) {
    let released = sessions.withLock { sessions in
      isKnownUniquelyReferenced(&sessions[number]) && sessions[number]?.isEmpty == true
        ? sessions.removeValue(forKey: number) : nil
    }
    withExtendedLifetime(released) {}
  }
}

// MARK: Memory

extension LiveSessions {
  func nextUse() -> Int { uses.add(1, ordering: .relaxed).newValue }

  func add(_ growth: Int) { bytes.wrappingAdd(growth, ordering: .relaxed) }

  /// Evicts least recently used parts if a session, or all sessions, take too much memory.
  func makeRoom(beside memory: SessionMemory, of number: Int) {
    guard memory.size > maximumOfSession || size > maximum,
      !isMakingRoom.exchange(true, ordering: .acquiring)
    else { return }
    defer { isMakingRoom.store(false, ordering: .releasing) }
    if memory.size > maximumOfSession, let live = known(number) {
      evict(live.parts) { memory.size <= maximumOfSession }
    }
    // More than necessary, so that it is not repeated soon.
    if size > maximum { evict(all.flatMap(\.parts)) { size <= maximum - maximum / 8 } }
  }

  private func evict(
    _ parts: [any EvictablePart], until isEnough: () -> Bool
  ) {
    let evictable = parts.filter(\.isEvictable).map { (part: $0, lastUse: $0.lastUse) }
    for (part, _) in evictable.sorted(by: { $0.lastUse < $1.lastUse }).dropLast() {
      guard !isEnough() else { return }
      part.evict()
      evictions.add()
    }
  }
}
