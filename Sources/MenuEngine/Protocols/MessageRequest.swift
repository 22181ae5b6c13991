package import JSONText

/// A message from a responder to any responder with a method for it, without an action's search
/// (C2, V7).
public struct MessageRequest: Equatable, Sendable, Codable {
  /// To whom messages go.
  package enum Destination: String, CaseIterable, Sendable, Codable {
    /// Up the coordinating chain, to the nearest one that implements it (C2).
    case chain
    /// To the delegate of who sends it (V7).
    case delegate
  }

  /// The message.
  package let message: Selector
  /// The sender.
  package let from: ResponderID
  /// To whom it goes. The default is the chain.
  package let destination: Destination
  /// The real arguments. The default is as many nulls as the selector has colons, but who sends it as
  /// the last one on the chain, and as the first one to a delegate.
  package let arguments: [JSON]?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  package let when: Int64?
  /// True if it waits until messages are processed (C6). The default is no.
  package let isQueued: Bool

  /// A message.
  package init(
    _ message: Selector, from: ResponderID, to destination: Destination = .chain,
    arguments: [JSON]? = nil, when: Int64? = nil, isQueued: Bool = false
  ) {
    self.message = message
    self.from = from
    self.destination = destination
    self.arguments = arguments
    self.when = when
    self.isQueued = isQueued
  }

  /// The message, sent at a time unless it says its own.
  package func dated(_ time: Int64) -> MessageRequest {
    MessageRequest(
      message, from: from, to: destination, arguments: arguments, when: when ?? time,
      isQueued: isQueued)
  }

  /// The message as it waits: when it is processed it is sent.
  var waiting: MessageRequest {
    MessageRequest(message, from: from, to: destination, arguments: arguments, when: when)
  }
}

/// The result of sending a message (C2, V7).
package struct MessageOutcome: Equatable, Sendable {
  /// The outcome of a message: it arrived, or went nowhere, which is no error.
  package enum Reason: String, CaseIterable, Sendable {
    /// It arrived.
    case delivered
    /// The sender has no delegate, or that one is gone.
    case noDelegate
    /// The message is optional, and the delegate has no method for it.
    case notImplemented
    /// Nobody on the chain implements it (C2).
    case notHandled
    /// Nobody on the chain implements it, and the chain leads back into itself (R9).
    case cycle
    /// It waits until messages are processed (C6).
    case queued
    /// The sender was gone when the message was processed (C6).
    case senderGone
  }

  /// The reason for which it arrived, or not.
  package let reason: Reason
  /// The receiver, also when it has no method for the message.
  package let receiver: ResponderID?
  /// The receiver's answer; null when the message went nowhere.
  package let answer: JSON
  /// The trace, when that was wanted.
  package internal(set) var trace = Trace(isRecording: false)
}

extension MessageRequest {
  /// The message in an object that has other members too, or nil and the faults.
  ///
  /// `when` is read only with `isDated`, which is the default.
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
      message, from: from, to: destination ?? .chain, arguments: arguments, when: when,
      isQueued: isQueued)
  }

  /// The message as members of a document; absent ones are nil.
  package var members: [(String, JSON?)] {
    [
      ("message", .string(message.rawValue)), ("from", .string(from.rawValue)),
      ("to", .string(destination.rawValue)), ("arguments", arguments.map(JSON.array)),
      ("when", when.map(JSON.int)), ("queue", isQueued ? true : nil),
    ]
  }
}
