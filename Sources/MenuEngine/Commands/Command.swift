import JSONSchema
public import JSONText

/// A command as an application declares it, once (M2), like a `UICommand` or `UIKeyCommand`.
public struct Command: Equatable, Sendable {
  /// Its name; the default is its selector (M1).
  public var id: CommandID { content.id }
  /// The title of the item.
  package var title: String { content.title }
  /// A second line beside the title.
  package var subtitle: String? { content.subtitle }
  /// The name of an image.
  package var image: String? { content.image }
  /// The title in a list of key commands.
  package var discoverabilityTitle: String? { content.discoverabilityTitle }
  /// The description, for people and agents.
  package var description: String? { content.description }
  /// The message it sends; without one its item is always disabled (`noAction`).
  package var action: Selector? { content.action }
  /// The property list, which distinguishes commands with the same action, and which handlers read; null in a document
  /// is none (M1).
  public var propertyList: JSON? { content.propertyList }
  /// The parameters of the command (P1); nil for none.
  package var parameters: CommandParameters? { content.parameters }
  /// The explanation of its item if no responder handles the action, or if the item is declared disabled; nil for none
  /// (W2).
  package var unavailable: String? { content.unavailable }
  /// The question to ask before it is performed; nil for none (W4).
  package var confirmation: Confirmation? { content.confirmation }
  /// The hints for agents besides the description; nil if undeclared.
  package var hints: CommandHints? { content.hints }
  /// The consent to calls of agents; nil for that of the service (T7).
  package var agents: AgentConsent? { content.agents }
  /// The declared attributes. The default is none.
  package var attributes: CommandAttributes { content.attributes }
  /// The declared check mark. The default is `off`.
  package var state: CommandState { content.state }
  /// The key equivalent, which may differ by platform.
  package var key: CommandKey? { content.key }
  /// The forms of the item for held modifiers (M11). The default is none.
  package var alternates: [CommandAlternate] { content.alternates }
  /// The alternate in effect; nil for the command as declared (M11).
  package var alternate: CommandAlternate? { content.alternate }
  /// The key of an item from data (M12); nil for the command itself.
  package var itemKey: ItemKey? { content.itemKey }
  /// True if it precedes the system's use of its key (K1). The default is false.
  package var wantsPriorityOverSystemBehavior: Bool { content.wantsPriorityOverSystemBehavior }
  /// True if its key can be moved for other keyboard layouts. The default is true.
  package var allowsAutomaticLocalization: Bool { content.allowsAutomaticLocalization }
  /// True if its key can be mirrored for right-to-left layouts. The default is true; always false if
  /// `allowsAutomaticLocalization` is false.
  package var allowsAutomaticMirroring: Bool { content.allowsAutomaticMirroring }

  private var shared: Shared<Content>

  init(_ content: Content) { shared = Shared(content) }

  /// The members. Changing one copies them first if copies share them.
  var content: Content {
    _read { yield shared.value }
    _modify { yield &shared.value }
  }
}

extension Command {
  /// The members of a command.
  struct Content: Equatable, Sendable, Codable {
    let id: CommandID
    var title: String
    var subtitle: String?
    let image: String?
    var discoverabilityTitle: String?
    var description: String?
    var action: Selector?
    let propertyList: JSON?
    var parameters: CommandParameters?
    var unavailable: String?
    var confirmation: Confirmation?
    var hints: CommandHints?
    var agents: AgentConsent?
    let attributes: CommandAttributes
    let state: CommandState
    var key: CommandKey?
    var alternates: [CommandAlternate] = []
    var alternate: CommandAlternate?
    var itemKey: ItemKey?
    let wantsPriorityOverSystemBehavior: Bool
    let allowsAutomaticLocalization: Bool
    let allowsAutomaticMirroring: Bool
  }
}

extension Command: Codable {
  /// Encodes its members.
  public func encode(to encoder: any Encoder) throws { try shared.encode(to: encoder) }

  /// Decodes its members.
  public init(from decoder: any Decoder) throws { shared = try Shared(from: decoder) }
}

extension Command {
  /// The identity of a command: its action and property list (M1).
  struct Identity: Hashable {
    let action: Selector
    let propertyList: JSON?
  }

