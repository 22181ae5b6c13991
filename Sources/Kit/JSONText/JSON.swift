/// A JSON value (RFC 8259) whose integers stay integers and whose members keep their order.
///
/// A number written without fraction and exponent that fits 64 signed bits is an `int`; every
/// other number is a `double`. Strings are compared by their UTF-8 bytes, never by Unicode
/// canonical equivalence.
///
/// Comparing, hashing, writing, merging and releasing a value recurse once for each level of
/// nesting. The parser and patches bound the nesting to 128 unless told otherwise; a caller that
/// raises that limit, or builds values of unbounded depth, is responsible for the stack.
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
  /// Equality as RFC 6902 (4.6) defines it: numbers numerically, strings byte for byte, arrays
  /// in order, objects whatever the order of their members.
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
  /// Hashes so that equal values hash alike: `1` as `1.0`, objects whatever their order.
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
