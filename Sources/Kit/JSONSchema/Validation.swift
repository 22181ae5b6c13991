import JSONText
import Patterns

/// One validation of a value, with its faults.
struct Validation {
  typealias Exhaustion = ValueFault.Exhaustion

  let schema: Schema
  private(set) var remainingSteps: Int
  private(set) var faults = ValueFault.List()
  private var depth = 0
  /// The path from the root to the current part.
  private var path: [Step] = []
  /// True if only the result matters, so that the first fault ends the validation.
  private var isSilent = false

  private enum Step {
    case name(String)
    case index(Int)
  }

  /// Creates a validation of a value; `steps` is the number of steps already spent on a previous one.
  init(of schema: Schema, spent steps: Int = 0) {
    self.schema = schema
    remainingSteps = schema.limits.maximumSteps - steps
  }

  /// Returns true if `value` is valid; else records its faults, unless it is silent.
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

  /// As `meets`, for a member of the current value.
  mutating func meets(
    _ index: SubschemaIndex, memberNamed name: String, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    path.append(.name(name))
    defer { path.removeLast() }
    return try meets(index, value)
  }

  /// As `meets`, for an element of the current value.
  mutating func meets(
    _ index: SubschemaIndex, elementAt position: Int, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    path.append(.index(position))
    defer { path.removeLast() }
    return try meets(index, value)
  }

  /// As `meets`, without recording faults.
  mutating func silentlyMeets(
    _ index: SubschemaIndex, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    let wasSilent = isSilent
    isSilent = true
    defer { isSilent = wasSilent }
    return try meets(index, value)
  }

  /// As `meets`, for the name of a member; the faults are attributed to it.
  mutating func meets(_ index: SubschemaIndex, name: String) throws(Exhaustion) -> Bool {
    let before = faults
    guard try !meets(index, .string(name)) else { return true }
    let count = faults.count - before.count
    let reasons = faults.take(from: before).map(\.reason)
    for index in 0..<count {
      // Faults beyond the limit were not kept.
      let reason = reasons.indices.contains(index) ? reasons[index] : .nothingAllowed
      _ = note(.name(name, reason), at: name)
    }
    return false
  }

  /// Records a fault of the current value, or of a part of it; returns false.
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
    case .unknownChoices(let reason): return note(.unknownChoices(reason))
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

/// The demands on arrays and objects, and those that combine schemas.
extension Validation {
  mutating func hasUniqueElements(_ value: JSON) throws(Exhaustion) -> Bool {
    guard case .array(let elements) = value else { return true }
    var positions: [JSON: Int] = [:]
    var isUnique = true
    for (position, element) in elements.enumerated() {
      try spend(Self.costOfEntry + element.work)
      if let first = positions[element] {
        isUnique = note(.repeatedElement(first), at: position.description)
      } else {
        positions[element] = position
      }
    }
    return isUnique
  }

  /// The number of steps of finding and adding a value in a dictionary, besides hashing it.
  private static let costOfEntry = 6

  mutating func meetsElements(
    _ prefix: [SubschemaIndex], rest: SubschemaIndex?, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    guard case .array(let elements) = value else { return true }
    var isMet = true
    for (position, element) in elements.enumerated() {
      guard let index = position < prefix.count ? prefix[position] : rest else { break }
      if try !meets(index, elementAt: position, element) { isMet = false }
    }
    return isMet
  }

  mutating func contains(
    _ index: SubschemaIndex, atLeast least: Int, atMost most: Int, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    guard case .array(let elements) = value else { return true }
    var count = 0
    for element in elements where try silentlyMeets(index, element) { count += 1 }
    if count < least { return note(.contained(.atLeast, least, found: count)) }
    return count <= most || note(.contained(.atMost, most, found: count))
  }

  mutating func hasMembers(_ names: [String], _ value: JSON) throws(Exhaustion) -> Bool {
    guard case .object(let object) = value else { return true }
    return try hasMembers(names, object)
  }

  mutating func hasDependentMembers(
    _ dependent: [(name: String, names: [String])], _ value: JSON
  ) throws(Exhaustion) -> Bool {
    guard case .object(let object) = value else { return true }
    var isMet = true
    for (name, names) in dependent {
      try spend(1)
      guard object[name] != nil else { continue }
      if try !hasMembers(names, object, because: name) { isMet = false }
    }
    return isMet
  }

  private mutating func hasMembers(
    _ names: [String], _ object: JSONObject, because reason: String? = nil
  ) throws(Exhaustion) -> Bool {
    try spend(names.count)
    var isMet = true
    for name in names where object[name] == nil {
      isMet = note(.missingMember(name, because: reason))
    }
    return isMet
  }

  mutating func meetsMembers(
    _ schemas: MemberSchemas, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    guard case .object(let object) = value else { return true }
    var isMet = true
    for member in object where try !meetsMember(schemas, member) {
      isMet = false
    }
    return isMet
  }

