import JSONSchema
import JSONText
import MenuEngine
import MicroHTTP

/// The questions of one tool call to the client's user: for missing parameters (P4), and for a confirmation (W4).
///
/// **Decision (T7):** The answer to a confirmation performs the plan of a dry run, so that the user confirms exactly
/// the effects of the dry run. A command that requires a plan and no confirmation returns the plan, because the user
/// is not asked; one that requires both shows the changes to the user too.
struct ToolQuestions {
  private let agent: SessionAgent
  private let called: ToolCall
  private let tool: CalledTool
  private let request: AgentRequest
  private let subject: QuestionedCall
  /// The key of the session; nil if the user cannot be asked.
  private let key: PlanKey?
  /// The state of the question that the request answers; nil for none.
  private let state: QuestionState?

  /// The maximum number of times that a question is repeated.
  private static let mostAttempts = 3

  /// The next step of a call.
  enum Step {
    case performs(ToolCall)
    /// The call ends, with or without a question.
    case ends(AgentResult)
  }

  /// Creates the questions of a call.
  ///
  /// - Throws: An error if the state returned by the request is refused.
  init(
    about called: ToolCall, of tool: CalledTool, _ request: AgentRequest, by agent: SessionAgent
  ) throws(AgentFault) {
    (self.called, self.tool, self.request, self.agent) = (called, tool, request, agent)
    subject = QuestionedCall(
      session: tool.session, token: request.call.token, name: tool.caller,
      arguments: try request.object("arguments"))
    let given = request.params["requestState"]
    let mayAsk =
      request.capabilities.answersForms && agent.call.grant.rights.contains(.perform)
    guard mayAsk || given != nil else {
      (key, state) = (nil, nil)
      return
    }
    let session = try AgentFault.asking { () throws(Problem) in
      try agent.call.look(at: tool.session).session
    }
    key = mayAsk ? session.planKey : nil
    guard given != nil else {
      state = nil
      return
    }
    let text = try request.string("requestState")
    do throws(JSONRPCError) {
      state = try QuestionState(
        text, about: subject, at: agent.call.service.steadyTime,
        under: session.planKey)
    } catch {
      throw .error(error)
    }
  }

  /// Returns the text of a dry run.
  func planned(_ answer: JSONObject) -> PlannedText {
    PlannedText(
      answer, of: tool, calledAs: tool.caller,
      argument: tool.fixed == nil ? ToolArgument.plan.name(for: called.command) : "plan")
  }

  /// True if the request answers a question.
  var isAnswered: Bool { state != nil }

  /// Returns the next step.
  func next() throws(AgentFault) -> Step {
    guard let state else { return try complete(called, with: nil) }
    switch (state.subject, try ElicitedAnswer(in: request)) {
    case (_, .refused(let action)): return try ending(by: action)
    case (.parameters, .accepted(let content)): return try complete(called, with: content)
    case (.parameters, .missing): return try complete(called, with: nil)
    case (.confirmation(let plan), .accepted(let content)):
      switch content[Self.confirm] {
      case true: return .performs(called.agreed(to: plan))
      case false: return try ending(by: .decline)
      default: return .performs(planned(again: plan))
      }
    case (.confirmation(let plan), .missing): return .performs(planned(again: plan))
    }
  }

  /// Returns the end of a call that the user has not confirmed. Later answers do not count.
  private func ending(by action: ElicitedAnswer.Refusal) throws(AgentFault) -> Step {
    if action == .decline, let key = key(under: nil, performing: []) {
      let problem = Problem(.expiredPlan, "The person who was asked declined it.")
      guard agent.call.keep(problem.response, under: key) else { throw .error(.repeatedAnswer) }
    }
    return .ends(.members(nothingDone(action)))
  }

  /// Returns the key for performing the user's answer, which is valid once; nil if the request answers no question.
  ///
  /// - Parameters:
  ///   - own: The key of the request, under which a retry gets the kept answer; nil for none.
  ///   - body: The body of the performed request.
  func key(under own: IdempotencyKey?, performing body: [UInt8]) -> IdempotencyKey? {
    let token = agent.call.token
    return switch state?.subject {
    case nil: nil
    case .confirmation(let plan):
      IdempotencyKey(plan: plan, of: tool.session, token: token, under: own)
    case .parameters:
      state.map {
        IdempotencyKey(
          answer: $0.use, of: tool.session, token: token, under: own, performing: body)
      }
    }
  }

  /// Returns the call that makes a new plan for the same request.
  private func planned(again plan: String) -> ToolCall {
    // An item from data has its own parameters.
    guard called.key == nil,
      case .request(let request)? = ChangePlan.message(of: plan, in: agent.call.catalog)
    else { return called.planned }
    return called.completed(by: request.parameters ?? JSONObject()).planned
  }

