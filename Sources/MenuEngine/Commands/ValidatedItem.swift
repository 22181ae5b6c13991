import JSONText

/// The present state of a command (M5): the `UICommand` after `validateCommand:` of its target.
public struct ValidatedItem: Equatable, Sendable {
  /// The command, or the requested name if there is none.
  public let command: CommandID
  /// The key of an item from data (M12); nil for the command itself.
  public internal(set) var itemKey: ItemKey?
  /// The alternate of the command in effect, by the held modifiers (M11).
  package internal(set) var alternate: CommandAlternate?
  /// The title of the item.
  public internal(set) var title: String
  /// A second line. The default is none.
  public internal(set) var subtitle: String?
  /// The name of an image. The default is none.
  public internal(set) var image: String?
  /// The title in a list of key commands.
  package internal(set) var discoverabilityTitle: String?
  /// The key equivalent, which may differ by platform (M2): the declared one; in menus and searches, the one in effect
  /// (K9).
  package internal(set) var key: CommandKey?
  /// True if it cannot be performed without parameters (M2).
  package let needsParameters: Bool
  /// True if it can have a check mark: its declaration or rules give it a state, or it is in a menu with
  /// `singleSelection` (M2).
  package internal(set) var isCheckable = false
  /// True if it can be performed (M6).
  public internal(set) var isEnabled = false
  /// The check mark.
  public internal(set) var state: CommandState
  /// The attributes after validation.
  public internal(set) var attributes: CommandAttributes
  /// The receiver of the action; nil if no responder can perform it.
  public internal(set) var target: Receiver?
  /// The proxied responder, if the target is a proxy (L11).
  package internal(set) var proxied: ResponderID?
  /// The reason why the item is enabled or disabled (M10).
  public internal(set) var reason: ValidationReason
  /// The rule that failed, when the reason is `ruleError`.
  public internal(set) var fault: RuleFault?
  /// The index of the unmet precondition that disables it (W1); nil for none.
  package internal(set) var requirement: Int?
  /// The explanation for people why it is disabled; nil if there is none (W1, W2).
  public internal(set) var explanation: String?
  /// The question to ask before it is performed; nil for none (W4).
  public internal(set) var confirmation: Confirmation?
  /// True if its check mark was removed because an earlier item of the menu has one (M9).
  package internal(set) var lostSingleSelection = false
  /// The items for the modifiers of each alternate (M11), in declaration order; only for items in a menu
  /// without held modifiers.
  package internal(set) var alternates: [ValidatedItem] = []
  /// The trace, if requested (``ValidationRequest/isExplaining``); otherwise empty.
  public internal(set) var trace = Trace(isRecording: false)
  /// The item as written in menus; nil if it is not kept.
  var written: WrittenItem?
}

/// The text of an item from data in a menu, kept by a plan, so that an unchanged item is not written again.
///
/// It is not part of the item's value: all are equal.
final class WrittenItem: Equatable, Sendable {
  let text: [UInt8]

  init(_ text: [UInt8]) { self.text = text }

  static func == (left: WrittenItem, right: WrittenItem) -> Bool { true }
}

extension ValidatedItem {
  /// Creates an item as declared, before validation.
  ///
  /// - Parameter isSelectable: True if it is in a menu with `singleSelection`.
  init(declaredBy command: Command, isSelectable: Bool = false) {
    self.init(
      command: command.id, itemKey: command.itemKey, alternate: command.alternate,
      title: command.title, subtitle: command.subtitle,
      image: command.image, discoverabilityTitle: command.discoverabilityTitle,
      key: command.key, needsParameters: command.itemKey == nil && command.needsParameters,
      isCheckable: command.state != .off || isSelectable, state: command.state,
      attributes: command.attributes, reason: .noTarget, confirmation: command.confirmation)
  }

  /// Creates the item for an unknown command.
  init(unknown id: CommandID) {
    self.init(
      command: id, title: "", key: nil, needsParameters: false, state: .off, attributes: [],
      reason: .unknownCommand)
  }
}

