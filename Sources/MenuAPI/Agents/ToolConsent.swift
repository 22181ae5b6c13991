import JSONSchema
import JSONText
import MenuEngine
import MicroHTTP

/// The consent to agents' calls of commands, and plans (T7).
extension AgentConsent {
  /// Returns the effective consent of a command: its own or the default, and at least `plan` if it requires a
  /// confirmation (W4).
  static func of(
    _ command: Command, confirmation: Confirmation?, orElse fallback: AgentConsent
  ) -> AgentConsent {
    let consent = command.agents ?? fallback
    return consent == .call && confirmation != nil ? .plan : consent
  }
}

extension Catalog {
  /// The commands that undo or redo. If there are any, their consent applies to both (T7).
  var commandsOfUndoing: [Command] {
    commands.filter { $0.action == .undo || $0.action == .redo }
  }

  /// Returns the menus without the commands that are hidden from agents (T7).
  ///
  /// - Parameter consent: The consent for commands that do not declare one.
  func menusForAgents(consenting consent: AgentConsent) -> Menu {
    var menus = menus
    menus.keep { id in (command(id)?.agents ?? consent) != .hidden }
    return menus
  }
}

/// An argument of a tool beside the parameters of its command.
enum ToolArgument: String {
  /// The plan to perform.
  case plan
  /// The key of the item from data to perform (M12).
  case key

  /// Returns the name of the argument, which no parameter of the command has.
  func name(for command: Command) -> String {
    var name = rawValue
    let properties = command.parameters?.document[JSONPointer(["properties"])]
    guard case .object(let parameters)? = properties else { return name }
    while parameters[name] != nil {
      name = "menud" + name.prefix(1).uppercased() + name.dropFirst()
    }
    return name
  }

  /// Returns the schema of a command's parameters with the argument.
  private func added(to document: JSON, of command: Command, as property: JSON) -> JSONObject {
    guard case .object(var schema) = document else { return JSONObject() }
    var properties = JSONObject()
    if case .object(let parameters)? = schema["properties"] { properties = parameters }
    properties[name(for: command)] = property
    schema["properties"] = .object(properties)
    return schema
  }

  /// Returns the schema of a command's parameters with a plan.
  ///
  /// - Parameter isNeeded: True if the command requires a plan.
  static func withPlan(_ document: JSON, for command: Command, isNeeded: Bool) -> JSON {
    let description: JSON =
      isNeeded
      ? "The plan of an earlier call with the same arguments: does exactly what that one said."
      : "The plan of an earlier call, if it answered one."
    return .object(
      plan.added(
        to: document, of: command, as: ["type": "string", "description": description]))
  }

  /// The maximum number of bytes of all keys in a schema; beyond it, only `find_commands` lists them.
  private static let longestKeys = 1 << 16
  /// The maximum number of items whose titles the description of a key lists.
  private static let toldTitles = 100

  /// Returns the schema of a command's parameters with the key of an item from data.
  ///
  /// - Parameters:
  ///   - items: The items that can be chosen now; nil if they are unknown.
  ///   - isNeeded: True if the command can only be performed by its items.
  static func withKey(
    _ document: JSON, for command: Command, items: [ValidatedItem]?, isNeeded: Bool
  ) -> JSON {
    var property: JSONObject = ["type": "string"]
    var text = "The key of an item, which brings its own arguments."
    if let items {
      let keys = items.compactMap(\.itemKey?.text)
      if keys.reduce(0, { $0 + $1.utf8.count }) <= Self.longestKeys {
        property["enum"] = .array(keys.map(JSON.string))
      }
      let titles = items.prefix(toldTitles).compactMap { item in
        item.itemKey.map { "\(quotedWhole($0.text)) is “\(item.title.cut(to: 100))”" }
      }
      text += " \(titles.joined(separator: ", "))"
      text += items.count > titles.count ? ", and others." : "."
    }
    property["description"] = .string(text)
    let own = isNeeded ? CommandForm.schemaWithoutParameters : document
    var schema = key.added(to: own, of: command, as: .object(property))
    schema["required"] = isNeeded ? [.string(key.name(for: command))] : nil
    return .object(schema)
  }
}

extension Command {
  /// True if its schema allows parameters that it does not declare.
  fileprivate var takesUndeclaredParameters: Bool {
    parameters.map { $0.document[JSONPointer(["additionalProperties"])] != false } ?? false
  }

  /// Returns the place, among the arguments of its tool, of a member of the request to perform it; nil if it is not
  /// among them.
  func placeOfArgument(_ member: String) -> [String]? {
    switch member {
    case "parameters": []
    case "itemKey": [ToolArgument.key.name(for: self)]
    case "plan": [ToolArgument.plan.name(for: self)]
    default: nil
    }
  }
}

