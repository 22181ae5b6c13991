import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The events of a session, as they happen (E).
enum EventRoutes {
  static let all = [
    Route(
      .get, "/sessions/{session}/events",
      describedAs: RouteDescription(
        "followSession",
        "What changes, as it changes, as Server-Sent Events: `reset` tells everything, `change` what differs since the event before, `closed` is the last one. After `closed`, a client that connects again gets 204, which stops a browser.",
        query: [.document, .menu, .kind, .commands, .modifiers],
        answers: [
          RouteDescription.Answer(
            status: .ok, summary: "The events.", schema: "SessionEvents", type: "text/event-stream"),
          .noContent("The session that `Last-Event-ID` tells of is closed."),
        ]),
      answeredBy: follow)
  ]

  private static func follow(_ call: Call) throws(Problem) -> Response {
    let subscription = try EventSubscription(call)
    let last = call.request.headers["last-event-id"]
    do throws(Problem) {
      _ = try call.look(at: subscription.session)
    } catch {
      guard last != nil else { throw error }
      return Response(status: .noContent)
    }
    call.stream(subscription, after: last.flatMap(EventID.init(_:)))
    return Response(
      headers: ["Content-Type": "text/event-stream", "Cache-Control": "no-store"])
  }
}