  /// The identity; nil for a command without action.
  var identity: Identity? {
    action.map { Identity(action: $0, propertyList: propertyList) }
  }
}

/// The check mark of a command's item (M2), like `UIMenuElement.State`.
public enum CommandState: String, CaseIterable, Sendable, Codable {
  /// No mark.
  case off
  /// A check mark.
  case on
  /// A dash: a mixed state.
  case mixed
}

/// A consent to calls of agents (T7).
package enum AgentConsent: String, CaseIterable, Sendable, Codable {
  /// The command is hidden from agents.
  case hidden
  /// A call returns what it would do, with a plan; a second call performs the plan.
  case plan
  /// A call performs the command.
  case call
}

/// Hints about a command for agents. The engine does not check them.
package struct CommandHints: Equatable, Sendable, Codable {
  /// True if performing it changes nothing. The default is false.
  package let isReadOnly: Bool
  /// True if performing it again with the same parameters changes nothing more. The default is false.
  package let isIdempotent: Bool
  /// True if performing it may destroy something, false if it only adds. Nil, the default, is unknown.
  package let isDestructive: Bool?
}

extension CommandHints {
  /// Reads hints: `{"readOnly": true}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    isReadOnly = reader.member("readOnly", Read.bool) ?? false
    isIdempotent = reader.member("idempotent", Read.bool) ?? false
    isDestructive = reader.member("destructive", Read.bool)
    reader.finish()
  }

  package var json: JSON {
    var object: JSONObject = [
      "readOnly": .bool(isReadOnly), "idempotent": .bool(isIdempotent),
    ]
    object["destructive"] = isDestructive.map(JSON.bool)
    return .object(object)
  }
}

extension Read {
  /// Reads a JSON Schema of type `object` for the parameters of a command (P1).
  static func parameterSchema(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Schema? {
    guard case .object(let object) = json, object["type"] == .string("object") else {
      log.note(.expected(.parameterSchema, found: json), at: pointer)
      return nil
    }
    do throws(SchemaFaults) {
      return try Schema(json)
    } catch {
      for fault in error.faults {
        log.note(.schema(fault.reason), at: JSONPointer(pointer.tokens + fault.pointer.tokens))
      }
      return nil
    }
  }
}

extension Performer {
  /// Refuses parameters that do not match the command's schema (P2); absent ones count as an empty object.
  ///
  /// A command without a schema and an action sent without a command take no parameters.
  func check(_ parameters: JSONObject?, of command: Command?) throws(MutationFault) {
    let parameters = parameters ?? JSONObject()
    guard let schema = command?.parameters?.schema else {
      if parameters.isEmpty { return }
      throw .command(.noParameters(command?.id))
    }
    let faults = schema.faults(of: .object(parameters), effort)
    if let command, !faults.isEmpty {
      throw .command(.invalidParameters(command.id, ParameterFaults(faults)))
    }
  }
}

extension Command {
  /// True if it cannot be performed without parameters (M2).
  package var needsParameters: Bool { parameters.map { !$0.schema.isMetByEmptyObject } ?? false }

  /// True if its schema accepts no parameters, as with a key or a menu.
  func meetsItsSchemaWithoutParameters(_ effort: Effort) -> Bool {
    parameters.map { $0.schema.faults(of: .object(JSONObject()), effort).isEmpty } ?? true
  }
}

extension Schema {
  /// Returns the faults of a value, and adds the steps taken to the effort.
  func faults(of value: JSON, _ effort: Effort) -> ValueFault.List {
    var steps = 0
    defer { effort.spend(steps) }
    return faults(of: value, addingStepsTo: &steps)
  }
}

extension Command {
  /// Reads a command; nil with faults in the log.
  ///
  /// Its id is the member `id`, or else the action. If `requiredID` is given, for example by a path, the id must be
  /// equal to it, and the action is required.
  package init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, id requiredID: CommandID? = nil
  ) {
    guard let content = Content(reading: json, at: pointer, log: log, id: requiredID) else {
      return nil
    }
    self.init(content)
  }
}