extension JSON {
  /// Returns the message of a plan, whose signature is not checked; nil if it is not a plan.
  fileprivate func messageOfPlan(in catalog: Catalog) -> Message? {
    if case .string(let text) = self { ChangePlan.message(of: text, in: catalog) } else { nil }
  }
}

/// A tool call: the command, its parameters, and the plan to perform.
struct ToolCall {
  let command: Command
  /// The key of the item from data to perform (M12), as given; nil for the command itself.
  let key: JSON?
  let parameters: JSONObject
  /// The responder where the search begins, as given; nil for the first responder.
  var from: JSON?
  /// The responder where the search begins; nil for the first responder, and for an invalid name.
  var start: ResponderID? {
    if case .string(let text)? = from { ResponderID(text) } else { nil }
  }
  /// The plan, as given; nil for none.
  private(set) var plan: JSON?
  /// True if the command is only planned.
  private(set) var isPlanning: Bool

  /// Creates a call with the arguments of the command's own tool.
  ///
  /// - Parameter consent: The effective consent of the command.
  init(
    _ command: Command, arguments: JSONObject, consent: AgentConsent, in catalog: Catalog
  ) {
    var parameters = arguments
    let name = ToolArgument.plan.name(for: command)
    var plan = arguments[name]
    // Without plans, a command may have a parameter of this name, if its schema allows that.
    if consent == .call, command.takesUndeclaredParameters,
      plan?.messageOfPlan(in: catalog) == nil
    {
      plan = nil
    }
    if plan != nil { parameters[name] = nil }
    var key: JSON?
    if catalog.menus.itemsFromData().contains(where: { $0.command == command.id }) {
      let keyName = ToolArgument.key.name(for: command)
      key = arguments[keyName]
      parameters[keyName] = nil
    }
    self.init(command, key: key, parameters, plan: plan, consent: consent, in: catalog)
  }

  /// Creates a call of a command, or of an item from data of it.
  init(
    _ command: Command, key: JSON?, _ parameters: JSONObject, plan: JSON?,
    consent: AgentConsent, in catalog: Catalog
  ) {
    self.command = command
    self.parameters = parameters
    self.plan = plan
    // A missing key is a fault of the call.
    let isOfData = plan == nil && catalog.menus.commandsFromDataOnly.contains(command.id)
    self.key = key ?? (isOfData ? JSON.null : Optional.none)
    isPlanning = consent == .plan && plan == nil
  }

  /// The call as planned only.
  var planned: ToolCall {
    var copy = self
    (copy.plan, copy.isPlanning) = (nil, true)
    return copy
  }

  /// Returns the call with parameters that the user has completed.
  func completed(by parameters: JSONObject) -> ToolCall {
    ToolCall(self, key: key, parameters: parameters, plan: plan, isPlanning: isPlanning)
  }

  /// Returns the call of a plan that the user has confirmed.
  func agreed(to plan: String) -> ToolCall {
    var agreed = ToolCall(
      self, key: nil, parameters: JSONObject(), plan: .string(plan), isPlanning: false)
    agreed.from = nil
    return agreed
  }

  private init(
    _ call: ToolCall, key: JSON?, parameters: JSONObject, plan: JSON?, isPlanning: Bool
  ) {
    (command, from, self.key) = (call.command, call.from, key)
    (self.parameters, self.plan, self.isPlanning) = (parameters, plan, isPlanning)
  }

  /// Refuses an unknown key, and arguments beside a key.
  func checkKey() throws(Problem) {
    guard let key else { return }
    let expected = "Expected the key of an item of \(quoted(command.id))"
    let fault: String
    switch key {
    case .null: fault = "\(expected)."
    case .string(let text) where ItemKey(text) == nil: fault = "\(expected), of 1 to 1024 bytes."
    case .string where parameters.isEmpty: return
    case .string: fault = "The item brings its own arguments; give the key alone."
    default: fault = "\(expected), found \(key.shown)."
    }
    throw Problem(.invalidBody, fault, at: JSONPointer(["itemKey"]))
  }

  /// The request that its arguments describe.
  var requestWithoutPlan: ActionRequest {
    let key = if case .string(let text)? = key { ItemKey(text) } else { ItemKey?.none }
    return ActionRequest(
      .command(command.id), itemKey: key, from: start,
      parameters: parameters.isEmpty ? nil : parameters)
  }

  /// Returns the request as performed; nil if its plan is invalid.
  func request(in catalog: Catalog) -> ActionRequest? {
    guard let plan else { return requestWithoutPlan }
    guard case .request(let planned)? = plan.messageOfPlan(in: catalog) else { return nil }
    return ActionRequest(
      .command(command.id), itemKey: planned.itemKey, from: planned.from,
      parameters: planned.parameters)
  }

