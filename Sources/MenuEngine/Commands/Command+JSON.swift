import JSONSchema
public import JSONText

extension Command {
  /// The command that a document describes, or nil and the faults.
  ///
  /// Its name is the member `id`, else the action; with `requiredID` it must be that one, which
  /// stands elsewhere, as in a path, and the action is not left out.
  public init?(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog, id requiredID: CommandID? = nil
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let action = reader.member("action", Read.selector)
    let id: CommandID? = reader.member("id", Read.identifier)
    let title = reader.required("title", Read.string)
    subtitle = reader.member("subtitle", Read.string)
    image = reader.member("image", Read.string)
    discoverabilityTitle = reader.member("discoverabilityTitle", Read.string)
    description = reader.member("description", Read.string)
    propertyList = reader.propertyList()
    parameters = reader.member("parameters", Read.parameterSchema)
    hints = reader.member("hints", CommandHints.init(reading:at:log:))
    let attributes: [CommandAttributes.Name]? = reader.list("attributes", Read.word)
    let state: CommandState? = reader.member("state", Read.word)
    key = reader.member("key", CommandKey.init(reading:at:log:))
    alternates = reader.member("alternates", CommandAlternate.list(reading:at:log:)) ?? []
    wantsPriorityOverSystemBehavior =
      reader.member("wantsPriorityOverSystemBehavior", Read.bool) ?? false
    let isLocalized = reader.member("allowsAutomaticLocalization", Read.bool) ?? true
    let isMirrored = reader.member("allowsAutomaticMirroring", Read.bool) ?? true
    reader.finish()
    let needsAction = key != nil || requiredID != nil
    if needsAction, reader.json("action") == nil { log.note(.missingMember("action"), at: pointer) }
    let defaultID = action.flatMap { CommandID($0.rawValue) }
    guard let name = id ?? requiredID ?? defaultID else {
      log.note(.missingMember("id"), at: pointer)
      return nil
    }
    if let requiredID, name != requiredID {
      log.note(.declaration(.otherName(name, expected: requiredID)), at: reader.place(of: "id"))
    }
    guard let title else { return nil }
    self.id = name
    self.title = title
    self.action = action
    self.attributes = CommandAttributes((attributes ?? []).map(\.attribute))
    self.state = state ?? .off
    allowsAutomaticLocalization = isLocalized
    allowsAutomaticMirroring = isMirrored && isLocalized
  }

  /// The command as a document, every member with its value or default; absent ones are left out.
  public var json: JSON {
    var object = JSONObject()
    object["id"] = .string(id.rawValue)
    object["title"] = .string(title)
    object["subtitle"] = subtitle.map(JSON.string)
    object["image"] = image.map(JSON.string)
    object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    object["description"] = description.map(JSON.string)
    object["action"] = action.map { .string($0.rawValue) }
    object["propertyList"] = propertyList
    object["parameters"] = parameters?.document
    object["hints"] = hints?.json
    object["attributes"] = .array(attributes.names.map { .string($0.rawValue) })
    object["state"] = .string(state.rawValue)
    object["key"] = key?.json
    if !alternates.isEmpty { object["alternates"] = .array(alternates.map(\.json)) }
    object["wantsPriorityOverSystemBehavior"] = .bool(wantsPriorityOverSystemBehavior)
    object["allowsAutomaticLocalization"] = .bool(allowsAutomaticLocalization)
    object["allowsAutomaticMirroring"] = .bool(allowsAutomaticMirroring)
    return .object(object)
  }
}

extension KeyCombination {
  /// The combination that a document describes: `{"input": "5", "modifiers": ["command"]}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let combination = KeyCombination(&reader)
    reader.finish()
    guard let combination else { return nil }
    self = combination
  }

  /// The combination that the members `input` and `modifiers` of an object describe.
  init?(_ reader: inout ObjectReader) {
    let input = reader.required("input", Read.string)
    let modifiers = reader.member("modifiers", Read.modifiers)
    guard let input else { return nil }
    guard let combination = KeyCombination(input: input, modifiers: modifiers ?? []) else {
      reader.log.note(.expected(.keyInput, found: .string(input)), at: reader.place(of: "input"))
      return nil
    }
    self = combination
  }

  /// The combination as a document.
  public var json: JSON {
    var object = JSONObject()
    object["input"] = .string(input)
    object["modifiers"] = modifiers.json
    return .object(object)
  }
}

extension KeyModifiers {
  /// The modifiers as a document: `["command", "shift"]`.
  public var json: JSON { .array(names.map { .string($0.rawValue) }) }
}

extension ObjectReader {
  /// The property list; null is none (M1).
  mutating func propertyList() -> JSON? {
    let json = json("propertyList")
    return json == .null ? nil : json
  }
}

extension Read {
  /// Modifiers: a list of their names.
  public static func modifiers(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> KeyModifiers? {
    let names: [KeyModifiers.Name]? = list(json, at: pointer, log: log, of: word)
    return names.map { KeyModifiers($0) }
  }
}
