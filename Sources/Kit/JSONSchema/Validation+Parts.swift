import JSONText

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

  /// The steps that a dictionary takes to find and add a value, without looking at it.
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
    // Of a single schema the faults say more than that it is not met.
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
