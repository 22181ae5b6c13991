import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The chain of responders, and what they have to say together beside its menu (L13).
enum ChainRoutes {
  static let all = [
    Route(
      .get, "/sessions/{session}/chain",
      describedAs: RouteDescription(
        "getChain",
        "The responders that are asked, in order; with an action, also who of them would answer.",
        query: [.action, .from],
        answers: [.ok("Chain", "The chain.", headers: ["ETag"]), .notModified],
        problems: [.tooMuchEffort]),
      answeredBy: chain),
    Route(
      .get, "/sessions/{session}/user-activity",
      describedAs: RouteDescription(
        "getUserActivity", "The user activity of the first responder on the chain that has one.",
        query: [.from, .explain],
        answers: [.ok("UserActivityAnswer", "It, or null.", headers: ["ETag"]), .notModified]),
      answeredBy: userActivity),
    Route(
      .get, "/sessions/{session}/touch-bar",
      describedAs: RouteDescription(
        "getTouchBar", "The touch bar, composed of those of all responders on the chain.",
        query: [.from, .explain],
        answers: [.ok("TouchBarAnswer", "The bar.", headers: ["ETag"]), .notModified],
        problems: [.tooMuchEffort]),
      answeredBy: touchBar),
  ]

  private static func chain(_ call: Call) throws(Problem) -> Response {
    let action = try call.querySelector("action")
    return try answer(call, "c\(action?.rawValue ?? "")/") {
      (session, catalog, from, _, writer) throws(MutationFault) in
      let chain = try session.chain(for: action, from: from, in: catalog)
      writer.member("search", session.search.rawValue)
      if let action {
        writer.member("action", action.rawValue)
        writer.member("target", chain.target?.receiver)
        writer.optionalMember("proxied", chain.target?.proxied?.rawValue)
      }
      writer.member("isCyclic", chain.isCyclic)
      writer.member("chain")
      writer.beginArray()
      for step in chain.steps { writer.value(step, isAsked: action != nil) }
      writer.endArray()
    }
  }

  private static func userActivity(_ call: Call) throws(Problem) -> Response {
    try answer(call, "u") { (session, _, from, isExplaining, writer) throws(MutationFault) in
      let answer = try session.userActivity(from: from, isExplaining: isExplaining)
      writer.member("responder", answer.responder)
      writer.member("userActivity", answer.activity?.json ?? .null)
      if isExplaining { writer.member("trace", answer.trace) }
    }
  }

  private static func touchBar(_ call: Call) throws(Problem) -> Response {
    try answer(call, "t") { (session, catalog, from, isExplaining, writer) throws(MutationFault) in
      let bar = try session.touchBar(from: from, isExplaining: isExplaining, in: catalog)
      writer.member("items")
      writer.beginArray()
      for item in bar.items { writer.value(item, isExplaining) }
      writer.endArray()
      if isExplaining { writer.member("trace", bar.trace) }
    }
  }

  /// The answer to a question about the chain from `from`, unless the client has it already.
  private static func answer(
    _ call: Call, _ kind: String,
    _ write: (Session, Catalog, ResponderID?, Bool, inout JSONWriter) throws(MutationFault) -> Void
  ) throws(Problem) -> Response {
    let from: ResponderID? = try call.queryName("from")
    let isExplaining = try call.flag("explain")
    let snapshot = try call.snapshot()
    let parameters = "\(kind)\(isExplaining ? 1 : 0)\(from?.rawValue ?? "")"
    do throws(MutationFault) {
      return try call.answer(about: snapshot, parameters) { (writer) throws(MutationFault) in
        try write(snapshot.session, snapshot.catalog, from, isExplaining, &writer)
      }
    } catch {
      throw Problem(error == .tooMuchEffort ? .tooMuchEffort : .invalidQuery, error.sentence)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ step: ResponderChain.Step, isAsked: Bool) {
    beginObject()
    member("responder", step.responder.rawValue)
    member("kind", step.kind.rawValue)
    member("class", step.className.rawValue)
    if isAsked {
      member("answers", step.receiver)
      optionalMember("proxied", step.proxied?.rawValue)
      if let fault = step.fault {
        member("error")
        value(fault)
      }
    }
    endObject()
  }

  fileprivate mutating func value(_ item: ComposedTouchBar.Item, _ isExplaining: Bool) {
    beginObject()
    member("identifier", item.item.identifier.rawValue)
    member("responder", item.responder.rawValue)
    optionalMember("title", item.item.title ?? item.validated?.title)
    optionalMember("image", item.item.image ?? item.validated?.image)
    if let validated = item.validated {
      member("item")
      value(validated, isExplaining: isExplaining)
    }
    endObject()
  }
}
