package import JSONText

/// The responders of a search, in order, including those after the target (R5, R10).
package struct ResponderChain: Equatable, Sendable {
  package let steps: [Step]
  /// True if the chain is a cycle after the last responder (R9).
  package let isCyclic: Bool

  /// One responder of the chain.
  package struct Step: Equatable, Sendable {
    package let responder: ResponderID
    package let kind: ResponderKind
    package let className: ClassName
    /// The receiver that answers for it: the responder itself or another one. Nil if it passes the action on, or
    /// without an action.
    package internal(set) var receiver: Receiver?
    /// The proxied responder, if the receiver is a proxy (L11).
    package internal(set) var proxied: ResponderID?
    /// The rule that failed.
    package internal(set) var fault: RuleFault?
  }

  /// The first step that answers: the target of the action.
  package var target: Step? { steps.first { $0.receiver != nil } }
}

extension Session {
  /// Returns the chain from the first responder or from `from`; with an action, each step also has its own
  /// answer.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.tooMuchEffort`.
  package func chain(
    for action: Selector? = nil, from: ResponderID? = nil, in catalog: Catalog
  ) throws(MutationFault) -> ResponderChain {
    try check(from)
    let sender = action.map { Sender(requesting: $0) }
    var inquiry = inquiry(in: SessionContext(catalog), sender: sender)
    var order = SearchOrder(from: inquiry.start(from: from), in: self)
    var steps: [ResponderChain.Step] = []
    while order.contains(steps.count, in: self, catalog) {
      let position = order.positions[steps.count]
      steps.append(ResponderChain.Step(graph.responders[position]))
      try inquiry.effort.check()
      guard let action else { continue }
      inquiry.answer(at: position, to: action, in: &steps[steps.count - 1])
    }
    return ResponderChain(steps: steps, isCyclic: order.isCyclic)
  }
}

extension Inquiry {
  fileprivate mutating func answer(
    at position: Int, to action: Selector, in step: inout ResponderChain.Step
  ) {
    // Each responder answers as if the search began there.
    askedProxies = []
    let target = answer(at: position, to: action, &step.fault)
    step.receiver = target?.receiver
    step.proxied = target?.proxied
  }
}

extension ResponderChain.Step {
  fileprivate init(_ responder: Responder) {
    self.init(responder: responder.id, kind: responder.kind, className: responder.className)
  }
}

/// A user activity, to be continued on other devices.
package struct UserActivity: Equatable, Sendable, Codable {
  /// The type of activity, in reverse domain notation: `com.example.photos.viewing`.
  package let activityType: String
  package let title: String?
  /// The data for continuing it on another device.
  package let userInfo: JSONObject
  /// The URL for continuing it in a browser.
  package let webpageURL: String?
}

extension UserActivity {
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let activityType = reader.required("activityType", Read.string)
    title = reader.member("title", Read.string)
    userInfo = reader.member("userInfo", Read.object) ?? JSONObject()
    webpageURL = reader.member("webpageURL", Read.string)
    reader.finish()
    guard let activityType else { return nil }
    self.activityType = activityType
  }

  package var json: JSON {
    var object = JSONObject()
    object["activityType"] = .string(activityType)
    object["title"] = title.map(JSON.string)
    object["userInfo"] = .object(userInfo)
    object["webpageURL"] = webpageURL.map(JSON.string)
    return .object(object)
  }
}

extension Session {
  /// The user activity of a chain (L13): that of the nearest responder with one.
  package struct UserActivityAnswer: Sendable {
    /// The responder; nil for none.
    package let responder: ResponderID?
    package let activity: UserActivity?
    /// The responders visited.
    package let trace: Trace
  }

  /// Returns the user activity of the chain from `from`, by default from where searches begin (R7).
  ///
  /// - Throws: `MutationFault.unknownResponder`.
  package func userActivity(
    from: ResponderID? = nil, isExplaining: Bool = false
  ) throws(MutationFault) -> UserActivityAnswer {
    var trace = Trace(isRecording: isExplaining)
    for responder in try chain(from: from) {
      let activity = responder.userActivity
      trace.note(.userActivity, .responder(responder.id), answer: activity?.json ?? .null)
      guard let activity else { continue }
      return UserActivityAnswer(responder: responder.id, activity: activity, trace: trace)
    }
    return UserActivityAnswer(responder: nil, activity: nil, trace: trace)
  }

  /// Returns the responders of a chain, by default from where a search without a sender begins (R7).
  func chain(from: ResponderID?) throws(MutationFault) -> [Responder] {
    try check(from)
    let start = from ?? firstResponder ?? focusOfKeyWindow ?? graph.application
    return (start.map { graph.chain(from: $0) } ?? []).compactMap { graph[$0] }
  }
}
