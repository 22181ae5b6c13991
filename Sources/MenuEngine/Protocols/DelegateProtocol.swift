/// The messages that a class sends to its delegate (V7).
///
/// A delegate must answer to those that are required when it is linked; those that are optional reach
/// it when it answers to them.
public struct DelegateProtocol: Equatable, Sendable, Codable {
  /// Its name.
  public let name: ProtocolName
  /// The messages that a delegate must answer to.
  public let required: [Selector]
  /// The messages that a delegate may answer to.
  public let optional: [Selector]

  /// True if it has a message.
  public func contains(_ message: Selector) -> Bool {
    required.contains(message) || optional.contains(message)
  }
}

/// The name of a protocol in the catalogue.
public typealias ProtocolName = Identifier<DelegateProtocol>
