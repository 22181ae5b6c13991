public import JSONText

/// Where in the session's state an effect changes something.
public enum StatePlace: Equatable, Sendable {
  /// Always at the same place.
  case constant(JSONPointer)
  /// At the place that a rule answers, as a JSON Pointer.
  case computed(Rule)
}

extension StatePlace {
  /// The rule that answers the place, unless it is always the same.
  var rule: Rule? {
    switch self {
    case .constant: nil
    case .computed(let rule): rule
    }
  }

  /// The place as a member of a document: `path`, or `pathRule` for a rule.
  func member(_ name: String) -> (String, JSON?) {
    switch self {
    case .constant(let pointer): (name, pointer.json)
    case .computed(let rule): (Self.ruleMember(name), rule.json)
    }
  }

  fileprivate static func ruleMember(_ name: String) -> String { name + "Rule" }
}

extension ObjectReader {
  /// The place in a member such as `path`, or the rule for it in `pathRule`; exactly one of them is
  /// there.
  mutating func place(_ name: String) -> StatePlace? {
    let ruleName = StatePlace.ruleMember(name)
    guard json(ruleName) != nil else {
      return required(name, Read.pointer).map(StatePlace.constant)
    }
    guard json(name) == nil else {
      log.note(.conflictingMembers(name, ruleName), at: pointer)
      return nil
    }
    return required(ruleName, Read.stringRule).map(StatePlace.computed)
  }
}

extension EffectScope {
  /// The place that an effect means; `member` is the one that it is called in a document.
  func pointer(_ place: StatePlace, _ member: String) throws(MutationFault) -> JSONPointer {
    switch place {
    case .constant(let pointer): pointer
    case .computed(let rule):
      try name(rule, StatePlace.ruleMember(member), .pointer) { try? JSONPointer(parsing: $0) }
    }
  }
}

extension StatePlace: Codable {
  private enum CodingKeys: CodingKey {
    case rule
  }

  /// Encodes a constant place as its pointer alone, as it was before there were rules for places.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .constant(let pointer): try pointer.encode(to: encoder)
    case .computed(let rule):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(rule, forKey: .rule)
    }
  }

  /// Decodes a pointer, or a rule for one.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .computed(try container.decode(Rule.self, forKey: .rule))
    } else {
      self = .constant(try JSONPointer(from: decoder))
    }
  }
}