  /// Returns the number of earlier attempts of a question.
  private func attempts(toAgree: Bool) -> Int {
    guard let state, (state.subject != .parameters) == toAgree else { return 0 }
    return state.attempt + 1
  }
}

// MARK: Missing parameters

extension ToolQuestions {
  /// Returns the next step of a call, completed by the user's parameters; nil for none.
  private func complete(_ called: ToolCall, with content: JSONObject?) throws(AgentFault) -> Step {
    let names = called.command.parameters?.schema.document.required(beyond: called.parameters) ?? []
    var parameters = called.parameters
    for name in names { parameters[name] = content?[name] }
    let completed = Step.performs(called.completed(by: parameters))
    guard let key, !names.isEmpty, called.plan == nil, called.key == nil,
      let form = try form(of: called.command), form.item.isEnabled,
      let schema = try? Schema(form.schema)
    else { return completed }
    let missing = schema.faults(of: .object(called.parameters))
    // The caller must correct faults that it made itself.
    guard missing.allSatisfy({ $0.missingMember != nil }),
      let fields = fields(missing.compactMap(\.missingMember), of: form)
    else { return completed }
    let faults = content == nil ? [] : schema.faults(of: .object(parameters))
    guard content == nil || !faults.isEmpty else { return completed }
    guard attempts(toAgree: false) <= Self.mostAttempts else {
      return .ends(.members(unfit(faults)))
    }
    let text = message(of: form.item, asking: fields, after: faults)
    return .ends(
      try AgentFault.asking { () throws(Problem) in
        try ask(.parameters, saying: text, by: fields, under: key)
      })
  }

  /// Returns the form of a command; nil if it takes too much effort.
  private func form(of command: Command) throws(AgentFault) -> CommandForm? {
    let snapshot = try AgentFault.asking { () throws(Problem) in try agent.call.snapshot() }
    return try? agent.form(of: command, from: called.start, at: snapshot)
  }

  /// Returns the fields for missing parameters; nil if a form cannot ask for all of them.
  private func fields(_ names: [String], of form: CommandForm) -> [ElicitedField]? {
    guard case .object(let properties)? = form.schema[JSONPointer(["properties"])] else {
      return nil
    }
    let fields = names.compactMap { ElicitedField($0, properties[$0], in: request.revision) }
    return fields.count == names.count && !fields.isEmpty ? fields : nil
  }

  private func message(
    of item: ValidatedItem, asking fields: [ElicitedField], after faults: [ValueFault]
  ) -> String {
    let title = item.title.isEmpty ? tool.name : item.title
    let names = list(fields.map { $0.schema.title ?? $0.name })
    guard !faults.isEmpty else { return "“\(title.cut(to: 200))” needs: \(names.cut(to: 1000))." }
    var text = ToolText("“\(title.cut(to: 200))” needs other values.")
    for fault in faults { text.add(fault.line) }
    return text.text
  }

  /// Returns the result of a call whose missing parameters were requested too often.
  private func unfit(_ faults: [ValueFault]) -> JSONObject {
    var text = ToolText(
      "\(quoted(tool.name)) was not performed: a person was asked for what is missing, and the answers do not fit."
    )
    for fault in faults { text.add(fault.line) }
    return ended(text, ["reason": "unfitAnswer"], isError: true)
  }
}

// MARK: Agreement

extension ToolQuestions {
  /// The number of bytes of a question's message that are reserved for the changes.
  private static let roomForChanges = 800
  /// The name of the field for the user's confirmation.
  private static let confirm = "confirm"

  /// Asks the user to confirm a dry run, in the words of the command's confirmation (W4); returns nil if the user
  /// cannot be asked.
  ///
  /// - Parameter hasChanged: True if the effects have changed since the user confirmed them.
  func confirm(
    _ answer: JSONObject, hasChanged: Bool = false
  ) throws(Problem) -> AgentResult? {
    let planned = planned(answer)
    guard let key, case .string(let plan)? = answer["plan"],
      case .object(let confirmation)? = planned.confirmation,
      case .string(let title)? = confirmation["title"]
    else { return nil }
    // The decision is the user's: the model gets no plan.
    guard attempts(toAgree: true) <= Self.mostAttempts else {
      let text = "Nothing was done: the person was asked several times, and has not agreed to it."
      return .members(ended(ToolText(text), ["reason": "cancel"]))
    }
    var text = ToolText(
      hasChanged ? "It would do something else now, and nothing was done yet. \(title)" : title)
    let consent = called.command.agents ?? agent.call.service.limits.agentConsent
    let lines = consent == .plan ? planned.lines : []
    if case .string(let message)? = confirmation["message"] {
      text.add(cut: message, leaving: lines.isEmpty ? 0 : Self.roomForChanges)
    }
    for line in lines { text.add(line) }
    text.end { $0 == 1 ? "One more change is not shown." : "\($0) more changes are not shown." }
    let button = confirmation["button"] ?? .string(called.command.title)
    let field = ElicitedField(
      Self.confirm, ["type": "boolean", "title": button], in: request.revision)
    return try ask(
      .confirmation(plan: plan), saying: text.text, by: [field].compactMap(\.self), under: key)
  }

