package import MenuEngine

/// The settings of histories (T5).
package struct HistorySettings: Sendable {
  /// The maximum size of a request in bytes whose refusal is recorded with its mutations.
  static let largestRefusal = 16 << 10

  let bounds: HistoryBounds
  /// True if refused commands are recorded too. The default is false.
  let keepsRefusals: Bool
  /// Returns the time in milliseconds since 1970-01-01T00:00:00Z.
  let now: @Sendable () -> Int64
  let writer: any HistoryWriter

  package init(
    _ bounds: HistoryBounds = HistoryBounds(), keepsRefusals: Bool = false,
    now: @escaping @Sendable () -> Int64, writer: any HistoryWriter
  ) {
    (self.bounds, self.keepsRefusals) = (bounds, keepsRefusals)
    (self.now, self.writer) = (now, writer)
  }

  /// The time before which entries have expired.
  var oldest: Int64 { now() - bounds.retention }
}

/// Encodes the result of a request as the members of a JSON object.
package protocol HistoryWriter: Sendable {
  func members(of outcomes: [Outcome]) -> [UInt8]

  /// Returns nil if the fault is not the refusal of a command or an action.
  func members(of fault: MutationFault) -> [UInt8]?
}
