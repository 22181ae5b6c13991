/// Limits of a patch: a short one must neither build a value too deep for the stack, nor double the
/// document with each `copy`, nor move a long array time and again.
public struct JSONPatchLimits: Sendable, Equatable {
  /// The deepest nesting an operation may bring about.
  public var depth: Int
  /// The sum, over all operations, of the size of every value added or copied (see
  /// `JSON.fits(depth:size:)`) and of the number of elements moved up or down.
  public var work: Int

  /// The default is 128 levels and 16 million units of work.
  public init(depth: Int = 128, work: Int = 1 << 24) {
    self.depth = depth
    self.work = work
  }
}
