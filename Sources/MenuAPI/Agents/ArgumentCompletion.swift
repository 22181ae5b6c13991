import JSONSchema
import JSONText
import MenuEngine

/// The completions of an argument.
///
/// The protocol completes arguments of prompts and of resource templates. A command is a resource, so its URI
/// represents its parameters; a prompt with its tool's name does too, unless the application has a prompt of this
/// name.
extension SessionAgent {
  func complete(_ request: AgentRequest) throws(AgentFault) -> AgentResult {
    let reference = try request.object("ref")
    let argument = try request.object("argument")
    guard case .string(let name)? = argument["name"], case .string(let start)? = argument["value"]
    else { throw .invalidParams("The parameter 'argument' has a 'name' and a 'value', strings.") }
    let catalog = request.call.catalog
    let values: [String]
    switch try subject(of: reference, request) {
    case .command(let command): values = try schema(of: command).values(of: name)
    case .commands:
      let callable = catalog.commands.filter { consent(of: $0) != .hidden }
      values = name.hasSameBytes(as: "command") ? callable.map(\.id.rawValue) : []
    case .deliveries(let ids):
      values = name.hasSameBytes(as: "delivery") ? ids.map { "\($0)" } : []
    case .prompt(let prompt):
      values = try choices(
        of: name, among: prompt.arguments.map { ($0.name, $0.values) }, request)
    case .template(let resource):
      values = try choices(
        of: name, among: resource.variables.map { ($0.name, $0.values) }, request)
    }
    return .members(["completion": .object(Self.completion(of: start, among: values))])
  }

  /// Returns the values of an argument or a variable; empty if it does not exist.
  private func choices(
    of name: String, among parameters: [(name: String, values: ParameterValues)],
    _ request: AgentRequest
  ) throws(AgentFault) -> [String] {
    let known = try known(request, of: parameters.map(\.name))
    guard let parameter = parameters.first(where: { $0.name.hasSameBytes(as: name) }) else {
      return []
    }
    let isComplete = parameters.allSatisfy {
      known[$0.name] != nil || $0.name.hasSameBytes(as: name)
    }
    return try choices(
      of: parameter.values, named: parameter.name, known, isComplete: isComplete)
  }

  /// Returns the values that the client has given already for arguments of these names.
  private func known(
    _ request: AgentRequest, of names: [String]
  ) throws(AgentFault) -> JSONObject {
    guard case .object(let arguments)? = try request.object("context")["arguments"] else {
      return [:]
    }
    var known = JSONObject()
    for name in names {
      if case .string? = arguments[name] { known[name] = arguments[name] }
    }
    return known
  }

  /// Returns the present schema of a command's parameters (P4).
  private func schema(of command: Command) throws(AgentFault) -> JSON {
    guard command.hasPresentChoices else { return command.parameters?.document ?? .null }
    let snapshot = try AgentFault.asking { () throws(Problem) in try call.snapshot() }
    return try presentSchema(of: command, at: snapshot) ?? .null
  }

  /// The owner of the argument.
  private enum Subject {
    case command(Command)
    case commands
    /// The template of delivery URIs, and the ids of the present deliveries.
    case deliveries([Int])
    case prompt(ApplicationPrompt)
    /// A template of the application.
    case template(ApplicationResource)
  }

  private func subject(
    of reference: JSONObject, _ request: AgentRequest
  ) throws(AgentFault) -> Subject {
    let catalog = request.call.catalog
    let session = try AgentFault.asking { () throws(Problem) in try request.call.session }
    if case .string(let uri)? = reference["uri"], reference["type"] == "ref/resource" {
      switch SessionPlace(uri: uri, in: session) {
      case .commandTemplate?: return .commands
      case .deliveryTemplate?:
        let look = try AgentFault.asking { () throws(Problem) in
          try request.call.look(at: session)
        }
        let mayRead = call.grant.rights.contains(.read)
        return .deliveries(
          mayRead ? look.session.deliveries.all.filter(call.shows).map(\.id) : [])
      case .command(let id)?:
        if let command = catalog.command(id), consent(of: command) != .hidden {
          return .command(command)
        }
      case .resource?, .delivery?, nil: break
      }
      if let resource = try presentContents()?.template(uri) { return .template(resource) }
      throw .invalidParams("There is no resource \(quoted(uri)) whose arguments can be completed.")
    }
    if case .string(let name)? = reference["name"], reference["type"] == "ref/prompt" {
      if let prompt = try presentContents()?.prompt(named: name) { return .prompt(prompt) }
      if let command = ToolName.command(named: name, in: catalog), consent(of: command) != .hidden {
        return .command(command)
      }
      throw .invalidParams(
        "There is no prompt or tool \(quoted(name)) whose arguments can be completed.")
    }
    throw .invalidParams(
      "The parameter 'ref' is of the type 'ref/resource' with a 'uri', or 'ref/prompt' with a 'name'."
    )
  }

  /// Returns the values that begin with a text, then those that contain it, ignoring case.
  private static func completion(of start: String, among values: [String]) -> JSONObject {
    let wanted = Array(start.lowercased().utf8)
    var met: Set<[UInt8]> = []
    let different = values.filter { !$0.isEmpty && met.insert(Array($0.utf8)).inserted }
    let found = different.map { (value: $0, place: Array($0.lowercased().utf8).place(of: wanted)) }
    let first = found.filter { $0.place == 0 } + found.filter { ($0.place ?? 0) > 0 }
    let shown = first.prefix(100).map { JSON.string($0.value) }
    return [
      "values": .array(shown), "total": .int(Int64(first.count)),
      "hasMore": .bool(first.count > shown.count),
    ]
  }
}

extension [UInt8] {
  /// Returns the index of a subsequence; nil if it is absent.
  func place(of other: [UInt8]) -> Int? {
    guard count >= other.count else { return nil }
    return (0...(count - other.count)).first { self[$0...].starts(with: other) }
  }
}

extension JSON {
  /// Returns the values that a schema lists for one of its properties, or for its elements, as text.
  fileprivate func values(of property: String) -> [String] {
    let place = JSONPointer(["properties", property])
    guard case .object(let subschema)? = self[place] else { return [] }
    var values: [JSON] = []
    if case .object(let items)? = subschema["items"] { values += items.listedValues }
    values += subschema.listedValues
    return values.map { value in
      if case .string(let text) = value { text } else { value.text() }
    }
  }
}

extension JSONObject {
  /// The values that a schema lists.
  fileprivate var listedValues: [JSON] {
    var values: [JSON] = []
    for keyword in ["enum", "examples"] {
      if case .array(let more)? = self[keyword] { values += more }
    }
    if case .array(let schemas)? = self["oneOf"] {
      values += schemas.compactMap { $0[JSONPointer(["const"])] }
    }
    if let only = self["const"] { values.append(only) }
    if self["type"] == "boolean" { values += [true, false] }
    return values
  }
}
