/// The commits, states and rings that a world holds no more. They are released once it is no longer locked, since that
/// takes time.
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