  private mutating func meetsMember(
    _ schemas: MemberSchemas, _ member: JSONObject.Member
  ) throws(Exhaustion) -> Bool {
    let (name, value) = (member.name, member.value)
    try spend(1 + name.utf8.count / 16)
    var isMet = true
    var isKnown = false
    if let position = schemas.properties.position(of: name) {
      isKnown = true
      isMet = try meets(schemas.schemas[position], memberNamed: name, value)
    }
    for (pattern, index) in schemas.patterns where try isFound(pattern, in: name) {
      isKnown = true
      if try !meets(index, memberNamed: name, value) { isMet = false }
    }
    guard !isKnown, let additional = schemas.additional else { return isMet }
    if case .nothing? = schema.subschemas[additional].demands.first {
      return note(.unknownMember(name, known: schemas.names), at: name)
    }
    return try meets(additional, memberNamed: name, value)
  }

  mutating func meetsNames(_ index: SubschemaIndex, _ value: JSON) throws(Exhaustion) -> Bool {
    guard case .object(let object) = value else { return true }
    var isMet = true
    for member in object where try !meets(index, name: member.name) { isMet = false }
    return isMet
  }

  mutating func meetsDependent(
    _ schemas: [(name: String, schema: SubschemaIndex)], _ value: JSON
  ) throws(Exhaustion) -> Bool {
    guard case .object(let object) = value else { return true }
    var isMet = true
    for (name, index) in schemas {
      try spend(1)
      guard object[name] != nil else { continue }
      if try !meets(index, value) { isMet = false }
    }
    return isMet
  }

  mutating func meetsAll(_ indexes: [SubschemaIndex], _ value: JSON) throws(Exhaustion) -> Bool {
    var isMet = true
    for index in indexes where try !meets(index, value) { isMet = false }
    return isMet
  }

  mutating func meetsAny(_ indexes: [SubschemaIndex], _ value: JSON) throws(Exhaustion) -> Bool {
    // The faults of a single schema are more informative than that of `anyOf`.
    if indexes.count == 1 { return try meets(indexes[0], value) }
    for index in indexes where try silentlyMeets(index, value) { return true }
    return note(.noneOf(indexes.count))
  }

  mutating func meetsOne(_ indexes: [SubschemaIndex], _ value: JSON) throws(Exhaustion) -> Bool {
    if indexes.count == 1 { return try meets(indexes[0], value) }
    var count = 0
    for index in indexes where try silentlyMeets(index, value) { count += 1 }
    return count == 1 || note(.notOneOf(indexes.count, found: count))
  }
}

/// The demands on values of any type, numbers and strings.
extension Validation {
  mutating func isEqual(
    to constant: SizedValue, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    try spend(constant.work)
    return value == constant.value || note(.notEqual(constant.value, found: value))
  }

  mutating func isListed(
    in list: ListedValues, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    try spend(value.work)
    return list.contains(value) || note(.notListed(list.values, found: value))
  }

  mutating func isWithin(
    _ bound: NumberBound, limit: JSON, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    guard let number = Number(value), let other = Number(limit) else { return true }
    if bound == .multipleOf { try spend(Number.costOfDivision) }
    let isWithin =
      switch bound {
      case .minimum: !(number < other)
      case .maximum: !(other < number)
      case .exclusiveMinimum: other < number
      case .exclusiveMaximum: number < other
      case .multipleOf: number.isMultiple(of: other)
      }
    return isWithin || note(.number(bound, limit, found: value))
  }

  mutating func isWithin(
    _ bound: CountBound, limit: Int, of counted: Counted, _ value: JSON
  ) throws(Exhaustion) -> Bool {
    let count: Int
    switch (counted, value) {
    case (.characters, .string(let string)):
      try spend(string.utf8.count / 16)
      count = string.unicodeScalars.count
    case (.elements, .array(let elements)): count = elements.count
    case (.members, .object(let object)): count = object.count
    case (.characters, _), (.elements, _), (.members, _): return true
    }
    return bound.includes(count, limit) || note(.count(bound, limit, of: counted, found: count))
  }

  mutating func matches(_ pattern: SourcedPattern, _ value: JSON) throws(Exhaustion) -> Bool {
    guard case .string(let string) = value else { return true }
    return try isFound(pattern, in: string) || note(.noMatch(pattern.source, found: string))
  }

  /// Returns true if a part of a string matches.
  mutating func isFound(_ pattern: SourcedPattern, in string: String) throws(Exhaustion) -> Bool {
    try spend(pattern.pattern.work(on: string))
    return pattern.pattern.matches(string)
  }
}

extension CountBound {
  func includes(_ count: Int, _ limit: Int) -> Bool {
    switch self {
    case .atLeast: count >= limit
    case .atMost: count <= limit
    }
  }
}
