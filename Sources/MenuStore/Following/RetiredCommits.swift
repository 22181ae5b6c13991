/// The commits, states and rings that a world has dropped. Releasing them takes time, so it happens after the lock.
struct RetiredCommits: Sendable {
  var commits: [DurableCommit] = []
  var states: [FollowedState] = []
  var rings: [CommitRing] = []
}

extension RetiredCommits {
  mutating func note(_ commit: DurableCommit?, _ state: FollowedState?) {
    if let commit { commits.append(commit) }
    if let state { states.append(state) }
  }
}
