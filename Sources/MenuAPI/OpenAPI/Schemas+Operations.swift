import MenuEngine

/// The schemas of mutations and effects, which follow from the tables of operations.
extension Schemas {
  /// One schema for each mutation and each effect.
  static let ofOperations: [(name: String, text: String)] =
    OperationDescription.mutations.map { ($0.name(as: "Mutation"), $0.schema()) }
    + OperationDescription.effects.map {
      ($0.name(as: "Effect"), $0.schema(besides: [("when", "BoolRule")]))
    }

  /// One of several operations.
  static func union(of operations: [OperationDescription], called suffix: String) -> String {
    union(of: operations.map { ($0.op, $0.name(as: suffix)) }, by: "op")
  }
}

extension OperationDescription {
  /// The name of its schema.
  fileprivate func name(as suffix: String) -> String {
    op.prefix(1).uppercased() + op.dropFirst() + suffix
  }

  /// The schema of its documents.
  fileprivate func schema(besides others: [(name: String, schema: String)] = []) -> String {
    let required = members.filter(\.isRequired)
    let sorted = required + members.filter { !$0.isRequired }
    let names = (["op"] + required.map(\.name)).map { "\"\($0)\"" }.joined(separator: ",")
    let properties = (sorted.map { ($0.name, $0.schema) } + others).map { name, schema in
      ",\"\(name)\":{\"$ref\":\"#/components/schemas/\(schema)\"}"
    }
    return """
      {"type":"object","description":"\(about)","additionalProperties":false,"required":[\(names)],
       \(rules.map { $0 + "," }.joined())
       "properties":{"op":{"const":"\(op)"}\(properties.joined())}}
      """
  }

  /// The keywords of its constraints.
  private var rules: [String] {
    let exclusive = constraints.compactMap { constraint -> (String, String)? in
      if case .exactlyOne(let one, let other) = constraint { (one, other) } else { nil }
    }
    // A `not`, since tools that generate clients read no `allOf` beside `properties`.
    let exclusions =
      exclusive.count > 1
      ? [Schemas.exactlyOne(ofEach: exclusive)]
      : exclusive.map { Schemas.exactlyOne(of: $0, $1) }
    return exclusions
      + constraints.compactMap { constraint in
        switch constraint {
        case .exactlyOne: nil
        case .atLeastOne(let one, let other): Schemas.atLeastOne(of: one, other)
        case .only(let one, with: let other): #""dependentRequired":{"\#(one)":["\#(other)"]}"#
        }
      }
  }
}

extension Schemas {
  /// Members of a schema by which an object has exactly one of each two members.
  fileprivate static func exactlyOne(ofEach pairs: [(String, String)]) -> String {
    let both = pairs.map { #"{"required":["\#($0)","\#($1)"]}"# }
    let neither = pairs.map {
      #"{"not":{"anyOf":[{"required":["\#($0)"]},{"required":["\#($1)"]}]}}"#
    }
    return #""not":{"anyOf":[\#((both + neither).joined(separator: ","))]}"#
  }
}
