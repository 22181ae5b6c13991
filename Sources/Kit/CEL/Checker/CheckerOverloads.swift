/// Finds the overloads of an operator or function that fit its arguments.
extension Checker {
  mutating func result(of operation: String, _ operands: [NodeID], at id: NodeID) -> StaticType {
    let all = Signatures.operators.named(operation, count: operands.count)
    return result(of: operation, all, operands, at: id)
  }

  /// The type of the result, which is `dyn` where it depends on which of several overloads it is.
  mutating func result(
    of operation: String, _ all: [Signature], _ operands: [NodeID], at id: NodeID
  ) -> StaticType {
    let arguments = operands.map { resolved($0) }
    if let result = result(all, arguments) { return result }
    if let result = result(all, alike(arguments, operation)) { return result }
    note(.noSuchOverload(operation, arguments), at: id, .overloads(nearest(all, to: arguments)))
    return .dyn
  }

  /// The overloads that fit an argument, or where that is a container the container; else all.
  private func nearest(_ all: [Signature], to arguments: [StaticType]) -> [Signature] {
    let isLookup = all.first?.name.hasPrefix("[") == true
    let near = all.filter { signature in
      zip(signature.parameters, arguments).prefix(isLookup ? 1 : 2)
        .contains { $0.name != nil && $0.name == $1.name }
    }
    return near.isEmpty ? all : near
  }

  private mutating func result(_ all: [Signature], _ arguments: [StaticType]) -> StaticType? {
    var result: StaticType?
    for signature in all {
      let (parameters, answer) = unification.instance(of: signature)
      guard unification.isAssignable(arguments, to: parameters) else { continue }
      let type = unification.resolved(answer)
      result = result == nil || result == type ? type : .dyn
    }
    return result
  }

  /// The arguments, where numbers have one type for operations that go by their values.
  private func alike(_ arguments: [StaticType], _ operation: String) -> [StaticType] {
    switch operation {
    case "==", "!=", "in": arguments.map(\.withOneNumber)
    case "[]", "[?]": [arguments[0].withOneKey, arguments[1].withOneNumber]
    default: arguments
    }
  }

  /// Notes an operand that cannot be `type`.
  mutating func require(
    _ type: StaticType, _ operand: NodeID, for operation: String, at id: NodeID
  ) {
    let found = resolved(operand)
    if unification.isAssignable([found], to: [type]) { return }
    note(.noSuchOverload(operation, [found]), at: id, .wanted(type))
  }
}

extension StaticType {
  /// The type where every kind of number is an int.
  fileprivate var withOneNumber: StaticType {
    self == .uint || self == .double ? .int : StaticType(head, arguments.map(\.withOneNumber))
  }

  /// The type of a map, or an optional of one, where every kind of number is an int as a key.
  fileprivate var withOneKey: StaticType {
    switch (name, arguments.count) {
    case ("map", 2): .map(arguments[0].withOneNumber, arguments[1])
    case ("optional_type", 1): .optional(arguments[0].withOneKey)
    default: self
    }
  }
}
