/// A value that copies share until one of them changes it. Copying a structure of such values copies only
/// references.
///
/// The coded form is that of the value.
struct Shared<Value> {
  /// One value: an array is copied on write.
  private var cell: [Value]

  init(_ value: Value) { cell = [value] }

  /// The value, accessed in place.
  var value: Value {
    _read { yield cell[0] }
    _modify { yield &cell[0] }
  }

  /// True if both are copies of one value without later changes. False means unknown.
  func isIdentical(to other: Shared) -> Bool { cell.span.isIdentical(to: other.cell.span) }
}

extension Shared: Sendable where Value: Sendable {}

extension Shared: Equatable where Value: Equatable {
  static func == (left: Shared, right: Shared) -> Bool {
    left.isIdentical(to: right) || left.value == right.value
  }
}

extension Shared: Encodable where Value: Encodable {
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Shared: Decodable where Value: Decodable {
  init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }
}
