/// A place in a value being encoded or decoded, as a list from the inside out, so that descending copies
/// nothing.
final class CodingPlace: Sendable {
  /// One step of the path.
  enum Step: Sendable {
    case member(String)
    case element(Int)
  }

  private let step: Step?
  private let container: CodingPlace?
  /// The number of steps from the whole value.
  let depth: Int

  /// The root.
  static let root = CodingPlace(nil, in: nil, depth: 0)

  private init(_ step: Step?, in container: CodingPlace?, depth: Int) {
    self.step = step
    self.container = container
    self.depth = depth
  }

  /// Returns the place of a member.
  func appending(_ name: String) -> CodingPlace {
    CodingPlace(.member(name), in: self, depth: depth + 1)
  }

  /// Returns the place of an element.
  func appending(_ index: Int) -> CodingPlace {
    CodingPlace(.element(index), in: self, depth: depth + 1)
  }

  /// The path, outermost step first.
  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var current: CodingPlace? = self
    while let here = current, let step = here.step {
      switch step {
      case .member(let name): keys.append(JSONMemberName(name))
      case .element(let index): keys.append(JSONMemberName(index))
      }
      current = here.container
    }
    return keys.reversed()
  }

  /// The place as a JSON Pointer.
  var pointer: JSONPointer { JSONPointer(codingPath: codingPath) }
}

/// The name of a member, or the index of an element, as a coding key.
///
/// It is the `codingKey` of types that code themselves as a string and are keys of dictionaries.
public struct JSONMemberName: CodingKey {
  /// The name, or the index in decimal.
  public let stringValue: String
  /// The index of an element; nil for a name, even a numeric one.
  public let intValue: Int?

  /// Creates the key of a member.
  public init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  /// Creates the key of a member.
  public init(stringValue: String) { self.init(stringValue) }

  /// Creates the key of an element.
  public init(intValue: Int) { self.init(intValue) }

  init(_ index: Int) {
    stringValue = index.description
    intValue = index
  }
}

extension JSONPointer {
  init(codingPath: [any CodingKey]) { self.init(codingPath.map(\.stringValue)) }
}
