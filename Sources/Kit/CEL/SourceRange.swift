/// The range of a part of a program in its source, in UTF-8 bytes.
public struct SourceRange: Sendable, Equatable {
  /// The offset of the first byte.
  public let start: Int
  /// The offset after the last byte.
  public let end: Int

  /// The bytes from `start` up to `end`.
  public init(_ start: Int, _ end: Int) {
    self.start = start
    self.end = end
  }

  /// The range from the beginning of this one to the end of `other`.
  func through(_ other: SourceRange) -> SourceRange { SourceRange(start, other.end) }
}
