public import JSONText

/// Where in the session's state an effect changes something.
public enum StatePlace: Equatable, Sendable {
  /// Always at the same place.
  case constant(JSONPointer)
  /// At the place that a rule answers, as a JSON Pointer or as the list of its tokens, which are escaped.
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
    switch (json(name), json(ruleName)) {
    case (nil, nil):
      log.note(.missingMember(name, orElse: [ruleName]), at: pointer)
      return nil
    case (let json?, nil):
      return Read.pointer(json, place(of: name), log).map(StatePlace.constant)
    case (nil, let json?):
      return Read.placeRule(reading: json, at: place(of: ruleName), log: log)
        .map(StatePlace.computed)
    case (_?, _?):
      log.note(.conflictingMembers(name, ruleName), at: pointer)
      return nil
    }
  }
}

extension EffectScope {
  /// The place that an effect means; `member` is the one that it is called in a document.
  func pointer(_ place: StatePlace, _ member: String) throws(MutationFault) -> JSONPointer {
    switch place {
    case .constant(let pointer): return pointer
    case .computed(let rule):
      let member = StatePlace.ruleMember(member)
      let json = try json(rule, member)
      guard case .array(let tokens) = json else {
        return try name(json, of: rule, member, .pointer) { try? JSONPointer(parsing: $0) }
      }
      let texts = tokens.compactMap(\.token)
      guard texts.count == tokens.count else { throw fault(rule, member, json, .pointer) }
      return JSONPointer(texts)
    }
  }
}

extension JSON {
  /// The token of a JSON Pointer that it is: a name or an index.
  fileprivate var token: String? {
    switch self {
    case .string(let name): name
    case .int(let index): "\(index)"
    case .null, .bool, .double, .array, .object: nil
    }
  }
}

extension StatePlace {
  /// The place that every place lies in that a rule can answer, as far as it begins with literals: `/o` of
  /// `'/o/' + state.id` and of `['o', state.id]`. The root if it begins otherwise.
  static func beginning(of rule: String) -> JSONPointer {
    var rest = rule[...].drop(while: \.isWhitespace)
    guard rest.first == "[" else {
      let literal = literal(&rest) ?? ""
      guard rest.isEmpty || rest.first == "+", !rule.contains("?") else { return .root }
      // The last token may go on.
      let tokens = literal.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      return (try? JSONPointer(parsing: tokens.joined(separator: "/"))) ?? .root
    }
    var tokens: [String] = []
    while rest.first == "[" || rest.first == "," {
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      guard let token = literal(&rest), rest.first == "," || rest.first == "]" else { break }
      tokens.append(token)
    }
    return JSONPointer(tokens)
  }

  /// Takes a string literal without escapes, and the space after it.
  private static func literal(_ rest: inout Substring) -> String? {
    guard let quote = rest.first, quote == "'" || quote == "\"" else { return nil }
    let text = rest.dropFirst().prefix { $0 != quote }
    guard !text.contains("\\"), !text.isEmpty else { return nil }
    rest = rest.dropFirst(text.count + 2).drop(while: \.isWhitespace)
    return String(text)
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
