public import JSONText

/// The method of a responder for one selector: whether it can be performed, the appearance of its item, and its
/// effects.
///
/// It is described by a document, or consists of closures (``init(canPerform:validate:perform:)``).
public struct Handler: Equatable, Sendable, Codable {
  /// The appearance of a command's item while this handler is its target; the default is as
  /// declared (M5).
  package let validate: Validation
  /// The rule that decides if the action can be performed for a sender (R4); nil for always.
  package let canPerform: Rule?
  /// The effects of the action, all or none. The default is none.
  package let perform: [Effect]
  /// True if the message is passed on up the coordinating chain after the effects, like a call of super (C2).
  /// The default is false: the implementer consumes the message.
  package internal(set) var continues = false
  /// The closures of a program that embeds the engine, called after the rules. A handler from a document has
  /// none.
  package let closures: HandlerClosures
}

extension Handler {
  /// The number of its rules; an effect counts as one.
  var ruleCount: Int {
    perform.reduce(validate.rules.count + (canPerform == nil ? 0 : 1)) { $0 + $1.ruleCount }
  }

  package init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    validate = reader.member("validate", Validation.init(reading:at:log:)) ?? .none
    canPerform = reader.member("canPerform", Read.boolRule)
    perform = reader.list("perform", Effect.init(reading:at:log:)) ?? []
    continues = reader.member("continues", Read.bool) ?? false
    closures = HandlerClosures()
    reader.finish()
  }

  /// Reads the handler of a coordinator. It has no `canPerform`, because a forwarder can perform every action that its
  /// coordinator has a handler for (F3).
  package init?(coordinated json: JSON, at pointer: JSONPointer, log: FaultLog) {
    self.init(reading: json, at: pointer, log: log)
    guard canPerform != nil else { return }
    log.note(
      .unknownMember("canPerform", known: ["validate", "perform", "continues"]),
      at: pointer.appending("canPerform"))
  }

  /// The document.
  ///
  /// Closures cannot be written. Their names are listed in a member `closures`, which every reader rejects, so that
  /// none is lost silently.
  package var json: JSON {
    var object = JSONObject()
    if validate != .none { object["validate"] = validate.json }
    object["canPerform"] = canPerform?.json
    object["perform"] = .array(perform.map(\.json))
    if continues { object["continues"] = true }
    if !closures.isEmpty { object["closures"] = .array(closures.names.map(JSON.string)) }
    return .object(object)
  }
}

extension Handler {
  /// The rules that change an item from its declaration (M5).
  package struct Validation: Equatable, Sendable {
    /// The rules; nil for none. One word, because handlers are copied on every walk.
    let list: ItemRules?

    /// The rules in order of evaluation.
    var rules: [ItemRule] { list?.rules ?? [] }

    package var title: Rule? { rules.first { $0.part == .title }?.rule }

    static let none = Validation(rules: [])

    init(rules: [ItemRule]) { list = rules.isEmpty ? nil : ItemRules(rules) }

    package static func == (left: Validation, right: Validation) -> Bool {
      left.list === right.list || left.rules == right.rules
    }
  }
}

/// The rules of one handler for its items, in order of evaluation.
///
/// A class, so that plans recognize a handler by its identity.
final class ItemRules: Sendable {
  let rules: [ItemRule]
  /// True if one of them reads more than the state, so that results differ by item.
  let isPersonal: Bool

  init(_ rules: [ItemRule]) {
    self.rules = rules
    isPersonal = !rules.allSatisfy(\.rule.readsStateOnly)
  }
}

extension ItemPart {
  /// The reader of the part's rule.
  fileprivate var readRule: (JSON, JSONPointer, FaultLog) -> Rule? {
    switch kind {
    case .bool: Read.boolRule
    case .state: Read.stateRule
    case .text: Read.stringRule
    }
  }
}

extension Handler.Validation {
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    func rule(_ part: ItemPart) -> [ItemRule] {
      let rule = reader.member(part.rawValue, part.readRule)
      return rule.map { [ItemRule(part: part, rule: $0)] } ?? []
    }
    var rules = rule(.enabled)
    rules += reader.member("requires", Read.requirements) ?? []
    for part in ItemPart.members.dropFirst() { rules += rule(part) }
    rules += reader.member("confirmation", Read.confirmationRules) ?? []
    reader.finish()
    self.init(rules: rules)
  }

  /// The document; the members are in the order of evaluation.
  var json: JSON {
    var object = JSONObject()
    var requirements: [JSON] = []
    var confirmation = JSONObject()
    for rule in rules {
      switch rule.part {
      case .requirement:
        // Holds the place.
        if requirements.isEmpty { object["requires"] = .null }
        requirements.append(["if": rule.rule.json, "else": .string(rule.text ?? "")])
      case .explanation:
        if case .object(var requirement)? = requirements.popLast() {
          requirement["else"] = ["rule": rule.rule.json]
          requirements.append(.object(requirement))
        }
      case .needsConfirmation: confirmation["if"] = rule.rule.json
      case .confirmationTitle: confirmation["title"] = rule.rule.json
      case .confirmationMessage: confirmation["message"] = rule.rule.json
      case .confirmationButton: confirmation["button"] = rule.rule.json
      default: object[rule.part.rawValue] = rule.rule.json
      }
    }
    if !requirements.isEmpty { object["requires"] = .array(requirements) }
    if !confirmation.isEmpty { object["confirmation"] = .object(confirmation) }
    return .object(object)
  }
}

