import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes about a session as a whole: its menu and its diagnostics.
enum QuestionRoutes {
  static let all = [
    Route(
      .get, "/sessions/{session}/menu",
      describedAs: RouteDescription(
        "getSessionMenu", "The whole menu with every item as it is now.",
        query: [.menu, .kind, .modifiers, .from, .window, .explain],
        answers: [.ok("SessionMenu", "The menu.", headers: ["ETag"]), .notModified],
        problems: [.tooMuchEffort]),
      answeredBy: menu),
    Route(
      .get, "/sessions/{session}/diagnostics",
      describedAs: RouteDescription(
        "getDiagnostics", "The diagnostics of a session.",
        answers: [.ok("Diagnostics", "The findings.", headers: ["ETag"]), .notModified]),
      answeredBy: diagnostics),
  ]

  private static func menu(_ call: Call) throws(Problem) -> Response {
    var request = ValidationRequest()
    request.from = try call.queryName("from")
    request.window = try call.queryName("window")
    request.menu = try call.queryName("menu")
    request.kind = try call.queryWord("kind") ?? .main
    request.modifiers = KeyModifiers(try call.queryWords("modifiers"))
    request.isExplaining = try call.flag("explain")
    let snapshot = try call.look(at: call.session)
    let tag = call.tag(snapshot, request.menuParameters)
    if let unmodified = call.unmodified(tag) { return unmodified }
    try call.admit(snapshot)
    let id = request.menu ?? Menu.rootIdentifier
    guard let declared = snapshot.catalog.menuAsShown(id) else {
      throw Problem(.invalidQuery, DeclarationFault.unknownMenu(id).sentence)
    }
    let (body, ruleErrors): ([UInt8], Int)
    do throws(MutationFault) {
      (body, ruleErrors) = try call.service.plans.answer(to: request, about: declared, snapshot)
    } catch {
      throw Problem(error == .tooMuchEffort ? .tooMuchEffort : .invalidQuery, error.sentence)
    }
    call.note(ruleErrors: ruleErrors)
    return Call.response(.ok, tag: tag, body: body)
  }

  private static func diagnostics(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    return call.answer(about: snapshot, "d") { writer in
      writer.members(snapshot.session.diagnostics(in: snapshot.catalog))
    }
  }
}

extension ValidationRequest {
  /// The parameters of a menu as part of a tag; a slash cannot occur in a name.
  fileprivate var menuParameters: String {
    var text = isExplaining ? "m1" : "m0"
    if let from { text += from.rawValue }
    if let window { text += "/w\(window)" }
    if let menu { text += "/m\(menu)" }
    if kind != .main { text += "/k\(kind.rawValue)" }
    if !modifiers.isEmpty { text += "/h\(modifiers.rawValue)" }
    return text
  }
}
