/// A text that is put together from parts of four others, by where each part stands in its own.
public struct JoinedText: Sendable {
  /// The ranges of the parts, in bytes.
  public var parts: (Range<Int>, Range<Int>, Range<Int>, Range<Int>)

  /// The parts in the order in which they are joined.
  public init(
    _ first: Range<Int>, then second: Range<Int>, then third: Range<Int>, then fourth: Range<Int>
  ) {
    parts = (first, second, third, fourth)
  }

  /// The number of bytes.
  public var count: Int { parts.0.count + parts.1.count + parts.2.count + parts.3.count }
}

extension [UInt8] {
  /// Appends texts, and a byte behind each if there is one, with one look for room.
  ///
  /// - Parameters:
  ///   - first: The text that the first part of each is from.
  ///   - second: The text that the second part of each is from, and so on.
  public mutating func append(
    _ texts: [JoinedText], first: Span<UInt8>, second: Span<UInt8>, third: Span<UInt8>,
    fourth: Span<UInt8>, endingEachWith last: UInt8?
  ) {
    // Else the standard library writes a count of zero into the storage that all empty arrays share.
    guard !texts.isEmpty else { return }
    append(addingCapacity: texts.reduce(0) { $0 + $1.count + 1 }) { output in
      unsafe output.withUnsafeMutableBufferPointer { target, filled in
        for text in texts {
          unsafe copy(first.extracting(text.parts.0), to: target, at: &filled)
          unsafe copy(second.extracting(text.parts.1), to: target, at: &filled)
          unsafe copy(third.extracting(text.parts.2), to: target, at: &filled)
          unsafe copy(fourth.extracting(text.parts.3), to: target, at: &filled)
          if let last {
            unsafe target[filled] = last
            filled += 1
          }
        }
      }
    }
  }
}

/// Copies bytes for which there is room, as the caller has seen to.
@inline(__always)
private func copy(
  _ source: Span<UInt8>, to target: UnsafeMutableBufferPointer<UInt8>, at place: inout Int
) {
  guard !source.isEmpty, let room = target.baseAddress else { return }
  unsafe source.withUnsafeBufferPointer { bytes in
    if let start = bytes.baseAddress {
      unsafe (room + place).update(from: start, count: bytes.count)
    }
  }
  place += source.count
}