  /// Returns the result of a call that the user has not confirmed.
  private func nothingDone(_ action: ElicitedAnswer.Refusal) -> JSONObject {
    let sentence =
      switch action {
      case .decline: "Nothing was done: the person declined."
      case .cancel: "Nothing was done: the person did not answer."
      }
    return ended(ToolText(sentence), ["reason": .string(action.rawValue)])
  }

  private func ended(_ text: ToolText, _ members: JSONObject, isError: Bool = false) -> JSONObject {
    var structure: JSONObject = ["performed": false]
    for member in members { structure[member.name] = member.value }
    structure["command"] = .string(called.command.id.rawValue)
    structure["tool"] = .string(tool.name)
    var result: JSONObject = ["content": [text.block], "structuredContent": .object(structure)]
    if isError { result["isError"] = true }
    return result
  }
}

// MARK: Asking

extension ToolQuestions {
  /// Asks the user: by the result of the request, or by a request on its stream (up to 2025-11-25).
  private func ask(
    _ subject: QuestionState.Subject, saying message: String, by fields: [ElicitedField],
    under key: PlanKey
  ) throws(Problem) -> AgentResult {
    let service = agent.call.service
    let state = QuestionState(
      subject, attempt: attempts(toAgree: subject != .parameters), about: self.subject,
      until: service.steadyTime + service.limits.planLifetime, under: key,
      after: subject == .parameters ? self.state : nil)
    var params: JSONObject = ["message": .string(message)]
    if request.revision != .june2025 { params["mode"] = "form" }
    var properties = JSONObject()
    for field in fields { properties[field.name] = field.schema }
    params["requestedSchema"] = [
      "type": "object", "properties": .object(properties),
      "required": .array(fields.map { .string($0.name) }),
    ]
    guard request.revision.isStateless else {
      try agent.call.ask(.object(params), state.text, for: request, of: tool.session)
      return .stream
    }
    return .members([
      "resultType": "input_required",
      "inputRequests": [
        ElicitedAnswer.key: ["method": "elicitation/create", "params": .object(params)]
      ],
      "requestState": .string(state.text),
    ])
  }
}

/// The user's answer to a question.
enum ElicitedAnswer {
  /// The ways to decline.
  enum Refusal: String {
    case decline
    /// The question was dismissed, or could not be asked.
    case cancel
  }

  case accepted(JSONObject)
  case refused(Refusal)
  /// There is no answer.
  case missing

  /// The key of the question among those of a result.
  static let key = "question"

  /// Reads the answer in a request.
  ///
  /// - Throws: An error if it is not the result of an elicitation.
  fileprivate init(in request: AgentRequest) throws(AgentFault) {
    guard case .object(let answer)? = try request.object("inputResponses")[Self.key] else {
      self = .missing
      return
    }
    switch answer["action"] {
    case "accept":
      switch answer["content"] {
      case .object(let content)?: self = .accepted(content)
      case nil: self = .missing
      default: throw .invalidParams("The member 'content' of an answer is an object.")
      }
    case "decline": self = .refused(.decline)
    case "cancel": self = .refused(.cancel)
    default:
      throw .invalidParams("The member 'action' of an answer is 'accept', 'decline' or 'cancel'.")
    }
  }
}

extension JSON {
  /// Returns the members that a schema requires and an object lacks.
  fileprivate func required(beyond object: JSONObject) -> [String] {
    guard case .array(let names)? = self[JSONPointer(["required"])] else { return [] }
    return names.compactMap { name in
      if case .string(let name) = name, object[name] == nil { name } else { nil }
    }
  }

  fileprivate var title: String? {
    if case .string(let title)? = self[JSONPointer(["title"])] { title } else { nil }
  }
}

extension ValueFault {
  /// The name of the parameter that is missing; nil for another fault.
  fileprivate var missingMember: String? {
    guard pointer.tokens.isEmpty, case .missingMember(let name, because: nil) = reason else {
      return nil
    }
    return name
  }

  /// The fault for people.
  fileprivate var line: String {
    let place = pointer.tokens.joined(separator: "/")
    return place.isEmpty ? reason.sentence : "\(place): \(reason.sentence)"
  }
}
