public import JSONSchema
public import JSONText

/// A reason why a mutation was refused, or a question; the session is as it was before.
public enum MutationFault: Error, Equatable, Sendable {
  /// There is no responder of this name.
  case unknownResponder(ResponderID)
  /// There is no class of this name in the catalogue.
  case unknownClass(ResponderID, ClassName)
  /// A link to a responder that is not there.
  case danglingLink(ResponderID, ResponderLink, to: ResponderID)
  /// A link to a responder of a kind it cannot lead to.
  case linkToOtherKind(ResponderID, ResponderLink, to: ResponderID, kind: ResponderKind)
  /// A root view or root view controller that has another owner already.
  case linkTaken(ResponderID, ResponderLink, to: ResponderID, by: ResponderID)
  /// A second application.
  case secondApplication(ResponderID, existing: ResponderID)
  /// Links that would lead back to where they began (R9); the first responder stands again last.
  case cycle([ResponderID], along: ResponderLink)
  /// Links by which messages would come back to where they began (C1); the first responder stands
  /// again last.
  case coordinatingCycle([ResponderID])
  /// A parent coordinator that is no coordinator (C3).
  case notCoordinating(ResponderID, parentOf: ResponderID)
  /// The responder has no handler of its own for the selector.
  case unknownHandler(ResponderID, Selector)
  /// The responder hosts no coordinator.
  case noCoordinator(ResponderID)
  /// The token owns nothing (any more).
  case unknownRegistration(ResponderID, token: Int)
  /// No registry of late responders is found from the responder (L6).
  case noRegistry(ResponderID)
  /// A host lists a late responder that is not there.
  case unknownLateResponder(ResponderID, host: ResponderID)
  /// A host lists a late responder that is in another registry, or lists it twice.
  case lateResponderTaken(ResponderID, host: ResponderID, by: ResponderID)
  /// The weight of a responder cannot change while it is registered (L3).
  case weightFixed(ResponderID, Int, host: ResponderID)
  /// The registry of a late responder says what follows it (L2); its own `next` would not.
  case nextOfLateResponder(ResponderID, host: ResponderID)
  /// The responder stands for no other one.
  case notAProxy(ResponderID)
  /// The responder is no window and cannot be given this part.
  case notAWindow(ResponderID, ResponderKind, as: WindowRole)
  /// The responder is not in the window whose focus it is to take (R11).
  case notInWindow(ResponderID, ResponderID)
  /// The responder is of a kind that has no such link.
  case noSuchLink(ResponderID, ResponderLink, kind: ResponderKind)
  /// The launch that a session is opened with fails (V1).
  indirect case launching(MutationFault)
  /// A storyboard, a segue or a delegate does not fit (V1–V7).
  case storyboard(StoryboardFault)
  /// View controllers cannot be brought into this order (V4).
  case containment(ContainmentFault)
  /// A coordinator cannot do what it is told (C4, C5).
  case coordination(CoordinationFault)
  /// The candidate may not become, or the old one does not resign being, first responder (R8); with
  /// what makes its rule false, a line for each condition.
  case firstResponderRefused(
    candidate: ResponderID?, by: ResponderID, ResponderQuestion, because: [String])
  /// The first responder's rule failed.
  case firstResponderRule(ResponderID, RuleFault)
  /// The state would be something else than an object.
  case stateIsNoObject
  /// A JSON Patch that cannot be applied to the state.
  case patch(JSONPatchFault)
  /// A handler of a proxy has a `canPerform` rule, which nobody would ask (L8).
  case ruleOfProxy(ResponderID, Selector)
  /// A value deeper or larger than a session takes at once (`Limits`).
  case tooLarge
  /// The catalogue has no command of this name.
  case unknownCommand(CommandID)
  /// The catalogue has no menu of this name.
  case unknownMenu(MenuID)
  /// The command is disabled, or nobody receives the action (M7).
  case notPerformed(Refusal)
  /// No match of a pressed key can be performed (K3).
  case keyNotPerformed(KeyResolution)
  /// The receiver neither has a handler nor forwards the message (F4); with what was asked, when
  /// that was wanted. `isRegistered` is true if the receiver's coordinator has a handler, which only
  /// its forwarder finds (F3).
  case doesNotRecognizeSelector(
    Receiver, Selector, isRegistered: Bool = false, trace: Trace = Trace(isRecording: false))
  /// `handleAction:` was sent by a sender that carries no action (F6).
  case senderCarriesNoAction(Receiver, Selector)
  /// There are more or fewer arguments than the selector has colons.
  case argumentCount(Selector, given: Int)
  /// The parameters of a command do not meet its schema (P2).
  case invalidParameters(CommandID, ValueFault.List)
  /// Parameters are given to a command that takes none, or with an action.
  case noParameters(CommandID?)
  /// A key means a command that needs parameters, which nobody gives with a key (P3).
  case keyLacksParameters(CommandID, ValueFault.List)
  /// A rule of an effect failed.
  case effectRule(Receiver, Selector, RuleFault)
  /// An effect on the state could not be applied.
  case effectPatch(Receiver, Selector, index: Int, JSONPatchFault)
  /// An effect names a responder that is not there, or one that refuses.
  indirect case effect(Receiver, Selector, index: Int, MutationFault)
  /// A handler answered something else to a question than what it can be answered with.
  case wrongAnswer(JSON, of: ResponderID, Selector, expected: ExpectedAnswer)
  /// Sends inside sends went deeper than the limit: the message that was one too many, and what was
  /// asked until then, when that was wanted.
  case sendsTooDeep(
    Receiver, Selector, limit: Int, trace: Trace = Trace(isRecording: false))
  /// One performed command had more effects than the limit.
  case tooManyEffects(limit: Int)
  /// An undo manager refuses (U1, U2).
  case undo(UndoFault)
  /// So many messages wait already that there is no room for another one (C6).
  case messageQueueFull(count: Int)
  /// A message that waited could not be sent, and so none was (C6).
  indirect case queuedMessage(index: Int, Selector, from: ResponderID, MutationFault)
  /// A delivery is not in the state for what is asked, or is not there (D2).
  case delivery(DeliveryFault)
  /// Everything in the request together takes more steps than `Limits.effort`.
  case tooMuchEffort
  /// The session would hold more of something than it may (`SessionLimits`).
  case limitReached(Holding, limit: Int)
  /// A mutation of a list was refused, and with it the whole list.
  indirect case inList(index: Int, MutationFault)
}

