public import JSONText

/// A message from a responder to whoever has a method for it, without an action's search (V7).
public struct MessageRequest: Equatable, Sendable, Codable {
  /// To whom messages go.
  public enum Destination: String, CaseIterable, Sendable, Codable {
    /// To the delegate of who sends it (V7).
    case delegate
  }

  /// The message.
  public let message: Selector
  /// Who sends it.
  public let from: ResponderID
  /// To whom it goes.
  public let destination: Destination
  /// The real arguments. The default is who sends it, then nulls, as many as the selector has colons.
  public let arguments: [JSON]?
  /// When, in milliseconds since 1970-01-01T00:00:00Z.
  public let when: Int64?

  /// A message.
  public init(
    _ message: Selector, from: ResponderID, to destination: Destination,
    arguments: [JSON]? = nil, when: Int64? = nil
  ) {
    self.message = message
    self.from = from
    self.destination = destination
    self.arguments = arguments
    self.when = when
  }

  /// The message, sent at a time unless it says its own.
  public func dated(_ time: Int64) -> MessageRequest {
    MessageRequest(
      message, from: from, to: destination, arguments: arguments, when: when ?? time)
  }
}

/// What became of a message (V7).
public struct Delivery: Equatable, Sendable {
  /// Why a message arrived, or went nowhere, which is no error.
  public enum Reason: String, CaseIterable, Sendable {
    /// It arrived.
    case delivered
    /// Who sends it has no delegate, or that one is gone.
    case noDelegate
    /// The message is optional, and the delegate has no method for it.
    case notImplemented
  }

  /// Whether it arrived, or why not.
  public let reason: Reason
  /// Who received it, or would have if it had a method.
  public let receiver: ResponderID?
  /// What the receiver answered; null when it went nowhere.
  public let answer: JSON
  /// What was asked, when that was wanted.
  public internal(set) var trace = Trace(isRecording: false)
}

extension MessageRequest {
  /// The message in an object that has other members too, or nil and the faults.
  ///
  /// `when` is read only with `isDated`, which is the default.
  public init?(_ reader: inout ObjectReader, isDated: Bool = true) {
    let message = reader.required("message", Read.selector)
    let from: ResponderID? = reader.required("from", Read.identifier)
    let destination: Destination? = reader.required("to", Read.word)
    let arguments = reader.list("arguments", Read.any)
    let when = isDated ? reader.member("when", Read.time) : nil
    if let message, let arguments, arguments.count != message.argumentCount {
      reader.log.note(
        .expected(.arguments(of: message), found: .array(arguments)),
        at: reader.place(of: "arguments"))
    }
    guard let message, let from, let destination else { return nil }
    self.init(message, from: from, to: destination, arguments: arguments, when: when)
  }

  /// The message as members of a document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("message", .string(message.rawValue)), ("from", .string(from.rawValue)),
      ("to", .string(destination.rawValue)), ("arguments", arguments.map(JSON.array)),
      ("when", when.map(JSON.int)),
    ]
  }
}
