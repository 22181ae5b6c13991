// Literals make values readable in code and tests: `["rating": 5, "tags": ["a", nil]]`.

extension JSON: ExpressibleByNilLiteral {
  /// Null.
  public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// A bool.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// An int.
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension JSON: ExpressibleByFloatLiteral {
  /// A double, also when it is integral.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension JSON: ExpressibleByStringInterpolation {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// An object with the members in the order written; names must be unique.
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(JSONObject(unique: members))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with the members in the order written; names must be unique.
  public init(dictionaryLiteral members: (String, JSON)...) { self.init(unique: members) }

  fileprivate init(unique members: [(String, JSON)]) {
    self.init()
    reserveCapacity(members.count)
    for (name, value) in members {
      let isNew = append(Member(name: name, value: value))
      precondition(isNew, "A JSON literal has two members of one name.")
    }
  }
}
