/// A part of a value that is not stored with it, since it tells of a moment that is over; after decoding
/// it is nil.
struct Uncoded<Value> {
  var value: Value?
}

extension Uncoded: Sendable where Value: Sendable {}

extension Uncoded: Codable {
  func encode(to encoder: any Encoder) {}

  init(from decoder: any Decoder) {}
}
