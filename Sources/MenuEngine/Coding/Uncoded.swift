/// A part of a value that is not stored with it, since it tells of a moment that is over; after decoding
/// it is nil.
struct Uncoded<Value> {
  /// One value or none: an array, so that whatever holds it is small.
  private var cell: [Value] = []

  /// None.
  init() {}

  /// The value, if there is one.
  var value: Value? {
    get { cell.first }
    set { cell = newValue.map { [$0] } ?? [] }
  }
}

extension Uncoded: Sendable where Value: Sendable {}

extension Uncoded: Codable {
  func encode(to encoder: any Encoder) {}

  init(from decoder: any Decoder) {}
}
