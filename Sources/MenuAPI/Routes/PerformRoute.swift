import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Performing a command (M7), or sending an action (R7).
enum PerformRoute {
  static let all = [
    Route(
      .post, "/commands/perform",
      Operation(
        "performCommand", "Performs a command, or sends an action; what fails changes nothing.",
        body: .json(
          "PerformRequest", #"{"session":"demo","command":"applyFiveStarRating:","explain":true}"#),
        answers: [.ok("PerformAnswer", "What became of it.", headers: ["ETag"])],
        problems: [
          .unknownSession, .unknownCommand, .unresolvedReference, .notPerformed, .effectFailed,
          .firstResponderRefused, .doesNotRecognizeSelector, .senderCarriesNoAction, .tooMuchEffort,
        ], isGuarded: true),
      respond)
  ]

  private static func respond(_ call: Call) throws(Problem) -> Response {
    let body = try call.object { Body(&$0) }
    let request = body.request.dated(call.service.surroundings.now())
    let place = JSONPointer.root.appending("session")
    return try call.change(body.session, at: place) { (snapshot, catalog) throws(Problem) in
      let outcome = try snapshot.session.apply(
        .perform(request), in: catalog, isExplaining: body.isExplaining,
        at: { request.place(of: $0) })
      let session = snapshot.session
      return call.answer(tag: call.tag(snapshot)) { writer in
        writer.members(session)
        if let performance = outcome.performance {
          writer.members(performance, of: request.subject, in: session)
        }
        writer.members(outcome.changes)
        writer.members(outcome.events)
        if body.isExplaining, let trace = outcome.performance?.trace {
          writer.member("trace", trace)
        }
      }
    }
  }

  /// What is to be done.
  private struct Body {
    let session: SessionID
    let request: ActionRequest
    let isExplaining: Bool

    init?(_ reader: inout ObjectReader) {
      let session: SessionID? = reader.required("session", Read.identifier)
      let request = ActionRequest(&reader, isDated: false)
      isExplaining = reader.member("explain", Read.bool) ?? false
      guard let session, let request else { return nil }
      self.session = session
      self.request = request
    }
  }
}

extension ActionRequest {
  /// The member of the request that a fault is about.
  fileprivate func place(of fault: MutationFault) -> JSONPointer? {
    switch (fault, subject) {
    case (.unknownCommand, _), (.notPerformed, .command): JSONPointer.root.appending("command")
    case (.notPerformed, .action): JSONPointer.root.appending("action")
    default: fault.placeOfResponder(from: from, sender, to: to)
    }
  }
}
