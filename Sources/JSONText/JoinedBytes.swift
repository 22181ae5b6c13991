/// Up to four texts that stand one behind the other.
///
/// They are copied together, with one look for room.
public struct JoinedBytes: Sendable {
  private let first: ArraySlice<UInt8>
  private let second: [UInt8]
  private let third: [UInt8]
  private let fourth: [UInt8]

  /// The texts in order; by default the last ones are empty.
  public init(
    _ first: ArraySlice<UInt8>, then second: [UInt8] = [], then third: [UInt8] = [],
    then fourth: [UInt8] = []
  ) {
    (self.first, self.second, self.third, self.fourth) = (first, second, third, fourth)
  }

  /// The number of bytes.
  public var count: Int { first.count + second.count + third.count + fourth.count }

  /// Appends them, and one byte behind them.
  public func append(to bytes: inout [UInt8], then last: UInt8) {
    bytes.append(addingCapacity: count + 1) { output in
      unsafe output.withUnsafeMutableBufferPointer { target, filled in
        // There is room for all of them, and each is copied whole.
        unsafe Self.copy(first.span, to: target, at: &filled)
        unsafe Self.copy(second.span, to: target, at: &filled)
        unsafe Self.copy(third.span, to: target, at: &filled)
        unsafe Self.copy(fourth.span, to: target, at: &filled)
        unsafe target[filled] = last
        filled += 1
      }
    }
  }

  private static func copy(
    _ source: Span<UInt8>, to target: UnsafeMutableBufferPointer<UInt8>, at place: inout Int
  ) {
    unsafe source.withUnsafeBufferPointer { bytes in
      _ = unsafe target[place...].update(fromContentsOf: bytes)
    }
    place += source.count
  }
}
