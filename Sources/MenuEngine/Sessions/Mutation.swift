public import JSONText

/// Everything that can happen to a session.
public enum Mutation: Sendable, Codable {
  /// Changes the state by a JSON Patch (RFC 6902).
  case patchState(JSONPatch)
  /// Changes the state by a JSON Merge Patch (RFC 7396).
  case mergeState(JSON)
  /// Adds a responder, or replaces the one with the same name.
  case putResponder(Responder)
  /// Removes a responder; links to it are cleared.
  case removeResponder(ResponderID)
  /// Gives a responder a handler of its own, in place of the present one for the selector.
  case putHandler(Handler, for: Selector, of: ResponderID)
  /// Removes a handler of a responder's own.
  case removeHandler(for: Selector, of: ResponderID)
  /// Registers a handler with the coordinator that a responder hosts (F1).
  case register(Handler, for: Selector, with: ResponderID)
  /// Changes what a token owns; what is nil stays as it is (F1).
  case changeRegistration(Int, with: ResponderID, selector: Selector?, handler: Handler?)
  /// Removes what a token still owns; does nothing when it owns nothing (F1).
  case removeRegistration(Int, with: ResponderID)
  /// Registers a late responder with the registry that is found from another responder (L4, L6).
  case registerLate(ResponderID, from: ResponderID)
  /// Takes a late responder out of the registry that is found from another responder, or of
  /// whichever it is in (L5).
  case deregisterLate(ResponderID, from: ResponderID?)
  /// Changes what a proxy can be found for; nil is everything (L8).
  case changeProxiedSelectors([Selector]?, of: ResponderID)
  /// Gives a responder these key commands, in place of those of its own that it has.
  case putKeyCommands([KeyCommand], of: ResponderID)
  /// Moves focus (R8).
  case becomeFirstResponder(ResponderID)
  /// Gives up focus (R8).
  case resignFirstResponder
  /// Makes a window the key, main or modal window, or none (R10).
  case makeWindow(ResponderID?, WindowRole)
  /// Launches, instantiates, performs segues, links delegates and the like (V1–V7).
  case storyboard(StoryboardMutation)
  /// Changes which view controllers are shown, and where (V4).
  case viewController(ViewControllerMutation)
  /// Starts coordinators, stops them, and lets them show view controllers (C4, C5).
  case coordinator(CoordinatorMutation)
  /// Asks something of the undo manager of a responder (U2), by default the one where searches begin.
  case undo(UndoOperation, of: ResponderID? = nil)
  /// Sends the messages that wait, or takes them out (C6).
  case messages(MessageQueueMutation)
  /// Performs a command (M7) or sends an action (R7).
  case perform(ActionRequest)
  /// Performs what a key means (K1).
  case pressKey(KeyPress)
  /// Sends a message again, to its target or, without one, along the chain (F9).
  case invoke(Invocation)
}

/// A command to perform, or an action to send.
public struct ActionRequest: Sendable, Codable {
  /// The subject of a request.
  public enum Subject: Sendable, Codable {
    case command(CommandID)
    case action(Selector)
  }

  /// The subject.
  public let subject: Subject
  /// The sender. The default for an action is the request itself (F6), for a command nothing beside
  /// the command.
  public let sender: SenderDescription?
  /// Where the search begins instead of at the first responder.
  public let from: ResponderID?
  /// The receiver, without a search (R7).
  public let to: Receiver?
  /// The real arguments. The default is the sender, then nulls, as many as the selector has colons.
  public let arguments: [JSON]?
  /// The modifiers held, with which a command may be an alternate (M11). The default is none.
  public let modifiers: KeyModifiers
  /// When, in milliseconds since 1970-01-01T00:00:00Z.
  public let when: Int64?

  /// A request for a command or an action.
  public init(
    _ subject: Subject, sender: SenderDescription? = nil, from: ResponderID? = nil,
    to: Receiver? = nil, arguments: [JSON]? = nil, modifiers: KeyModifiers = [],
    when: Int64? = nil
  ) {
    self.subject = subject
    self.sender = sender ?? subject.defaultSender
    self.from = from
    self.to = to
    self.arguments = arguments
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