/// The values that a question can be answered with.
public enum ExpectedAnswer: Equatable, Sendable {
  /// True or false: a yes-or-no question (V9).
  case bool
  /// The id of a view controller that can become the secondary, null or false (A8); with why the one that
  /// was named cannot.
  indirect case secondary(refused: MutationFault?)
}

extension MutationFault {
  /// The trace before the fault, when that was recorded.
  public var trace: Trace? {
    let trace: Trace? =
      switch self {
      case .doesNotRecognizeSelector(_, _, isRegistered: _, let trace): trace
      case .sendsTooDeep(_, _, limit: _, let trace): trace
      case .notPerformed(let refusal): refusal.trace
      case .keyNotPerformed(let resolution): resolution.trace
      case .effect(_, _, index: _, let fault), .queuedMessage(index: _, _, from: _, let fault),
        .inList(index: _, let fault), .launching(let fault):
        fault.trace
      default: nil
      }
    return trace?.isRecording == true ? trace : nil
  }
}

/// A question to a responder about being first responder (R8).
public enum ResponderQuestion: String, Sendable {
  /// Can it get focus?
  case canBecomeFirstResponder
  /// Can it give focus up?
  case canResignFirstResponder
}

/// A reason why nothing was performed (M7, M10).
public struct Refusal: Equatable, Sendable {
  /// The item as it was validated, when a command was to be performed.
  public let item: ValidatedItem?
  /// The action.
  package let action: Selector?
  /// The reason.
  public let reason: ValidationReason
  /// The rule that failed, when one did.
  package let fault: RuleFault?
  /// The trace, when that was wanted.
  package let trace: Trace
}
