import JSONText

/// One check of a value by a schema, and its faults.
struct Validation {
  typealias Exhaustion = ValueFault.Exhaustion

  let schema: Schema
  private(set) var remainingSteps: Int
  private(set) var faults = ValueFault.List()
  private var depth = 0
  /// The way from the whole value to the part that is looked at.
  private var path: [Step] = []
  /// True while only a yes or no is wanted, so that the first fault ends the check.
  private var isSilent = false

  private enum Step {
    case name(String)
    case index(Int)
  }

  init(of schema: Schema) {
    self.schema = schema
    remainingSteps = schema.limits.maximumSteps
  }

  /// Returns true if `value` meets a schema; else notes its faults, unless it is silent.
  mutating func meets(_ index: SubschemaIndex, _ value: JSON) throws(Exhaustion) -> Bool {
    guard depth < schema.limits.maximumDepth else {
      throw .depth(limit: schema.limits.maximumDepth)
    }
    depth += 1
    defer { depth -= 1 }
    try spend(1)
    var isMet = true
    for demand in schema.subschemas[index].demands {
      try spend(1)
      if try meets(demand, value) { continue }
      isMet = false
      if isSilent { break }
    }
    return isMet
  }

  /// As `meets`, for a part of the value that is looked at.
  mutating func meets(
    _ index: SubschemaIndex, memberNamed name: String, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    path.append(.name(name))
    defer { path.removeLast() }
    return try meets(index, value)
  }

  /// As `meets`, for an element of the value that is looked at.
  mutating func meets(
    _ index: SubschemaIndex, elementAt position: Int, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    path.append(.index(position))
    defer { path.removeLast() }
    return try meets(index, value)
  }

  /// As `meets`, but without noting faults.
  mutating func silentlyMeets(
    _ index: SubschemaIndex, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    let wasSilent = isSilent
    isSilent = true
    defer { isSilent = wasSilent }
    return try meets(index, value)
  }

  /// As `meets`, for the name of a member, to which the faults are noted.
  mutating func meets(_ index: SubschemaIndex, name: String) throws(Exhaustion) -> Bool {
    let before = faults
    guard try !meets(index, .string(name)) else { return true }
    let count = faults.count - before.count
    let reasons = faults.take(from: before).map(\.reason)
    for index in 0..<count {
      // Those that were not kept are not kept now either.
      let reason = reasons.indices.contains(index) ? reasons[index] : .nothingAllowed
      _ = note(.name(name, reason), at: name)
    }
    return false
  }

  /// Notes a fault of the value that is looked at, or of a part of it; returns false.
  mutating func note(_ reason: ValueFault.Reason, at part: String? = nil) -> Bool {
    guard !isSilent else { return false }
    let fault = ValueFault(reason, at: place(of: part))
    faults.note(fault)
    return false
  }

  private func place(of part: String?) -> JSONPointer {
    let tokens = path.map { step in
      switch step {
      case .name(let name): name
      case .index(let index): index.description
      }
    }
    return JSONPointer(tokens + [part].compactMap(\.self))
  }

  mutating func spend(_ steps: Int) throws(Exhaustion) {
    remainingSteps -= min(steps, remainingSteps + 1)
    guard remainingSteps >= 0 else { throw .steps(limit: schema.limits.maximumSteps) }
  }
}

extension Validation {
  private mutating func meets(_ demand: Demand, _ value: JSON) throws(Exhaustion) -> Bool {
    switch demand {
    case .nothing: return note(.nothingAllowed)
    case .reference(let index): return try meets(index, value)
    case .types(let types):
      return types.contains { $0.includes(value) } || note(.type(types, found: value))
    case .constant(let constant): return try isEqual(to: constant, value)
    case .listed(let values): return try isListed(in: values, value)
    case .number(let bound, let limit): return try isWithin(bound, limit: limit, value)
    case .count(let bound, let limit, let counted):
      return try isWithin(bound, limit: limit, of: counted, value)
    case .pattern(let pattern): return try matches(pattern, value)
    case .uniqueElements: return try hasUniqueElements(value)
    case .elements(let prefix, let rest): return try meetsElements(prefix, rest: rest, value)
    case .contained(let index, let least, let most):
      return try contains(index, atLeast: least, atMost: most, value)
    case .required(let names): return try hasMembers(names, value)
    case .dependentRequired(let dependent): return try hasDependentMembers(dependent, value)
    case .members(let members): return try meetsMembers(members, value)
    case .names(let index): return try meetsNames(index, value)
    case .dependentSchemas(let schemas): return try meetsDependent(schemas, value)
    case .all(let indexes): return try meetsAll(indexes, value)
    case .any(let indexes): return try meetsAny(indexes, value)
    case .one(let indexes): return try meetsOne(indexes, value)
    case .not(let index): return try !silentlyMeets(index, value) || note(.excluded)
    case .conditional(let condition, let then, let otherwise):
      let branch = try silentlyMeets(condition, value) ? then : otherwise
      guard let branch else { return true }
      return try meets(branch, value)
    }
  }
}
