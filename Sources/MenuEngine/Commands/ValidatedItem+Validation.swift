import JSONText

extension ValidatedItem {
  /// Changes it as rules say; answers whether the rule `enabled` says no.
  mutating func apply(
    _ rules: Handler.Validation, in context: RuleContext
  ) throws(RuleFault) -> Bool {
    for rule in rules.rules {
      apply(try context.answer(of: rule.rule, for: rule.part), to: rule.part)
    }
    return rules.enabled != nil && attributes.contains(.disabled)
  }

  /// Changes it as a closure says.
  mutating func apply(
    _ closure: HandlerClosures.Validate, _ call: HandlerCall
  ) throws(RuleFault) {
    do throws(HandlerFailure) {
      try closure(call, &appearance)
    } catch {
      throw RuleFault(error, at: "validate")
    }
  }

  /// The item after a validation with a closure, for a trace.
  var appearanceAnswer: JSON {
    var object = JSONObject()
    object["enabled"] = .bool(isEnabled)
    object["checked"] = .string(state.rawValue)
    object["title"] = .string(title)
    object["subtitle"] = subtitle.map(JSON.string)
    object["image"] = image.map(JSON.string)
    object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    object["attributes"] = .array(attributes.names.map { .string($0.rawValue) })
    return .object(object)
  }
}

extension ValidatedItem {
  /// Decides between enabled and disabled once a target was found (M6).
  mutating func conclude(isForbidden: Bool) {
    isEnabled = !attributes.contains(.disabled)
    reason = isEnabled ? .enabled : isForbidden ? .ruleFalse : .declaredDisabled
  }

  /// Disables an item that is as declared, since a rule of its target failed.
  mutating func fail(_ fault: RuleFault) {
    attributes.insert(.disabled)
    reason = .ruleError
    self.fault = fault
  }

  /// Returns the answers of the target's rules, for a trace.
  func validationAnswer(_ rules: Handler.Validation) -> JSON {
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
    if rules.keepsMenuPresented != nil {
      object["keepsMenuPresented"] = .bool(attributes.contains(.keepsMenuPresented))
    }
    return .object(object)
  }
}
