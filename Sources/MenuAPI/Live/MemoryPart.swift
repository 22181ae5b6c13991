import Locks

/// A value that can be recomputed.
protocol Remakeable: Sendable {
  /// The approximate bytes of the value. An eviction releases fewer if another part shares some of them.
  var size: Int { get }
  /// Releases everything that can be recomputed.
  mutating func evict()
}

/// A part of a session's memory, which is evicted when memory is short.
final class MemoryPart<Value: Remakeable>: EvictablePart {
  let memory: SessionMemory
  private let value: Lock<Value>
  /// Changed only under the lock of the value.
  private let size = Atomic(0)
  private let latestUse = Atomic(0)

  init(_ value: Value, in memory: SessionMemory) {
    self.memory = memory
    self.value = Lock(value)
  }

  deinit { memory.add(-size.load(ordering: .relaxed)) }

  /// Uses the value, and records its size. If it has grown and memory is short, evicts other parts.
  func use<Result: Sendable, Fault: Error>(
    _ body: (inout Value) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    latestUse.store(memory.sessions.nextUse(), ordering: .relaxed)
    var growth = 0
    defer { if growth > 0 { memory.makeRoom() } }
    return try value.withLock { (value) throws(Fault) in
      defer { growth = note(value.size) }
      return try body(&value)
    }
  }

  /// Records a use of the value. If memory is short, evicts other parts.
  func noteUse() {
    latestUse.store(memory.sessions.nextUse(), ordering: .relaxed)
    memory.makeRoom()
  }

  /// Reads the value, which does not count as a use.
  func read<Result: Sendable>(_ body: (Value) -> Result) -> Result {
    value.withLock { body($0) }
  }

  /// Changes the value and records its size, which does not count as a use, and evicts nothing.
  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { value in
      defer { note(value.size) }
      return body(&value)
    }
  }

  var lastUse: Int { latestUse.load(ordering: .relaxed) }

  var isEvictable: Bool { size.load(ordering: .relaxed) > 0 }

  func evict() {
    let evicted = value.withLock { value in
      let before = value
      value.evict()
      note(0)
      return before
    }
    // It is freed after the lock is released.
    withExtendedLifetime(evicted) {}
  }

  /// Evicts the value unless it was used since a given use of any part.
  func evict(unlessUsedSince use: Int) {
    if isEvictable, lastUse <= use { evict() }
  }

  /// Records the size, and returns the growth.
  @discardableResult
  private func note(_ size: Int) -> Int {
    let growth = size - self.size.load(ordering: .relaxed)
    guard growth != 0 else { return 0 }
    self.size.store(size, ordering: .relaxed)
    memory.add(growth)
    return growth
  }
}

/// A part that can be evicted.
protocol EvictablePart: Sendable {
  /// The number of the last use.
  var lastUse: Int { get }
  /// True if there is anything to evict.
  var isEvictable: Bool { get }
  func evict()
}

/// The recomputable data kept beside a session.
final class SessionMemory: Sendable {
  let sessions: LiveSessions
  /// The number of the incarnation.
  private let number: Int
  private let bytes = Atomic(0)

  init(of number: Int, in sessions: LiveSessions) {
    (self.number, self.sessions) = (number, sessions)
  }

  var size: Int { bytes.load(ordering: .relaxed) }

  func add(_ growth: Int) {
    bytes.wrappingAdd(growth, ordering: .relaxed)
    sessions.add(growth)
  }

  /// Evicts least recently used parts if the session, or all sessions, take too much memory.
  func makeRoom() { sessions.makeRoom(beside: self, of: number) }
}
