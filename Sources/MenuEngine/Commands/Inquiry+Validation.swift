import JSONText

extension Inquiry {
  /// The command as it is now (M5), and who would receive its action.
  mutating func validate(
    _ command: Command, from: ResponderID? = nil, to explicit: Receiver? = nil
  ) -> (item: ValidatedItem, target: Target?) {
    var item = ValidatedItem(declaredBy: command)
    let target = validate(&item, command, from, explicit)
    item.trace = trace
    return (item, target)
  }

  private mutating func validate(
    _ item: inout ValidatedItem, _ command: Command, _ from: ResponderID?, _ explicit: Receiver?
  ) -> Target? {
    noteAlternate(of: command, from)
    guard let action = command.action else {
      item.reason = .noAction
      return nil
    }
    switch search(for: action, from: from, to: explicit) {
    case .cycle:
      item.reason = .cycle
      return nil
    case .nobody(let fault):
      item.reason = fault == nil ? .noTarget : .ruleError
      item.fault = fault
      if fault != nil { readings.noteEverything() }
      return nil
    case .found(let target):
      apply(target, to: &item)
      return target
    }
  }

  /// Notes which alternate the item is (M11), asked where the search begins.
  private mutating func noteAlternate(of command: Command, _ from: ResponderID?) {
    guard let alternate = command.alternate, let start = start(from: from) else { return }
    trace.note(
      .alternate, .responder(start), about: alternate.action, alternate.modifiers.json)
  }

  /// Only the target validates, and its no ends the matter (M5).
  private mutating func apply(_ target: Target, to item: inout ValidatedItem) {
    item.target = target.receiver
    item.proxied = target.proxied
    let declared = item
    do throws(RuleFault) {
      try apply(target.handler?.validate ?? .none, of: target, to: &item)
    } catch {
      trace.note(.validate, target.receiver, .null, fault: error)
      item = declared
      item.attributes.insert(.disabled)
      item.reason = .ruleError
      item.fault = error
      readings.noteEverything()
    }
  }

  private mutating func apply(
    _ rules: Handler.Validation, of target: Target, to item: inout ValidatedItem
  ) throws(RuleFault) {
    guard rules != .none else {
      item.conclude(enabledRule: nil)
      trace.note(.validate, target.receiver, .null)
      return
    }
    for rule in rules.all { readings.note(rule) }
    let context = context(for: target.implementer)
    var enabled: Bool?
    if let rule = rules.enabled {
      enabled = try context.bool(rule, at: "validate/enabled")
      item.attributes.set(.disabled, to: enabled == false)
    }
    if let rule = rules.checked { item.state = try context.state(rule, at: "validate/checked") }
    if let rule = rules.title { item.title = try context.string(rule, at: "validate/title") }
    if let rule = rules.subtitle {
      item.subtitle = try context.string(rule, at: "validate/subtitle")
    }
    if let rule = rules.image { item.image = try context.string(rule, at: "validate/image") }
    if let rule = rules.discoverabilityTitle {
      item.discoverabilityTitle = try context.string(rule, at: "validate/discoverabilityTitle")
    }
    if let rule = rules.hidden {
      item.attributes.set(.hidden, to: try context.bool(rule, at: "validate/hidden"))
    }
    if let rule = rules.destructive {
      item.attributes.set(.destructive, to: try context.bool(rule, at: "validate/destructive"))
    }
    item.conclude(enabledRule: enabled)
    let refusing = enabled == false ? rules.enabled : nil
    trace.note(
      .validate, target.receiver, item.validationAnswer(rules),
      explanation: refusing.map(context.reasons) ?? [])
  }
}

extension ValidatedItem {
  /// Decides between enabled and disabled once a target was found (M6).
  fileprivate mutating func conclude(enabledRule: Bool?) {
    isEnabled = !attributes.contains(.disabled)
    reason = isEnabled ? .enabled : enabledRule == false ? .ruleFalse : .declaredDisabled
  }

  /// What the target's rules said, for a trace.
  fileprivate func validationAnswer(_ rules: Handler.Validation) -> JSON {
    var object = JSONObject()
    if rules.enabled != nil { object["enabled"] = .bool(isEnabled) }
    if rules.checked != nil { object["checked"] = .string(state.rawValue) }
    if rules.title != nil { object["title"] = .string(title) }
    if rules.subtitle != nil { object["subtitle"] = subtitle.map(JSON.string) }
    if rules.image != nil { object["image"] = image.map(JSON.string) }
    if rules.discoverabilityTitle != nil {
      object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    }
    if rules.hidden != nil { object["hidden"] = .bool(attributes.contains(.hidden)) }
    if rules.destructive != nil {
      object["destructive"] = .bool(attributes.contains(.destructive))
    }
    return .object(object)
  }
}
