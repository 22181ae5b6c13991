import JSONText
import MicroHTTP

/// The routes for operators, and the description of the service.
enum HealthRoutes {
  static let all = [
    Route(
      .get, at: "/health", needing: .open, id: "health", "Answers 200 if the service answers.",
      answers: [.ok("Health", "It does.")], isAboutService: true, answeredBy: { _ in ok }),
    Route(
      .get, at: "/health/live", needing: .open, id: "live",
      "Answers 200 as long as the program runs.", answers: [.ok("Health", "It does.")],
      isAboutService: true, answeredBy: { _ in ok }),
    Route(
      .get, at: "/health/ready", needing: .open, id: "ready",
      "Answers 200 when requests should be sent here, else 503 with the reasons.",
      answers: [
        .ok("Health", "They should."),
        .init(
          status: .serviceUnavailable, summary: "They should not, for these reasons.",
          schema: "NotReady", example: notReady([.draining])),
      ],
      isAboutService: true, answeredBy: ready),
    Route(
      .get, at: "/metrics", needing: .monitoring, id: "metrics",
      "The metrics, in Prometheus' text format 0.0.4.",
      answers: [
        .init(
          status: .ok, summary: "All metrics.", schema: "Metrics",
          type: MetricsPage.contentType)
      ],
      isAboutService: true, answeredBy: metrics),
    Route(
      .get, at: "/openapi.json", needing: .open, id: "openAPI", "This document.",
      answers: [.ok("Document", "The document.")], isAboutService: true,
      answeredBy: { call in Call.response(.ok, body: call.service.document) }),
  ]

  private static let ok = Call.response(.ok, body: Array(#"{"status":"ok"}"#.utf8))

  private static func ready(_ call: Call) -> Response {
    let reasons = call.service.unreadyReasons
    if reasons.isEmpty { return ok }
    return Call.response(.serviceUnavailable, body: Array(notReady(reasons).utf8))
  }

  private static func notReady(_ reasons: [UnreadyReason]) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.members(reasons)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func metrics(_ call: Call) -> Response {
    Response(
      headers: ["Content-Type": MetricsPage.contentType, "Cache-Control": "no-store"],
      body: call.service.metricsPage)
  }
}
