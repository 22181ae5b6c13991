public import JSONText

/// A command to perform, or an action to send.
public struct ActionRequest: Equatable, Sendable, Codable {
  /// The subject of a request.
  public enum Subject: Equatable, Sendable, Codable {
    case command(CommandID)
    case action(Selector)
  }

  /// The subject.
  public let subject: Subject
  /// The sender. The default for an action is the request itself (F6), for a command nothing beside
  /// the command.
  public let sender: SenderDescription?
  /// The responder at which the search begins instead of the first responder.
  public let from: ResponderID?
  /// The window that is as if it were key (R11); nil for the one that is.
  public let window: ResponderID?
  /// The receiver, without a search (R7).
  public let to: Receiver?
  /// The real arguments. The default is the sender, then nulls, as many as the selector has colons.
  public let arguments: [JSON]?
  /// The parameters of a command (P2). The default is none.
  public let parameters: JSONObject?
  /// The modifiers held, with which a command may be an alternate (M11). The default is none.
  public let modifiers: KeyModifiers
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  public let when: Int64?

  /// A request for a command or an action.
  public init(
    _ subject: Subject, sender: SenderDescription? = nil, from: ResponderID? = nil,
    window: ResponderID? = nil, to: Receiver? = nil, arguments: [JSON]? = nil,
    parameters: JSONObject? = nil,
    modifiers: KeyModifiers = [], when: Int64? = nil
  ) {
    self.subject = subject
    self.sender = sender ?? subject.defaultSender
    self.from = from
    self.window = window
    self.to = to
    self.arguments = arguments
    self.parameters = parameters
    self.modifiers = modifiers
    self.when = when
  }
}

extension ActionRequest.Subject {
  /// The sender of a request that names none (F6).
  var defaultSender: SenderDescription? {
    switch self {
    case .command: nil
    case .action(let action): SenderDescription(requesting: action)
    }
  }
}
