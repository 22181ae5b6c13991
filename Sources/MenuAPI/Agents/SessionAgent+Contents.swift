import JSONText
import MenuEngine
import MicroHTTP

/// The resources and prompts of the application.
extension SessionAgent {
  /// Returns the resources and prompts of a snapshot's application that are visible to the token.
  func contents(at snapshot: Snapshot) -> AgentContents {
    AgentContents(
      catalog: snapshot.catalog, consent: call.service.limits.agentConsent,
      showsDocuments: call.grant.rights.contains(.read))
  }

  /// Returns the present resources and prompts that are visible to the token; nil if the application has none.
  func presentContents() throws(AgentFault) -> AgentContents? {
    let catalog = call.catalog
    guard !catalog.resources.isEmpty || !catalog.prompts.isEmpty else { return nil }
    return contents(at: try snapshot())
  }

  private func snapshot() throws(AgentFault) -> Snapshot {
    try AgentFault.asking { () throws(Problem) in try call.snapshot() }
  }

  private func reader(of snapshot: Snapshot) -> ContentReader {
    ContentReader(
      of: snapshot.session, in: snapshot.catalog, for: call.actor, spending: Effort())
  }

  /// Returns the contents of a resource of the application; nil if it does not exist.
  func readContent(_ uri: String) throws(AgentFault) -> JSON? {
    guard !call.catalog.resources.isEmpty else { return nil }
    let snapshot = try snapshot()
    guard let (resource, values) = contents(at: snapshot).resource(at: uri) else { return nil }
    do throws(ContentFault) {
      return try reader(of: snapshot).contents(of: resource, values, at: uri).json
    } catch {
      if case .unknownResource = error { return nil }
      throw fault(error, of: "The resource \(quoted(resource.name))")
    }
  }

  func listPrompts(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    try request.checkNoCursor()
    let prompts = try presentContents()?.promptList ?? []
    return .kept(["prompts": .array(prompts)], milliseconds: 60_000)
  }

  func getPrompt(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let name = try request.string("name")
    let arguments = try request.object("arguments")
    let snapshot = try snapshot()
    let contents = contents(at: snapshot)
    guard let prompt = contents.prompt(named: name) else {
      let names = contents.prompts.map(\.name.rawValue)
      throw .invalidParams(
        "Unknown prompt: \(quoted(name))" + (suggestion(for: name, among: names) ?? "."))
    }
    do throws(ContentFault) {
      let messages = try reader(of: snapshot).messages(
        of: prompt, arguments, embedding: contents.shows)
      var result: JSONObject = ["messages": .array(messages.map(\.json))]
      result["description"] = snapshot.catalog.label(prompt.description).map(JSON.string)
      return .members(result)
    } catch {
      throw fault(error, of: "The prompt \(quoted(name))")
    }
  }

  /// Returns the values of an argument of a prompt, or of a variable of a template.
  ///
  /// - Parameters:
  ///   - others: The values known so far.
  ///   - isComplete: True if all other values are known. If false, a failed rule may depend on a missing one, and
  ///     there are no values yet.
  func choices(
    of values: ParameterValues, named name: String, _ others: JSONObject, isComplete: Bool
  ) throws(AgentFault) -> [String] {
    let reader = reader(of: try snapshot())
    do throws(ContentFault) {
      return try reader.choices(of: values, others, at: name) ?? []
    } catch {
      if case .rule = error, !isComplete { return [] }
      throw fault(error, of: "The argument \(quoted(name))")
    }
  }

  /// - Parameter subject: The subject of the sentence about the fault.
  private func fault(_ fault: ContentFault, of subject: String) -> AgentFault {
    switch fault {
    case .unknownResource(let uri): .invalidParams("There is no resource \(quoted(uri)) here.")
    case .missingArgument(let name):
      .invalidParams("\(subject) needs the argument \(quoted(name)).")
    case .unknownArgument(let name, let known):
      .invalidParams(
        "\(subject) has no argument \(quoted(name))" + (suggestion(for: name, among: known) ?? "."))
    case .notAText(let name): .invalidParams("The argument \(quoted(name)) is a string.")
    case .notAChoice(let name, let value, let choices):
      .invalidParams(Self.sentence(about: name, value, choices))
    case .tooMuchEffort: .problem(Problem(MutationFault.tooMuchEffort, at: nil))
    case .tooLarge(let limit):
      .error(JSONRPCError(.internalError, "\(subject) has more than \(limit) bytes."))
    case .rule(let fault):
      failure(of: fault, subject)
    }
  }

  private func failure(of fault: RuleFault, _ subject: String) -> AgentFault {
    call.note(ruleErrors: 1)
    return .error(
      JSONRPCError(
        .internalError, "\(subject) cannot be read, since a rule fails: \(fault.message)."))
  }

  /// The number of choices that a sentence lists.
  private static let listedChoices = 24

  private static func sentence(about name: String, _ value: String, _ choices: [String]) -> String {
    let listed =
      choices.count > listedChoices
      ? "one of \(choices.count) values, which 'completion/complete' lists"
      : choices.isEmpty ? "of no value now" : "one of \(list(choices.map { quoted($0) }, "or"))"
    return "The argument \(quoted(name)) is \(listed), not \(quoted(value))."
  }
}
