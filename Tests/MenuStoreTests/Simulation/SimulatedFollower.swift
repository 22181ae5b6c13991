import MenuEngine
import Synchronization

@testable import MenuStore

/// Follows a session or the catalogue, and compares what it gets with the history: all that is durable, in
/// order, without a gap, and nothing else.
struct SimulatedFollower {
  private let subject: Follower.Subject
  private let follower: Follower
  private let isWoken = Flag()
  /// The position up to which it knows the commits; nil before it knows anything.
  private var position: Int?
  /// The number of the last commit that it got.
  private var lastCommit = -1
  /// The index of the last write that it knows of.
  private var line = -1
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
    let unknown = unknown(in: simulation)
    let isBehind = unknown.count > simulation.conditions.longestLag
    if case .none = news {
      isDrained = true
      return check(unknown.isEmpty && position != nil, "does not get all", simulation)
    }
    // It is woken after a batch is published, and others may look in between.
    if !simulation.isPausing, isDrained { check(wasWoken, "is not woken", simulation) }
    isDrained = false
    switch news {
    case .none: return
    case .anew(let state):
      check(position == nil || isBehind, "must start anew", simulation)
      if position != nil { simulation.figures.drops += 1 }
      (line, position) = (unknown.last ?? line, state.number)
      check(isState(state, in: simulation), "starts with another state", simulation)
    case .commits(let commits, let state):
      check(!isBehind, "gets more than the bounds let be kept", simulation)
      for commit in commits { note(commit, in: simulation) }
      guard let state else { return }
      check(state.number == position, "gets a state of another commit", simulation)
      check(isState(state, in: simulation), "gets another state", simulation)
    }
  }

  private mutating func note(_ commit: DurableCommit, in simulation: Simulation) {
    guard let next = unknown(in: simulation).first,
      let record = simulation.history.lines[next].record
    else { return check(false, "gets a commit that is not durable", simulation) }
    check(commit.number > lastCommit, "gets commits in another order", simulation)
    check(record.isSame(as: commit), "gets another commit than write \(next + 1)", simulation)
    (line, position, lastCommit) = (next, commit.number, commit.number)
  }

  private var name: JournalSubject {
    switch subject {
    case .catalog: .catalog
    case .session(let id): .session(id.rawValue)
    }
  }

  /// The indices of the writes of the subject that it does not know of.
  private func unknown(in simulation: Simulation) -> [Int] {
    let lines = simulation.history.lines
    // The beginning of a journal changes nothing.
    return (line + 1..<lines.count).filter {
      lines[$0].record?.subject == name && !lines[$0].isBeginning
    }
  }

  /// True if a state is the one after the last write that it knows of.
  private func isState(_ state: FollowedState, in simulation: Simulation) -> Bool {
    let write = line < 0 ? nil : simulation.history.lines[line]
    switch state {
    case .catalog(let edition):
      return subject == .catalog && edition.catalog.revision == Int(write?.record?.revision ?? 0)
    case .session(let edition):
      return subject == .session(edition.session.id)
        && (try? edition.session.stored()) == write?.state?()
    case .noSession:
      return subject != .catalog && write?.record?.kind != .opened
        && write?.record?.kind != .changed
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
    case .changed(by: let record, let outcomes):
      return kind == .changed && outcomes.count == record.mutations.count
        && (try? StoredFormat.bytes(of: record)) == payload
    case .catalogChanged(by: let mutation):
      return kind == .changed && (try? StoredFormat.bytes(of: mutation)) == payload
    }
  }
}
