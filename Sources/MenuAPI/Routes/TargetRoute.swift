import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The route that finds the target of an action or a message (R5, A9, C2).
enum TargetRoute {
  static let all = [
    Route(
      .post, at: "/targets/resolve", needing: .read, id: "resolveTarget",
      "The target that an action or a message would have, and why; nothing is done.",
      query: [.explainChange],
      body: .json(
        "TargetRequest",
        examples: [
          ("responder", #"{"session":"demo","action":"applyFiveStarRating:"}"#),
          (
            "actor",
            #"{"session":"demo","action":"showDetailViewController:sender:","chain":"actor","from":"photoHost"}"#
          ),
          (
            "coordinating",
            #"{"session":"demo","action":"photoDidChange:","chain":"coordinating","from":"hostedView"}"#
          ),
        ]),
      answers: [.ok("TargetAnswer", "The target and the trace.")],
      problems: [.unknownSession, .unresolvedReference, .tooMuchEffort], isQuestion: true,
      namesSession: true, answeredBy: target)
  ]

  private static func target(_ call: Call) throws(Problem) -> Response {
    // The answer has the trace in any case.
    _ = try call.query.flag("explain")
    let (request, assumptions) = try call.question { reader in TargetRequest(&reader) }
    return try call.answer(
      about: request.session, at: JSONPointer.root.appending("session"), assuming: assumptions
    ) {
      (moment) throws(Problem) in
      let session = moment.snapshot.session
      let answer: TargetAnswer
      do throws(MutationFault) {
        answer = try request.answer(
          in: session.withKeyWindow(request.window), moment.snapshot.catalog, by: call.actor,
          spending: moment.effort)
      } catch {
        throw Problem(
          error,
          at: error.placeOfResponder(
            from: request.from, request.sender, to: nil, window: request.window))
      }
      call.note(ruleErrors: answer.fault == nil ? 0 : 1)
      return JSONWriter.object { writer in
        writer.members(session)
        writer.members(answer)
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(_ answer: TargetAnswer) {
    member("target", answer.target)
    optionalMember("proxied", answer.proxied?.rawValue)
    member("reason", answer.reason.rawValue)
    if let fault = answer.fault {
      member("error")
      value(fault)
    }
    member("trace", answer.trace)
  }
}

/// An action, and the chain on which its target is searched.
struct TargetRequest {
  let session: SessionID
  let action: Selector
  let start: Beginning

  /// The chain of a search, and its start.
  enum Beginning {
    /// The responder chain, from the first responder or another one (R5).
    case responder(from: ResponderID?, window: ResponderID?, SenderDescription?)
    /// The containers of a view controller (A1).
    case actor(from: ResponderID, SenderDescription?)
    /// The containers and coordinators of a responder; messages have no sender (C2).
    case coordinating(from: ResponderID)
  }

  /// The chains by their words in requests.
  enum SearchedChain: String, CaseIterable {
    case responder
    case actor
    case coordinating
  }

  init?(_ reader: inout ObjectReader) {
    let session: SessionID? = reader.required("session", Read.identifier)
    let action = reader.required("action", Read.selector)
    let chain: SearchedChain = reader.member("chain", Read.word) ?? .responder
    let start: Beginning?
    switch chain {
    case .responder:
      let from: ResponderID? = reader.member("from", Read.identifier)
      let window: ResponderID? = reader.member("window", Read.identifier)
      start = .responder(from: from, window: window, Self.sender(&reader))
    case .actor:
      let from: ResponderID? = reader.required("from", Read.identifier)
      let sender = Self.sender(&reader)
      start = from.map { .actor(from: $0, sender) }
    case .coordinating:
      let from: ResponderID? = reader.required("from", Read.identifier)
      start = from.map(Beginning.coordinating)
    }
    _ = reader.member("explain", Read.bool)
    guard let session, let action, let start else { return nil }
    self.session = session
    self.action = action
    self.start = start
  }

  private static func sender(_ reader: inout ObjectReader) -> SenderDescription? {
    reader.member("sender", SenderDescription.init(reading:at:log:))
  }

  var from: ResponderID? {
    switch start {
    case .responder(let from, window: _, _): from
    case .actor(let from, _), .coordinating(let from): from
    }
  }

  /// The window treated as key (R11).
  var window: ResponderID? {
    switch start {
    case .responder(_, let window, _): window
    case .actor, .coordinating: nil
    }
  }

  var sender: SenderDescription? {
    switch start {
    case .responder(_, window: _, let sender), .actor(_, let sender): sender
    case .coordinating: nil
    }
  }

  func answer(
    in session: Session, _ catalog: Catalog, by actor: Principal, spending effort: Effort
  ) throws(MutationFault) -> TargetAnswer {
    switch start {
    case .responder(let from, window: _, let sender):
      try session.target(
        for: action, sender: sender, from: from, in: catalog, by: actor, spending: effort)
    case .actor(let from, let sender):
      try session.actorTarget(
        for: action, sender: sender, from: from, in: catalog, by: actor, spending: effort)
    case .coordinating(let from):
      try session.coordinatingTarget(
        for: action, from: from, in: catalog, by: actor, spending: effort)
    }
  }
}
