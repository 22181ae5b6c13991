import JSONText
import MenuEngine

extension Call {
  /// Lets a session pay for the request, unless it owes too much already. If it is one that has long
  /// requests, this one is left to the thread that answers them.
  ///
  /// - Parameter isPostponable: False if it cannot be carried out from its beginning again; the default is true.
  func admit(_ snapshot: Snapshot, isPostponable: Bool = true) throws(Problem) {
    let session = snapshot.session.id
    if isPostponable, case .possible = waiting.postponement {
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
  /// The problem of a session whose long requests took too much time lately, or of a client whose openings of sessions
  /// did.
  static func overBudget(after seconds: Int, ofClient isOfClient: Bool = false) -> Problem {
    let limit = isOfClient ? "limits.openingTime" : "limits.processorTime"
    let sentence =
      isOfClient
      ? "This client's openings of sessions, and its other long requests about none, took too much time "
        + "lately (\(limit)); send smaller ones, or fewer at once."
      : "The session's long requests took too much time lately (\(limit)); ask for less at once, or less "
        + "often."
    return Problem(.overBudget, sentence).with("limit") { $0.value(limit) }
      .with(header: "Retry-After", "\(seconds)")
  }

  /// The problem of a request with a large body, while too many of these wait.
  static let tooManyLargeRequests = Problem(
    .overloaded,
    "Too many requests with large bodies wait to be read; nothing was done, so that the request may be "
      + "repeated."
  ).with(header: "Retry-After", "1")
}
