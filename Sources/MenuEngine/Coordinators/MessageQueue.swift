import JSONText

/// A message that has waited, and what became of it when it was sent (C6).
public struct ProcessedMessage: Equatable, Sendable {
  /// The message.
  public let request: MessageRequest
  /// The result of sending it.
  public let outcome: MessageOutcome
}

/// The messages of a session that wait to be processed (C6), in the order in which they came.
public struct MessageQueue: Equatable, Sendable, Codable {
  /// The messages, the one that is processed next first.
  public private(set) var messages: [MessageRequest] = []
  /// The sizes of their arguments, each counted as `JSON.fits(depth:size:)` does.
  private var sizes: [Int] = []

  /// The number of messages.
  public var count: Int { messages.count }

  /// Adds a message behind the others.
  ///
  /// - Throws: `MutationFault.messageQueueFull` when there are `Limits.queuedMessages` already, or when
  ///   they would hold more than `Limits.queueSize`; `.tooLarge` for arguments that are too deep.
  mutating func append(_ request: MessageRequest) throws(MutationFault) {
    let size = try Self.size(of: request)
    guard messages.count < Limits.queuedMessages,
      sizes.reduce(size, +) <= Limits.queueSize
    else { throw .messageQueueFull(count: messages.count) }
    messages.append(request)
    sizes.append(size)
  }

  /// Takes the first messages out, by default all.
  mutating func removeFirst(_ limit: Int?) -> [MessageRequest] {
    let count = min(limit ?? messages.count, messages.count)
    let first = Array(messages.prefix(count))
    messages.removeFirst(count)
    sizes.removeFirst(count)
    return first
  }

  private static func size(of request: MessageRequest) throws(MutationFault) -> Int {
    var left = Limits.queueSize
    for argument in request.arguments ?? [] {
      switch argument.spend(depth: Limits.depth, size: &left) {
      case .fits: break
      case .tooDeep, .tooLarge: throw .tooLarge
      }
    }
    return Limits.queueSize - left
  }
}
