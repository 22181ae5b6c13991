/// A JSON value (RFC 8259) whose integers stay integers and whose members keep their order.
///
/// A number written without fraction and exponent that fits 64 signed bits is an `int`; every
/// other number is a `double`. Strings are compared by their UTF-8 bytes, never by Unicode
/// canonical equivalence.
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

extension String {
  /// Whether both strings have the same UTF-8 bytes.
  ///
  /// `==` on `String` normalises its operands, which is neither what JSON means by equality nor
  /// linear in time on hostile input.
  public func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
