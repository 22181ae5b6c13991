import Locks
import MenuEngine
import MenuStore

/// All data that the service keeps beside one incarnation of a session.
///
/// It exists from its first use until the session is closed or unloaded, and is released as a whole.
final class LiveSession: Sendable {
  let id: SessionID
  let opening: Incarnation
  let memory: SessionMemory
  let plan: SessionPlan
  let document: SessionDocument
  let answers: MemoryPart<SessionAnswers>
  let channels = Lock(SessionChannels())
  /// The plans of viewers that are limited to commands, most recently used first; each has a different catalogue.
  private let limitedPlans = Lock<[(commands: [CommandPattern], plan: SessionPlan)]>([])
  private static let mostLimitedPlans = 4

  init(of opening: Incarnation, named id: SessionID, in sessions: LiveSessions) {
    (self.id, self.opening) = (id, opening)
    memory = SessionMemory(of: opening.number, in: sessions)
    plan = SessionPlan(in: memory)
    document = SessionDocument(in: memory)
    answers = MemoryPart(SessionAnswers(upTo: sessions.maximumOfSession / 2), in: memory)
  }

  /// Returns the plan of viewers that are limited to commands; nil stands for unlimited viewers.
  func plan(limitedTo commands: [CommandPattern]?) -> SessionPlan {
    guard let commands else { return plan }
    return limitedPlans.withLock { plans in
      let index = plans.firstIndex { $0.commands == commands }
      let plan = index.map { plans.remove(at: $0).plan } ?? SessionPlan(in: memory)
      plans.insert((commands, plan), at: 0)
      if plans.count > Self.mostLimitedPlans { plans.removeLast() }
      return plan
    }
  }

  var parts: [any EvictablePart] {
    var parts: [any EvictablePart] = [plan, document, answers]
    parts += limitedPlans.withLock(\.self).map { $0.plan }
    parts += channels.withLock(\.events).values.map { $0.channel.kept }
    return parts
  }

  /// True if there are subscribers or listeners.
  var isFollowed: Bool { channels.withLock(\.isFollowed) }

  /// True if nothing is kept.
  var isEmpty: Bool { memory.size == 0 && channels.withLock(\.isEmpty) }

  /// Evicts parts not used since a given use of any part, and drops quiet channels.
  func sweep(since use: Int) {
    plan.evict(unlessUsedSince: use)
    for limited in limitedPlans.withLock(\.self) { limited.plan.evict(unlessUsedSince: use) }
    let forgotten = channels.withLock { $0.sweep() }
    withExtendedLifetime(forgotten) {}
  }

  /// Evicts rarely needed data of subscribers.
  func forgetSpare() {
    document.evict()
    for channel in channels.withLock({ $0.events.values.map(\.channel) }) { channel.forgetSpare() }
  }
}
