package import JSONText

/// A message from a responder to any responder with a method for it, without an action's search
/// (C2, V7).
package struct MessageRequest: Equatable, Sendable, Codable, Dated {
  /// The destinations of messages.
  package enum Destination: String, CaseIterable, Sendable, Codable {
    /// The nearest implementer up the coordinating chain (C2).
    case chain
    /// The sender's delegate (V7).
    case delegate
  }

  package let message: Selector
  /// The sender.
  package let from: ResponderID
  /// The destination. The default is the chain.
  package private(set) var destination = Destination.chain
  /// The arguments after target and selector. The default is nulls, one per colon, but the sender last on the
  /// chain and first to a delegate.
  package private(set) var arguments: [JSON]?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  package var when: Int64?
  /// True if the message is queued (C6). The default is false.
  package private(set) var isQueued = false

  /// The queued message in the form for sending it.
  var waiting: MessageRequest {
    var copy = self
    copy.isQueued = false
    return copy
  }
}

/// A message or request that has a time.
package protocol Dated {
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  var when: Int64? { get set }
}

extension Dated {
  /// Returns a copy with `time`, unless it has a time already.
  package func dated(_ time: Int64) -> Self {
    var copy = self
    copy.when = when ?? time
    return copy
  }
}

/// The result of sending a message (C2, V7).
package struct MessageOutcome: Equatable, Sendable {
  /// The reason why a message was delivered or not; none is an error.
  package enum Reason: String, CaseIterable, Sendable {
    /// The message was delivered.
    case delivered
    /// The sender has no delegate, or it was removed.
    case noDelegate
    /// The message is optional, and the delegate does not implement it.
    case notImplemented
    /// No responder on the chain implements it (C2).
    case notHandled
    /// No responder on the chain implements it, and the chain is a cycle (R9).
    case cycle
    /// The message is queued (C6).
    case queued
    /// The sender was removed before the message was processed (C6).
    case senderGone
  }

  package let reason: Reason
  /// The receiver, even if it does not implement the message.
  package let receiver: ResponderID?
  /// The receiver's answer; null if the message was not delivered.
  package let answer: JSON
  /// The trace, if requested.
  package internal(set) var trace = Trace(isRecording: false)
}

extension MessageRequest {
  /// Reads a message from an object that has other members too. `when` is read only with `isDated`, which is
  /// the default.
  package init?(_ reader: inout ObjectReader, isDated: Bool = true) {
    let message = reader.required("message", Read.selector)
    let from: ResponderID? = reader.required("from", Read.identifier)
    let destination: Destination? = reader.member("to", Read.word)
    let arguments = reader.list("arguments", Read.any)
    let when = isDated ? reader.member("when", Read.time) : nil
    let isQueued = reader.member("queue", Read.bool) ?? false
    if let message, let arguments, arguments.count != message.argumentCount {
      reader.log.note(
        .expected(.arguments(of: message), found: .array(arguments)),
        at: reader.place(of: "arguments"))
    }
    guard let message, let from else { return nil }
    self.init(
      message: message, from: from, destination: destination ?? .chain, arguments: arguments,
      when: when, isQueued: isQueued)
  }

  /// The members of the message's document; absent ones are nil.
  package var members: [(String, JSON?)] {
    [
      ("message", .string(message.rawValue)), ("from", .string(from.rawValue)),
      ("to", .string(destination.rawValue)), ("arguments", arguments.map(JSON.array)),
      ("when", when.map(JSON.int)), ("queue", isQueued ? true : nil),
    ]
  }
}
