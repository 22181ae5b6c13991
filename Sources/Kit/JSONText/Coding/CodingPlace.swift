/// A place in a value that is being encoded or decoded, as a list from the inside out, so that going
/// deeper copies nothing.
final class CodingPlace: Sendable {
  /// One step of the way.
  enum Step: Sendable {
    case member(String)
    case element(Int)
  }

  private let step: Step?
  private let container: CodingPlace?
  /// The number of steps from the whole value.
  let depth: Int

  /// The whole value.
  static let root = CodingPlace(nil, in: nil, depth: 0)

  private init(_ step: Step?, in container: CodingPlace?, depth: Int) {
    self.step = step
    self.container = container
    self.depth = depth
  }

  /// The place of a member.
  func appending(_ name: String) -> CodingPlace {
    CodingPlace(.member(name), in: self, depth: depth + 1)
  }

  /// The place of an element.
  func appending(_ index: Int) -> CodingPlace {
    CodingPlace(.element(index), in: self, depth: depth + 1)
  }

  /// The way to the place, from the outermost step on.
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

  /// The way to the place as a JSON Pointer.
  var pointer: JSONPointer { JSONPointer(codingPath: codingPath) }
}

/// The name of a member, or the index of an element, as a coding key.
///
/// Types that code themselves as a string, and are keys of dictionaries, answer it as their
/// `codingKey`.
public struct JSONMemberName: CodingKey {
  /// The name, or the index in decimal.
  public let stringValue: String
  /// The index of an element; nil for a name, also one that looks like a number.
  public let intValue: Int?

  /// The name of a member.
  public init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  /// The name of a member.
  public init(stringValue: String) { self.init(stringValue) }

  /// The index of an element.
  public init(intValue: Int) { self.init(intValue) }

  init(_ index: Int) {
    stringValue = index.description
    intValue = index
  }
}

extension JSONPointer {
  init(codingPath: [any CodingKey]) { self.init(codingPath.map(\.stringValue)) }
}
