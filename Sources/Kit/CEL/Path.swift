import JSONText

// The parts of the variables that a program reads, as places in an object of the variables: the name of a variable, and
// the names and indexes selected from it.

extension Code {
  /// Returns the paths read, without duplicates, in source order.
  func paths(_ variables: [String]) -> [JSONPointer] {
    distinct(readings(variables).map { JSONPointer($0.steps) })
  }

  /// Returns the paths without which a part of the program fails, without duplicates, in source order. Paths that the
  /// program tests with `has`, `in` or an optional selection are omitted.
  func requiredPaths(_ variables: [String]) -> [JSONPointer] {
    let readings = readings(variables)
    let tested = readings.compactMap { $0.tested.map(JSONPointer.init(_:)) }
    let required = readings.map { JSONPointer(Array($0.steps.prefix($0.required))) }
    return distinct(required).filter { path in !tested.contains { $0.contains(path) } }
  }

  private func distinct(_ paths: [JSONPointer]) -> [JSONPointer] {
    var known: Set<JSONPointer> = []
    return paths.filter { known.insert($0).inserted }
  }

  /// A use of a variable.
  private struct Reading {
    var steps: [String]
    /// The number of steps that must exist.
    var required: Int { firstTested ?? steps.count }
    /// The first step that may be absent.
    var firstTested: Int?
    /// The tested path, if any.
    var tested: [String]?

    /// Records that the next step may be absent.
    mutating func test(_ step: String?) {
      guard firstTested == nil else { return }
      firstTested = steps.count
      if let step { tested = steps + [step] }
    }
  }

  private func readings(_ variables: [String]) -> [Reading] {
    instructions.indices.compactMap { id in
      guard case .variable(let position) = instructions[id], isReachable[id] else { return nil }
      return reading(of: variables[position], at: id)
    }
  }

  /// Returns the use of a variable, with the constant selections from its value at `id`.
  private func reading(of variable: String, at id: NodeID) -> Reading {
    var reading = Reading(steps: [variable])
    var current = id
    while current != root, instructions[parents[current]].head == current {
      switch instructions[parents[current]] {
      case .select(_, let name): reading.steps.append(name)
      case .optionalSelect(_, let name):
        reading.test(name)
        reading.steps.append(name)
      case .has(_, let name):
        reading.test(name)
        reading.steps.append(name)
        return reading
      case .index(_, let index):
        guard let step = step(index) else { return reading }
        reading.steps.append(step)
      case .optionalIndex(_, let index):
        reading.test(step(index))
        guard let step = step(index) else { return reading }
        reading.steps.append(step)
      default: return reading
      }
      current = parents[current]
    }
    if let member = memberSought(in: current) { reading.tested = reading.steps + [member] }
    return reading
  }

  /// Returns the member that the program tests in the value of `id`: `'member' in state`.
  private func memberSought(in id: NodeID) -> String? {
    guard id != root, case .binary(.isIn, let member, id) = instructions[parents[id]],
      case .constant(.string(let name)) = instructions[member]
    else { return nil }
    return name
  }

  private func step(_ index: NodeID) -> String? {
    guard case .constant(let value) = instructions[index] else { return nil }
    return switch value {
    case .int(let int): String(int)
    case .uint(let uint): String(uint)
    case .double(let double): Int64(exactly: double).map { String($0) }
    case .null, .bool, .string, .bytes, .list, .map, .timestamp, .duration, .ip, .cidr, .optional,
      .type:
      nil
    }
  }
}

extension SyntaxTree {
  /// A chain of selections that begins with a name, as in the source.
  struct QualifiedName {
    let text: String
    let isAbsolute: Bool
    /// The first name of the chain.
    let base: NodeID

    /// Returns the name with a part appended.
    func appending(_ part: String) -> QualifiedName {
      QualifiedName(text: text + "." + part, isAbsolute: isAbsolute, base: base)
    }
  }

  /// Returns the dotted name of `id`, of at most `limit` parts; nil for another expression.
  func qualifiedName(_ id: NodeID, limit: Int = 64) -> QualifiedName? {
    var parts: [String] = []
    var current = id
    while parts.count < limit {
      switch nodes[current] {
      case .name(let name, let isAbsolute):
        let text = ([name] + parts.reversed()).joined(separator: ".")
        return QualifiedName(text: text, isAbsolute: isAbsolute, base: current)
      case .select(let operand, let name, isQuoted: false):
        if parenthesized.contains(operand) { return nil }
        parts.append(name)
        current = operand
      default:
        return nil
      }
    }
    return nil
  }
}
