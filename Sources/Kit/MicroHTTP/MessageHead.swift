/// The head of a message, as far as it was read.
package struct MessageHead: Sendable {
  /// The client's numeric address without its port.
  package let remoteAddress: String
  /// The method as it was sent; nil until the head was read.
  package internal(set) var method: String?
  /// The target as it was sent; nil if it was not read, or is no text.
  package internal(set) var target: String?
  package internal(set) var headers: Headers = [:]

  init(from remoteAddress: String) { self.remoteAddress = remoteAddress }

  /// The target without its query, which may have a secret.
  package var path: String? { target.map { String($0.prefix { $0 != "?" }) } }

  /// Forgets the message, before the next one of the same client.
  mutating func clear() { self = MessageHead(from: remoteAddress) }
}
