/// Two places whose values a program compares, and does nothing else: `a.b == c.d`.
public struct PlaceComparison: Sendable {
  /// A variable by its position in the environment, and the fields that are selected one after the other.
  public typealias Place = (variable: Int, fields: [String])

  /// The operands, in the order of the source.
  public let operands: (Place, Place)
}

extension Program {
  /// The places that the program compares for equality; nil if it does anything else.
  public var placeComparison: PlaceComparison? {
    guard case .binary(.equal, let left, let right) = code.instructions[code.root],
      let left = code.place(left), let right = code.place(right)
    else { return nil }
    return PlaceComparison(operands: (left, right))
  }
}

extension Code {
  fileprivate func place(_ id: NodeID) -> PlaceComparison.Place? {
    var (id, fields) = (id, [String]())
    while case .select(let operand, let name) = instructions[id] {
      fields.append(name)
      id = operand
    }
    guard case .variable(let index) = instructions[id] else { return nil }
    return (index, fields.reversed())
  }
}