/// A reason why an item is enabled or not (M10).
public enum ValidationReason: String, CaseIterable, Sendable {
  /// It can be performed.
  case enabled
  /// No responder on the chain can perform its action.
  case noTarget
  /// It has no action, or its sender carries none for a forwarder (F6).
  case noAction
  /// Its target's rule is false.
  case ruleFalse
  /// A rule failed.
  case ruleError
  /// It is declared disabled, and its target does not override this.
  case declaredDisabled
  /// The chain is a cycle (R9).
  case cycle
  /// The catalogue has no such command.
  case unknownCommand
  /// The menus have no item from data with the key (M12).
  case unknownItem
  /// The message arrived, but the coordinator has no handler for the sender's action (F6).
  case noHandler
  /// The message was recorded for undoing, and not run (U3).
  case recorded
  /// The message reached a proxy whose proxied responder was removed (L10).
  case proxiedGone
  /// No command and no key command matches a pressed key (K3).
  case noMatch
  /// The strokes pressed so far are the beginning of longer keys (K8).
  case pending
}

extension Inquiry {
  /// Returns the validated command (M5), with the target of its action.
  mutating func validate(
    _ command: Command, from: ResponderID? = nil, to explicit: Receiver? = nil
  ) -> (item: ValidatedItem, target: Target?) {
    var item = ValidatedItem(
      declaredBy: command, isSelectable: catalog.isSelectable(command.id))
    let target = validate(into: &item, command, from: from, to: explicit)
    item.explain(byDefault: command.unavailable)
    // The built-in methods for undoing have no rules that could give an explanation.
    if item.reason == .ruleFalse, target?.handler?.undoDirection != nil {
      item.explanation = command.unavailable
    }
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

  /// Records the alternate of the item in the trace (M11), at the start of the search.
  private mutating func noteAlternate(of command: Command, _ from: ResponderID?) {
    guard let alternate = command.alternate, let start = start(from: from) else { return }
    trace.note(
      .alternate, .responder(start), about: alternate.action, answer: alternate.modifiers.json)
  }

  /// Applies the rules of the target. Only the target validates, and its refusal is final (M5).
  private mutating func apply(
    _ target: Target, _ action: Selector, to item: inout ValidatedItem
  ) {
    item.target = target.receiver
    item.proxied = target.proxied
    let declared = item
    var sequence = ItemRuleSequence()
    do throws(RuleFault) {
      try apply(target.handler, of: target, action, to: &item, in: &sequence)
    } catch {
      let rules = target.handler?.validate ?? .none
      let context = context(for: target.implementer)
      trace.note(
        .validate, target.receiver, answer: .null, fault: error,
        rules: rules.explained(in: context, sequence, upTo: error.place))
      item = declared
      item.fail(error)
      readings.noteEverything()
    }
  }

  private mutating func apply(
    _ handler: Handler?, of target: Target, _ action: Selector, to item: inout ValidatedItem,
    in sequence: inout ItemRuleSequence
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
    let refusing = try item.apply(rules, in: context, &sequence)
    var isForbidden = refusing != nil
    if let closure {
      let wasEnabled = item.appearance.isEnabled
      try item.apply(closure, HandlerCall(action, in: context))
      isForbidden = isForbidden || wasEnabled && !item.appearance.isEnabled
    }
    item.conclude(isForbidden: isForbidden)
    trace.note(
      .validate, target.receiver,
      answer: closure == nil ? item.validationAnswer(rules) : item.appearanceAnswer,
      rules: rules.explained(in: context, sequence), refusing: refusing?.place)
  }
}

extension Handler.Validation {
  /// Returns the evaluated rules in order, with the values of their parts.
  ///
  /// - Parameter last: The place of the last rule evaluated; nil if all were.
  fileprivate func explained(
    in context: RuleContext, _ sequence: ItemRuleSequence, upTo last: String? = nil
  ) -> [ExplainedRule] {
    var explained: [ExplainedRule] = []
    for rule in rules where sequence.includes(rule) {
      explained += context.explained(rule.rule, at: rule.place)
      if let last, last.hasSameBytes(as: rule.place) { break }
    }
    return explained
  }
}

extension ValidatedItem: DecidedByRules {
  /// Applies rules to the item. Returns the unmet precondition, which explains the item, or else the first rule that
  /// disables it.
  mutating func apply(
    _ rules: Handler.Validation, in context: RuleContext, _ sequence: inout ItemRuleSequence
  ) throws(RuleFault) -> ItemRule? {
    var refusing: ItemRule?
    for rule in rules.rules where sequence.includes(rule) {
      let answer = try context.answer(of: rule)
      sequence.note(answer, of: rule)
      set(answer, of: rule, in: context.translations)
      if rule.refuses(by: answer), refusing == nil || rule.part == .requirement { refusing = rule }
    }
    return refusing
  }

