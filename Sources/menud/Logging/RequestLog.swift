import Logging
import MenuAPI
import MicroHTTP

/// A line for every request.
struct RequestLog: Sendable {
  private let log: Logger

  /// Lines in that log, at the level `info`.
  init(_ log: Logger) { self.log = log }

  /// Returns the answer of `respond`, and logs it.
  func answer(_ request: Request, with respond: (Request) -> EventualResponse) -> EventualResponse {
    let start = ContinuousClock.now
    let answer = respond(request)
    answer.whenFulfilled { write(request, $0, since: start) }
    return answer
  }

  private func write(
    _ request: Request, _ response: Response, since start: ContinuousClock.Instant
  ) {
    let duration = start.duration(to: .now) / .microseconds(1)
    var details = Self.details(request)
    details["status"] = .stringConvertible(response.status.rawValue)
    details["bytes"] = .stringConvertible(response.body.count)
    details["microseconds"] = .stringConvertible(Int(duration))
    details["request"] = response.headers["x-request-id"].map { "\($0)" }
    log.info("request", metadata: details)
  }

  /// Returns the answer of `refuse` to a request whose body was not read, if there is one, and logs it.
  func refusal(of request: Request, by refuse: (Request) -> Response?) -> Response? {
    let start = ContinuousClock.now
    let response = refuse(request)
    if let response { write(request, response, since: start) }
    return response
  }

  /// Returns the answer of `respond` to a message that is no request, and logs it.
  func answer(_ refusal: RequestRefusal, with respond: (RequestRefusal) -> Response) -> Response {
    let response = respond(refusal)
    log.info(
      "refusal",
      metadata: [
        "reason": "\(refusal)", "status": .stringConvertible(response.status.rawValue),
      ])
    return response
  }

  /// Returns the details of a request: of texts that a client makes up the beginning, and never the token.
  private static func details(_ request: Request) -> Logger.Metadata {
    var details: Logger.Metadata = [
      "method": "\(request.method.rawValue)", "path": "\(request.path.beginning)",
      "client": "\(request.remoteAddress)",
    ]
    details["host"] = request.host.map { "\($0.beginning)" }
    details["userAgent"] = request.headers["user-agent"].map { "\($0.beginning)" }
    if let trace = TraceParent(request.headers) {
      details["trace"] = "\(trace.traceID)"
      details["parent"] = "\(trace.parentID)"
      details["sampled"] = .stringConvertible(trace.isSampled)
    }
    return details
  }
}

extension String {
  /// The text, or as much of it as a line has room for.
  fileprivate var beginning: String {
    utf8.count <= 512 ? self : String(unicodeScalars.prefix(256)) + "…"
  }
}
