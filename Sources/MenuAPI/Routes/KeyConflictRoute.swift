import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The route for keys that are claimed more than once (K6).
enum KeyConflictRoute {
  static let all = [
    Route(
      .get, "/keys/conflicts",
      describedAs: RouteDescription(
        "getKeyConflicts",
        "The keys claimed more than once: on a session's chain, else in the catalogue.",
        query: [.session, .from, .window],
        answers: [.ok("KeyConflicts", "The keys.", headers: ["ETag"]), .notModified],
        problems: [.unknownSession, .tooMuchEffort], requiredAccess: .anyToken),
      answeredBy: conflicts)
  ]

  private static func conflicts(_ call: Call) throws(Problem) -> Response {
    let id: SessionID? = try call.queryName("session")
    let from: ResponderID? = try call.queryName("from")
    let window: ResponderID? = try call.queryName("window")
    guard let id else {
      if from != nil || window != nil {
        let name = from != nil ? "from" : "window"
        throw Problem(.invalidQuery, "'\(name)' in the query needs 'session' beside it.")
      }
      return conflictsOfCatalog(call)
    }
    let snapshot = try call.snapshot(id)
    do throws(MutationFault) {
      return try call.answer(about: snapshot, "k\(from?.rawValue ?? "")/\(window?.rawValue ?? "")")
      {
        (writer) throws(MutationFault) in
        let session = try snapshot.session.withKeyWindow(window)
        writer.member("conflicts")
        writer.value(try session.keyConflicts(from: from, in: snapshot.catalog))
      }
    } catch {
      throw Problem(error == .tooMuchEffort ? .tooMuchEffort : .invalidQuery, error.sentence)
    }
  }

  private static func conflictsOfCatalog(_ call: Call) -> Response {
    let catalog = call.catalog
    let tag = EntityTag(catalog, nonce: call.service.nonce, parameters: "k")
    if let unmodified = call.unmodified(tag) { return unmodified }
    return call.answer(tag: tag) { writer in
      writer.member("catalogRevision", catalog.revision)
      writer.member("conflicts")
      writer.value(catalog.keyConflicts)
    }
  }
}
