import JSONText
import MicroHTTP

/// What operators ask, and the description of the service.
enum HealthRoutes {
  static let all = [
    Route(
      .get, "/health",
      Operation(
        "health", "Whether the service answers.",
        answers: [.ok("Health", "It does.")], door: .open),
      { _ in ok }),
    Route(
      .get, "/health/live",
      Operation(
        "live", "Whether the program runs.",
        answers: [.ok("Health", "It does.")], door: .open),
      { _ in ok }),
    Route(
      .get, "/health/ready",
      Operation(
        "ready", "Whether requests should be sent here.",
        answers: [
          .ok("Health", "They should."),
          .init(
            status: .serviceUnavailable, summary: "The program is about to stop.",
            schema: "Health", example: #"{"status":"draining"}"#),
        ], door: .open),
      { call in call.service.isDraining ? draining : ok }),
    Route(
      .get, "/openapi.json",
      Operation(
        "openAPI", "This document.", answers: [.ok("Document", "The document.")], door: .open),
      { call in Call.response(.ok, nil, nil, call.service.document) }),
  ]

  private static let ok = Call.response(.ok, nil, nil, Array(#"{"status":"ok"}"#.utf8))
  private static let draining = Call.response(
    .serviceUnavailable, nil, nil, Array(#"{"status":"draining"}"#.utf8))
}
