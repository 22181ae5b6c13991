import MenuEngine
import Synchronization

@testable import MenuStore

/// Follows a session or the catalogue, and compares what it gets with the line of history: all that is durable, in
/// order, without a gap, and nothing else.
struct SimulatedFollower {
  private let subject: Follower.Subject
  private let follower: Follower
  private let isWoken = Flag()
  /// The position up to which it knows the commits; nil before it knows anything.
  private var position: Int?
  /// The last write that it knows of.
  private var line = 0
  /// True if it was told that there is nothing more, so that it is woken before there is.
  private var isDrained = false

  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  init(_ subject: Follower.Subject, of store: SessionStore) {
    self.subject = subject
    follower = store.follow(subject) { [isWoken] in isWoken.isSet.store(true, ordering: .relaxed) }
  }

  /// Asks for news, so many commits at most.
  mutating func step(in simulation: Simulation, atMost most: Int) {
    let wasWoken = isWoken.isSet.exchange(false, ordering: .relaxed)
    let news = follower.news(after: position, atMost: most)
    if case .none = news {
      isDrained = true
      return check(isComplete(in: simulation), "does not get all", simulation)
    }
    // While a ticket is being settled, its turn to be woken may be still to come.
    if !simulation.isPausing, isDrained { check(wasWoken, "is not woken", simulation) }
    isDrained = false
    switch news {
    case .none: return
    case .anew(let state):
      let isBehind = lag(in: simulation) > simulation.conditions.longestLag
      check(position == nil || isBehind, "must start anew", simulation)
      if position != nil { simulation.figures.drops += 1 }
      line = newest(in: simulation)
      position = state.number
      check(isState(state, in: simulation), "starts with another state", simulation)
    case .commits(let commits, let state):
      let isBehind = lag(in: simulation) > simulation.conditions.longestLag
      check(!isBehind, "gets more than the bounds let be kept", simulation)
      for commit in commits { note(commit, in: simulation) }
      guard let state else { return }
      check(state.number == position, "gets a state of another commit", simulation)
      check(isState(state, in: simulation), "gets another state", simulation)
    }
  }

  private mutating func note(_ commit: DurableCommit, in simulation: Simulation) {
    let next = simulation.history.lines.first {
      $0.number > line && $0.write.record?.subject == name
    }
    guard let next, let record = next.write.record else {
      return check(false, "gets a commit that nobody made", simulation)
    }
    check(simulation.isDurable(next.number), "gets what is not durable", simulation)
    check(commit.number > position ?? -1, "gets commits in another order", simulation)
    check(record.isSame(as: commit), "gets another commit than write \(next.number)", simulation)
    (line, position) = (next.number, commit.number)
  }

  private var name: JournalSubject {
    switch subject {
    case .catalog: .catalog
    case .session(let id): .session(id.rawValue)
    }
  }

  /// The newest durable write of the subject.
  private func newest(in simulation: Simulation) -> Int {
    simulation.history.lines.last {
      $0.write.record?.subject == name && simulation.isDurable($0.number)
    }?.number ?? 0
  }

  /// The number of durable writes that it does not know of.
  private func lag(in simulation: Simulation) -> Int {
    simulation.history.lines.count {
      $0.number > line && $0.write.record?.subject == name && simulation.isDurable($0.number)
    }
  }

  /// True if nothing is durable that it does not know of.
  private func isComplete(in simulation: Simulation) -> Bool {
    if position != nil { return newest(in: simulation) == line }
    // It waits for the state that it begins with, which of a catalogue that is in no journal yet is none.
    return simulation.pendingWrites > 0 || (subject == .catalog && newest(in: simulation) == 0)
  }

  /// True if a state is the one after the last write that it knows of.
  private func isState(_ state: FollowedState, in simulation: Simulation) -> Bool {
    let write = simulation.history.lines.last { $0.number == line }?.write
    guard let record = write?.record, record.kind != .closed else {
      if case .noSession = state { return true }
      return false
    }
    switch state {
    case .catalog(let edition):
      return record.subject == .catalog && edition.catalog.revision == Int(record.revision)
    case .session(let edition):
      let bytes = write?.state?()
      return record.subject == .session(edition.session.id.rawValue)
        && (try? edition.session.stored()) == bytes
    case .noSession: return false
    }
  }

  private func check(_ condition: Bool, _ fault: String, _ simulation: Simulation) {
    if !condition { simulation.expect("a follower of \(subject) \(fault)") }
  }
}

extension JournalRecord {
  /// True if it says the same as a commit.
  fileprivate func isSame(as commit: DurableCommit) -> Bool {
    guard commit.revision == Int(revision) else { return false }
    switch commit.change {
    case .opened: return kind == .opened
    case .closed: return kind == .closed
    case .changed(by: let mutations, let outcomes):
      return kind == .changed && outcomes.count == mutations.count
        && (try? StoredFormat.bytes(of: SessionRecord(mutations))) == payload
    case .catalogChanged(by: let mutation):
      return kind == .changed && (try? StoredFormat.bytes(of: mutation)) == payload
    }
  }
}
