import JSONText

extension Inquiry {
  /// The command as it is now (M5), and who would receive its action.
  mutating func validate(
    _ command: Command, from: ResponderID? = nil, to explicit: Receiver? = nil
  ) -> (item: ValidatedItem, target: Target?) {
    var item = ValidatedItem(
      declaredBy: command, isSelectable: catalog.isSelectable(command.id))
    let target = validate(into: &item, command, from: from, to: explicit)
    item.trace = trace
    return (item, target)
  }

  private mutating func validate(
    into item: inout ValidatedItem, _ command: Command, from: ResponderID?, to explicit: Receiver?
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
      apply(target, action, to: &item)
      return target
    }
  }

  /// Notes which alternate the item is (M11), asked where the search begins.
  private mutating func noteAlternate(of command: Command, _ from: ResponderID?) {
    guard let alternate = command.alternate, let start = start(from: from) else { return }
    trace.note(
      .alternate, .responder(start), about: alternate.action, answer: alternate.modifiers.json)
  }

  /// Only the target validates, and its no ends the matter (M5).
  private mutating func apply(
    _ target: Target, _ action: Selector, to item: inout ValidatedItem
  ) {
    item.target = target.receiver
    item.proxied = target.proxied
    let declared = item
    do throws(RuleFault) {
      try apply(target.handler, of: target, action, to: &item)
    } catch {
      let rules = target.handler?.validate ?? .none
      let context = context(for: target.implementer)
      trace.note(
        .validate, target.receiver, answer: .null, fault: error,
        rules: rules.explained(in: context, upTo: error.place))
      item = declared
      item.fail(error)
      readings.noteEverything()
    }
  }

  private mutating func apply(
    _ handler: Handler?, of target: Target, _ action: Selector, to item: inout ValidatedItem
  ) throws(RuleFault) {
    if let direction = handler?.undoDirection {
      return validateUndo(direction, of: target, &item)
    }
    let rules = handler?.validate ?? .none
    let closure = handler?.closures.validate
    guard rules != .none || closure != nil else {
      item.conclude(isForbidden: false)
      trace.note(.validate, target.receiver, answer: .null)
      return
    }
    for rule in rules.rules { readings.note(rule.rule) }
    if closure != nil { readings.noteEverything() }
    let context = context(for: target.implementer)
    let isRefused = try item.apply(rules, in: context)
    var isForbidden = isRefused
    if let closure {
      let wasEnabled = item.appearance.isEnabled
      try item.apply(closure, HandlerCall(action, in: context))
      isForbidden = isForbidden || wasEnabled && !item.appearance.isEnabled
    }
    item.conclude(isForbidden: isForbidden)
    trace.note(
      .validate, target.receiver,
      answer: closure == nil ? item.validationAnswer(rules) : item.appearanceAnswer,
      rules: rules.explained(in: context), refusing: isRefused ? ItemPart.enabled.place : nil)
  }
}

extension Handler.Validation {
  /// Returns the rules in the order in which they are asked, with what their parts are worth.
  ///
  /// - Parameter last: The place of the last one that was asked; nil if all were.
  fileprivate func explained(in context: RuleContext, upTo last: String? = nil) -> [ExplainedRule] {
    var explained: [ExplainedRule] = []
    for rule in rules {
      explained += context.explained(rule.rule, at: rule.part.place)
      if let last, last.hasSameBytes(as: rule.part.place) { break }
    }
    return explained
  }
}
