import CEL
import JSONText

/// A part of an item that a rule decides (M5), in the order in which the rules are asked.
enum ItemPart: String, CaseIterable, CodingKey, Sendable {
  case enabled
  case checked
  case title
  case subtitle
  case image
  case discoverabilityTitle
  case hidden
  case destructive
  case keepsMenuPresented

  /// True if it is a text; else it is a truth value, or the check mark, which can be one.
  var isText: Bool {
    switch self {
    case .title, .subtitle, .image, .discoverabilityTitle: true
    case .enabled, .checked, .hidden, .destructive, .keepsMenuPresented: false
    }
  }

  /// The place of the rule in its handler.
  var place: String {
    switch self {
    case .enabled: "validate/enabled"
    case .checked: "validate/checked"
    case .title: "validate/title"
    case .subtitle: "validate/subtitle"
    case .image: "validate/image"
    case .discoverabilityTitle: "validate/discoverabilityTitle"
    case .hidden: "validate/hidden"
    case .destructive: "validate/destructive"
    case .keepsMenuPresented: "validate/keepsMenuPresented"
    }
  }
}

/// A rule and what of an item it decides.
struct ItemRule: Equatable, Sendable {
  let part: ItemPart
  let rule: Rule
}

/// The answer of a rule for a part of an item.
enum PartAnswer: Sendable {
  case bool(Bool)
  case state(CommandState)
  case text(String)

  /// The answer that the value of a rule for a part is; nil for one that says nothing about the part.
  init?(_ value: Value, for part: ItemPart) {
    if case .bool(let bool) = value, !part.isText {
      self = part == .checked ? .state(bool ? .on : .off) : .bool(bool)
    } else if case .string(let text) = value, part.isText {
      self = .text(text)
    } else {
      return nil
    }
  }
}

extension RuleContext {
  /// Returns the answer of a rule for a part of an item.
  func answer(of rule: Rule, for part: ItemPart) throws(RuleFault) -> PartAnswer {
    switch part {
    case .enabled, .hidden, .destructive, .keepsMenuPresented:
      .bool(try bool(rule, at: part.place))
    case .checked: .state(try state(rule, at: part.place))
    case .title, .subtitle, .image, .discoverabilityTitle:
      .text(try string(rule, at: part.place))
    }
  }
}

extension ValidatedItem {
  /// Changes a part of it as its rule says.
  mutating func apply(_ answer: PartAnswer, to part: ItemPart) {
    switch answer {
    case .state(let state): (self.state, isCheckable) = (state, true)
    case .text(let text): apply(text, to: part)
    case .bool(let bool): apply(bool, to: part)
    }
  }

  private mutating func apply(_ text: String, to part: ItemPart) {
    switch part {
    case .title: title = text
    case .subtitle: subtitle = text
    case .image: image = text
    case .discoverabilityTitle: discoverabilityTitle = text
    case .enabled, .checked, .hidden, .destructive, .keepsMenuPresented:
      preconditionFailure("\(part) is no text")
    }
  }

  private mutating func apply(_ bool: Bool, to part: ItemPart) {
    switch part {
    case .enabled: attributes.set(.disabled, to: !bool)
    case .hidden: attributes.set(.hidden, to: bool)
    case .destructive: attributes.set(.destructive, to: bool)
    case .keepsMenuPresented: attributes.set(.keepsMenuPresented, to: bool)
    case .checked, .title, .subtitle, .image, .discoverabilityTitle:
      preconditionFailure("\(part) is no truth value")
    }
  }
}
