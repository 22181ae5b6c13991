/// A JSON value (RFC 8259) that keeps integers as integers and members in order.
///
/// A number without fraction and exponent that fits 64 signed bits is an `int`; every other number is a
/// `double`. Strings are compared by their UTF-8 bytes, never by Unicode canonical equivalence.
///
/// Comparing, hashing, writing, merging and releasing a value recurse once per level of nesting. By default the
/// parser and patches bound the nesting to 128; a caller that raises that limit, or builds values of unbounded
/// depth, is responsible for the stack.
public enum JSON: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

extension JSON: Equatable {
  /// Equality as in RFC 6902 (4.6): numbers numerically, strings byte for byte, arrays in order, objects in any
  /// order.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.int(let int), .double(let double)), (.double(let double), .int(let int)):
      Int64(exactly: double) == int
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      false
    }
  }
}

extension JSON: Hashable {
  /// Hashes equal values alike: `1` and `1.0`, objects in any order.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let bool): hasher.combine(bool)
    case .int(let int): hasher.combine(int)
    case .double(let double):
      if let int = Int64(exactly: double) { hasher.combine(int) } else { hasher.combine(double) }
    case .string(let string): string.hashBytes(into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    }
  }
}

/// An array or object whose end has not been read, or the document around the value.
struct JSONContainer {
  enum Kind {
    case document
    case array
    case object
  }

  let kind: Kind
  var elements: [JSON] = []
  private(set) var object = JSONObject()
  /// The name of the next member, and its offset.
  var name = ""
  var nameOffset = 0
  /// A filter with a bit for the length and the first and last byte of each name: without the bit a name is
  /// new.
  private var seen: UInt64 = 0

  init(kind: Kind) {
    self.kind = kind
    // Saves the first reallocations; more would waste memory on small containers.
    switch kind {
    case .document: break
    case .array: elements.reserveCapacity(2)
    case .object: object.reserveCapacity(4)
    }
  }

  /// Adds the member called `name`. Returns the name if it is taken.
  mutating func addMember(_ value: consuming JSON) -> String? {
    let name = exchange(&name, with: "")
    let bit = Self.bit(of: name)
    let mayBePresent = seen & bit != 0
    seen |= bit
    guard mayBePresent else {
      object.appendAbsent(.init(name: name, value: value))
      return nil
    }
    return object.append(.init(name: name, value: value)) ? nil : name
  }

  private static func bit(of name: String) -> UInt64 {
    let bytes = name.utf8
    let first = UInt64(bytes.first ?? 0)
    let last = UInt64(bytes.last ?? 0)
    return 1 << ((UInt64(bytes.count) &* 5 &+ first &* 3 &+ last) & 63)
  }
}

extension JSON {
  /// True if both are known to be equal to the byte, in constant time except for strings: equal scalars of one
  /// type, or arrays and objects with shared storage.
  ///
  /// Unlike with `==`, `1` and `1.0` differ, as do objects with a different order of members. For arrays and
  /// objects, false means unknown.
  public func isIdentical(to other: JSON) -> Bool { isSame(as: other) }

  // Inlined, it retains nothing.
  @inline(__always)
  fileprivate func isSame(as other: JSON) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left.span.isIdentical(to: right.span)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      false
    }
  }

  /// True if both have the same compact text, wherever they are stored.
  public func isWritten(as other: JSON) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)):
      left.span.isIdentical(to: right.span)
        || left.count == right.count
          && zip(left, right).allSatisfy { $0.isWritten(as: $1) }
    case (.object(let left), .object(let right)):
      left.isIdentical(to: right)
        || left.count == right.count
          && zip(left.members, right.members).allSatisfy {
            $0.name.hasSameBytes(as: $1.name) && $0.value.isWritten(as: $1.value)
          }
    case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _):
      isIdentical(to: other)
    }
  }
}

extension JSONObject {
  /// True if both share their storage, and so have the same members in the same order. False means unknown.
  public func isIdentical(to other: JSONObject) -> Bool {
    members.span.isIdentical(to: other.members.span)
  }

