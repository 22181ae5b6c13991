import MenuEngine
import MenuStore

/// Everything that the service keeps beside one incarnation of a session.
///
/// It exists from the first use until the session is closed or leaves the memory. All of it is released with it.
final class LiveSession: Sendable {
  let opening: Incarnation
  let memory: SessionMemory
  let plan: MemoryPart<SessionPlan>
  let finder: MemoryPart<SessionFinder>
  let answers: MemoryPart<SessionAnswers>

  init(of opening: Incarnation, in sessions: LiveSessions) {
    self.opening = opening
    memory = SessionMemory(of: opening.number, in: sessions)
    plan = MemoryPart(SessionPlan(), in: memory)
    finder = MemoryPart(SessionFinder(), in: memory)
    answers = MemoryPart(SessionAnswers(upTo: sessions.maximumOfSession / 2), in: memory)
  }

  /// The parts that can be evicted.
  var parts: [EvictablePart] {
    [
      plan.evictable { [self] in plan.evict() }, finder.evictable { [self] in finder.evict() },
      answers.evictable { [self] in answers.evict() },
    ].compactMap(\.self)
  }

  /// Evicts what was not used since a use of any part; returns true if nothing is left.
  func evictIdle(since use: Int) -> Bool {
    plan.evict(unlessUsedSince: use)
    finder.evict(unlessUsedSince: use)
    return memory.size == 0
  }
}
