import Logging
import MicroHTTP

/// A line for every request.
struct RequestLog: Sendable {
  private let log: Logger

  /// Lines in that log, at the level `info`.
  init(_ log: Logger) { self.log = log }

  /// What `respond` answers, logged.
  func answer(_ request: Request, with respond: (Request) -> Answer) -> Answer {
    let start = ContinuousClock.now
    let answer = respond(request)
    answer.whenFulfilled { write(request, $0, since: start) }
    return answer
  }

  private func write(
    _ request: Request, _ response: Response, since start: ContinuousClock.Instant
  ) {
    let duration = start.duration(to: .now) / .microseconds(1)
    log.info(
      "request",
      metadata: [
        "method": "\(request.method.rawValue)", "path": "\(request.path)",
        "status": "\(response.status.rawValue)", "bytes": "\(response.body.count)",
        "microseconds": "\(Int(duration))",
        "client": "\(request.remoteAddress)",
      ])
  }

  /// What `respond` answers to a message that is no request, logged.
  func answer(_ refusal: Refusal, with respond: (Refusal) -> Response) -> Response {
    let response = respond(refusal)
    log.info(
      "refusal", metadata: ["reason": "\(refusal)", "status": "\(response.status.rawValue)"])
    return response
  }
}
