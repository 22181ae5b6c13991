import MenuEngine
import MenuStore

/// The finder of a session's commands.
struct SessionFinder: Remakeable {
  private static let empty = CommandFinder(askingBy: .empty)

  private var finder = empty
  private(set) var size = 0

  mutating func evict() { self = SessionFinder() }

  fileprivate mutating func find(
    _ query: CommandQuery, at moment: PlanMoment
  ) throws(MutationFault) -> (found: FoundCommands, ruleErrors: Int) {
    let result = Result { () throws(MutationFault) in try finder.find(query, at: moment) }
    size = finder.size
    let ruleErrors = finder.takeRuleErrors()
    return (try result.get(), ruleErrors)
  }
}

extension LiveSession {
  /// Returns the commands that a query finds, and the number of rules that failed during the search.
  ///
  /// - Throws: As `Session.validate`.
  func find(
    _ query: CommandQuery, _ snapshot: Snapshot
  ) throws(MutationFault) -> (found: FoundCommands, ruleErrors: Int) {
    try finder.use { (finder) throws(MutationFault) in
      try finder.find(query, at: snapshot.moment)
    }
  }
}
