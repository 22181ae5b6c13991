import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Performing a command (M7), sending an action (R7), or sending a message again (F9).
enum PerformRoute {
  static let all = [
    Route(
      .post, "/commands/perform",
      describedAs: RouteDescription(
        "performCommand",
        "Performs a command, sends an action, or sends again the `invocation` of an answer, be it with another `target` or `selector`; what fails changes nothing. With `dryRun` nothing is kept, and the answer is what would have been answered, but for the revision.",
        body: .json(
          "PerformRequest", #"{"session":"demo","command":"applyFiveStarRating:","explain":true}"#),
        answers: [
          .ok("PerformAnswer", "The outcome.", headers: ["ETag"]), .accepted("PerformAnswer"),
        ],
        problems: [
          .unknownSession, .unknownCommand, .unresolvedReference, .notPerformed, .effectFailed,
          .firstResponderRefused, .doesNotRecognizeSelector, .senderCarriesNoAction, .tooMuchEffort,
          .undoRefused, .deliveryConflict,
        ], requiredAccess: .anyToken, completesDeliveries: true),
      answeredBy: respond)
  ]

  private static func respond(_ call: Call) throws(Problem) -> Response {
    let json = try call.json()
    let edition = call.store.catalogEdition
    let (body, options) = try call.objectAndOptions(json) { PerformBody(&$0, in: edition.catalog) }
    let now = call.service.dependencies.now()
    let place = JSONPointer.root.appending("session")
    return try call.change(body.session, at: place) { (change) throws(Problem) in
      var message = body.message
      // The command of an invocation is that of the catalogue that the change is made under.
      if change.catalogEdition !== edition {
        message = try call.objectAndOptions(json) { PerformBody(&$0, in: change.catalog) }.0.message
      }
      message = message.dated(now)
      change.isDry = options.isDry
      var item = body.tellsItem ? PerformedItem(of: message, in: change) : nil
      let outcome = try change.apply(
        message.mutation, call, isExplaining: options.isExplaining,
        at: { message.place(of: $0) })
      item?.note(change)
      return call.answer(tag: call.tag(change)) { writer in
        writer.members(change)
        if let performance = outcome.performance {
          writer.members(performance, of: message.command)
        }
        if let item { writer.member("item", item) }
        writer.members(deliveriesOf: outcome)
        writer.members(changesOf: outcome)
        writer.members(outcome.events)
        if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }

  /// The message, and the session that it is for.
  private struct PerformBody {
    let session: SessionID
    let message: Message
    /// True if the answer is to have the command's item, before and after. The default is false.
    let tellsItem: Bool

    init?(_ reader: inout ObjectReader, in catalog: Catalog) {
      let session: SessionID? = reader.required("session", Read.identifier)
      let message = Message(&reader, in: catalog)
      tellsItem = reader.member("item", Read.bool) ?? false
      if tellsItem, let message, message.command == nil {
        reader.log.note(.missingMember("command"), at: reader.pointer)
      }
      guard let session, let message else { return nil }
      self.session = session
      self.message = message
    }
  }
}