  /// True if both have a member of this name at this position with values known to be equal. False means
  /// unknown.
  public func isIdentical(to other: JSONObject, at position: Int, named name: String) -> Bool {
    guard position < members.count, position < other.members.count else { return false }
    let (left, right) = (members.span, other.members.span)
    guard left[position].name.isIdentical(to: name) || left[position].name.hasSameBytes(as: name),
      right[position].name.isIdentical(to: name) || right[position].name.hasSameBytes(as: name)
    else { return false }
    return left[position].value.isSame(as: right[position].value)
  }
}

extension JSON {
  /// True if an operation of a JSON Patch can be applied and changes no byte.
  public func isUnchanged(by operation: JSONPatch.Operation) -> Bool {
    switch operation {
    case .test(let path, let value): self[path] == value
    case .replace(let path, let value): isWritten(value, at: path)
    case .add(let path, let value):
      // Adding an element to an array moves others.
      if case .object? = self[JSONPointer(path.tokens.dropLast())] {
        isWritten(value, at: path)
      } else {
        false
      }
    case .remove, .move, .copy: false
    }
  }

  /// True if a merge patch changes no byte.
  public func isUnchanged(merging patch: JSON) -> Bool {
    guard case .object(let changes) = patch else { return isWritten(as: patch) }
    guard case .object(let object) = self else { return false }
    return changes.members.allSatisfy { change in
      guard let value = object[change.name] else { return change.value == .null }
      return change.value != .null && value.isUnchanged(merging: change.value)
    }
  }

  private func isWritten(_ value: JSON, at path: JSONPointer) -> Bool {
    self[path].map { $0.isWritten(as: value) } ?? false
  }
}

extension JSON {
  /// The size of the value's compact text, plus one byte for a separator.
  ///
  /// A number with a fraction counts as 25 bytes, the maximum. Shared parts count each time they occur.
  public var writtenSize: Int {
    switch self {
    case .null: 5
    case .bool(let bool): bool ? 5 : 6
    case .int(let int): int.writtenSize + 1
    case .double: 25
    case .string(let string): string.quotedSize + 1
    case .array(let elements): elements.reduce(Self.emptySize) { $0 + $1.writtenSize }
    case .object(let object):
      object.reduce(Self.emptySize) { $0 + $1.name.nameSize + $1.value.writtenSize }
    }
  }

  /// The size of an empty array or object.
  static let emptySize = 3
}

extension String {
  /// The size as a member's name, with the colon.
  var nameSize: Int { quotedSize + 1 }

  /// The size in quotes, with escapes.
  fileprivate var quotedSize: Int { utf8.span.escapedSize + 2 }
}

extension Int64 {
  /// The size in decimal.
  fileprivate var writtenSize: Int {
    var (digits, rest) = (1, magnitude)
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    return self < 0 ? digits + 1 : digits
  }
}

extension JSON {
  /// True if arrays and objects are nested at most `depth` deep, and the size, which is the number of values
  /// and the UTF-8 bytes of strings and names, is at most `size`.
  ///
  /// The text of a value is never shorter than its size. Shared parts count each time they occur. The check
  /// stops once a limit is exceeded.
  public func fits(depth: Int, size: Int) -> Bool {
    var size = size
    return spend(depth: depth, size: &size) == .fits
  }

  /// The result of measuring.
  package enum Fit {
    case fits
    case tooDeep
    case tooLarge
  }

  /// Subtracts the value's size from `size`, until a limit is exceeded.
  package func spend(depth: Int, size: inout Int) -> Fit {
    size -= 1
    switch self {
    case .null, .bool, .int, .double: break
    case .string(let string): size -= string.utf8.count
    case .array(let elements):
      guard depth > 0 else { return .tooDeep }
      for element in elements {
        let fit = element.spend(depth: depth - 1, size: &size)
        guard fit == .fits else { return fit }
      }
    case .object(let object):
      guard depth > 0 else { return .tooDeep }
      // By index: a loop over the array would copy each member.
      let members = object.members.span
      for index in members.indices {
        size -= members[index].name.utf8.count
        let fit = members[index].value.spend(depth: depth - 1, size: &size)
        guard fit == .fits else { return fit }
      }
    }
    return size >= 0 ? .fits : .tooLarge
  }
}
