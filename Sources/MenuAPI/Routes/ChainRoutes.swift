import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The responder chain, and the content that its responders provide beside the menu (L13).
enum ChainRoutes {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/chain", needing: .read, id: "getChain",
      "The responders that are asked, in order; with an action, also which of them would answer.",
      query: [.action, .from, .window], answers: .tagged("Chain", "The chain."),
      problems: [.tooMuchEffort], answeredBy: chain),
    Route(
      .get, at: "/sessions/{session}/chains", needing: .read, id: "getChains",
      "Which responder follows which: the next one of each, and the chain that is asked now.",
      answers: .tagged("Chains", "All chains."), problems: [.tooMuchEffort], answeredBy: chains),
    Route(
      .get, at: "/sessions/{session}/user-activity", needing: .read, id: "getUserActivity",
      "The user activity of the first responder on the chain that has one.",
      query: [.from, .window, .explain], answers: .tagged("UserActivityAnswer", "It, or null."),
      answeredBy: userActivity),
    Route(
      .get, at: "/sessions/{session}/touch-bar", needing: .items, id: "getTouchBar",
      "The touch bar, composed of those of all responders on the chain.",
      query: [.from, .window, .explain], answers: .tagged("TouchBarAnswer", "The bar."),
      problems: [.tooMuchEffort], answeredBy: touchBar),
  ]

  private static func chain(_ call: Call) throws(Problem) -> Response {
    let action = try call.query.selector("action")
    return try answer(call, kind: "c\(action?.rawValue ?? "")/") {
      (question, writer) throws(MutationFault) in
      let session = question.session
      let chain = try session.chain(
        for: action, from: question.from, in: question.snapshot.catalog)
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

  private static func chains(_ call: Call) throws(Problem) -> Response {
    try answer(call, kind: "a") { (question, writer) throws(MutationFault) in
      let session = question.snapshot.session
      let chain = try session.chain(in: question.snapshot.catalog)
      writer.member("search", session.search.rawValue)
      writer.member("isCyclic", chain.isCyclic)
      writer.member("chain", .array(chain.steps.map { .string($0.responder.rawValue) }))
      writer.member("next")
      writer.beginObject()
      for id in session.graph.chainedIDs {
        writer.member(id.rawValue, session.graph.next(of: id))
      }
      writer.endObject()
    }
  }

  private static func userActivity(_ call: Call) throws(Problem) -> Response {
    try answer(call, kind: "u") { (question, writer) throws(MutationFault) in
      let answer = try question.session.userActivity(
        from: question.from, isExplaining: question.isExplaining)
      writer.member("responder", answer.responder)
      writer.member("userActivity", answer.activity?.json ?? .null)
      if question.isExplaining { writer.member("trace", answer.trace) }
    }
  }

  private static func touchBar(_ call: Call) throws(Problem) -> Response {
    try answer(call, kind: "t") { (question, writer) throws(MutationFault) in
      let bar = try question.session.touchBar(
        from: question.from, isExplaining: question.isExplaining, in: question.snapshot.catalog,
        by: call.actor, limitedTo: question.snapshot.commands)
      writer.member("items")
      writer.beginArray()
      for item in bar.items { writer.value(item, isExplaining: question.isExplaining) }
      writer.endArray()
      if question.isExplaining { writer.member("trace", bar.trace) }
    }
  }

  private struct ChainQuestion {
    let snapshot: Snapshot
    /// The session, with the window of the query treated as key (R11).
    let session: Session
    /// The first responder of the query; nil for the session's.
    let from: ResponderID?
    let isExplaining: Bool
  }

  /// Answers a query about the chain, or 304 if the client has the answer.
  ///
  /// - Parameter kind: Distinguishes the query from other ones about the chain.
  private static func answer(
    _ call: Call, kind: String,
    _ write: (ChainQuestion, inout JSONWriter) throws(MutationFault) -> Void
  ) throws(Problem) -> Response {
    let from: ResponderID? = try call.query.name("from")
    let isExplaining = try call.query.flag("explain")
    let window: ResponderID? = try call.query.name("window")
    let snapshot = try call.snapshot()
    let parameters =
      "\(kind)\(isExplaining ? 1 : 0)\(from?.rawValue ?? "")/\(window?.rawValue ?? "")"
    do throws(MutationFault) {
      let question = ChainQuestion(
        snapshot: snapshot, session: try snapshot.session.withKeyWindow(window), from: from,
        isExplaining: isExplaining)
      return try call.answer(about: snapshot, parameters) { (writer) throws(MutationFault) in
        try write(question, &writer)
      }
    } catch {
      throw Problem(ofQuery: error)
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

  fileprivate mutating func value(_ item: ComposedTouchBar.Item, isExplaining: Bool) {
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
