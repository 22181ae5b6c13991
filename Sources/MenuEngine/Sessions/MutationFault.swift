public import JSONSchema
public import JSONText

/// A reason why a mutation was refused, or a question; the session is as it was before.
public enum MutationFault: Error, Equatable, Sendable {
  /// There is no responder of this name.
  case unknownResponder(ResponderID)
  /// There is no class of this name in the catalogue.
  case unknownClass(ResponderID, ClassName)
  /// A link leads to a responder that does not exist.
  case danglingLink(ResponderID, ResponderLink, to: ResponderID)
  /// A link leads to a responder of a kind it cannot have as destination.
  case linkToOtherKind(ResponderID, ResponderLink, to: ResponderID, kind: ResponderKind)
  /// A root view or root view controller already has another owner.
  case linkTaken(ResponderID, ResponderLink, to: ResponderID, by: ResponderID)
  /// A second application.
  case secondApplication(ResponderID, existing: ResponderID)
  /// A cycle of links (R9); the first responder is repeated at the end.
  case cycle([ResponderID], along: ResponderLink)
  /// A cycle on which messages would not end (C1); the first responder is repeated at the end.
  case coordinatingCycle([ResponderID])
  /// The parent coordinator is not a coordinator (C3).
  case notCoordinating(ResponderID, parentOf: ResponderID)
  /// The responder has no handler of its own for the selector.
  case unknownHandler(ResponderID, Selector)
  /// The responder hosts no coordinator.
  case noCoordinator(ResponderID)
  /// No registration has the token; it may have been removed.
  case unknownRegistration(ResponderID, token: Int)
  /// The responder has no registry of late responders on its chain (L6).
  case noRegistry(ResponderID)
  /// A host lists a late responder that does not exist.
  case unknownLateResponder(ResponderID, host: ResponderID)
  /// A host lists a late responder that is in another registry, or lists it twice.
  case lateResponderTaken(ResponderID, host: ResponderID, by: ResponderID)
  /// The weight of a responder cannot change while it is registered (L3).
  case weightFixed(ResponderID, Int, host: ResponderID)
  /// The successor of a late responder is set by its registry (L2); its own `next` would have no effect.
  case nextOfLateResponder(ResponderID, host: ResponderID)
  /// The responder is not a proxy.
  case notAProxy(ResponderID)
  /// The responder is not a window and cannot take a window's role.
  case notAWindow(ResponderID, ResponderKind, as: WindowRole)
  /// The responder is not in the window in which it was to get focus (R11).
  case notInWindow(ResponderID, ResponderID)
  /// The responder is of a kind that has no such link.
  case noSuchLink(ResponderID, ResponderLink, kind: ResponderKind)
  /// The launch of a new session failed (V1).
  indirect case launching(MutationFault)
  /// A storyboard, a segue or a delegate does not fit (V1–V7).
  case storyboard(StoryboardFault)
  /// View controllers cannot be arranged as requested (V4).
  case containment(ContainmentFault)
  /// A coordinator cannot do what was requested (C4, C5).
  case coordination(CoordinationFault)
  /// The candidate refuses to become first responder, or the present one to resign (R8). `because` has one line
  /// per condition that makes the rule false.
  case firstResponderRefused(
    candidate: ResponderID?, by: ResponderID, ResponderQuestion, because: [String])
  /// A first responder's rule failed.
  case firstResponderRule(ResponderID, RuleFault)
  /// The state would not be an object.
  case stateIsNoObject
  /// A JSON Patch cannot be applied to the state.
  case patch(JSONPatchFault)
  /// A proxy's handler has a `canPerform` rule, which is never evaluated (L8).
  case ruleOfProxy(ResponderID, Selector)
  /// A value is deeper or larger than a session accepts at once (`Limits`).
  case tooLarge
  /// The catalogue has no command of this name.
  case unknownCommand(CommandID)
  /// The catalogue has no menu of this name.
  case unknownMenu(MenuID)
  /// The command is disabled, or the action has no target (M7).
  case notPerformed(Refusal)
  /// No match of a pressed key can be performed (K3).
  case keyNotPerformed(KeyResolution)
  /// The receiver neither has a handler nor forwards the message (F4). The trace is recorded on request.
  /// `isRegistered` is true if the receiver's coordinator has a handler, which only its forwarder finds (F3).
  case doesNotRecognizeSelector(
    Receiver, Selector, isRegistered: Bool = false, trace: Trace = Trace(isRecording: false))
  /// The sender of `handleAction:` carries no action (F6).
  case senderCarriesNoAction(Receiver, Selector)
  /// The number of arguments differs from the number of colons in the selector.
  case argumentCount(Selector, given: Int)
  /// The parameters of a command do not match its schema (P2).
  case invalidParameters(CommandID, ValueFault.List)
  /// Parameters were given for an action, or for a command without parameters.
  case noParameters(CommandID?)
  /// A key selects a command that needs parameters, and a key carries none (P3).
  case keyLacksParameters(CommandID, ValueFault.List)
  /// A rule of an effect failed.
  case effectRule(Receiver, Selector, RuleFault)
  /// An effect on the state could not be applied.
  case effectPatch(Receiver, Selector, index: Int, JSONPatchFault)
  /// An effect failed, for instance because it names a responder that does not exist.
  indirect case effect(Receiver, Selector, index: Int, MutationFault)
  /// A handler answered a question with a value of the wrong type.
  case wrongAnswer(JSON, of: ResponderID, Selector, expected: ExpectedAnswer)
  /// Nested sends exceeded the limit. The fault has the message that was one too many and, on request, the
  /// trace up to it.
  case sendsTooDeep(
    Receiver, Selector, limit: Int, trace: Trace = Trace(isRecording: false))
  /// One performed command had more effects than the limit.
  case tooManyEffects(limit: Int)
  /// An undo manager refused (U1, U2).
  case undo(UndoFault)
  /// The message queue is full (C6).
  case messageQueueFull(count: Int)
  /// A queued message could not be sent, so none was (C6).
  indirect case queuedMessage(index: Int, Selector, from: ResponderID, MutationFault)
  /// A delivery does not exist, or its state does not allow the request (D2).
  case delivery(DeliveryFault)
  /// The request takes more steps than `Limits.effort`.
  case tooMuchEffort
  /// The session would exceed one of its limits (`SessionLimits`).
  case limitReached(Holding, limit: Int)
  /// A mutation of a list was refused, and with it the whole list.
  indirect case inList(index: Int, MutationFault)
}

/// The values that a question can be answered with.
public enum ExpectedAnswer: Equatable, Sendable {
  /// True or false: a yes-or-no question (V9).
  case bool
  /// The id of a view controller that can become the secondary one, null or false (A8). `refused` is why the
  /// named view controller cannot.
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
  /// The trace, if requested.
  package let trace: Trace
}
