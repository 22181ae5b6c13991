import JSONText

/// Where in the variables a program reads: a variable, and the names and indexes selected from it.
public struct Path: Sendable {
  /// The name of the variable, then the fields, and indexes in decimal.
  public let steps: [String]
}

extension Path: Hashable {
  /// Whether both have the same steps, byte for byte.
  public static func == (left: Path, right: Path) -> Bool {
    left.steps.count == right.steps.count
      && zip(left.steps, right.steps).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  /// Hashes the bytes of the steps.
  public func hash(into hasher: inout Hasher) {
    for step in steps {
      for byte in step.utf8 { hasher.combine(byte) }
      hasher.combine(UInt8.max)
    }
  }
}

extension Path: CustomStringConvertible {
  /// The steps, with dots between them.
  public var description: String { steps.joined(separator: ".") }
}

extension Code {
  /// The paths that are read, without repetition, in the order of the source.
  func paths(_ variables: [String]) -> [Path] {
    var isKnown: Set<Path> = []
    return instructions.indices.compactMap { id in
      guard case .variable(let position) = instructions[id], isReachable[id] else { return nil }
      let path = Path(steps: [variables[position]] + selections(from: id))
      return isKnown.insert(path).inserted ? path : nil
    }
  }

  /// What is selected from the value of `id`, as far as it is constant.
  private func selections(from id: NodeID) -> [String] {
    var steps: [String] = []
    var current = id
    while current != root, instructions[parents[current]].head == current {
      switch instructions[parents[current]] {
      case .select(_, let name), .optionalSelect(_, let name): steps.append(name)
      case .has(_, let name): return steps + [name]
      case .index(_, let index), .optionalIndex(_, let index):
        guard let step = step(index) else { return steps }
        steps.append(step)
      default: return steps
      }
      current = parents[current]
    }
    return steps
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
