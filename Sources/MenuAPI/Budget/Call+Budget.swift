import JSONText
import MenuEngine

extension Call {
  /// Leaves the request to whoever answers long ones, if the session is one that has them.
  ///
  /// This comes before the session is looked up, since another request may hold it for long.
  func postpone(for session: SessionID) throws(Problem) {
    guard waiting.mayBePostponed else { return }
    waiting.mayBePostponed = false
    guard service.budget.expectsLongRequests(of: session, at: waiting.start) else { return }
    waiting.isPostponed = true
    waiting.owes = service.budget.owes(session, at: waiting.start)
    throw .overBudget(after: 1)
  }

  /// Makes a session that the request may touch pay for it, unless it owes too much already.
  func charge(_ session: SessionID) throws(Problem) {
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