  /// Returns the body of the request to perform.
  ///
  /// - Throws: `Problem` if the key is invalid, or if the plan is of another command or of other parameters.
  func body(in session: SessionID, _ catalog: Catalog) throws(Problem) -> JSONObject {
    try checkKey()
    var body: JSONObject = ["session": .string(session.rawValue), "item": true]
    if let plan {
      try check(plan, catalog)
      body["plan"] = plan
      // The agent has seen the effects, and consents by their plan.
      body["confirmed"] = true
      return body
    }
    body["command"] = .string(command.id.rawValue)
    body["itemKey"] = key
    body["from"] = from
    if !parameters.isEmpty { body["parameters"] = .object(parameters) }
    if isPlanning { body["dryRun"] = true }
    return body
  }

  private func check(_ plan: JSON, _ catalog: Catalog) throws(Problem) {
    // An invalid plan is refused when it is performed.
    guard let message = plan.messageOfPlan(in: catalog) else { return }
    guard message.command == command.id else {
      throw Problem(
        .foreignPlan, "The plan is of another command.", at: JSONPointer(["plan"]))
    }
    let isOpen = key == nil && from == nil && parameters.isEmpty
    guard case .request(let request) = message, !isOpen else { return }
    let planned = JSON.object(request.parameters ?? JSONObject())
    guard planned == .object(parameters), request.itemKey.map({ .string($0.text) }) == key,
      from == nil || request.from.map({ .string($0.rawValue) }) == from
    else {
      throw Problem(
        .foreignPlan, "The plan is of other arguments; call without a plan to have one for these.",
        at: JSONPointer(["plan"]))
    }
  }
}

/// The effects that a call would have, for a model.
struct PlannedText {
  /// The maximum length of a plan in the text.
  private static let longestPlan = 1024

  private let answer: JSONObject
  private let tool: CalledTool
  private let caller: String
  private let argument: String

  /// Creates the text of a dry run, or of the problem of a plan whose effects have changed.
  ///
  /// - Parameters:
  ///   - caller: The name of the tool to call with the plan.
  ///   - argument: The name of the argument for the plan.
  init(_ answer: JSONObject, of tool: CalledTool, calledAs caller: String, argument: String) {
    (self.answer, self.tool, self.caller, self.argument) = (answer, tool, caller, argument)
  }

  /// The result of a planned call.
  var result: JSONObject { result(ToolText("Nothing was done yet. \(sentence)")) }

  /// The result of a plan whose effects have changed.
  var changedResult: JSONObject {
    result(ToolText("Nothing was done, since it would do something else now. \(sentence)"))
  }

  private func result(_ first: ToolText) -> JSONObject {
    var text = first
    if let question { text.add("A person is asked first: “\(question)”") }
    for line in lines { text.add(line) }
    text.end { "And \($0) more changes; see the structured content." }
    return ["content": [text.block], "structuredContent": structure]
  }

  /// The changes, one per line.
  var lines: [String] { PerformedText.lines(of: answer) ?? [] }

  /// The advice, which comes first, so that a truncated text includes it.
  private var sentence: String {
    guard case .string(let plan)? = answer["plan"] else {
      return "\(quoted(tool.name)) has no plan here."
    }
    let shown =
      plan.utf8.count > Self.longestPlan ? "the 'plan' of the structured content" : "\"\(plan)\""
    let effects =
      answer["changes"] == nil ? "; this token may not see the changes." : ", to do exactly this:"
    return
      "Call \(quotedWhole(caller)) again with \(quoted(argument)): \(shown) and the same other "
      + "arguments, if any\(effects)"
  }

  private var question: String? {
    guard case .string(let title)? = confirmation?[JSONPointer(["title"])] else { return nil }
    return title
  }

  /// The confirmation of the item in the dry run, or of the problem.
  var confirmation: JSON? {
    JSON.object(answer)[JSONPointer(["item", "before", "confirmation"])] ?? answer["confirmation"]
  }

  private var structure: JSON {
    var structure = ToolStructure()
    structure.add("planned", true, rest: nil)
    for name in ["planExpires", "command", "target", "revision"] {
      structure.add(name, answer[name], rest: nil)
    }
    structure.add("tool", .string(tool.name), rest: nil)
    structure.add("confirmation", confirmation, rest: nil)
    structure.add("changes", PerformedText.changes(of: answer), rest: nil)
    // A plan is only valid as a whole.
    guard case .object(var whole) = structure.json, let plan = answer["plan"] else {
      return structure.json
    }
    (whole["planArgument"], whole["plan"]) = (.string(argument), plan)
    return .object(whole)
  }
}
