package import JSONText

/// The responders that a search asks, in order, whether or not one before them answers (R5, R10).
package struct ResponderChain: Equatable, Sendable {
  /// The responders, in the order in which they are asked.
  package let steps: [Step]
  /// True if the chain leads back into itself behind the last one (R9).
  package let isCyclic: Bool

  /// One responder of the chain.
  package struct Step: Equatable, Sendable {
    /// The responder.
    package let responder: ResponderID
    /// Its kind.
    package let kind: ResponderKind
    /// Its class.
    package let className: ClassName
    /// The receiver that it answers with: itself, or somebody in its place; nil when it passes the
    /// action on, or none was asked about.
    package internal(set) var receiver: Receiver?
    /// The responder that the receiver stands for, when that is a proxy (L11).
    package internal(set) var proxied: ResponderID?
    /// The rule that failed when it was asked.
    package internal(set) var fault: RuleFault?
  }

  /// The first step that answers, which is the target of the action.
  package var target: Step? { steps.first { $0.receiver != nil } }
}

extension Session {
  /// The chain from the first responder, or from another responder, on; with an action, also who of it
  /// would answer if it were asked.
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
    // Each is asked as if the search began with it.
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

/// An activity of a user, for other devices to go on with.
package struct UserActivity: Equatable, Sendable, Codable {
  /// The kind of activity, in reverse domain notation: `com.example.photos.viewing`.
  package let activityType: String
  /// The title.
  package let title: String?
  /// The data that another device needs to go on with it.
  package let userInfo: JSONObject
  /// The address at which a browser continues it.
  package let webpageURL: String?
}

extension UserActivity {
  /// The activity that a document describes, or nil and the faults.
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

  /// The activity as a document.
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
  /// The user activity that counts (L13): the first responder's up the chain that has one.
  package struct UserActivityAnswer: Sendable {
    /// The responder, or nil when nobody on the chain has one.
    package let responder: ResponderID?
    /// Its activity.
    package let activity: UserActivity?
    /// The responders that were asked.
    package let trace: Trace
  }

  /// The user activity of the chain that begins at `from`, else where searches begin (R7).
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

  /// The responders of a chain, from where a search without a sender begins (R7).
  func chain(from: ResponderID?) throws(MutationFault) -> [Responder] {
    try check(from)
    let start = from ?? firstResponder ?? focusOfKeyWindow ?? graph.application
    return (start.map { graph.chain(from: $0) } ?? []).compactMap { graph[$0] }
  }
}