extension Command.Content {
  fileprivate init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, id requiredID: CommandID?
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    func flag(_ name: String, _ absent: Bool) -> Bool { reader.member(name, Read.bool) ?? absent }
    action = reader.member("action", Read.selector)
    let id: CommandID? = reader.member("id", Read.identifier)
    let title = reader.required("title", Read.string)
    subtitle = reader.member("subtitle", Read.string)
    image = reader.member("image", Read.string)
    discoverabilityTitle = reader.member("discoverabilityTitle", Read.string)
    description = reader.member("description", Read.string)
    propertyList = reader.propertyList()
    parameters = CommandParameters(&reader)
    unavailable = reader.member("unavailable", Read.string)
    confirmation = reader.member("confirmation", Confirmation.init(reading:at:log:))
    hints = reader.member("hints", CommandHints.init(reading:at:log:))
    agents = reader.member("agents", Read.word)
    let names: [CommandAttributes.Name] = reader.list("attributes", Read.word) ?? []
    state = reader.member("state", Read.word) ?? .off
    key = reader.member("key", CommandKey.init(reading:at:log:))
    alternates = reader.member("alternates", CommandAlternate.list(reading:at:log:)) ?? []
    wantsPriorityOverSystemBehavior = flag("wantsPriorityOverSystemBehavior", false)
    allowsAutomaticLocalization = flag("allowsAutomaticLocalization", true)
    let isMirrored = flag("allowsAutomaticMirroring", true)
    reader.finish()
    reader.checkAction(isRequired: key != nil || requiredID != nil)
    guard let name = id ?? requiredID ?? action.flatMap({ CommandID($0.rawValue) }) else {
      log.note(.missingMember("id"), at: pointer)
      return nil
    }
    if let requiredID { reader.check(name, is: requiredID) }
    guard let title else { return nil }
    self.id = name
    self.title = title
    attributes = CommandAttributes(names.map(\.attribute))
    allowsAutomaticMirroring = isMirrored && allowsAutomaticLocalization
  }
}

extension Command {
  /// The document with defaults; absent members are omitted.
  package var json: JSON {
    var object = JSONObject()
    object.reserveCapacity(16)
    addMembers(to: &object)
    return .object(object)
  }

  /// Adds the members of the document to an object that has none of these members.
  func addMembers(to object: inout JSONObject) {
    object.add("id", .string(id.rawValue))
    object.add("title", .string(title))
    object.add("subtitle", subtitle.map(JSON.string))
    object.add("image", image.map(JSON.string))
    object.add("discoverabilityTitle", discoverabilityTitle.map(JSON.string))
    object.add("description", description.map(JSON.string))
    object.add("action", action.map { .string($0.rawValue) })
    object.add("propertyList", propertyList)
    object.add("parameters", parameters?.document)
    if let parameters, !parameters.rules.isEmpty {
      for part in FormPart.allCases { object.add(part.rawValue, parameters.json(of: part)) }
    }
    object.add("unavailable", unavailable.map(JSON.string))
    object.add("confirmation", confirmation?.json)
    object.add("hints", hints?.json)
    object.add("agents", agents.map { .string($0.rawValue) })
    object.add("attributes", .array(attributes.names.map { .string($0.rawValue) }))
    object.add("state", .string(state.rawValue))
    object.add("key", itemKey.map { .string($0.text) } ?? key?.json)
    if !alternates.isEmpty { object.add("alternates", .array(alternates.map(\.json))) }
    object.add("wantsPriorityOverSystemBehavior", .bool(wantsPriorityOverSystemBehavior))
    object.add("allowsAutomaticLocalization", .bool(allowsAutomaticLocalization))
    object.add("allowsAutomaticMirroring", .bool(allowsAutomaticMirroring))
  }
}

extension ObjectReader {
  /// Records a missing action, if it is required.
  fileprivate mutating func checkAction(isRequired: Bool) {
    if isRequired, json("action") == nil { log.note(.missingMember("action"), at: pointer) }
  }

  /// Records a name other than the required one.
  fileprivate func check(_ name: CommandID, is required: CommandID) {
    guard name != required else { return }
    log.note(.declaration(.command(.otherName(name, expected: required))), at: place(of: "id"))
  }

  /// Reads the property list; null is none (M1).
  mutating func propertyList() -> JSON? {
    let json = json("propertyList")
    return json == .null ? nil : json
  }
}