  /// Sets a part of the item from a rule's result.
  ///
  /// - Parameter translations: The texts in the session's language (M14).
  mutating func set(_ answer: PartAnswer, of rule: ItemRule, in translations: JSON?) {
    guard !applyUnlessText(answer, of: rule, in: translations), case .text(let text) = answer
    else { return }
    switch rule.part {
    case .title: title = text
    case .subtitle: subtitle = text
    case .image: image = text
    case .discoverabilityTitle: discoverabilityTitle = text
    default: preconditionFailure("\(rule.part) is no text of an item")
    }
  }

  /// Applies a closure to the item.
  mutating func apply(
    _ closure: Handler.Validate, _ call: HandlerCall
  ) throws(RuleFault) {
    do {
      try closure(call, &appearance)
    } catch {
      throw RuleFault(error, at: "validate")
    }
  }

  /// The item after a validation by closure, for a trace.
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

extension ItemRule {
  /// True if a result disables the item.
  func refuses(by answer: PartAnswer) -> Bool {
    guard case .bool(false) = answer else { return false }
    return part == .enabled || part == .requirement
  }
}

extension DecidedByRules {
  /// Sets the explanation of a decided item: none for an enabled one; the command's for one that has no target or is
  /// declared disabled, unless a precondition gave another one (W1, W2).
  mutating func explain(byDefault unavailable: String?) {
    switch reason {
    case .enabled: (requirement, explanation) = (nil, nil)
    case .noTarget, .declaredDisabled: explanation = explanation ?? unavailable
    default: break
    }
  }
}

extension ValidatedItem {
  /// Decides whether an item with a target is enabled (M6).
  mutating func conclude(isForbidden: Bool) {
    isEnabled = !attributes.contains(.disabled)
    reason = isEnabled ? .enabled : isForbidden ? .ruleFalse : .declaredDisabled
  }

  /// Disables the declared item because a rule of its target failed.
  mutating func fail(_ fault: RuleFault) {
    attributes.insert(.disabled)
    reason = .ruleError
    self.fault = fault
  }

  /// Returns the results of the target's rules, for a trace.
  func validationAnswer(_ rules: Handler.Validation) -> JSON {
    var object = JSONObject()
    for rule in rules.rules {
      if rule.part == .requirement { object["enabled"] = .bool(isEnabled) }
      object[rule.part.rawValue] = value(of: rule.part)
    }
    return .object(object)
  }

  private func value(of part: ItemPart) -> JSON? {
    switch part {
    case .enabled: .bool(isEnabled)
    case .requirement: requirement.map { .int(Int64($0)) }
    case .explanation: explanation.map(JSON.string)
    case .checked: .string(state.rawValue)
    case .title: .string(title)
    case .subtitle: subtitle.map(JSON.string)
    case .image: image.map(JSON.string)
    case .discoverabilityTitle: discoverabilityTitle.map(JSON.string)
    case .hidden: .bool(attributes.contains(.hidden))
    case .destructive: .bool(attributes.contains(.destructive))
    case .keepsMenuPresented: .bool(attributes.contains(.keepsMenuPresented))
    case .needsConfirmation: .bool(confirmation != nil)
    case .confirmationTitle: confirmation.map { .string($0.title) }
    case .confirmationMessage: confirmation?.message.map(JSON.string)
    case .confirmationButton: confirmation?.button.map(JSON.string)
    }
  }
}
