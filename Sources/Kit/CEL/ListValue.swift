public import JSONText

/// A list: a JSON array as it is, or elements that a program produced.
public enum ListValue: Sendable {
  case json([JSON])
  case values([Value])

  /// The number of elements.
  public var count: Int {
    switch self {
    case .json(let elements): elements.count
    case .values(let elements): elements.count
    }
  }

  /// The element at `index`, or nil where there is none.
  public subscript(index: Int) -> Value? {
    guard index >= 0, index < count else { return nil }
    switch self {
    case .json(let elements): return Value(elements[index])
    case .values(let elements): return elements[index]
    }
  }

  /// All elements, in order.
  var elements: [Value] {
    switch self {
    case .json(let elements): elements.map { Value($0) }
    case .values(let elements): elements
    }
  }
}
