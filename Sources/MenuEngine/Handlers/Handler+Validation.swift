import JSONText

extension Handler {
  /// The rules that change an item from how its command is declared (M5).
  public struct Validation: Equatable, Sendable {
    /// The rules that there are; nil for none. One word, since handlers are copied on every walk.
    let list: ItemRules?

    /// The rules that there are, in the order in which they are asked.
    var rules: [ItemRule] { list?.rules ?? [] }

    /// Sets or clears the attribute `disabled`.
    public var enabled: Rule? { self[.enabled] }
    /// The check mark: true, false, `"on"`, `"off"` or `"mixed"`.
    public var checked: Rule? { self[.checked] }
    /// The title.
    public var title: Rule? { self[.title] }
    /// The second line.
    public var subtitle: Rule? { self[.subtitle] }
    /// The name of the image.
    public var image: Rule? { self[.image] }
    /// The rule for the title in a list of key commands.
    public var discoverabilityTitle: Rule? { self[.discoverabilityTitle] }
    /// Sets or clears the attribute `hidden`.
    public var hidden: Rule? { self[.hidden] }
    /// Sets or clears the attribute `destructive`.
    public var destructive: Rule? { self[.destructive] }
    /// Sets or clears the attribute `keepsMenuPresented`.
    public var keepsMenuPresented: Rule? { self[.keepsMenuPresented] }

    /// No rules: items are as declared.
    static let none = Validation(rules: [])

    init(rules: [ItemRule]) { list = rules.isEmpty ? nil : ItemRules(rules) }

    /// True if both have the same rules.
    public static func == (left: Validation, right: Validation) -> Bool {
      left.list === right.list || left.rules == right.rules
    }

    /// The rule for a part of the item, if there is one.
    private subscript(part: ItemPart) -> Rule? { rules.first { $0.part == part }?.rule }
  }
}

/// The rules of one handler for its items, in the order in which they are asked.
///
/// An object, so that plans know a handler again by it.
final class ItemRules: Sendable {
  let rules: [ItemRule]
  /// True if one of them reads more than the state, so that each item has answers of its own.
  let isPersonal: Bool

  init(_ rules: [ItemRule]) {
    self.rules = rules
    isPersonal = !rules.allSatisfy(\.rule.readsStateOnly)
  }
}

extension ItemPart {
  /// The reader of its rule.
  fileprivate var readRule: (JSON, JSONPointer, FaultLog) -> Rule? {
    switch self {
    case .enabled, .hidden, .destructive, .keepsMenuPresented: Read.boolRule
    case .checked: Read.stateRule
    case .title, .subtitle, .image, .discoverabilityTitle: Read.stringRule
    }
  }
}

extension Handler.Validation {
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    self.init(
      rules: ItemPart.allCases.compactMap { part in
        reader.member(part.rawValue, part.readRule)
          .map { ItemRule(part: part, rule: $0) }
      })
    reader.finish()
  }

  var json: JSON {
    var object = JSONObject()
    for rule in rules { object[rule.part.rawValue] = rule.rule.json }
    return .object(object)
  }
}

extension Handler.Validation: Codable {
  /// Encodes each rule under the name of its part.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ItemPart.self)
    for rule in rules { try container.encode(rule.rule, forKey: rule.part) }
  }

  /// Decodes the rules that there are.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ItemPart.self)
    self.init(
      rules: try ItemPart.allCases.compactMap { part in
        try container.decodeIfPresent(Rule.self, forKey: part)
          .map { ItemRule(part: part, rule: $0) }
      })
  }
}
