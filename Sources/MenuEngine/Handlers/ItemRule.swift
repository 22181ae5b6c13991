import CEL
import JSONText

/// A part of an item that a rule decides (M5), in order of evaluation.
enum ItemPart: String, CaseIterable, CodingKey, Sendable {
  case enabled
  /// A precondition, of which there can be several (W1).
  case requirement
  /// The words for an unmet precondition.
  case explanation
  case checked
  case title
  case subtitle
  case image
  case discoverabilityTitle
  case hidden
  case destructive
  case keepsMenuPresented
  /// True if the item needs a confirmation (W4).
  case needsConfirmation
  case confirmationTitle
  case confirmationMessage
  case confirmationButton

  /// The parts whose rules are members of `validate`; those of preconditions and confirmations are further in.
  static let members: [ItemPart] = [
    .enabled, .checked, .title, .subtitle, .image, .discoverabilityTitle, .hidden, .destructive,
    .keepsMenuPresented,
  ]

  /// The parts of a confirmation, with the names of their members.
  static let ofConfirmation: [(part: ItemPart, name: String)] = [
    (.needsConfirmation, "if"), (.confirmationTitle, "title"), (.confirmationMessage, "message"),
    (.confirmationButton, "button"),
  ]

  /// The type of the part's value.
  enum Kind {
    case bool
    case state
    case text
  }

  /// The type of the part's value. A check mark can also be a Boolean.
  var kind: Kind {
    switch self {
    case .enabled, .requirement, .hidden, .destructive, .keepsMenuPresented, .needsConfirmation:
      .bool
    case .checked: .state
    case .explanation, .title, .subtitle, .image, .discoverabilityTitle, .confirmationTitle,
      .confirmationMessage, .confirmationButton:
      .text
    }
  }

  /// The attribute that a Boolean sets; nil if it sets none.
  var attribute: CommandAttributes? {
    switch self {
    case .hidden: .hidden
    case .destructive: .destructive
    case .keepsMenuPresented: .keepsMenuPresented
    default: nil
    }
  }
}

/// A rule and the part of an item that it decides.
///
/// A class, since plans read them for each item that changes.
final class ItemRule: Sendable, Codable {
  let part: ItemPart
  let rule: Rule
  /// The index of its precondition (W1); 0 for other parts.
  let requirement: Int
  /// The words for an unmet precondition; nil if a rule has them.
  let text: String?

  init(part: ItemPart, rule: Rule, requirement: Int = 0, text: String? = nil) {
    self.part = part
    self.rule = rule
    self.requirement = requirement
    self.text = text
  }
}

extension ItemRule: Equatable {
  static func == (left: ItemRule, right: ItemRule) -> Bool {
    left === right
      || left.text.hasSameBytes(as: right.text) && left.part == right.part
        && left.rule == right.rule && left.requirement == right.requirement
  }
}

extension ItemPart: Codable {}

extension ItemRule {
  /// The place of the rule in its handler.
  var place: String {
    switch part {
    case .enabled: "validate/enabled"
    case .checked: "validate/checked"
    case .title: "validate/title"
    case .subtitle: "validate/subtitle"
    case .image: "validate/image"
    case .discoverabilityTitle: "validate/discoverabilityTitle"
    case .hidden: "validate/hidden"
    case .destructive: "validate/destructive"
    case .keepsMenuPresented: "validate/keepsMenuPresented"
    case .requirement: "validate/requires/\(requirement)/if"
    case .explanation: "validate/requires/\(requirement)/else/rule"
    case .needsConfirmation: "validate/confirmation/if"
    case .confirmationTitle: "validate/confirmation/title"
    case .confirmationMessage: "validate/confirmation/message"
    case .confirmationButton: "validate/confirmation/button"
    }
  }
}

/// A selection of the rules of a list to evaluate, by the results so far.
///
/// Preconditions are evaluated up to the first that is false, whose words alone are evaluated (W1). The texts of
/// a confirmation are evaluated if there is one (W4).
struct ItemRuleSequence {
  /// The index of the first unmet precondition.
  private(set) var requirement: Int?
  private var needsConfirmation = true

  /// True if the rule is evaluated, or was.
  func includes(_ rule: ItemRule) -> Bool {
    switch rule.part {
    case .requirement: requirement.map { rule.requirement <= $0 } ?? true
    case .explanation: requirement == rule.requirement
    case .confirmationTitle, .confirmationMessage, .confirmationButton: needsConfirmation
    default: true
    }
  }

  /// Records the result of a rule.
  mutating func note(_ answer: PartAnswer, of rule: ItemRule) {
    guard case .bool(false) = answer else { return }
    if rule.part == .requirement { requirement = rule.requirement }
    if rule.part == .needsConfirmation { needsConfirmation = false }
  }
}

/// The result of a rule for a part of an item.
enum PartAnswer: Sendable {
  case bool(Bool)
  case state(CommandState)
  case text(String)

  /// Converts a rule's value for a part; nil if the value does not decide the part.
  init?(_ value: Value, for part: ItemPart) {
    switch (part.kind, value) {
    case (.bool, .bool(let bool)): self = .bool(bool)
    case (.state, .bool(let bool)): self = .state(bool ? .on : .off)
    case (.text, .string(let text)): self = .text(text)
    default: return nil
    }
  }
}

extension RuleContext {
  /// Returns the result of a rule.
  func answer(of rule: ItemRule) throws(RuleFault) -> PartAnswer {
    switch rule.part.kind {
    case .bool: .bool(try bool(rule.rule, at: rule.place))
    case .state: .state(try state(rule.rule, at: rule.place))
    case .text: .text(try string(rule.rule, at: rule.place))
    }
  }
}

/// The properties of an item that rules decide, except its own texts.
protocol DecidedByRules {
  var reason: ValidationReason { get }
  var state: CommandState { get set }
  var isCheckable: Bool { get set }
  var attributes: CommandAttributes { get set }
  var requirement: Int? { get set }
  var explanation: String? { get set }
  var confirmation: Confirmation? { get set }
}

extension DecidedByRules {
  /// Sets a part from a rule's result; returns false for a text of the item, which this type does not have.
  ///
  /// - Parameter translations: The texts in the session's language, with which declared words of a precondition are
  ///   translated (M14); nil for the declared language.
  mutating func applyUnlessText(
    _ answer: PartAnswer, of rule: ItemRule, in translations: JSON?
  ) -> Bool {
    switch (rule.part, answer) {
    case (.enabled, .bool(let bool)): attributes.set(.disabled, to: !bool)
    case (.requirement, .bool(false)):
      attributes.insert(.disabled)
      requirement = rule.requirement
      let text = rule.text.map { translations?.translation(of: $0) ?? $0 }
      explanation = text?.isEmpty == false ? text : nil
    case (.needsConfirmation, .bool(false)): confirmation = nil
    case (let part, .bool(let bool)):
      if let attribute = part.attribute { attributes.set(attribute, to: bool) }
    case (_, .state(let new)): (state, isCheckable) = (new, true)
    case (.explanation, .text(let text)): explanation = text.isEmpty ? nil : text
    case (.confirmationTitle, .text(let text)):
      confirmation = confirmation ?? Confirmation(title: text)
      confirmation?.title = text
    case (.confirmationMessage, .text(let text)): confirmation?.message = text
    case (.confirmationButton, .text(let text)): confirmation?.button = text
    case (_, .text): return false
    }
    return true
  }
}
