public import JSONText

extension KeyCommand {
  /// The key commands that an array describes, or nil and the faults. One that repeats another of them
  /// is refused (M1).
  public static func list(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [KeyCommand]? {
    let keyCommands = Read.list(json, at: pointer, log: log, of: Self.init(reading:at:log:))
    if let keyCommands { RepeatedKeyCommand.check(keyCommands, at: pointer, log: log) }
    return keyCommands
  }

  /// The key command that a document describes: `{"input": "n", "action": "selectNext:"}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let key = KeyCombination(&reader)
    let action = reader.required("action", Read.selector)
    title = reader.member("title", Read.string)
    discoverabilityTitle = reader.member("discoverabilityTitle", Read.string)
    propertyList = reader.propertyList()
    wantsPriorityOverSystemBehavior =
      reader.member("wantsPriorityOverSystemBehavior", Read.bool) ?? false
    when = reader.member("when", Read.boolRule)
    enabled = reader.member("enabled", Read.boolRule)
    reader.finish()
    guard let key, let action else { return nil }
    self.key = key
    self.action = action
  }

  /// The key command as a document; absent members are left out.
  public var json: JSON {
    var object = JSONObject()
    object["input"] = .string(key.input)
    object["modifiers"] = key.modifiers.json
    object["action"] = .string(action.rawValue)
    object["title"] = title.map(JSON.string)
    object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    object["propertyList"] = propertyList
    object["wantsPriorityOverSystemBehavior"] = .bool(wantsPriorityOverSystemBehavior)
    object["when"] = when?.json
    object["enabled"] = enabled?.json
    return .object(object)
  }
}