extension Read {
  /// Reads preconditions (W1): `[{"if": "size(state.selection) > 0", "else": "Select a photo first."}]`. A rule
  /// for the words is `{"rule": "…"}`.
  fileprivate static func requirements(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [ItemRule]? {
    guard case .array(let elements) = json else {
      return refuse(.array, json, at: pointer, log: log)
    }
    return elements.enumerated().flatMap { index, element in
      requirement(index, element, at: pointer.appending(index), log: log)
    }
  }

  private static func requirement(
    _ index: Int, _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [ItemRule] {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return [] }
    let condition = reader.required("if", boolRule)
    let words = reader.required("else", words)
    reader.finish()
    guard let condition, let words else { return [] }
    switch words {
    case .text(let text):
      return [ItemRule(part: .requirement, rule: condition, requirement: index, text: text)]
    case .rule(let rule):
      return [
        ItemRule(part: .requirement, rule: condition, requirement: index),
        ItemRule(part: .explanation, rule: rule, requirement: index),
      ]
    }
  }

  private enum Words {
    case text(String)
    case rule(Rule)
  }

  private static func words(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Words? {
    if case .string(let text) = json { return .text(text) }
    guard case .object = json, var reader = ObjectReader(json, at: pointer, log: log) else {
      return refuse(.words, json, at: pointer, log: log)
    }
    let rule = reader.required("rule", stringRule)
    reader.finish()
    return rule.map(Words.rule)
  }

  /// Reads the rules of a confirmation (W4): `{"if": "state.isEdited", "title": "'Discard the changes?'"}`.
  fileprivate static func confirmationRules(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [ItemRule]? {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    // A confirmation that never asks needs no question. A document has the rule as text.
    let isNeeded = ![false, "false"].contains(reader.json("if"))
    let rules = ItemPart.ofConfirmation.compactMap { part, name in
      (part == .confirmationTitle && isNeeded
        ? reader.required(name, part.readRule) : reader.member(name, part.readRule))
        .map { ItemRule(part: part, rule: $0) }
    }
    reader.finish()
    return rules
  }
}

extension Handler.Validation: Codable {
  /// Encodes each rule under the name of its part, and the preconditions as a list.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ItemPart.self)
    let requirements = rules.filter(\.isOfRequirement)
    if !requirements.isEmpty { try container.encode(requirements, forKey: .requirement) }
    for rule in rules where !rule.isOfRequirement {
      try container.encode(rule.rule, forKey: rule.part)
    }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ItemPart.self)
    var rules: [ItemRule] = []
    for part in ItemPart.allCases where part != .explanation {
      if part == .requirement {
        rules += try container.decodeIfPresent([ItemRule].self, forKey: part) ?? []
      } else if let rule = try container.decodeIfPresent(Rule.self, forKey: part) {
        rules.append(ItemRule(part: part, rule: rule))
      }
    }
    self.init(rules: rules)
  }
}

extension ItemRule {
  fileprivate var isOfRequirement: Bool { part == .requirement || part == .explanation }
}

/// The values that are passed to a handler's closure: those that rules read. They are valid for that call only.
public struct HandlerCall {
  /// The action.
  public let action: Selector
  /// The arguments after target and selector: by default the sender, then nulls. Empty except in `perform`.
  public let arguments: [JSON]
  /// The parameters of the performed command (P2). In other closures, those of an item from data (M12), or none (P3).
  public var parameters: JSONObject { context.parameters }
  /// The command that is validated or performed; nil for an action.
  public var command: Command? { context.sender?.command }
  /// The session's state.
  public var state: JSON { context.state }
  /// The responder as rules see it: an object with `id`, `kind`, `class` and `properties`.
  public var responder: JSON { context.value(of: .responder) }
  /// The sender, as rules see it; null for none.
  public var sender: JSON { context.value(of: .sender) }

  private let context: RuleContext

  init(_ action: Selector, in context: RuleContext) {
    self.action = action
    arguments = context.arguments
    self.context = context
  }
}

/// The appearance of an item, for a closure to change (M5), as `validateCommand:` changes a `UICommand`.
public struct ItemAppearance: Equatable, Sendable {
  /// The title of the item.
  public var title: String
  /// A second line.
  public var subtitle: String?
  /// The name of an image.
  public var image: String?
  /// The title in a list of key commands.
  package var discoverabilityTitle: String?
  /// The attributes; with `disabled` the item cannot be chosen.
  public var attributes: CommandAttributes
  /// The check mark.
  public var state: CommandState

  /// True if the item can be chosen: unless `attributes` has `disabled`.
  public var isEnabled: Bool {
    get { !attributes.contains(.disabled) }
    set { attributes.set(.disabled, to: !newValue) }
  }
}

extension ValidatedItem {
  var appearance: ItemAppearance {
    get {
      ItemAppearance(
        title: title, subtitle: subtitle, image: image,
        discoverabilityTitle: discoverabilityTitle, attributes: attributes, state: state)
    }
    set {
      title = newValue.title
      subtitle = newValue.subtitle
      image = newValue.image
      discoverabilityTitle = newValue.discoverabilityTitle
      attributes = newValue.attributes
      state = newValue.state
      isCheckable = isCheckable || state != .off
    }
  }
}
