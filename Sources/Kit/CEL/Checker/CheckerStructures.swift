/// Selections, literals, choices and comprehensions.
extension Checker {
  // MARK: Selections

  /// Returns the type of a selection; a selection from an optional is optional.
  mutating func selection(of field: String, from operand: NodeID, at id: NodeID) -> StaticType {
    if resolved(operand).name == "optional_type" {
      return optionalSelection(of: field, from: operand, at: id)
    }
    return self.field(field, of: types[operand], at: id)
  }

  /// Returns the type of an optional selection; an optional operand is unwrapped first.
  mutating func optionalSelection(
    of field: String, from operand: NodeID, at id: NodeID
  ) -> StaticType {
    let type = resolved(operand)
    let isOptional = type.name == "optional_type"
    return .optional(self.field(field, of: isOptional ? type.wrapped : type, at: id))
  }

  mutating func presence(of field: String, in operand: NodeID, at id: NodeID) -> StaticType {
    _ = selection(of: field, from: operand, at: id)
    return .bool
  }

  private mutating func field(_ name: String, of type: StaticType, at id: NodeID) -> StaticType {
    if type.name == "map" { return type.arguments.last ?? .dyn }
    if type.isVariable { _ = unification.isAssignable([.dyn], to: [type]) }
    if !type.isDyn, !type.isVariable { note(.noSuchOverload("." + name, [type]), at: id) }
    return .dyn
  }

  mutating func unwrapped(_ operand: NodeID, at id: NodeID) -> StaticType {
    require(.optional(unification.makeVariable()), operand, for: "?", at: id)
    let type = resolved(operand)
    return type.name == "optional_type" ? type.wrapped : .dyn
  }

  // MARK: Literals

  /// Returns the common type of all elements, or a variable without elements.
  mutating func joined(_ elements: [NodeID]) -> StaticType {
    guard let first = elements.first else { return unification.makeVariable() }
    var type = resolved(first)
    for element in elements.dropFirst() where type != .dyn {
      type = unification.joined(type, resolved(element))
    }
    return type
  }

  mutating func map(_ entries: [SyntaxTree.Entry]) -> StaticType {
    for entry in entries {
      let key = resolved(entry.key)
      if let name = key.name, Self.notKeys.contains(name) {
        note(.unsupportedKey(key), at: entry.key)
      }
    }
    return .map(joined(entries.map(\.key)), joined(entries.map(\.value)))
  }

  private static let notKeys = Set([
    "null_type", "double", "bytes", "list", "map", "type", "optional_type",
    "google.protobuf.Timestamp", "google.protobuf.Duration",
  ])

  // MARK: Choices

  mutating func logical(_ operation: LogicalOperator, _ operands: [NodeID]) -> StaticType {
    for operand in operands { require(.bool, operand, for: operation.rawValue, at: operand) }
    return .bool
  }

  mutating func choice(
    by condition: NodeID, between first: NodeID, and second: NodeID
  ) -> StaticType {
    require(.bool, condition, for: "?:", at: condition)
    let result = unification.makeVariable()
    let branches = [resolved(first), resolved(second)]
    if unification.isAssignable(branches, to: [result, result]) { return result }
    return unification.joined(branches[0], branches[1])
  }

  // MARK: Comprehensions

  /// Returns the types of keys, values, and the variable of a macro with one; nil if there can be no elements.
  mutating func elements(
    of comprehension: Comprehension
  ) -> (key: StaticType, value: StaticType, single: StaticType)? {
    let type = resolved(comprehension.source)
    if comprehension.kind == .bind { return (.dyn, type, type) }
    if type.isVariable { _ = unification.isAssignable([.dyn], to: [type]) }
    if type.isDyn || type.isVariable { return (.dyn, .dyn, .dyn) }
    let isOverOptional = comprehension.kind == .optMap || comprehension.kind == .optFlatMap
    let element = type.arguments.last ?? .dyn
    switch type.name {
    case "list" where !isOverOptional: return (.int, element, element)
    case "map" where !isOverOptional && comprehension.kind != .sortBy:
      return (type.arguments.first ?? .dyn, element, type.arguments.first ?? .dyn)
    case "optional_type" where isOverOptional: return (.dyn, element, element)
    default: return nil
    }
  }

  mutating func comprehension(_ macro: Comprehension, at id: NodeID) -> StaticType {
    guard let elements = elements(of: macro) else {
      note(
        .noSuchOverload(macro.kind.rawValue, [resolved(macro.source)]), at: id, .range(macro.kind))
      return .dyn
    }
    if let condition = macro.condition {
      require(.bool, condition, for: macro.kind.rawValue, at: condition)
    }
    switch macro.kind {
    case .all, .exists, .existsOne, .filter:
      require(.bool, macro.body, for: macro.kind.rawValue, at: macro.body)
      return macro.kind == .filter ? .list(elements.single) : .bool
    case .map, .transformList: return .list(resolved(macro.body))
    case .sortBy: return .list(elements.single)
    case .bind: return resolved(macro.body)
    case .transformMapEntry:
      let wanted = StaticType.map(unification.makeVariable(), unification.makeVariable())
      require(wanted, macro.body, for: macro.kind.rawValue, at: macro.body)
      let type = resolved(macro.body)
      return type.name == "map" ? type : .map(.dyn, .dyn)
    case .transformMap: return .map(elements.key, resolved(macro.body))
    case .optMap: return .optional(resolved(macro.body))
    case .optFlatMap:
      let wanted = StaticType.optional(unification.makeVariable())
      require(wanted, macro.body, for: macro.kind.rawValue, at: macro.body)
      let type = resolved(macro.body)
      return type.name == "optional_type" ? type : .optional(.dyn)
    }
  }
}

extension StaticType {
  /// The type of the value in an optional.
  fileprivate var wrapped: StaticType { arguments.first ?? .dyn }
}
