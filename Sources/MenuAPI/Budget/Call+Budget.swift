import JSONText
import MenuEngine

extension Call {
  /// Lets a session pay for the request, unless it owes too much already. If it is one that has long
  /// requests, this one is left to the thread that answers them.
  func admit(_ snapshot: Snapshot) throws(Problem) {
    let session = snapshot.session.id
    if case .possible = waiting.postponement {
      waiting.postponement = .impossible
      if service.budget.expectsLongRequests(of: session, at: waiting.start) {
        waiting.postponement = .wanted(owes: service.budget.owes(session, at: waiting.start))
        throw .overBudget(after: 1)
      }
    }
    waiting.session = session
    if let wait = service.budget.wait(of: session, at: waiting.start) {
      throw .overBudget(after: wait)
    }
  }
}

extension Problem {
  /// The problem of a session whose long requests took too much time lately.
  static func overBudget(after seconds: Int) -> Problem {
    Problem(
      .overBudget,
      "The session's long requests took too much time lately (limits.processorTime); ask for less at "
        + "once, or less often."
    ).with("limit") { $0.value("limits.processorTime") }.with(header: "Retry-After", "\(seconds)")
  }
}
