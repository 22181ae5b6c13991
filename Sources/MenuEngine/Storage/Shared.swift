/// A value that copies share until one of them changes it. Copying a structure of many such values
/// copies only references.
///
/// It is stored as the value is.
struct Shared<Value> {
  /// One value: an array is copied when it is written while others hold it.
  private var cell: [Value]

  init(_ value: Value) { cell = [value] }

  /// The value, read and changed where it is.
  var value: Value {
    _read { yield cell[0] }
    _modify { yield &cell[0] }
  }

  /// True if both are copies of one value, and neither was changed since. A no says nothing.
  func isIdentical(to other: Shared) -> Bool { cell.span.isIdentical(to: other.cell.span) }
}

extension Shared: Sendable where Value: Sendable {}

extension Shared: Encodable where Value: Encodable {
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Shared: Decodable where Value: Decodable {
  init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
